"""One representative of all architectures that differ in the numbering of vertices only."""

from argnp.arch.graph import IN0, IN1, Architecture, Link, Vertex
from argnp.arch.space import SpaceName

# A link as the canonical form sees it: source, operation ('' for a mixture).
_Edge = tuple[int, str]
_Links = dict[SpaceName, list[_Edge]]


def canonical(architecture: Architecture) -> Architecture:
    """Equal for two architectures exactly when a renumbering of vertices maps one to the other.

    The order of links in a vertex does not matter. Without stacked cells both inputs are the
    same stream, so they are told apart only where one vertex takes both.
    """
    merged = architecture.cells == 1
    links: list[_Links] = [
        {
            name: [
                (IN0 if merged and link.source == IN1 else link.source, link.operation or "")
                for link in vertex.links(name)
            ]
            for name in architecture.space.names
        }
        for vertex in architecture.vertices
    ]
    best = min(_orders(links), key=lambda order: _encode(links, order))
    rank = {old: new for new, old in enumerate(best, start=1)}
    vertices = []
    for old in best:
        spaces = {
            name: _split_inputs(
                sorted((rank.get(source, source), op) for source, op in edges), merged
            )
            for name, edges in links[old - 1].items()
        }
        vertices.append(Vertex(spaces["node"], spaces.get("relation", ())))
    return Architecture(tuple(vertices), architecture.space)


def _split_inputs(edges: list[_Edge], merged: bool) -> tuple[Link, ...]:
    links: list[Link] = []
    for source, operation in edges:
        taken = merged and source == IN0 and any(link.source == IN0 for link in links)
        links.append(Link(IN1 if taken else source, operation or None))
    return tuple(links)


def _encode(links: list[_Links], order: list[int]) -> list[list[list[_Edge]]]:
    rank = {old: new for new, old in enumerate(order, start=1)}
    return [
        [
            sorted((rank.get(source, source), op) for source, op in edges)
            for edges in links[old - 1].values()
        ]
        for old in order
    ]


def _orders(links: list[_Links]) -> list[list[int]]:
    """Topological orders that contain, for isomorphic inputs, a common smallest encoding."""
    return _leaves(links, dict.fromkeys(range(1, len(links) + 1), 0))


def _leaves(links: list[_Links], colours: dict[int, int]) -> list[list[int]]:
    """Orders that respect these colours.

    Colours are refined by what goes in and out of a vertex; where a colour holds several
    vertices, each in turn is made special, except those that one tried before can be exchanged
    for: by themselves, or, as two lines of branches that come out equal show, along with others.
    """
    colours = _refine(links, colours)
    shared = _shared(colours)
    if not shared:
        return [_topological(links, colours)]
    found: list[list[int]] = []
    tried: dict[int, list[int]] = {}
    for vertex in shared:
        if any(_twins(links, vertex, other) for other in tried):
            continue
        branch = _special(colours, vertex)
        first = _first(links, branch)
        if any(_exchange(links, colours, first, other) for other in tried.values()):
            continue
        tried[vertex] = first
        found += _leaves(links, branch)
    return found


def _shared(colours: dict[int, int]) -> list[int]:
    """The vertices of the lowest colour that holds several."""
    classes: dict[int, list[int]] = {}
    for vertex, colour in colours.items():
        classes.setdefault(colour, []).append(vertex)
    several = [colour for colour, members in classes.items() if len(members) > 1]
    return classes[min(several)] if several else []


def _special(colours: dict[int, int], vertex: int) -> dict[int, int]:
    return {v: 2 * colour + (v == vertex) for v, colour in colours.items()}


def _first(links: list[_Links], colours: dict[int, int]) -> list[int]:
    """The order that making the first of several special, again and again, leads to."""
    while shared := _shared(colours := _refine(links, colours)):
        colours = _special(colours, shared[0])
    return _topological(links, colours)


def _exchange(
    links: list[_Links], colours: dict[int, int], one: list[int], other: list[int]
) -> bool:
    """Whether ``one[i] -> other[i]`` maps the architecture, with its colours, to itself."""
    return [colours[v] for v in one] == [colours[v] for v in other] and _encode(
        links, one
    ) == _encode(links, other)


def _refine(links: list[_Links], colours: dict[int, int]) -> dict[int, int]:
    while True:
        seen: dict[int, list[tuple[str, str, int, str]]] = {v: [] for v in colours}
        for target, spaces in enumerate(links, start=1):
            for name, edges in spaces.items():
                for source, op in edges:
                    into = colours.get(source, source - 2)
                    seen[target].append((name, "in", into, op))
                    if source in seen:
                        seen[source].append((name, "out", colours[target], op))
        keys = {v: (colours[v], sorted(seen[v])) for v in colours}
        ranked = sorted(set(map(repr, keys.values())))
        refined = {v: ranked.index(repr(keys[v])) for v in colours}
        if len(set(refined.values())) == len(set(colours.values())):
            return refined
        colours = refined


def _topological(links: list[_Links], colours: dict[int, int]) -> list[int]:
    order: list[int] = []
    waiting = set(colours)
    while waiting:
        ready = [
            v
            for v in waiting
            if not any(source in waiting for edges in links[v - 1].values() for source, _ in edges)
        ]
        order.append(min(ready, key=colours.__getitem__))
        waiting.remove(order[-1])
    return order


def _twins(links: list[_Links], a: int, b: int) -> bool:
    swap = {a: b, b: a}

    def edges(exchanged: bool) -> list[tuple[int, str, int, str]]:
        rename = swap if exchanged else {}
        return sorted(
            (rename.get(target, target), name, rename.get(source, source), op)
            for target, spaces in enumerate(links, start=1)
            for name, found in spaces.items()
            for source, op in found
        )

    return edges(exchanged=True) == edges(exchanged=False)
