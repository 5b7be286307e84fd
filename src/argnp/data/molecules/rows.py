"""The rows of a molecule file as text and targets, before RDKit looks at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from argnp.data.molecules.columns import check_targets, find_smiles_column
from argnp.data.molecules.table import Chunk, open_table
from argnp.data.molecules.targets import Targets, read_targets
from argnp.data.schema import Kind
from argnp.errors import UserError

_TASKS: Final[dict[str, Kind]] = {f"graph-{kind}": kind for kind in get_args(Kind)}


@dataclass(frozen=True)
class Rows:
    """All rows of a file; place ``p`` of every list is row ``p + 1``.

    ``bad``: reason by place, of rows that could not be read, or whose target could not.
    """

    path: Path
    smiles_column: str
    smiles: Sequence[str]
    targets: Targets
    split_words: Sequence[str]  # empty without a splits column
    bad: Mapping[int, str]
    note: str

    @property
    def name(self) -> str:
        """The file's name without endings."""
        return self.path.name.split(".")[0] or "molecules"


def read_rows(
    path: Path | str,
    *,
    targets: Sequence[str],
    smiles_column: str | None = None,
    splits_column: str | None = None,
    task: str | None = None,
) -> Rows:
    """Finds or checks the columns and reads only those."""
    table = open_table(path)
    if task is not None and task not in _TASKS:
        raise UserError(f"--task {task}: a molecule is a graph, so {', '.join(_TASKS)}")
    names = check_targets(table, targets)
    others = names if splits_column is None else (*names, table.require(splits_column))
    if smiles_column is None:
        smiles_column = find_smiles_column(table, others=others)
    chunk = table.read(list(dict.fromkeys([table.require(smiles_column), *others])))
    cells = {name: _blanked(texts, chunk.bad) for name, texts in chunk.columns.items()}
    smiles = cells[smiles_column]
    if not smiles:
        raise UserError(f"{table.path}: no rows below the header")
    if len(chunk.bad) == len(smiles):
        raise UserError(f"{table.path}: no row can be read; row 1: {chunk.bad[0]}")
    found = read_targets(
        table.path,
        {name: cells[name] for name in names},
        None if task is None else _TASKS[task],
    )
    return Rows(
        path=table.path,
        smiles_column=smiles_column,
        smiles=smiles,
        targets=found,
        split_words=[] if splits_column is None else _words(chunk, splits_column),
        bad={**found.bad, **chunk.bad},
        note=f"{len(smiles):,} rows of {table.path.name}, SMILES in column {smiles_column}",
    )


def _blanked(texts: Sequence[str], bad: Mapping[int, str]) -> list[str]:
    """Nothing where a row cannot be relied on: its cells may stand in wrong columns."""
    return ["" if place in bad else text for place, text in enumerate(texts)] if bad else [*texts]


def _words(chunk: Chunk, column: str) -> list[str]:
    """Rows that cannot be read go into any split, as no graph comes of them."""
    words = chunk.columns[column]
    usual = next(word for place, word in enumerate(words) if place not in chunk.bad)
    return [usual if place in chunk.bad else word for place, word in enumerate(words)]
