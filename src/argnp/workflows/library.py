"""The library's entry points: what the commands do, on objects, in this process."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from argnp import __version__
from argnp.arch import Architecture
from argnp.data.folder import save_dataset as save_packed
from argnp.data.generators.clouds_folder import save_clouds
from argnp.data.pointclouds import PointCloudSource
from argnp.errors import UserError
from argnp.heads.metrics import METRICS
from argnp.model.graph_module import GraphModule
from argnp.model.load import load_model
from argnp.model.manifest import FORMAT, Manifest, Operations
from argnp.model.model import Model
from argnp.model.module import PackagedNetwork
from argnp.model.predicted import Values
from argnp.nets.network import build as build_network
from argnp.nets.widths import Widths
from argnp.report.page import write_report
from argnp.runs.folder import RunFolder
from argnp.workflows.begin import begun, begun_in_memory, keep_rejected
from argnp.workflows.console import console
from argnp.workflows.context import Context
from argnp.workflows.extras import write_extras
from argnp.workflows.fit import Fitted
from argnp.workflows.fit import fit as fit_run
from argnp.workflows.fit import search as search_run
from argnp.workflows.keywords import configure_keywords
from argnp.workflows.open_data import Opened, open_data, open_objects
from argnp.workflows.package import package
from argnp.workflows.parts import Trains
from argnp.workflows.plan import Plan
from argnp.workflows.settings import Settings


@dataclass(frozen=True)
class FitResult:
    """What `fit` found: ``metrics`` are the test set's, ``validation`` those it was chosen by."""

    architecture: Architecture
    metrics: dict[str, float]
    validation: dict[str, float]
    run: Path | None
    _context: Context
    _fitted: Fitted
    _opened: Opened

    @cached_property
    def packaged(self) -> Model:
        """The model as `argnp.load` gives it back: saved and read, so that the two are one."""
        with TemporaryDirectory() as folder:
            return load_model(self.save(Path(folder) / "model"))

    @cached_property
    def model(self) -> GraphModule:
        """The chosen network as a ``torch.nn.Module``: ``model(data)``."""
        return GraphModule(self.packaged.module)

    def predict(self, graphs: Any) -> Values:
        """(rows, outputs): numbers in the units of the targets, or probabilities."""
        return self.packaged.predict(graphs)

    def save(self, folder: Path | str) -> Path:
        """The portable model folder; `argnp.load` reads it anywhere."""
        path = package(self._context, self._fitted, self._opened, Path(folder))
        assert path is not None
        return path


@dataclass(frozen=True)
class SearchResult:
    """``architectures``: of the first search by size; ``searches``: of every search."""

    searches: dict[int, dict[int, Architecture]]
    run: Path | None

    @property
    def architectures(self) -> dict[int, Architecture]:
        return self.searches[0]


def fit(
    data: object, *, output_dir: Path | str | None = None, quiet: bool = False, **options: Any
) -> FitResult:
    """Search, train, choose on validation, test once.

    ``data``: a PyG Dataset, a list of Data, a (train, val, test) triple, one Data with masks, or
    what the command line takes. ``options`` are its flags with underscores, as ``size=8``,
    ``task="graph-regression"``, ``time_budget="5m"``, and any setting as ``train__lr=1e-3``.
    Without ``time_budget``, ``plan`` and ``epochs`` it takes half an hour, as the command does.
    With ``output_dir`` the run is kept there, and resumed from there.
    """
    with _run(data, output_dir, quiet, options) as (context, plan, opened):
        fitted = fit_run(context, plan)
        package(context, fitted, opened)
        write_extras(context, fitted, opened)
    run = context.folder.path if context.folder else None
    if run is not None:
        write_report(run)
    best = fitted.chosen[0]
    return FitResult(
        best.architecture, fitted.test, fitted.validation, run, context, fitted, opened
    )


def search(
    data: object, *, output_dir: Path | str | None = None, quiet: bool = False, **options: Any
) -> SearchResult:
    """Architectures of every size on the way; arguments as for `fit`."""
    with _run(data, output_dir, quiet, options, "none") as (context, plan, _):
        found = search_run(context, plan)
    return SearchResult(found, context.folder.path if context.folder else None)


def build(
    architecture: Architecture,
    *,
    data: object,
    node_dim: int = 50,
    edge_dim: int = 25,
    seed: int = 0,
    **options: Any,
) -> GraphModule:
    """A fresh network of this architecture for this data, with random weights.

    ``model(data)`` gives logits or numbers, ready for a loss of one's own.
    """
    settings = configure_keywords(data, options)
    dataset = _open(data, settings).dataset
    wide = Widths().scaled(node_dim / Widths().node)
    widths = Widths(node_dim, edge_dim, wide.node_out, wide.edge_out)
    network = build_network(
        architecture, widths, dataset.schema, seed=seed, dropout=settings.train.dropout
    )
    manifest = Manifest(
        format=FORMAT,
        argnp=__version__,
        name=dataset.name,
        schema=dataset.schema,
        widths=widths,
        readout=settings.train.readout,
        encoder_norm=False,
        metric=METRICS[dataset.metric].name,
        operations=Operations.of(architecture),
        weights=("weights-0.safetensors",),
    )
    model = GraphModule(PackagedNetwork([network], manifest), raw=True)
    return model.train()


def save_dataset(data: object, folder: Path | str, **options: Any) -> Path:
    """Data as a new folder of arrays that `fit` and the command line take as DATA.

    ``data`` and ``options`` (how it is read and split, as ``task``, ``split``, ``pe``, ``seed``)
    are those of `fit`. It is opened without being read whole, so it may be larger than memory. Of
    a table, the graphs are saved: a model of them takes graphs, not SMILES.
    """
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UserError(f"{path} exists already; give another folder or remove it")
    dataset = _open(data, configure_keywords(data, options)).dataset
    save = save_clouds if isinstance(dataset.source, PointCloudSource) else save_packed
    try:
        path.mkdir(parents=True, exist_ok=True)
        save(dataset, path)
    except OSError as failed:
        raise UserError(f"{path} cannot be written ({failed.strerror})") from None
    return path


@contextmanager
def _run(
    data: object,
    output_dir: Path | str | None,
    quiet: bool,
    options: dict[str, Any],
    trains: Trains = "every",
) -> Iterator[tuple[Context, Plan, Opened]]:
    began = time.monotonic()
    settings = configure_keywords(data, options, fits=trains == "every")
    opened = _open(data, settings, quiet=quiet)
    with closing(console(quiet=quiet)) as screen:
        if output_dir is None:
            context, plan = begun_in_memory(
                settings, opened.dataset, screen, began=began, trains=trains
            )
            yield context, plan, opened
            return
        folder = RunFolder(Path(output_dir))
        with begun(settings, opened.dataset, folder, screen, began=began, trains=trains) as (
            context,
            plan,
        ):
            keep_rejected(folder, opened)
            yield context, plan, opened


def _open(data: object, settings: Settings, *, quiet: bool = True) -> Opened:
    if isinstance(data, str | Path):
        return open_data(settings.data, settings.seed, quiet=quiet)
    name = type(data).__name__
    return Opened(open_objects(data, settings.data, settings.seed, name=name))
