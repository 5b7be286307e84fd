"""An architecture in sentences, for those who do not see the picture."""

from argnp.arch.graph import Architecture, Link
from argnp.report.typeset import source_tag


def headline(architecture: Architecture) -> str:
    """One line: what it is."""
    vertices = f"{len(architecture)} vertices" if len(architecture) > 1 else "1 vertex"
    cells = f", {architecture.cells} cells" if architecture.cells > 1 else ""
    streams = "nodes and relations" if architecture.space.relations else "nodes only"
    open_links = len(architecture.mixtures())
    undecided = f", {open_links} links undecided" if open_links else ""
    return f"Architecture of {vertices}{cells}, {streams}{undecided}"


def cells_note(architecture: Architecture) -> str:
    """What the picture of a cell leaves out; nothing where there is only one."""
    if architecture.cells == 1:
        return ""
    return f"one of {architecture.cells} equal cells; in0 and in1 come from the two before"


def describe(architecture: Architecture) -> str:
    """Every vertex with its links."""
    sentences = []
    for number, vertex in enumerate(architecture.vertices, start=1):
        spaces = "; ".join(
            f"{space} stream: "
            + ", ".join(_link(link, architecture.cells) for link in vertex.links(space))
            for space in architecture.space.names
        )
        sentences.append(f"Vertex {number}, {spaces}.")
    return " ".join([*sentences, "The output reads the input and every vertex."])


def _link(link: Link, cells: int) -> str:
    source = source_tag(link.source, cells)
    return f"{link.operation or 'an undecided mixture'} from {source}"
