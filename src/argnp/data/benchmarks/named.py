"""Data by name: a built-in set or a published benchmark."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from argnp.data.benchmarks.download import NoDownloadError, default_root
from argnp.data.benchmarks.gnn_benchmark import here, load_gnn_benchmark
from argnp.data.benchmarks.modelnet import load_modelnet
from argnp.data.benchmarks.moleculenet import load_moleculenet
from argnp.data.benchmarks.ogb import load_ogb
from argnp.data.benchmarks.planetoid import load_planetoid
from argnp.data.benchmarks.tu import load_tu
from argnp.data.benchmarks.zinc import load_zinc
from argnp.data.dataset import Dataset
from argnp.data.generators.catalogue import GENERATORS
from argnp.data.generators.make import Graphs, generate
from argnp.data.molecules.convert import Progress
from argnp.errors import UserError

Loader = Callable[..., Dataset]

# Read or downloaded, or generated where neither works.
BOTH: Final = ("cluster", "pattern", "tsp")
GENERATED: Final = ("digits", "shapes")
READ: Final[dict[str, Loader]] = {
    "zinc": load_zinc,
    "zinc-full": load_zinc,
    "cifar10": load_gnn_benchmark,
    "mnist": load_gnn_benchmark,
    "modelnet10": load_modelnet,
    "modelnet40": load_modelnet,
}
FAMILIES: Final[dict[str, Loader]] = {
    "tu": load_tu,
    "planetoid": load_planetoid,
    "ogb": load_ogb,
    "moleculenet": load_moleculenet,
}
_DRAWN: Final = ("modelnet10", "modelnet40", "tu", "moleculenet")  # their splits take the seed
_LASTING: Final = ("modelnet10", "modelnet40")  # they tell how far they are


def is_named(text: str) -> bool:
    """Whether this is the name of a data set, or of a family's member."""
    family, colon, member = text.partition(":")
    if colon:
        return family in FAMILIES and bool(member)
    return text in (*BOTH, *GENERATED, *READ)


def splits_are_drawn(name: str) -> bool:
    """Whether this set comes without splits, so that the user may say how to draw them."""
    return is_named(name) and name.partition(":")[0] in ("tu", "moleculenet")


def names() -> tuple[str, ...]:
    """All names, families as ``tu:NAME``."""
    return (*BOTH, *GENERATED, *READ, *(f"{family}:NAME" for family in FAMILIES))


def load_named(
    name: str,
    root: Path | None = None,
    *,
    graphs: Graphs = None,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Dataset:
    """The dataset of this name, its files under ``root`` in PyG's own layout.

    Where a name can be generated, files win over a download, a download over generation;
    ``graphs`` (how many) or ``parameters`` (of the recipe) ask for generation. ``options`` are
    those of :func:`argnp.data.ingest.ingest`. The dataset's notes say where it came from.
    ``progress`` is told how far making or reading is, where that takes long.
    """
    if not is_named(name):
        raise UserError(f"there is no data set {name!r}; choose {', '.join(names())}")
    root = (root or default_root()).expanduser()
    asked = graphs is not None or bool(parameters)
    if name in GENERATED or (name in BOTH and asked):
        return generate(
            name, graphs, seed=seed, parameters=parameters, progress=progress, **options
        )
    if asked:
        makeable = ", ".join((*BOTH, *GENERATED))
        raise UserError(f"{name} cannot be generated, --graphs does not apply; {makeable} can")
    if name in BOTH:
        return _read_or_generate(name, root, seed, progress, options)
    family = name.partition(":")[0]
    if family in _DRAWN:
        options["seed"] = seed
    if family in _LASTING:
        options["progress"] = progress
    return (FAMILIES[family] if ":" in name else READ[name])(name, root, **options)


def _read_or_generate(
    name: str, root: Path, seed: int, progress: Progress | None, options: dict[str, Any]
) -> Dataset:
    try:
        downloaded = not here(name, root)
        dataset = load_gnn_benchmark(name, root, **options)
    except NoDownloadError:
        sizes = GENERATORS[name]
        full = "/".join(map(str, sizes.full or ()))
        note = (
            f"{name}: no files in {root / name.upper()} and no download; generated instead "
            f"(the benchmark has {full} graphs: --graphs {full})"
        )
        return generate(name, sizes.small, seed=seed, notes=[note], progress=progress, **options)
    return _noted(dataset, f"{name}: downloaded") if downloaded else dataset


def _noted(dataset: Dataset, note: str) -> Dataset:
    return replace(dataset, notes=(note, *dataset.notes))
