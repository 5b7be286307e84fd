"""The test error of `argnp fit` beside that of chemprop's default training, on the same splits.

    python3 -m venv chemprop
    chemprop/bin/pip install torch==2.13.0 'chemprop>=2.3,<2.4'
    python benchmarks/esol_chemprop.py esol.csv --chemprop chemprop/bin

Every split is a table of its own, 80/10/10 at random, with a column that says train, val or test;
both programs read that file. Only `argnp` gets a time budget; wall times are those of the whole
processes. Every result is a file under --folder, so that a run that was cut goes on where it
stopped and the two programs can run at different times (--only).
"""

import argparse
import csv
import io
import json
import math
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from argnp.data.molecules.columns import find_smiles_column
from argnp.data.molecules.table import open_table

NAMES = ("argnp", "chemprop")
Result = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="a table of molecules with one target")
    parser.add_argument("--target", help="a column of numbers (default: the last column)")
    parser.add_argument("--smiles-column", help="default: the first column that parses")
    parser.add_argument("--chemprop", type=Path, help="bin folder of chemprop's environment")
    parser.add_argument("--splits", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--budget", default="5m", help="of `argnp fit` (default 5m)")
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--folder", type=Path, help="default: runs/chemprop-NAME")
    parser.add_argument("--out", type=Path, help="JSON file (default: docs/NAME.json)")
    options = parser.parse_args()
    runs = [options.only] if options.only else list(NAMES)
    if "chemprop" in runs and options.chemprop is None:
        parser.error("--chemprop BIN says where chemprop is installed (or give --only argnp)")
    rows, target = read_rows(options.data, options.smiles_column, options.target)
    folder = options.folder or Path("runs") / f"chemprop-{options.data.stem}"
    for seed in options.splits:
        place = folder / f"split-{seed}"
        lay_out(place, rows, target, seed)
        if "argnp" in runs:
            once(place / f"argnp-{options.budget}", lambda run: fit(run, target, options.budget))
        if "chemprop" in runs:
            once(place / "chemprop", lambda run: train(run, target, options.chemprop))
    found = collect(folder, options.splits, options.budget)
    print(as_text(found))
    out = options.out or Path("docs") / f"{options.data.stem}.json"
    about = {"data": options.data.name, "target": target, "molecules": len(rows)}
    measured = {**about, "budget": options.budget, "cores": os.cpu_count(), **found}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(measured, indent=2) + "\n")


def read_rows(
    path: Path, smiles: str | None, target: str | None
) -> tuple[list[tuple[str, str]], str]:
    """SMILES and target of every row that has a target, and the target's name."""
    table = open_table(path)
    smiles, target = smiles or find_smiles_column(table), target or table.columns[-1]
    whole = table.read([smiles, target])
    pairs = zip(whole.columns[smiles], whole.columns[target], strict=True)
    return [p for row, p in enumerate(pairs) if p[1] and row not in whole.bad], target


def lay_out(place: Path, rows: Sequence[tuple[str, str]], target: str, seed: int) -> None:
    """``molecules.csv`` with its splits. Results beside another table would not belong to it."""
    tenth = round(len(rows) / 10)
    names = ["train"] * (len(rows) - 2 * tenth) + ["val"] * tenth + ["test"] * tenth
    random.Random(seed).shuffle(names)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["smiles", target, "split"])
    writer.writerows((*row, name) for row, name in zip(rows, names, strict=True))
    file = place / "molecules.csv"
    if file.exists() and file.read_text() != text.getvalue():
        sys.exit(f"{file}: results of other molecules or splits; give another --folder")
    place.mkdir(parents=True, exist_ok=True)
    file.write_text(text.getvalue())


def once(run: Path, measure: Callable[[Path], Result]) -> None:
    """The result of ``run``, unless it is there. What a cut run left is no part of a time."""
    result = run.with_name(f"{run.name}.json")
    if result.exists():
        return
    shutil.rmtree(run, ignore_errors=True)
    measured = measure(run)
    result.write_text(json.dumps(measured, indent=2) + "\n")
    print(f"{run}: RMSE {measured['rmse']:#.3g} in {measured['seconds']:.0f} s", flush=True)


def fit(run: Path, target: str, budget: str) -> Result:
    options = ["--target", target, "--smiles-column", "smiles", "--splits-column", "split"]
    options += ["--metric", "rmse", "--time-budget", budget, "--seed", seed_of(run)]
    command = ["argnp", "fit", "molecules.csv", *options, "-o", run.name, "--quiet", "--json"]
    seconds, output = timed([sys.executable, "-m", *command], run)
    told = json.loads(output.splitlines()[-1])
    return {
        "rmse": told["test"]["rmse"],
        "seconds": seconds,
        **{name: told[name] for name in ("size", "parameters", "networks")},
        "version": version("argnp"),
        "command": shlex.join(command),
    }


