"""How long the positional encodings of a set of molecules take: computed once, in parallel.

    python benchmarks/positional.py molecules.csv.gz [--output positional.json]

Seconds for all molecules of the file together, the median of a few passes; nothing is cached.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from argnp.data.encodings import encode
from argnp.data.molecules.columns import find_smiles_column
from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import BY_NAME
from argnp.data.molecules.table import open_table
from argnp.data.schema import Encoding

KINDS = (Encoding("lap", 8), Encoding("lap", 20), Encoding("rwse", 16))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--molecules", type=int, default=12_000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    measured = measure(options.data, options.molecules, options.passes, KINDS)
    print(f"{measured['molecules']} molecules, {measured['cores']} cores")
    print(f"{'encoding':12}{'seconds':>9}")
    for name, seconds in measured["seconds"].items():
        print(f"{name:12}{seconds:9.2f}")
    if options.output is not None:
        options.output.write_text(json.dumps(measured, indent=2) + "\n")


def measure(path: Path, molecules: int, passes: int, kinds: Sequence[Encoding]) -> dict[str, Any]:
    """Median seconds by encoding, passes interleaved."""
    table, featurizer = open_table(path), BY_NAME["zinc"]
    smiles = table.head(molecules)[find_smiles_column(table)]
    raw = featurize(smiles, featurizer).graphs(featurizer)
    seconds: dict[str, list[float]] = {f"{kind.kind}:{kind.width}": [] for kind in kinds}
    for _ in range(passes):
        for kind in kinds:
            began = time.perf_counter()
            encode(raw, kind)
            seconds[f"{kind.kind}:{kind.width}"].append(time.perf_counter() - began)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    return {"molecules": raw.num_graphs, "cores": os.cpu_count(), "seconds": medians}


if __name__ == "__main__":
    main()
