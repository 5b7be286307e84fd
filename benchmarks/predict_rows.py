"""What predicting a long table costs: rows per second and peak memory, by number of rows.

    python benchmarks/predict_rows.py molecules.csv --rows 10000 100000 [--output predict.json]

The molecules of the file are repeated until there are enough rows. Each length is predicted by
an `argnp predict` process of its own, by a network of ordinary width whose weights are not
trained (which changes neither time nor memory). The peak is the largest resident size of that
process alone and of the largest of the processes it started. Memory is constant where the peak
does not grow with the rows.
"""

import argparse
import csv
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from argnp.arch import Space, sample
from argnp.data.molecules.columns import find_smiles_column
from argnp.data.molecules.load import load_molecules
from argnp.data.molecules.table import open_table
from argnp.data.schema import Encoding
from argnp.model.save import save_model
from argnp.nets.network import build
from argnp.nets.widths import Widths

# Runs the command and tells, as the last line, what its processes needed at most.
_MEASURED = """
import json, resource, sys, time
from argnp.cli.main import main
began = time.monotonic()
code = main(sys.argv[1:])
seconds = time.monotonic() - began
peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
worker_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "peak_mb": peak_mb, "worker_mb": worker_mb}))
sys.exit(code)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--target", help="a column of numbers (default: the last column)")
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        package(options.data, options.target, options.size, folder / "model")
        rows = [measure(options.data, folder, count) for count in options.rows]
    print(f"{'rows':>10}{'seconds':>10}{'rows/s':>10}{'peak MB':>10}{'worker MB':>12}")
    for row in rows:
        print(
            f"{row['rows']:10,}{row['seconds']:10.1f}{row['rows_per_second']:10,.0f}"
            f"{row['peak_mb']:10.0f}{row['worker_mb']:12.0f}"
        )
    if options.output is not None:
        measured = {"cores": os.cpu_count(), "size": options.size, "lengths": rows}
        options.output.write_text(json.dumps(measured, indent=2) + "\n")


def package(data: Path, target: str | None, size: int, folder: Path) -> None:
    """A network for these molecules, as it comes from its initialisation."""
    loaded = load_molecules(
        data, targets=[target or open_table(data).columns[-1]], encoding=Encoding("rwse", 16)
    )
    schema, widths = loaded.dataset.schema, Widths()
    architecture = sample(size, random.Random(0), Space())
    save_model(
        folder,
        [build(architecture, widths, schema, seed=0)],
        architecture=architecture,
        widths=widths,
        schema=schema,
        metric=loaded.dataset.metric,
        name=loaded.dataset.name,
        molecules=loaded,
    )


def measure(data: Path, folder: Path, count: int) -> dict[str, Any]:
    """Predicts the file's molecules, repeated to ``count`` rows."""
    table = open_table(data)
    column = find_smiles_column(table)
    smiles = itertools.islice(itertools.cycle(table.read([column]).columns[column]), count)
    source, output = folder / f"{count}.csv", folder / f"{count}-predicted.csv"
    with source.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([column])
        writer.writerows([text] for text in smiles)
    command = ["predict", str(folder / "model"), str(source), "-o", str(output)]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *command], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    with output.open() as stream:
        written = sum(1 for _ in stream) - 1
    if written != count:
        raise RuntimeError(f"{count} rows in, {written} out")
    source.unlink()
    output.unlink()
    return {"rows": count, **found, "rows_per_second": count / found["seconds"]}


if __name__ == "__main__":
    main()
