"""``argnp data info DATA`` and ``argnp data make NAME``."""

import argparse
from pathlib import Path

from argnp.cli.options import add_data, add_output, settings_of
from argnp.cli.output import emit
from argnp.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(
        dest="data_command", required=True, metavar="info | make | list"
    )
    info = commands.add_parser("info", help="what the data is, and what is wrong with it")
    add_data(info)
    info.add_argument("--seed", type=int, default=0, help="of a random split")
    add_output(info)
    make = commands.add_parser(
        "make",
        help="generate a data set: cluster, pattern, tsp, superpixels, shapes, digits",
        epilog="Further flags are parameters of the recipe, as --smallest 5 --largest 14.",
    )
    make.add_argument("name", metavar="NAME")
    make.add_argument("-o", "--output-dir", type=Path, required=True, metavar="FOLDER")
    make.add_argument("--graphs", metavar="N | TRAIN/VAL/TEST")
    make.add_argument("--seed", type=int, default=0)
    make.set_defaults(takes_more=True)
    add_output(make)
    listing = commands.add_parser("list", help="names that stand for data")
    add_output(listing)


def run(arguments: argparse.Namespace) -> None:
    from argnp.workflows import data
    from argnp.workflows.configure import configure
    from argnp.workflows.open_data import parse_counts

    if arguments.data_command == "list":
        outcome = data.list_command()
    elif arguments.data_command == "info":
        settings = configure(flags=settings_of(arguments))
        outcome = data.info_command(settings.data, settings.seed, quiet=arguments.quiet)
    else:
        outcome = data.make_command(
            arguments.name,
            arguments.output_dir,
            parse_counts(arguments.graphs),
            arguments.seed,
            _parameters(arguments.more),
            quiet=arguments.quiet,
        )
    emit(outcome, json=arguments.json)


def _parameters(words: list[str]) -> dict[str, object]:
    """``--name value`` pairs; numbers as numbers."""
    from argnp.workflows.configure import parse_assignment

    found: dict[str, object] = {}
    for flag, value in zip(words[::2], [*words[1::2], None], strict=False):
        if not flag.startswith("--") or value is None:
            raise UserError(f"{flag}: --NAME VALUE is expected for a parameter of the recipe")
        name, parsed = parse_assignment(f"{flag.removeprefix('--').replace('-', '_')}={value}")
        found[name] = parsed
    return found
