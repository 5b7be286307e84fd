"""A model that was packaged, ready to predict."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from argnp.arch import Architecture
from argnp.data.batch import GraphBatch
from argnp.data.dataset import GraphSource
from argnp.data.schema import Schema
from argnp.errors import UserError
from argnp.model.inputs import open_graphs
from argnp.model.manifest import Manifest, Metrics
from argnp.model.module import PackagedNetwork
from argnp.model.predicted import Predicted, Values, join, predict_batch, predict_source
from argnp.model.smiles import predict_smiles, read_smiles_table
from argnp.nets.network import Network


class Model:
    """Networks of one architecture, with all that turns new data into their predictions.

    ``module`` is the same as a ``torch.nn.Module``: ``model.module(batch)``.
    """

    def __init__(
        self,
        manifest: Manifest,
        architecture: Architecture,
        metrics: Metrics,
        networks: Sequence[Network],
    ) -> None:
        self.manifest = manifest
        self.architecture = architecture
        self.metrics = metrics
        self.networks = tuple(networks)
        self.module = PackagedNetwork(self.networks, manifest)

    @property
    def schema(self) -> Schema:
        return self.manifest.schema

    def predict(self, data: Any, *, ensemble: bool | None = None) -> Values:
        """(rows, outputs): numbers in the units of the targets, or probabilities.

        ``data``: a list of Data, a PyG dataset or Batch, a Dataset, a GraphBatch; of a model of
        molecules also a list of SMILES or the path of a table. A row per graph, node or
        directed edge, in the order given; NaN where a SMILES is none, or missing. ``ensemble``: the
        mean over all trainings, or the best training alone; by default, what was evaluated.
        """
        return self.predict_rows(data, ensemble=ensemble).values

    def predict_rows(self, data: Any, *, ensemble: bool | None = None) -> Predicted:
        """As `predict`, with the spread over an ensemble, and what each row is of."""
        self.uses_ensemble(ensemble)
        if isinstance(data, GraphBatch):
            return predict_batch(self.module, data, ensemble=ensemble)
        if isinstance(data, str | Path):
            if not Path(data).is_file():
                raise UserError(f"{data}: no such file; SMILES are given as a list")
            return read_smiles_table(self, data, ensemble=ensemble)
        texts = _texts(data, missing=self.manifest.molecules is not None)
        if texts is not None:
            return predict_smiles(self, texts, ensemble=ensemble)
        parts = predict_source(self.module, self.open(data), ensemble=ensemble)
        return join(list(parts), self.schema.task.outputs)

    def open(self, data: Any, *, targets: bool = False) -> GraphSource:
        """New graphs packed as the training data was; see `argnp.model.inputs`."""
        return open_graphs(data, self.manifest, targets=targets)

    def uses_ensemble(self, told: bool | None) -> bool:
        """Whether predictions are of all networks; a UserError where there is only one."""
        if told and len(self.networks) == 1:
            raise UserError(
                f"{self.manifest.name}: the model holds one network, an ensemble takes several; "
                "fit with --ensemble 4"
            )
        return self.manifest.ensemble if told is None else told


def _texts(data: Any, *, missing: bool) -> Sequence[str] | None:
    """Strings, if that is what there is: a list, or an array or a column that lists itself.

    Blank for what is missing; ``missing``: also where all of it is.
    """
    if hasattr(data, "tolist") and not hasattr(data, "num_nodes"):
        data = data.tolist()
    if not isinstance(data, list | tuple) or not data:
        return None
    texts = ["" if _is_missing(item) else item for item in data]
    if not all(isinstance(item, str) for item in texts):
        return None
    return texts if missing or any(isinstance(item, str) for item in data) else None


def _is_missing(item: Any) -> bool:
    """None, NaN, and what pandas calls NA."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, float) and math.isnan(item)
