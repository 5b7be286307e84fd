"""Points and routes of a drawing whose wires have been laid."""

from typing import Final

from argnp.arch.space import SpaceName
from argnp.report.curves import Point, rounded, swerve
from argnp.report.layout import (
    COMPANION,
    FEED,
    MARGIN,
    PAIR_HALF,
    PAIR_HEIGHT,
    PILL_HEIGHT,
    TRACK_FIRST,
    TRACK_STEP,
    Box,
    Pill,
    Skeleton,
)
from argnp.report.wiring import Wiring

_RADIUS: Final = 8.0
_GUIDE_RADIUS: Final = _RADIUS - COMPANION
_OUT: Final = 15.0  # where in its half of a pair a wire leaves
_LEAST_WIDTH: Final = 330.0


class Geometry:
    """Turns the layout's distances from the middle into coordinates of the picture."""

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = wiring
        self.frame: Skeleton = wiring.skeleton
        reach = {space: self._reach(space) for space in self.frame.pill_width}
        left, right = reach["node"], reach.get("relation", PAIR_HALF + MARGIN)
        spare = max(0.0, _LEAST_WIDTH - left - right) / 2
        self.middle = left + spare
        self.width = left + right + 2 * spare

    def _reach(self, space: SpaceName) -> float:
        """How far the space's wires go from the middle, margin included."""
        outside = TRACK_FIRST + (self.wiring.count(space) - 1) * TRACK_STEP
        return self.pill_end(space) + outside + MARGIN

    def pill_start(self) -> float:
        return PAIR_HALF + FEED

    def pill_end(self, space: SpaceName) -> float:
        return self.pill_start() + self.frame.pill_width[space]

    def at(self, space: SpaceName, u: float, y: float) -> Point:
        """The node space lies to the left of the middle, the relation space to the right."""
        return (self.middle + (-u if space == "node" else u), y)

    def pill_box(self, pill: Pill) -> Box:
        edges = (
            self.at(pill.space, self.pill_start(), 0)[0],
            self.at(pill.space, self.pill_end(pill.space), 0)[0],
        )
        width = self.frame.pill_width[pill.space]
        return Box(min(edges), pill.y - PILL_HEIGHT / 2, width, PILL_HEIGHT)

    def tag_box(self, pill: Pill) -> Box:
        """The outer end of a pill, where its source is named."""
        box, width = self.pill_box(pill), self.frame.tag_width
        left = box.x if pill.space == "node" else box.x + box.width - width
        return Box(left, box.y, width, box.height)

    def pair_box(self, centre: float) -> Box:
        return Box(self.middle - PAIR_HALF, centre - PAIR_HEIGHT / 2, 2 * PAIR_HALF, PAIR_HEIGHT)

    def trunk(self, pill: Pill, above: Pill | None) -> str:
        """The wire from its source, or from its branch to ``above``, to its branch to a pill."""
        row, u = self.frame.row(pill.source), self._track(pill)
        start = (
            [(_OUT, row.centre), (_OUT, row.leave), (u, row.leave)]
            if above is None
            else [(u, above.y - _RADIUS)]
        )
        return self._rounded(pill.space, [*start, (u, pill.y - _RADIUS)], _RADIUS)

    def branch(self, pill: Pill) -> str:
        """From the wire into the pill."""
        u, end = self._track(pill), self.pill_end(pill.space) - 1
        stops = [(u, pill.y - _RADIUS), (u, pill.y), (end, pill.y)]
        return self._rounded(pill.space, stops, _RADIUS)

    def guide_trunk(self, pill: Pill, above: Pill | None) -> str:
        """The other stream of the same source, along the inner side of the wire."""
        row, u = self.frame.row(pill.source), self._track(pill) - COMPANION
        level, end = row.leave + COMPANION, (u, pill.y - _RADIUS)
        if above is not None:
            return self._rounded(pill.space, [(u, above.y - _RADIUS), end], _GUIDE_RADIUS)
        start = (-_OUT + 4, row.centre + PAIR_HEIGHT / 2)
        joint = (_OUT + 6, level)
        turn = swerve(self.at(pill.space, *start), self.at(pill.space, *joint))
        rest = self._rounded(pill.space, [joint, (u, level), end], _GUIDE_RADIUS)
        return turn + rest.replace("M", "L", 1)

    def guide_branch(self, pill: Pill) -> str:
        u, y = self._track(pill) - COMPANION, pill.y - COMPANION
        stops = [(u, pill.y - _RADIUS), (u, y), (self.pill_end(pill.space), y)]
        return self._rounded(pill.space, stops, _GUIDE_RADIUS)

    def _rounded(self, space: SpaceName, stops: list[Point], radius: float) -> str:
        return rounded([self.at(space, *stop) for stop in stops], radius)

    def _track(self, pill: Pill) -> float:
        track = self.wiring.tracks[pill.space][pill.source]
        return self.pill_end(pill.space) + TRACK_FIRST + track * TRACK_STEP
