"""``argnp show RUN | FILE``."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="RUN | FILE", type=Path, help="a run or an architecture")
    parser.add_argument("--search", type=int, help="number of the search (default 0)")
    parser.add_argument(
        "--size",
        type=int,
        help="size (default: the chosen architecture, or with --search the largest)",
    )
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it as SVG")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw it as PNG")


def run(arguments: argparse.Namespace) -> None:
    from argnp.report.pick import pick
    from argnp.report.png import to_png
    from argnp.report.svg import draw
    from argnp.report.text import show
    from argnp.runs.files import check_target, write_whole

    for flag, named in (("--svg", arguments.svg), ("--png", arguments.png)):
        if named is not None:
            check_target(named, flag)
    architecture = pick(arguments.what, search=arguments.search, size=arguments.size)
    if arguments.svg is not None:
        write_whole(arguments.svg, draw(architecture))
    if arguments.png is not None:
        write_whole(arguments.png, to_png(draw(architecture)))
    if arguments.svg is None and arguments.png is None:
        if sys.stdout.isatty():
            from rich.console import Console

            screen = Console(highlight=False)
            screen.print(show(architecture, markup=True, width=screen.width), end="")
        else:
            print(show(architecture), end="")
