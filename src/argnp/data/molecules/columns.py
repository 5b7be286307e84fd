"""Which columns of a table hold what: SMILES, numbers."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from argnp.data.molecules import chemistry
from argnp.data.molecules.cells import to_number
from argnp.data.molecules.table import Table, list_names
from argnp.errors import UserError

_SAMPLE: Final = 200
_ENOUGH: Final = 0.5  # of the cells that are not blank


def find_smiles_column(table: Table, *, others: Collection[str] = ()) -> str:
    """The first column most of whose cells are molecules; ``others`` are known to be no SMILES."""
    with chemistry.silence():
        for name, cells in table.head(_SAMPLE).items():
            if name not in others and _share(cells, _is_molecule) >= _ENOUGH:
                return name
    raise UserError(
        f"{table.path}: no column reads as SMILES in its first {_SAMPLE} rows; "
        f"name it with --smiles-column (columns: {list_names(table.columns)})"
    )


def numeric_columns(table: Table) -> list[str]:
    """Columns most of whose cells are numbers."""
    return [
        name
        for name, cells in table.head(_SAMPLE).items()
        if _share(cells, lambda cell: to_number(cell) is not None) >= _ENOUGH
    ]


def check_targets(table: Table, targets: Sequence[str]) -> tuple[str, ...]:
    """The target columns, there and named once; a line that lists the candidates where none is."""
    if not targets:
        candidates = numeric_columns(table)
        found = (
            f"columns of numbers: {list_names(candidates)}"
            if candidates
            else (f"columns: {list_names(table.columns)}")
        )
        raise UserError(f"{table.path}: what is to be predicted? Name it with --target ({found})")
    for name in targets:
        if targets.count(name) > 1:
            raise UserError(f"{table.path}: --target {name} is given twice")
    return tuple(table.require(name) for name in targets)


def _share(cells: Sequence[str], test: Callable[[str], bool]) -> float:
    filled = [cell for cell in cells if cell]
    return sum(map(test, filled)) / len(filled) if filled else 0.0


def _is_molecule(cell: str) -> bool:
    try:
        chemistry.parse(cell)
    except (ValueError, RuntimeError):
        return False
    return True
