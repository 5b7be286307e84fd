"""The proliferation as frames of a slider: divided, decided link by link, settled; and again.

A round has two drawings. The first is of its supernet and keeps its layout while a script marks
links as decided or pruned; the second is of what the round ended with.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from argnp.report.layout import merged_source
from argnp.report.record import Record, Round
from argnp.report.replay import Step, Taken, Track, pruned_by, replay
from argnp.report.svg import draw
from argnp.report.typeset import operation_label, source_tag


@dataclass(frozen=True)
class Bars:
    """The candidates of one open link; ``chosen`` is -1 unless it falls at this step."""

    title: str
    space: str
    shares: list[float]
    chosen: int = -1


@dataclass(frozen=True)
class Frame:
    """One position of the slider. ``links``: state and label of those that are not as drawn."""

    picture: str
    title: str
    text: str
    links: dict[str, dict[str, str]] = field(default_factory=dict)
    bars: list[Bars] = field(default_factory=list)


@dataclass(frozen=True)
class Decided:
    """A row of the table of decisions."""

    round: int
    size: int
    epoch: int
    link: str
    operation: str
    share: float | None
    score: float | None


@dataclass(frozen=True)
class Growth:
    """Drawings by name, frames in order, decisions in order."""

    pictures: dict[str, str]
    frames: list[Frame]
    decisions: list[Decided]
    operations: dict[str, list[str]]

    def data(self) -> dict[str, Any]:
        """For the script."""
        return {
            "operations": self.operations,
            "frames": [asdict(frame) for frame in self.frames],
        }


def growth(record: Record) -> Growth | None:
    """The growth of the chosen search; None while no round has begun."""
    search = record.chosen_search
    rounds = [r for r in record.rounds_of(search) if r.start] if search is not None else []
    if not rounds:
        return None
    found = Growth({}, [], [], {})
    for position, entry in enumerate(rounds, start=1):
        _add(found, entry, position, len(rounds))
    return found


def _add(found: Growth, entry: Round, position: int, total: int) -> None:
    assert entry.start is not None
    space = entry.start.space
    found.operations.update({name: list(space.operations(name)) for name in space.names})
    new = sorted({place.vertex for place in entry.start.mixtures()})
    heading = f"Round {position} of {total}, size {entry.size}"
    began = f"round-{position}-start"
    ringed = new if position > 1 else ()
    found.pictures[began] = draw(entry.start, new=ringed, name=began, with_legend=False)
    opened = (
        f"Every vertex was divided as needed: {_listed(new)} new, their links undecided."
        if position > 1
        else "The start: every link is an undecided mixture of all operations."
    )
    found.frames.append(Frame(began, f"{heading}: divided" if position > 1 else heading, opened))
    keys = {
        Track(place.space, place.vertex, link.source): f"{place.space}-{place.vertex}-{place.link}"
        for place, link in entry.start.places()
    }
    taken: dict[Track, str] = {}
    for step in replay(entry):
        taken.update({one.track: one.operation for one in step.taken})
        found.frames.append(_frame(entry, step, taken, keys, began, heading))
        found.decisions.extend(_decided(entry, step, one, position) for one in step.taken)
    if entry.end is not None:
        ended = f"round-{position}-end"
        found.pictures[ended] = draw(entry.end, name=ended, with_legend=False)
        text = f"All links of the {len(entry.end)} vertices are decided."
        found.frames.append(Frame(ended, f"{heading}: settled", text))


def _frame(
    entry: Round,
    step: Step,
    taken: dict[Track, str],
    keys: dict[Track, str],
    picture: str,
    heading: str,
) -> Frame:
    assert entry.start is not None
    now = {one.track for one in step.taken}
    links = {
        keys[track]: {
            "state": "fresh" if track in now else "decided",
            "label": operation_label(operation, track.space),
            "operation": operation,
        }
        for track, operation in taken.items()
        if track in keys
    }
    for track in pruned_by(entry.start, set(taken)):
        links[keys[track]] = {"state": "pruned", "label": "", "operation": ""}
    chosen = {one.track: one.operation for one in step.taken}
    order = sorted(step.alphas, key=lambda track: (track not in chosen, track))
    bars = [
        Bars(
            _name(entry, track),
            track.space,
            [round(p, 5) for p in step.alphas[track]],
            _index(entry, track, chosen.get(track)),
        )
        for track in order
    ]
    told = "; ".join(f"{_name(entry, one.track)} takes {one.operation}" for one in step.taken)
    return Frame(picture, f"{heading}: epoch {step.epoch}", f"{told}.", links, bars)


def _decided(entry: Round, step: Step, one: Taken, position: int) -> Decided:
    shares = step.alphas.get(one.track)
    index = _index(entry, one.track, one.operation)
    share = shares[index] if shares is not None and 0 <= index < len(shares) else None
    name = _name(entry, one.track)
    return Decided(position, entry.size, step.epoch, name, one.operation, share, one.score)


def _index(entry: Round, track: Track, operation: str | None) -> int:
    assert entry.start is not None
    operations = entry.start.space.operations(track.space)
    return operations.index(operation) if operation in operations else -1


def _name(entry: Round, track: Track) -> str:
    """``V 3 from V 1``: the link by its ends."""
    assert entry.start is not None
    letter = "V" if track.space == "node" else "E"
    cells = entry.start.cells
    return f"{letter}{track.vertex} ← {source_tag(merged_source(track.source, cells), cells)}"


def _listed(vertices: list[int]) -> str:
    if len(vertices) == 1:
        return f"vertex {vertices[0]} is"
    return f"vertices {', '.join(map(str, vertices[:-1]))} and {vertices[-1]} are"
