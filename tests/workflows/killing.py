"""Runs a command, kills it again and again, and lets it end.

``python killing.py KILLS APART SEED FOLDER ARGUMENT..``: every attempt is a process of its own,
forked from this one, which has imported everything once. It is killed within ``APART`` further
lines of its journal. With ``KILLS`` 0 nothing is disturbed. A run
that ends before it was killed often enough is followed by another one, in the next folder.
Prints the folders of all runs, and how often each was killed.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import argnp.workflows.commands  # noqa: F401  (so that the children need not)
from argnp.cli.main import main
from argnp.train import state


def keep_every_epoch() -> None:
    """Checkpoints are ten seconds apart otherwise; so short a run would have none to go on from."""
    plain = state.Keeper.__init__
    state.Keeper.__init__ = lambda self, folder, seconds: plain(self, folder, 0.0)  # type: ignore[method-assign]


def lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def attempt(arguments: list[str], journal: Path, more: int | None, jitter: float) -> bool:
    """Whether it was killed: ``jitter`` seconds after so many further lines of its journal."""
    wanted = None if more is None else lines(journal) + more
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            code = main(arguments)
        os._exit(code)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            if status:
                raise SystemExit(f"the command failed: {os.waitstatus_to_exitcode(status)}")
            return False
        if wanted is not None and lines(journal) >= wanted:
            time.sleep(jitter)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            return status == signal.SIGKILL
        time.sleep(0.001)


def run(kills: int, apart: int, seed: int, folder: Path, arguments: list[str]) -> dict[str, int]:
    rng = random.Random(seed)
    runs: dict[str, int] = {}
    while not runs or sum(runs.values()) < kills:
        path = folder / str(len(runs))
        made, killed = 0, True
        while killed:
            again = sum(runs.values()) + made < kills
            more = rng.randrange(1, apart) if again else None
            command = [*arguments, "-o", str(path), "--quiet"]
            killed = attempt(command, path / "journal.jsonl", more, rng.uniform(0, 0.03))
            made += killed
        runs[str(path)] = made
    return runs


if __name__ == "__main__":
    keep_every_epoch()
    kills, apart, seed = map(int, sys.argv[1:4])
    print(json.dumps(run(kills, apart, seed, Path(sys.argv[4]), sys.argv[5:])))
