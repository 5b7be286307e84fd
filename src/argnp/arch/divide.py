"""Network division: the step that makes a network grow (Algorithm 1 of the paper)."""

from argnp.arch.graph import Architecture, Link, Vertex


def divide(architecture: Architecture, missing: int | None = None) -> Architecture:
    """Give every vertex a child; or only as many vertices as are ``missing``, the latest first.

    Vertex p keeps its operations. Its child takes mixture links from p and from the sources of
    p. Whatever else left p leaves p's child instead. The child stands right behind its parent,
    which keeps the order topological: with all vertices divided, p becomes 2p - 1 and its child
    2p.

    Dividing the latest vertices refines what the heads see most directly, and leaves the
    skeleton in front of them as it is.
    """
    if not architecture.decided:
        raise ValueError("only a decided architecture divides: decide its mixture links first")
    total = len(architecture)
    missing = total if missing is None else missing
    if not 1 <= missing <= total:
        raise ValueError(f"{missing} new vertices: an architecture of {total} gives 1 to {total}")

    first_divided = total - missing + 1
    parent = {p: p + max(0, p - first_divided) for p in range(1, total + 1)}
    # Where the stream that used to leave a source leaves it now.
    outlet = {p: parent[p] + (p >= first_divided) for p in range(1, total + 1)}

    vertices: list[Vertex] = []
    for number, vertex in enumerate(architecture.vertices, start=1):
        kept = {
            name: tuple(
                Link(outlet.get(link.source, link.source), link.operation)
                for link in vertex.links(name)
            )
            for name in architecture.space.names
        }
        vertices.append(Vertex(kept["node"], kept.get("relation", ())))
        if number >= first_divided:
            grown = {
                name: (Link(parent[number]), *(Link(link.source) for link in links))
                for name, links in kept.items()
            }
            vertices.append(Vertex(grown["node"], grown.get("relation", ())))
    return Architecture(tuple(vertices), architecture.space)


def growth(size: int, start: int) -> list[int]:
    """Sizes of the rounds that lead from ``start`` to ``size``, doubling while there is room.

    ``growth(16, 2) == [2, 4, 8, 16]``; ``growth(11, 2) == [2, 4, 8, 11]``; a size below the
    start is reached in one round.
    """
    sizes = [min(start, size)]
    while sizes[-1] < size:
        sizes.append(min(2 * sizes[-1], size))
    return sizes
