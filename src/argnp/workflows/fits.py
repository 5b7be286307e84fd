"""Whether a run fits into this machine's memory, and what would."""

from pathlib import Path

import numpy as np

from argnp.arch import Architecture, sample
from argnp.errors import UserError
from argnp.nets.estimate import step_bytes
from argnp.proliferate.rounds import RoundPlan, some_supernet
from argnp.train.seeds import python_random
from argnp.workflows.context import Context

_LEFT_FREE = 0.1  # of the memory, for everything else


def check_memory(context: Context, rounds: list[RoundPlan]) -> None:
    """Refuse a run whose largest step cannot fit; the line says what would.

    Of every round that is searched its supernet, and the largest network, which is trained.
    """
    if context.device != "cpu":
        return
    room = (1 - _LEFT_FREE) * available_bytes()
    sizes = [planned.vertices for planned in rounds]
    for index, planned in enumerate(rounds):
        if planned.epochs:
            supernet = some_supernet(sizes, index, context.space)
            _check(context, supernet, "search", context.settings.search.batch_size, room)
    largest = sample(sizes[-1], python_random(0), context.space)
    _check(context, largest, "training", context.settings.train.batch_size, room)


def _check(
    context: Context, architecture: Architecture, kind: str, batch_size: int, room: float
) -> None:
    nodes, relations = (np.sort(sizes)[::-1] for sizes in context.dataset.source.sizes())
    batch_size = min(batch_size, len(nodes))

    def needs(graphs: int) -> int:
        """Of the largest graphs, which may meet in one batch."""
        return step_bytes(
            architecture,
            context.widths(None),
            int(nodes[:graphs].sum()),
            int(relations[:graphs].sum()),
            context.core.name,
            context.dataset.schema,
        )

    if needs(batch_size) <= room:
        return
    fitting = max((n for n in range(1, batch_size) if needs(n) <= room), default=0)
    wide = context.dataset.schema.node.width > context.settings.widths.node
    smaller = [
        *(["--size 2"] if architecture.size > 2 else []),
        *(["--width 16"] if context.settings.widths.node > 16 else []),
        *(["--strategy random"] if kind == "search" else []),
        *(["fewer feature columns"] if wide else []),
        "smaller graphs",
    ]
    way_out = (
        f"--batch-size {fitting} fits"
        if fitting
        else f"not one graph fits; try {' or '.join(smaller)}"
    )
    raise UserError(
        f"{context.dataset.name}: a {kind} step of {architecture.size} vertices on "
        f"{batch_size} graph{'s' * (batch_size > 1)} needs about "
        f"{needs(batch_size) / 1e9:.1f} GB, {room / 1e9:.1f} GB are free; {way_out}"
    )


def available_bytes() -> float:
    """Memory that can be taken without swapping: the system's figure, or the container's."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvail"))
    except (OSError, StopIteration):
        return float("inf")
    for limit, used in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        (
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ),
    ):
        try:
            most, now = Path(limit).read_text().strip(), Path(used).read_text().strip()
        except OSError:
            continue
        if most.isdigit():
            free = min(free, int(most) - int(now))
    return float(free)
