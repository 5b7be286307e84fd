"""An argument parser whose errors are one line."""

import argparse
import difflib
import re
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong and where to read on, instead of printing all the flags there are."""

    def error(self, message: str) -> NoReturn:
        unknown = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        known = [name for action in self._actions for name in action.option_strings]
        near = difflib.get_close_matches(unknown[1], known, n=1) if unknown else []
        hint = f"did you mean {near[0]}? " if near else ""
        self.exit(2, f"argnp: {message}; {hint}`{self.prog} --help` tells the rest\n")


def count(text: str) -> int:
    """A whole number from 1 on, as the type of an argument."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)
