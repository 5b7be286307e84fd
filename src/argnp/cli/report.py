"""``argnp report RUN``."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", type=Path, help="a run folder")


def run(arguments: argparse.Namespace) -> None:
    from argnp.report.page import write_report

    print(write_report(arguments.run))
