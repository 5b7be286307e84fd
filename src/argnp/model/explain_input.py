"""One graph, in any of its forms, as a batch and a row of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from argnp.data.batch import GraphBatch
from argnp.data.dataset import GraphSource
from argnp.data.store import PackedStore
from argnp.errors import UserError
from argnp.model.explain_placed import Placed, molecule
from argnp.model.inputs import open_graphs
from argnp.model.manifest import Manifest
from argnp.model.smiles import featurizer_of


@dataclass(frozen=True)
class One:
    """``row``: of the batch's predictions."""

    batch: GraphBatch
    row: int
    placed: Placed


def open_one(graph: Any, manifest: Manifest, row: int) -> One:
    """A Data, a SMILES or a GraphBatch of one graph; ``row`` counts edges as they came in."""
    if isinstance(graph, GraphBatch):
        return One(graph, row, Placed())
    if isinstance(graph, str):
        source, placed = _molecule(graph, manifest)
    else:
        source, placed = open_graphs([graph], manifest), Placed(_positions(graph))
    one, task = np.zeros(1, dtype=np.int64), manifest.schema.task
    if task.level == "edge" and not task.pairs and isinstance(source, PackedStore):
        edges = source.input_rows(one)
        if not 0 <= row < len(edges):
            raise UserError(f"row {row}: the graph has {len(edges)} edges, counted from 0")
        row = int(edges[row])
    return One(source.batch(one), row, placed)


def _molecule(smiles: str, manifest: Manifest) -> tuple[GraphSource, Placed]:
    from argnp.data.molecules.featurize import featurize

    featurizer = featurizer_of(manifest.molecules)
    converted = featurize([smiles], featurizer)
    if converted.rejected:
        raise UserError(f"{smiles}: {converted.rejected[0][1]}")
    return open_graphs(converted.graphs(featurizer), manifest), molecule(smiles)


def _positions(graph: Any) -> Any:
    pos = getattr(graph, "pos", None)
    if pos is None or pos.dim() != 2 or pos.shape[1] not in (2, 3):
        return None
    return pos.double().cpu().numpy()