def train(run: Path, target: str, programs: Path) -> Result:
    options = ["--smiles-columns", "smiles", "--target-columns", target, "--splits-column", "split"]
    options += ["--task-type", "regression", "--pytorch-seed", seed_of(run)]
    command = ["chemprop", "train", "--data-path", "molecules.csv", *options, "-o", run.name]
    program = programs.absolute() / command[0]
    seconds, _ = timed([str(program), *command[1:]], run)
    rmse = error(run.parent / "molecules.csv", run / "model_0" / "test_predictions.csv", target)
    asked = "import importlib.metadata as found; print(found.version('chemprop'))"
    told = subprocess.check_output([program.with_name("python"), "-c", asked], text=True)
    return {
        "rmse": rmse,
        "seconds": seconds,
        "version": told.strip(),
        "command": shlex.join(command),
    }


def seed_of(run: Path) -> str:
    return run.parent.name.removeprefix("split-")


def timed(command: list[str], run: Path) -> tuple[float, str]:
    """Seconds and standard output of a process in the folder of the split."""
    log = run.with_name(f"{run.name}.log")
    with log.open("w") as stream:
        began = perf_counter()
        done = subprocess.run(
            command, cwd=run.parent, stdout=subprocess.PIPE, stderr=stream, text=True, check=False
        )
        seconds = perf_counter() - began
    if done.returncode:
        sys.exit(f"{run}: exit code {done.returncode}; its messages are in {log}")
    return seconds, done.stdout


def error(molecules: Path, predictions: Path, target: str) -> float:
    """The root of the mean squared error of predicted test rows, which keep the table's order."""
    with molecules.open(newline="") as stream:
        truth = [row for row in csv.DictReader(stream) if row["split"] == "test"]
    with predictions.open(newline="") as stream:
        predicted = list(csv.DictReader(stream))
    if [row["smiles"] for row in truth] != [row["smiles"] for row in predicted]:
        sys.exit(f"{predictions}: these are not the test molecules of {molecules}")
    pairs = zip(truth, predicted, strict=True)
    return math.sqrt(statistics.fmean((float(a[target]) - float(b[target])) ** 2 for a, b in pairs))


def collect(folder: Path, splits: Sequence[int], budget: str) -> Result:
    """What there is of every split, and mean and standard deviation of what all splits have."""
    files = {"argnp": f"argnp-{budget}.json", "chemprop": "chemprop.json"}
    rows: list[Result] = []
    for seed in splits:
        paths = {name: folder / f"split-{seed}" / file for name, file in files.items()}
        row = {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}
        rows.append({"split": seed, **row})
    summary = {name: summarise([row[name] for row in rows]) for name in NAMES if in_all(rows, name)}
    found: Result = {"splits": rows, "summary": summary}
    for row in [*rows, summary]:
        if all(name in row for name in NAMES):
            row["ratio"] = row["argnp"]["rmse"] / row["chemprop"]["rmse"]
    return found


def in_all(rows: Sequence[Result], name: str) -> bool:
    return all(name in row for row in rows)


def summarise(results: Sequence[Result]) -> Result:
    errors = [result["rmse"] for result in results]
    spread = {"deviation": statistics.stdev(errors)} if len(errors) > 1 else {}
    seconds = statistics.fmean(result["seconds"] for result in results)
    return {"rmse": statistics.fmean(errors), **spread, "seconds": seconds}


def as_text(found: Result) -> str:
    """A line a split and one of means; the ratio of the errors, argnp over chemprop, first."""
    heads = ["split", "ratio", *(f"{name} {unit}" for unit in ("RMSE", "s") for name in NAMES)]
    lines = ["".join(f"{head:>17}" for head in heads)]
    for row in [*found["splits"], {"split": "mean", **found["summary"]}]:
        cells = [str(row["split"]), f"{row['ratio']:.3f}" if "ratio" in row else ""]
        results = [row.get(name) for name in NAMES]
        cells += [error_text(result) if result else "" for result in results]
        cells += [f"{result['seconds']:.0f}" if result else "" for result in results]
        lines.append("".join(f"{cell:>17}" for cell in cells))
    return "\n".join(lines)


def error_text(result: Result) -> str:
    spread = f" ± {result['deviation']:#.2g}" if "deviation" in result else ""
    return f"{result['rmse']:#.3g}{spread}"


if __name__ == "__main__":
    main()
