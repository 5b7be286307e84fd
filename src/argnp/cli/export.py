"""``argnp export RUN --to FILE``."""

import argparse
from pathlib import Path

from argnp.cli.options import add_output
from argnp.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run", metavar="RUN", type=Path, help="a run folder, or the model/ folder of one"
    )
    parser.add_argument(
        "--to",
        required=True,
        type=Path,
        metavar="FILE",
        help=".py (readable torch module, weights beside it), .onnx or .pt2 (torch.export)",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.model.export import export_folder
    from argnp.workflows.outcome import Outcome

    files = [str(path) for path in export_folder(arguments.run, arguments.to)]
    text = "" if arguments.quiet else "\n".join(files)
    emit(Outcome(text, {"files": files}), json=arguments.json)
