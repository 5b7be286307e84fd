"""SVG elements with a colour role: the light colour as attribute, the class for the dark one."""

from html import escape

from argnp.report.curves import number
from argnp.report.layout import Box
from argnp.report.palette import Role, light


def path(data: str, role: Role, width: float, extra: str = "") -> str:
    return (
        f'<path class="s-{role}" d="{data}" fill="none" stroke="{light(role)}" '
        f'stroke-width="{number(width)}"{_more(extra)}/>'
    )


def dotted(data: str, role: Role, extra: str = "") -> str:
    """The guidance of one stream by the other."""
    dots = 'stroke-dasharray="0 3.2" stroke-linecap="round"'
    return path(data, role, 1.6, f"{dots}{_more(extra)}")


def rectangle(
    box: Box, radius: float, fill: Role, stroke: Role | None = None, extra: str = ""
) -> str:
    classes = f"f-{fill}" + (f" s-{stroke}" if stroke else "")
    line = f' stroke="{light(stroke)}"' if stroke else ""
    return (
        f'<rect class="{classes}" x="{number(box.x)}" y="{number(box.y)}" '
        f'width="{number(box.width)}" height="{number(box.height)}" rx="{number(radius)}" '
        f'fill="{light(fill)}"{line}{_more(extra)}/>'
    )


def circle(x: float, y: float, radius: float, fill: Role, rim: Role) -> str:
    """A dot with a thin rim that sets it off from what is under it."""
    return (
        f'<circle class="f-{fill} s-{rim}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" '
        f'fill="{light(fill)}" stroke="{light(rim)}" stroke-width="0.8"/>'
    )


def words(x: float, y: float, content: str, size: float, role: Role, extra: str = "") -> str:
    """Centred text; ``content`` is markup already."""
    anchor = "" if "text-anchor" in extra else ' text-anchor="middle"'
    return (
        f'<text class="f-{role}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}" '
        f'fill="{light(role)}"{anchor}{_more(extra)}>{content}</text>'
    )


def said(text: str) -> str:
    """Text as markup."""
    return escape(text)


def _more(extra: str) -> str:
    return f" {extra}" if extra else ""
