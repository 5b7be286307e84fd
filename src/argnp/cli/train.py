"""``argnp train RUN`` and ``argnp train DATA --architecture FILE``."""

import argparse
from pathlib import Path

from argnp.cli.options import add_data, add_run
from argnp.cli.output import emit
from argnp.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument(
        "--architecture", type=Path, metavar="FILE", help="the architecture to train on DATA"
    )
    add_run(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.cli.call import call_of
    from argnp.workflows.commands import train_command

    run = None
    if arguments.architecture is None:
        run = Path(arguments.data)
        arguments.data = None
        if not run.is_dir():
            raise UserError(
                f"{run}: no run folder; to train on data, name the architecture with "
                "--architecture FILE"
            )
    outcome = train_command(call_of(arguments), run=run, architecture=arguments.architecture)
    emit(outcome, json=arguments.json)
