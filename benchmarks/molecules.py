"""What molecules cost beyond RDKit's own parsing: milliseconds per molecule, on one core.

    python benchmarks/molecules.py molecules.csv.gz [--output molecules.json]

Times the parser alone, then everything from the text of the file to arrays: reading, parsing,
canonical SMILES (for duplicates), codes, and scaffolds where a split needs them. Passes are
interleaved and the medians compared. The budget is for what every run needs; scaffolds, which
one kind of split needs, stand beside it.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from argnp.data.molecules import chemistry
from argnp.data.molecules.columns import find_smiles_column
from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import BY_NAME, Featurizer
from argnp.data.molecules.table import open_table

BUDGET_MS = 0.33


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--molecules", type=int, default=2000)
    parser.add_argument("--passes", type=int, default=7)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    measured = measure(options.data, options.molecules, options.passes)
    print(f"{measured['molecules']} molecules, median of {options.passes} passes, ms per molecule")
    print(f"{'':24}{'all':>8}{'beyond parsing':>16}")
    print(f"{'RDKit parses':24}{measured['parse_ms']:8.3f}")
    for name, row in measured["featurizers"].items():
        print(f"{name:24}{row['all_ms']:8.3f}{row['beyond_ms']:16.3f}")
    print(f"budget beyond parsing: {BUDGET_MS} ms")
    if options.output is not None:
        options.output.write_text(json.dumps(measured, indent=2) + "\n")


def measure(path: Path, molecules: int, passes: int) -> dict[str, Any]:
    """Medians over ``passes`` rounds in which every variant runs once."""
    table = open_table(path)
    column = find_smiles_column(table)
    smiles = table.head(molecules)[column]
    chem = chemistry.rdkit()

    def parse() -> None:
        for text in smiles:
            chem.MolFromSmiles(text)

    def everything(featurizer: Featurizer, scaffolds: bool) -> Callable[[], None]:
        def run() -> None:
            chunk = next(table.chunks([column], size=molecules))
            featurize(chunk.columns[column], featurizer, scaffolds=scaffolds).graphs(featurizer)

        return run

    variants = {"parse": parse}
    for name, featurizer in BY_NAME.items():
        variants[name] = everything(featurizer, False)
        variants[f"{name} with scaffolds"] = everything(featurizer, True)
    times: dict[str, list[float]] = {name: [] for name in variants}
    with chemistry.silence():
        for _ in range(passes):
            for name, run in variants.items():
                start = time.process_time()
                run()
                times[name].append((time.process_time() - start) / len(smiles) * 1e3)
    medians = {name: statistics.median(each) for name, each in times.items()}
    alone = medians.pop("parse")
    return {
        "molecules": len(smiles),
        "rdkit": chemistry.version(),
        "budget_ms": BUDGET_MS,
        "parse_ms": alone,
        "featurizers": {
            name: {"all_ms": ms, "beyond_ms": ms - alone} for name, ms in medians.items()
        },
    }


if __name__ == "__main__":
    main()
