"""Many SMILES to codes, in as many processes as pay off; the same result in any number.

Workers are plain child processes that talk over pipes: unlike those of ``multiprocessing`` they
do not import the caller's script again, so a script needs no guard around its body.
"""

import io
import itertools
import os
import queue
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Final, cast

import msgspec

from argnp.data.molecules import chemistry
from argnp.data.molecules.converted import Converted, join
from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import Featurizer
from argnp.data.molecules.messages import receive, send
from argnp.data.molecules.worker import Settings
from argnp.errors import UserError

Progress = Callable[[int, int], None]  # molecules done, of how many

_WORKER: Final = [sys.executable, "-m", "argnp.data.molecules.worker"]
_CHUNK: Final = 512
_WORTH_A_PROCESS: Final = 4 * _CHUNK  # molecules; a process takes half a second to start


def convert(
    smiles: Sequence[str],
    featurizer: Featurizer,
    *,
    scaffolds: bool = False,
    stop_at_first: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Converted:
    """As :func:`featurize`, in ``workers`` processes (default: one per core where that pays)."""
    chemistry.rdkit()
    settings = Settings(featurizer, scaffolds, stop_at_first)
    if workers is None:
        workers = min(_cores(), len(smiles) // _WORTH_A_PROCESS)
    starts = range(0, len(smiles), _CHUNK)
    chunks = [smiles[start : start + _CHUNK] for start in starts] or [smiles]
    parts: list[Converted] = []
    with _converters(settings, workers if workers > 1 else 0) as run:
        for part in run(chunks):
            parts.append(part)
            if progress is not None:
                progress(min(len(parts) * _CHUNK, len(smiles)), len(smiles))
            if stop_at_first and part.rejected:
                break
    return join(parts, [*starts, 0][: len(parts)])


@contextmanager
def convert_stream(
    chunks: Iterable[Sequence[str]], featurizer: Featurizer, *, workers: int | None = None
) -> Iterator[Iterator[Converted]]:
    """Chunk by chunk, for as many as there are: only a few are held at a time.

    ``workers`` processes (default: one per two cores, the other half is for what becomes of the
    molecules) start once there are enough molecules for them to pay off.
    """
    chemistry.rdkit()
    workers = stream_workers() if workers is None else workers
    ahead = iter(chunks)
    first: list[Sequence[str]] = []
    while sum(map(len, first)) < 2 * _WORTH_A_PROCESS:
        chunk = next(ahead, None)
        if chunk is None:
            workers = 0
            break
        first.append(chunk)
    with _converters(Settings(featurizer, False, False), workers) as run:
        yield run(itertools.chain(first, ahead))


def stream_workers() -> int:
    """Processes of a stream, where nobody says how many."""
    return max(1, _cores() // 2)


def _cores() -> int:
    """Those this process may use, where the system tells."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


_Run = Callable[[Iterable[Sequence[str]]], Iterator[Converted]]


@contextmanager
def _converters(settings: Settings, workers: int) -> Iterator[_Run]:
    """What converts chunks, in order: processes that live as long as the context, or,
    where ``workers`` is 0, this one.
    """

    def here(smiles: Sequence[str]) -> Converted:
        return featurize(
            smiles,
            settings.featurizer,
            scaffolds=settings.scaffolds,
            stop_at_first=settings.stop_at_first,
        )

    if workers < 1:
        yield lambda chunks: map(here, chunks)
        return
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()

    def there(smiles: Sequence[str]) -> Converted:
        worker = idle.get()
        try:
            return worker.ask(smiles)
        finally:
            idle.put(worker)

    with ExitStack() as stack:
        pool = ThreadPoolExecutor(workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        for _ in range(workers):
            worker = _Worker(settings)
            stack.callback(worker.stop)
            idle.put(worker)

        def run(chunks: Iterable[Sequence[str]]) -> Iterator[Converted]:
            waiting: deque[Future[Converted]] = deque()
            for chunk in chunks:
                waiting.append(pool.submit(there, chunk))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield run


class _Worker:
    """A child process, and the two pipes to it."""

    def __init__(self, settings: Settings) -> None:
        self._process = subprocess.Popen(
            _WORKER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,  # Ctrl-C is for this process, which then stops its workers
        )
        try:
            self._tell(msgspec.json.encode(settings))
        except UserError:  # dead before it heard of anything: nobody will stop it
            self._close()
            raise

    def ask(self, smiles: Sequence[str]) -> Converted:
        self._tell(msgspec.json.encode(list(smiles)))
        answer = receive(cast(io.BufferedReader, self._process.stdout))
        if answer is None:
            raise self._gone()
        return Converted.read(io.BytesIO(answer))

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                cast(io.BufferedIOBase, pipe).close()
            except BrokenPipeError:
                continue

    def _tell(self, message: bytes) -> None:
        try:
            send(cast(io.BufferedWriter, self._process.stdin), message)
        except BrokenPipeError:
            raise self._gone() from None

    def _gone(self) -> UserError:
        code = self._process.wait()
        return UserError(
            f"a process that converts molecules ended early (code {code}); "
            "memory may have run out: free some, or read fewer molecules at once"
        )
