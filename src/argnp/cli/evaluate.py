"""``argnp evaluate RUN DATA``."""

import argparse

from argnp.cli.output import emit
from argnp.cli.predict import add_computation, add_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "labelled data, in any of the forms that `argnp fit` takes")
    add = parser.add_argument
    add(
        "--split",
        choices=["train", "val", "test"],
        help="only this part: as RUN divided its data, as a benchmark is published, or as "
        "--splits-column says (default: everything in DATA)",
    )
    add("--splits-column", metavar="COLUMN", help="column with train, val, test")
    add(
        "--target",
        action="append",
        default=[],
        metavar="COLUMN",
        help="target column, where it is not called as in the training data; may be repeated",
    )
    add_computation(parser)
    add("--json", action="store_true", help="the last line is a JSON result")


def run(arguments: argparse.Namespace) -> None:
    from argnp.workflows.evaluate import EvaluateCall, evaluate_command

    call = EvaluateCall(
        model=arguments.run,
        data=arguments.data,
        split=arguments.split,
        targets=arguments.target,
        smiles_column=arguments.smiles_column,
        splits_column=arguments.splits_column,
        ensemble=arguments.ensemble,
        root=arguments.root,
        graphs=arguments.graphs,
        seed=arguments.seed,
        kernels=arguments.kernels,
    )
    emit(evaluate_command(call), json=arguments.json)
