"""``argnp fit DATA``."""

import argparse

from argnp.cli.options import add_data, add_run
from argnp.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data(parser)
    add_run(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.cli.call import call_of
    from argnp.workflows.commands import fit_command

    emit(fit_command(call_of(arguments)), json=arguments.json)
