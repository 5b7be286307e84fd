"""Loss and metrics of a network over a whole set."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from argnp.data.batch import GraphBatch
from argnp.data.schema import Task
from argnp.heads.collector import Collector
from argnp.heads.losses import Loss
from argnp.heads.scaling import Scaling
from argnp.model.units import combine
from argnp.nets.network import Network


@dataclass(frozen=True)
class Scores:
    """The loss in the units of training, the metrics in the user's, and what they were of."""

    loss: float
    metrics: dict[str, float]
    collector: Collector


@torch.inference_mode()
def evaluate(
    networks: Sequence[Network],
    batches: Iterable[GraphBatch],
    task: Task,
    loss: Loss,
    scaling: Scaling | None,
) -> Scores:
    """Over the whole set: no mean of batch means. Several networks predict as one."""
    for network in networks:
        network.eval()
    collector = Collector(task, scaling)
    total = weight = 0.0
    for on_cpu in batches:
        batch = on_cpu.to(networks[0].device)
        outputs = torch.stack([network(batch) for network in networks])
        prediction = combine(outputs, task.kind)
        parts = loss.parts(prediction, scale_targets(batch, scaling))
        total, weight = total + float(parts[0]), weight + float(parts[1])
        collector.add(prediction, batch)
    return Scores(total / weight if weight else float("nan"), collector.metrics(), collector)


def scale_targets(batch: GraphBatch, scaling: Scaling | None) -> GraphBatch:
    """The batch with its targets in the units of training."""
    if scaling is None or batch.target is None:
        return batch
    return replace(batch, target=scaling.transform(batch.target))


def feed(
    network: Network, batches: Iterable[GraphBatch], scaling: Scaling | None
) -> Iterator[GraphBatch]:
    """Batches as training takes them: on the network's device, targets in its units."""
    for batch in batches:
        yield scale_targets(batch.to(network.device), scaling)
