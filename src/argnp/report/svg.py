"""An architecture as a standalone picture: the dual DAG in one SVG.

Node stream and relation stream in two colours. Every link is a wire from its source to a pill
that names the operation, with the number of the source on the pill's outer end; a dotted line of
the other stream runs along where that stream guides the operation (``skip`` is not guided). The
pale band down the middle is what the output reads: the inputs and every vertex.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from html import escape

from argnp.arch.graph import Architecture
from argnp.arch.space import SpaceName
from argnp.arch.vocabulary import PARAMETER_FREE
from argnp.report.curves import number
from argnp.report.describe import describe, headline
from argnp.report.geometry import Geometry
from argnp.report.layout import MARGIN, Pill
from argnp.report.legend import legend
from argnp.report.marks import DASH, LINE, key, pair_mark, pill_mark
from argnp.report.palette import dark_rules, light, stream
from argnp.report.shapes import dotted, path, said
from argnp.report.typeset import FONTS
from argnp.report.wiring import wire


def draw(
    architecture: Architecture,
    *,
    new: Collection[int] = (),
    name: str = "architecture",
    with_legend: bool = True,
) -> str:
    """SVG text. ``new`` vertices are ringed; ``name`` keeps ids apart in a page of several.

    Links of one source share a wire. Its pieces name the links they lead to (``data-trunk``,
    ``data-wire``; ``data-guide-trunk``, ``data-guide``), so that a script can mark them.
    """
    geometry = Geometry(wire(architecture))
    frame, relations = geometry.frame, architecture.space.relations
    body = [_spine(geometry)]
    for space in architecture.space.names:
        body.extend(_wires(geometry, space, relations))
    body += [pill_mark(geometry, pill, _guided(pill, relations)) for pill in frame.pills]
    body += [
        pair_mark(geometry, row, relations=relations, new=row.number in new) for row in frame.rows
    ]
    height = frame.height
    if with_legend:
        signs, taken = legend(architecture, geometry.width, height - 2)
        body.append(signs)
        height += taken + MARGIN - 4
    w, h = number(geometry.width), number(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="argnp" viewBox="0 0 {w} {h}" '
        f'width="{w}" height="{h}" role="img" aria-labelledby="{name}-title {name}-text" '
        f'font-family="{escape(FONTS)}">'
        f'<title id="{name}-title">{said(headline(architecture))}</title>'
        f'<desc id="{name}-text">{said(describe(architecture))}</desc>'
        f"<style>{dark_rules('.argnp')}</style>"
        f'<rect class="f-ground paper" width="{w}" height="{h}" fill="{light("ground")}"/>'
        + "\n".join(body)
        + "</svg>\n"
    )


def _spine(geometry: Geometry) -> str:
    first, last = geometry.frame.rows[0], geometry.frame.rows[-1]
    return path(
        f"M{number(geometry.middle)} {number(first.centre)}V{number(last.centre)}", "line", 5
    )


def _guided(pill: Pill, relations: bool) -> bool:
    return relations and pill.operation not in PARAMETER_FREE


def _wires(geometry: Geometry, space: SpaceName, relations: bool) -> list[str]:
    """Wire by wire, each on a casing of the ground's colour, so that crossings read well."""
    other: SpaceName = "relation" if space == "node" else "node"
    parts = []
    for source in geometry.wiring.tracks[space]:
        pills = [p for p in geometry.frame.pills if p.space == space and p.source == source]
        guided = [pill for pill in pills if _guided(pill, relations)]
        own = _pieces(pills, geometry.trunk, geometry.branch, ("trunk", "wire"))
        along = _pieces(
            guided, geometry.guide_trunk, geometry.guide_branch, ("guide-trunk", "guide")
        )
        parts += [path(piece.data, "ground", 5) for piece in own]
        parts += [path(piece.data, "ground", 4) for piece in along]
        parts += [path(piece.data, stream(space), LINE, piece.marks) for piece in own]
        parts += [dotted(piece.data, stream(other), piece.name) for piece in along]
    return parts


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a wire: path data, the links it leads to, and whether one is decided."""

    data: str
    name: str
    decided: bool

    @property
    def marks(self) -> str:
        return self.name if self.decided else f"{DASH} {self.name}"


def _pieces(
    pills: list[Pill],
    trunk: Callable[[Pill, Pill | None], str],
    branch: Callable[[Pill], str],
    names: tuple[str, str],
) -> list[_Piece]:
    """A trunk from branch to branch, and the branches; ``pills`` from the top down."""
    pieces = []
    for index, pill in enumerate(pills):
        fed = pills[index:]
        keys = " ".join(key(one) for one in fed)
        above = pills[index - 1] if index else None
        decided = any(one.operation is not None for one in fed)
        pieces.append(_Piece(trunk(pill, above), f'data-{names[0]}="{keys}"', decided))
        own = f'data-{names[1]}="{key(pill)}"'
        pieces.append(_Piece(branch(pill), own, pill.operation is not None))
    return pieces
