"""``argnp compare DATA --models A,B``."""

import argparse

from argnp.cli.options import add_data, add_run
from argnp.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data(parser)
    parser.add_argument(
        "--models",
        required=True,
        metavar="A,B",
        help="strategies, as sgas*3,random*6,sgas-off*3: NAME*COUNT architectures each; -off: "
        "relations off at equal weights; a strategy per round: random+sgas",
    )
    add_run(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.cli.call import call_of
    from argnp.workflows.compare import compare_command, parse_models

    outcome = compare_command(call_of(arguments), parse_models(arguments.models))
    emit(outcome, json=arguments.json)
