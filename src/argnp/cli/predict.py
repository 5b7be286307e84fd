"""``argnp predict RUN DATA -o FILE``."""

import argparse
from pathlib import Path

from argnp.cli.options import add_output
from argnp.cli.output import emit


def add_model(parser: argparse.ArgumentParser, data: str) -> None:
    """RUN and DATA, as all commands take them that use a model."""
    parser.add_argument(
        "run", type=Path, metavar="RUN", help="a run folder, or the model/ folder of one"
    )
    parser.add_argument("data", metavar="DATA", help=data)
    group = parser.add_argument_group("data")
    add = group.add_argument
    add(
        "--smiles-column",
        metavar="COLUMN",
        help="default: as in the training data, else the first column that parses",
    )
    add("--root", metavar="FOLDER", help="where benchmarks lie or are downloaded to")
    add("--graphs", metavar="N | TRAIN/VAL/TEST", help="generate so many graphs")
    add("--seed", type=int, help="of what is generated or drawn")


def add_computation(parser: argparse.ArgumentParser) -> None:
    """Which networks, and how they are computed."""
    group = parser.add_argument_group("computation")
    group.add_argument(
        "--ensemble",
        action="store_true",
        default=None,
        help="the mean over all trainings that were packaged",
    )
    group.add_argument("--kernels", choices=["auto", "fused", "torch", "reference"], default="auto")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(
        parser,
        "a CSV, TSV or Parquet file of molecules, a benchmark's name, package.module:name, or a "
        "folder that `argnp data make` wrote; no targets needed",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help=".csv, .tsv (.gz), .parquet; of graphs also .npz, .npy. A table's file has a row "
        "per row: its SMILES, the predictions, and the reason where there is none; with "
        "--ensemble also their spread",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COLUMN",
        help="copy this column of the table, too (as COLUMN_given where a prediction has its "
        "name); may be repeated",
    )
    add_computation(parser)
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes that read SMILES (default: cores)"
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.workflows.predict import PredictCall, predict_command

    call = PredictCall(
        model=arguments.run,
        data=arguments.data,
        output=arguments.output,
        keep=arguments.keep,
        smiles_column=arguments.smiles_column,
        ensemble=arguments.ensemble,
        root=arguments.root,
        graphs=arguments.graphs,
        seed=arguments.seed or 0,
        kernels=arguments.kernels,
        workers=arguments.workers,
        quiet=arguments.quiet,
    )
    emit(predict_command(call), json=arguments.json)
