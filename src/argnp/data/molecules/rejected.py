"""Rows of a file that gave no molecule with a target, and the file that lists them."""

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from argnp.data.molecules.converted import Converted
from argnp.data.molecules.rows import Rows
from argnp.errors import UserError
from argnp.runs.files import whole


@dataclass(frozen=True, order=True)
class Rejected:
    """Row 1 is the first below the header."""

    row: int
    reason: str
    smiles: str


def list_rejected(rows: Rows, converted: Converted) -> tuple[Rejected, ...]:
    """Rows that could not be read, and SMILES that are no molecule, in the order of the rows."""
    column = f"column {rows.smiles_column}: "
    reasons = {place: f"{column}{reason}" for place, reason in converted.rejected}
    reasons.update(rows.bad)
    return tuple(
        Rejected(place + 1, reasons[place], rows.smiles[place]) for place in sorted(reasons)
    )


def refuse(path: Path, rejected: Rejected) -> UserError:
    """The end of a run that takes no bad row."""
    told = rejected.smiles and "is no number" not in rejected.reason
    smiles = f" in '{rejected.smiles[:60]}'" if told else ""
    return UserError(
        f"{path}, row {rejected.row}, {rejected.reason}{smiles}; "
        "mend the row, or drop it with --on-invalid skip"
    )


def write_rejected(path: Path, rejected: Sequence[Rejected]) -> None:
    """A CSV file with the columns row, reason, smiles; there whole or not at all."""
    with whole(path) as part, part.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("row", "reason", "smiles"))
        writer.writerows(map(astuple, rejected))
