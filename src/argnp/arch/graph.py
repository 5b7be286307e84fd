"""Links, vertices and the architecture they make."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from argnp.arch.check import check
from argnp.arch.space import Space, SpaceName

IN0: Final = -1
IN1: Final = 0


@dataclass(frozen=True, slots=True)
class Link:
    """An incoming link: where it comes from and what it does.

    ``source`` is ``IN0``, ``IN1`` or the number of a vertex. ``operation`` is None while the
    link is a mixture of all candidates of its space.
    """

    source: int
    operation: str | None = None

    @property
    def decided(self) -> bool:
        return self.operation is not None


@dataclass(frozen=True, slots=True)
class Vertex:
    """A pair (V_i, E_i): the sum of its node links and the sum of its relation links."""

    node: tuple[Link, ...]
    relation: tuple[Link, ...] = ()

    def links(self, space: SpaceName) -> tuple[Link, ...]:
        return self.node if space == "node" else self.relation

    def with_links(self, space: SpaceName, links: tuple[Link, ...]) -> "Vertex":
        return replace(self, node=links) if space == "node" else replace(self, relation=links)


class Place(NamedTuple):
    """Where a link stands: space, number of its vertex, position among that vertex's links."""

    space: SpaceName
    vertex: int
    link: int


@dataclass(frozen=True, slots=True)
class Architecture:
    """Vertices 1 .. N in topological order; ``vertices[i - 1]`` is vertex i.

    Immutable and hashable. While some links are mixtures it describes a supernet; once every
    link is decided, a network. Construction checks that it is a sound one.
    """

    vertices: tuple[Vertex, ...]
    space: Space = field(default_factory=Space)

    def __post_init__(self) -> None:
        check(self)

    def __len__(self) -> int:
        return len(self.vertices)

    @property
    def cells(self) -> int:
        return self.space.cells

    @property
    def size(self) -> int:
        """Vertices of the whole network: cells times vertices."""
        return self.space.cells * len(self.vertices)

    @property
    def decided(self) -> bool:
        """Every link is one operation and every vertex has its number of links."""
        return all(link.decided for _, link in self.places()) and all(
            len(vertex.links(name)) == self.space.inputs
            for vertex in self.vertices
            for name in self.space.names
        )

    def vertex(self, number: int) -> Vertex:
        return self.vertices[number - 1]

    def places(self, space: SpaceName | None = None) -> Iterator[tuple[Place, Link]]:
        """Every link with its place, vertex by vertex."""
        for number, vertex in enumerate(self.vertices, start=1):
            for name in self.space.names if space is None else (space,):
                for position, link in enumerate(vertex.links(name)):
                    yield Place(name, number, position), link

    def mixtures(self, space: SpaceName | None = None) -> list[Place]:
        """Places of the links that are still to be decided."""
        return [place for place, link in self.places(space) if not link.decided]

    def with_links(self, space: SpaceName, vertex: int, links: tuple[Link, ...]) -> "Architecture":
        """The same architecture with the links of one vertex in one space replaced."""
        vertices = list(self.vertices)
        vertices[vertex - 1] = vertices[vertex - 1].with_links(space, links)
        return replace(self, vertices=tuple(vertices))

    def divide(self, missing: int | None = None) -> "Architecture":
        """See `argnp.arch.divide`."""
        from argnp.arch.divide import divide

        return divide(self, missing)

    def canonical(self) -> "Architecture":
        """See `argnp.arch.canonical`."""
        from argnp.arch.canonical import canonical

        return canonical(self)

    def to_json(self) -> str:
        """See `argnp.arch.codec`."""
        from argnp.arch.codec import encode

        return encode(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Architecture":
        """See `argnp.arch.codec`; ValueError says where the text is broken."""
        from argnp.arch.codec import decode

        return decode(text)

    def svg(self) -> str:
        """The architecture as a picture: a standalone SVG."""
        from argnp.report.svg import draw

        return draw(self)


def undecided(size: int, space: Space | None = None) -> Architecture:
    """The global supernet: every vertex linked to all earlier ones and to both inputs."""
    space = space or Space()
    vertices = []
    for number in range(1, size + 1):
        links = tuple(Link(source) for source in range(IN0, number))
        vertices.append(Vertex(links, links if space.relations else ()))
    return Architecture(tuple(vertices), space)
