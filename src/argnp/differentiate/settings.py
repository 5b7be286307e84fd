"""How one round of the search is run."""

import msgspec

from argnp.arch import Architecture
from argnp.train.settings import Count, CountOrAuto, NotNegative, Positive, Share


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rates are those of the paper; ``warmup`` and ``interval`` are SGAS's, in epochs.

    ``epochs`` None: as many as the decisions of a round need at one every ``interval`` epochs.
    A given number is what a round to the final size gets; smaller rounds get their share of it.
    ``window``: epochs whose distributions the second criterion of SGAS compares.
    """

    strategy: str = "sgas"
    epochs: Count | None = None
    warmup: Count = 10
    interval: Count = 5
    window: Count = 4
    batch_size: CountOrAuto = 128
    w_lr: Positive = 0.025
    w_final_lr: NotNegative = 0.001
    w_momentum: Share = 0.9
    w_decay: NotNegative = 3e-4
    alpha_lr: Positive = 3e-4
    alpha_decay: NotNegative = 1e-3
    clip: Positive = 5.0


def decisions(supernet: Architecture) -> int:
    """Decisions that a round needs in each space: what each vertex lacks of its links."""
    return max(
        sum(
            supernet.space.inputs - sum(link.decided for link in vertex.links(name))
            for vertex in supernet.vertices
        )
        for name in supernet.space.names
    )


def round_epochs(supernet: Architecture, settings: SearchSettings) -> int:
    """``warmup + interval (decisions - 1)``: 25, 25, 45, 85 for the rounds to 2, 4, 8, 16."""
    return settings.warmup + settings.interval * (decisions(supernet) - 1)


def decision_epochs(count: int, epochs: int, settings: SearchSettings) -> list[int]:
    """After how many epochs each decision falls: warmup, then every interval, scaled to fit.

    ``count`` decisions in ``epochs`` epochs; with the epochs of `round_epochs` they fall after
    10, 15, 20, .. epochs. Several fall together where there are fewer epochs than decisions.
    """
    full = settings.warmup + settings.interval * (count - 1)
    return [
        max(1, round((settings.warmup + settings.interval * index) * epochs / full))
        for index in range(count)
    ]
