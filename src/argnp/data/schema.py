"""What the data is: the part of a dataset that a network is built from and saved with."""

from typing import Literal

import msgspec

Level = Literal["graph", "node", "edge"]
Kind = Literal["classification", "regression", "multilabel"]
RelationMode = Literal["directed", "undirected", "off"]


class Features(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Columns of nodes or edges: integer codes, real numbers, or none.

    ``codes``: ``sizes[c]`` values 0 .. sizes[c] - 1 in column c; the code ``sizes[c]`` itself
    stands for values never seen in training. ``floats``: ``width`` columns. ``none``: there
    are no columns (a constant one takes their place).
    """

    kind: Literal["codes", "floats", "none"]
    sizes: tuple[int, ...] = ()
    width: int = 0


class Encoding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Positional encoding of nodes: ``lap`` eigenvectors or ``rwse`` return probabilities."""

    kind: Literal["lap", "rwse", "none"] = "none"
    width: int = 0


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is predicted, and on what.

    ``outputs``: number of classes, or of target columns. ``labels``: class names, or names of
    the target columns, in order (may be empty). ``pairs``: an edge task whose targets belong to
    node pairs it names itself (``edge_label_index``), not to the relations of the graph.
    """

    level: Level
    kind: Kind
    outputs: int
    labels: tuple[str, ...] = ()
    pairs: bool = False

    @property
    def name(self) -> str:
        """As typed on the command line: ``graph-regression``."""
        return f"{self.level}-{self.kind}"


class Schema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything about the data that shapes a network."""

    task: Task
    node: Features
    edge: Features
    encoding: Encoding = Encoding()
    relations: RelationMode = "directed"
