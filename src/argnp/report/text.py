"""An architecture for the terminal: a header, then one line per vertex.

    vertex  node stream                  relation stream
    1       V_MAX in · skip in           E_SUM in · E_SUB in

An operation is followed by the vertex its link comes from; ``?`` is an undecided mixture.
"""

from argnp.arch.graph import Architecture, Link
from argnp.arch.space import SpaceName
from argnp.report.describe import cells_note, headline
from argnp.report.typeset import source_tag

_WIDTH = 80
_GUTTER = "  "
_STYLE = {"node": "blue", "relation": "dark_orange3"}


def show(architecture: Architecture, *, markup: bool = False, width: int = _WIDTH) -> str:
    """Plain lines; with ``markup`` the two streams are coloured for rich."""
    names = architecture.space.names
    table: list[dict[SpaceName, list[str]]] = [
        {
            space: [_entry(link, architecture.cells) for link in vertex.links(space)]
            for space in names
        }
        for vertex in architecture.vertices
    ]
    first = max(len("vertex"), len(str(len(table))))
    room = (width - first - len(names) * len(_GUTTER)) // len(names)
    wrapped = [{space: _wrap(row[space], room) for space in names} for row in table]
    columns = {
        space: max(len(f"{space} stream"), *(len(line) for row in wrapped for line in row[space]))
        for space in names
    }
    head = {space: [f"{space} stream"] for space in names}
    lines = [_escape(headline(architecture), markup), ""]
    lines += _row("vertex", head, first, columns, markup)
    for number, row in enumerate(wrapped, start=1):
        lines += _row(str(number), row, first, columns, markup)
    lines += ["", "OPERATION SOURCE; the output reads the input and every vertex"]
    lines += [note] if (note := cells_note(architecture)) else []
    return "\n".join(lines) + "\n"


def _entry(link: Link, cells: int) -> str:
    return f"{link.operation or '?'} {source_tag(link.source, cells)}"


def _wrap(entries: list[str], room: int) -> list[str]:
    """Entries side by side, on as many lines as they need."""
    lines = [entries[0]]
    for entry in entries[1:]:
        joined = f"{lines[-1]} · {entry}"
        if len(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(entry)
    return lines


def _row(
    label: str,
    cells: dict[SpaceName, list[str]],
    first: int,
    columns: dict[SpaceName, int],
    markup: bool,
) -> list[str]:
    lines, last = [], list(cells)[-1]
    for index in range(max(len(cell) for cell in cells.values())):
        parts = [(label if index == 0 else "").ljust(first)]
        for space, cell in cells.items():
            text = cell[index] if index < len(cell) else ""
            pad = " " * (columns[space] - len(text)) if space != last else ""
            shown = _escape(text, markup)
            parts.append((f"[{_STYLE[space]}]{shown}[/]" if markup else shown) + pad)
        lines.append(_GUTTER.join(parts).rstrip())
    return lines


def _escape(text: str, markup: bool) -> str:
    return text.replace("[", r"\[") if markup else text
