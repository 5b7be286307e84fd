"""An explanation as a value, and as a picture."""

from dataclasses import dataclass, field

from argnp.model.explain_gradients import METHOD, Numbers
from argnp.model.explain_layout import Int64, ball, within
from argnp.model.explain_placed import Placed


@dataclass(frozen=True)
class Explanation:
    """How much each node and each relation added to ``value``, of ``what``.

    ``relations`` (R, 2) are source and target of each. All importances add up to about
    ``value - blank``, where ``blank`` is what the network says without any features.
    ``relation_importance`` is empty where the network has no relation stream. ``output`` is the
    number of the class or column that is explained.
    """

    node_importance: Numbers
    relation_importance: Numbers
    relations: Int64
    value: float
    blank: float
    what: str
    output: int
    centre: int  # the node in question, or the most important one
    placed: Placed = field(default_factory=Placed)
    method: str = METHOD

    def svg(self) -> str:
        """A picture: the stronger the shade, the more important; of large graphs a part."""
        from argnp.report.importance import picture

        nodes = len(self.node_importance)
        kept = ball(nodes, self.relations, self.centre)
        inside, pairs = within(self.relations, kept, nodes)
        places = self.placed.part(kept, pairs)
        related = len(self.relation_importance) > 0
        return picture(
            places.tolist(),
            pairs.tolist(),
            labels=[self.placed.labels[i] for i in kept] if self.placed.labels else [],
            orders=self.placed.orders(self.relations[inside]),
            nodes=self.node_importance[kept].tolist(),
            relations=self.relation_importance[inside].tolist() if related else [],
            told=f"What added to {self.what} = {self.value:.4g}",
        )
