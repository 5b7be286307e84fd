"""The command line: which command, and what becomes of its errors."""

import argparse
import errno
import sys
import time
from collections.abc import Sequence
from importlib import import_module

from argnp import __version__
from argnp.allocator import keep_freed_memory
from argnp.cli.interrupt import interruptible
from argnp.cli.parser import Parser
from argnp.errors import UserError

# name: what it does. Each is a module beside this one with `add_arguments` and `run`.
COMMANDS = {
    "fit": "search, train, evaluate, report, package: the one command most people need",
    "search": "architectures only: every size on the way",
    "train": "train searched (or given) architectures",
    "evaluate": "metrics of a packaged model on labelled data",
    "predict": "predictions, row-aligned, streaming",
    "compare": "searched and random architectures under one protocol",
    "show": "the architecture in the terminal, as SVG or as PNG",
    "report": "(re)write report.html of a run",
    "export": "the network as a Python module, as ONNX or as a torch.export program",
    "data": "what data is, what is wrong with it; generated data sets",
    "bench": "speed, memory and scaling on this machine",
}

# Commands whose work is kept in a run folder.
_RESUMED = ("fit", "search", "train", "compare")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code: 0 done, 2 the user can mend it, 130 interrupted, 1 a bug."""
    began = time.monotonic()
    try:
        with interruptible():
            _run(argv, began)
    except UserError as error:
        return _failed(str(error))
    except KeyboardInterrupt:
        words = sys.argv[1:] if argv is None else argv
        resumes = any(word in _RESUMED for word in words[:1])
        way_on = "goes on from the last checkpoint" if resumes else "begins anew"
        print(f"argnp: interrupted; the same command {way_on}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}the disk is full; free some space and run the same command again")
    return 0


def _run(argv: Sequence[str] | None, began: float) -> None:
    """The command; it finds when it began among its arguments."""
    words = sys.argv[1:] if argv is None else argv
    if not words:
        _parser().error("COMMAND is missing, as in `argnp fit DATA`")
    arguments = _parser().parse_args(words)
    command = import_module(f"argnp.cli.{arguments.command}")
    parser = Parser(
        prog=f"argnp {arguments.command}", description=COMMANDS[arguments.command] + "."
    )
    command.add_arguments(parser)
    known, more = parser.parse_known_args(arguments.rest, argparse.Namespace(began=began))
    if more and not getattr(known, "takes_more", False):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    known.more = more
    keep_freed_memory()
    command.run(known)


def _failed(reason: str) -> int:
    print(f"argnp: {' '.join(reason.split())}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:{width}}  {text}" for name, text in COMMANDS.items())
    parser = Parser(
        prog="argnp",
        description="Searches for the graph neural network that suits your graphs.",
        epilog=f"commands:\n{listing}\n\n`argnp COMMAND --help` tells the rest.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"argnp {__version__}")
    parser.add_argument("command", choices=list(COMMANDS), metavar="COMMAND", help="see below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    return parser


if __name__ == "__main__":
    sys.exit(main())
