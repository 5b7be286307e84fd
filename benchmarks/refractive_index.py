"""A public table of a few thousand molecules: refractive indices at room temperature.

    chemprop/bin/pip install --no-deps chemicals
    chemprop/bin/python benchmarks/refractive_index.py > refractive_index.csv
    python benchmarks/esol_chemprop.py refractive_index.csv --chemprop chemprop/bin

The package `chemicals` (MIT) brings the table of the CRC Handbook and, for the registry numbers
in it, PubChem's SMILES. Of isomers that share a SMILES the first is kept, so that no molecule is
in two splits.
"""

import csv
import sys
from importlib.util import find_spec
from pathlib import Path

WARMEST, COLDEST = 303.15, 288.15  # kelvin: the index falls by about 0.0005 a degree
NAMES = ("chemical identifiers pubchem large.tsv", "chemical identifiers pubchem small.tsv")


def main() -> None:
    found = find_spec("chemicals")
    if found is None or found.origin is None:
        sys.exit("pip install --no-deps chemicals; its tables are read, nothing of it is run")
    rows = table(Path(found.origin).parent)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["smiles", "refractive_index"])
    writer.writerows(rows)


def table(package: Path) -> list[tuple[str, str]]:
    """(SMILES, index) of every molecule that has both."""
    smiles = smiles_by_number([package / "Identifiers" / name for name in NAMES])
    rows: dict[str, str] = {}
    with (package / "Misc" / "CRC Handbook Organic RI.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            warm = float(row["RIT"] or "nan")
            if row["CAS"] in smiles and row["RI"] and COLDEST <= warm <= WARMEST:
                rows.setdefault(smiles[row["CAS"]], row["RI"])
    return list(rows.items())


def smiles_by_number(files: list[Path]) -> dict[str, str]:
    """SMILES by registry number: the second and the fifth column."""
    found: dict[str, str] = {}
    for file in files:
        with file.open(encoding="utf-8") as stream:
            for line in stream:
                columns = line.rstrip("\n").split("\t")
                found[columns[1]] = columns[4]
    return found


if __name__ == "__main__":
    main()
