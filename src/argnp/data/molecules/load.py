"""A file of molecules to a dataset, and what a packaged model has to know of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Dataset
from argnp.data.ingest import ingest
from argnp.data.molecules.cache import convert_cached, default_folder
from argnp.data.molecules.convert import Progress
from argnp.data.molecules.converted import Converted
from argnp.data.molecules.featurizer import Featurizer, featurizer_called
from argnp.data.molecules.notes import loss_notes, overlap_notes
from argnp.data.molecules.rejected import Rejected, list_rejected, refuse
from argnp.data.molecules.rows import Rows, read_rows
from argnp.data.molecules.split_files import (
    SplitRows,
    read_split_column,
    read_split_files,
    to_graphs,
)
from argnp.data.schema import Encoding
from argnp.data.splits import Sizes
from argnp.errors import UserError

OnInvalid = Literal["skip", "error"]
NO_ENCODING: Final = Encoding()
SPLITS: Final = ("random", "stratified", "scaffold", "column", "file")


@dataclass(frozen=True)
class MoleculeData:
    """A dataset of molecules, with what turns further molecules into its graphs.

    Graph ``g`` of the dataset is row ``rows[g]`` of the file and the molecule ``smiles[g]``.
    ``class_labels`` is empty unless the target is a class.
    """

    dataset: Dataset
    featurizer: Featurizer
    smiles_column: str
    target_names: tuple[str, ...]
    class_labels: tuple[str, ...]
    smiles: tuple[str, ...]
    rows: NDArray[np.int64]  # (G,), from 1
    rejected: tuple[Rejected, ...]


def load_molecules(
    path: Path | str,
    *,
    targets: Sequence[str],
    smiles_column: str | None = None,
    featurizer: str | Featurizer = "rich",
    split: str | None = None,
    splits_column: str | None = None,
    split_file: Path | str | None = None,
    split_sizes: Sizes = (0.8, 0.1, 0.1),
    on_invalid: OnInvalid = "skip",
    relations: str = "auto",
    encoding: Encoding = NO_ENCODING,
    task: str | None = None,
    metric: str | None = None,
    seed: int = 0,
    cache: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> MoleculeData:
    """Reads, converts, infers, splits and packs the molecules of a CSV, TSV or Parquet file.

    ``split``: random (the default), stratified, scaffold, column (implied by
    ``splits_column``) or file (implied by ``split_file``, see ``split_files.py``).
    ``cache``: the folder of converted molecules and encodings, by default the user's.
    """
    if on_invalid not in get_args(OnInvalid):
        raise UserError(f"--on-invalid {on_invalid}: there is skip and error")
    split = _choose_split(split, splits_column, split_file)
    chosen = featurizer_called(featurizer) if isinstance(featurizer, str) else featurizer
    folder = default_folder() if cache is None else cache
    rows = read_rows(
        path,
        targets=targets,
        smiles_column=smiles_column,
        splits_column=splits_column,
        task=task,
    )
    bad, stop = rows.bad, on_invalid == "error"
    converted = convert_cached(
        rows.smiles[: min(bad)] if stop and bad else rows.smiles,
        chosen,
        scaffolds=split == "scaffold",
        stop_at_first=stop,
        folder=folder,
        workers=workers,
        progress=progress,
    )
    rejected = list_rejected(rows, converted)
    if stop and rejected:
        raise refuse(rows.path, rejected[0])
    converted = _with_targets(rows, converted, rejected)
    dataset = ingest(
        replace(
            converted.graphs(chosen),
            y=rows.targets.y[converted.places],
            labels=rows.targets.labels,
            ids=converted.places + 1,
            groups=_groups(converted) if split == "scaffold" else None,
        ),
        name=rows.name,
        splits=_given_splits(rows, splits_column, split_file, converted.places),
        split="grouped" if split == "scaffold" else split,
        split_sizes=split_sizes,
        task=task,
        metric=metric,
        relations=relations,
        encoding=encoding,
        seed=seed,
        notes=(rows.note, rows.targets.note, *loss_notes(rows, converted, rejected, chosen)),
        cache=folder,
    )
    notes = (*dataset.notes, *overlap_notes(converted.keys, dataset.splits))
    return MoleculeData(
        dataset=replace(dataset, notes=notes),
        featurizer=chosen,
        smiles_column=rows.smiles_column,
        target_names=tuple(targets),
        class_labels=rows.targets.labels if rows.targets.kind == "classification" else (),
        smiles=tuple(rows.smiles[place] for place in converted.places),
        rows=converted.places + 1,
        rejected=rejected,
    )


def _choose_split(
    split: str | None, splits_column: str | None, split_file: Path | str | None
) -> str:
    given = {"column": splits_column, "file": split_file}
    named = [kind for kind, source in given.items() if source is not None]
    if split is None and len(named) < 2:
        return named[0] if named else "random"
    if split not in (None, *SPLITS):
        raise UserError(f"--split {split}: there is {', '.join(SPLITS)}")
    if split in given and given[split] is None:
        flag = "--splits-column" if split == "column" else "--split-file"
        raise UserError(f"--split {split} needs {flag}")
    if named not in ([], [split]):
        raise UserError(
            "--split, --splits-column and --split-file say different things; give one of them"
        )
    return split or "random"


def _with_targets(rows: Rows, converted: Converted, rejected: Sequence[Rejected]) -> Converted:
    """Without the molecules whose row has no target, or text in its place, or is damaged."""
    usable = ~rows.targets.missing
    usable[list(rows.bad)] = False
    kept = usable[converted.places]
    if not kept.any():
        example = f"; row {rejected[0].row}, {rejected[0].reason}" if rejected else ""
        raise UserError(f"{rows.path}: no row has a valid molecule and a target{example}")
    return converted.take(kept)


def _groups(converted: Converted) -> NDArray[np.int64]:
    """(G,) the molecules of a scaffold have the same number, in order of first appearance."""
    _, first, inverse = np.unique(converted.scaffolds, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)


def _given_splits(
    rows: Rows,
    splits_column: str | None,
    split_file: Path | str | None,
    places: NDArray[np.int64],
) -> SplitRows | None:
    if splits_column is not None:
        by_row = read_split_column(rows.path, splits_column, rows.split_words)
        return to_graphs(by_row, places, len(rows.smiles), rows.path)
    if split_file is not None:
        file = Path(split_file)
        return to_graphs(read_split_files(file), places, len(rows.smiles), file)
    return None
