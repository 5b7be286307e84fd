"""Trained networks to a folder that needs nothing else."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors.torch import save

from argnp import __version__
from argnp.arch import Architecture
from argnp.data.schema import Schema
from argnp.heads.readout import Readout
from argnp.heads.scaling import Scaling
from argnp.model.card import write_card
from argnp.model.folder import write_folder
from argnp.model.manifest import (
    ARCHITECTURE,
    CARD,
    FORMAT,
    METRICS,
    MODEL,
    Manifest,
    Metrics,
    Molecules,
    Operations,
    to_json,
    weight_files,
)
from argnp.nets.network import Network
from argnp.nets.widths import Widths

if TYPE_CHECKING:
    from argnp.data.molecules.load import MoleculeData


def save_model(
    folder: Path | str,
    networks: Sequence[Network],
    *,
    architecture: Architecture,
    widths: Widths,
    schema: Schema,
    metric: str,
    name: str,
    readout: Readout = "mean-max",
    encoder_norm: bool = False,
    scaling: Scaling | None = None,
    validation: Mapping[str, float] | None = None,
    test: Mapping[str, float] | None = None,
    molecules: "MoleculeData | None" = None,
    neighbours: int | None = None,
    ensemble: bool = False,
    license_name: str | None = None,
) -> Path:
    """Packages networks of one architecture, the best on validation first.

    ``ensemble``: predictions are the mean over all networks, and ``validation`` and ``test``
    are its metrics; else they are the first network's. ``molecules``: where the graphs came
    from a file of them. ``neighbours``: where they came from point clouds. An older model in
    the folder is replaced, in one step.
    """
    if not networks or not architecture.decided:
        raise ValueError("a model is one network or more, of a decided architecture")
    manifest = Manifest(
        format=FORMAT,
        argnp=__version__,
        name=name,
        schema=schema,
        widths=widths,
        readout=readout,
        encoder_norm=encoder_norm,
        metric=metric,
        operations=Operations.of(architecture),
        weights=tuple(weight_files(len(networks))),
        ensemble=ensemble,
        scaling=scaling,
        target_names=_target_names(schema, molecules),
        molecules=None
        if molecules is None
        else Molecules(molecules.featurizer.to_dict(), molecules.smiles_column),
        neighbours=neighbours,
    )
    metrics = Metrics(metric, _finite(validation), _finite(test))
    card = write_card(
        manifest,
        architecture,
        metrics,
        parameters=sum(weights.numel() for weights in networks[0].parameters()),
        license_name=license_name,
    )
    folder = Path(folder)
    write_folder(
        folder,
        {
            ARCHITECTURE: architecture.to_json().encode(),
            MODEL: to_json(manifest),
            METRICS: to_json(metrics),
            CARD: card.encode(),
            **{
                file: _weights(network)
                for file, network in zip(manifest.weights, networks, strict=True)
            },
        },
    )
    return folder


def _weights(network: Network) -> bytes:
    tensors = {
        name: tensor.detach().cpu().clone().contiguous()
        for name, tensor in network.state_dict().items()
    }
    content: bytes = save(tensors)
    return content


def _target_names(schema: Schema, molecules: "MoleculeData | None") -> tuple[str, ...]:
    if molecules is not None:
        return molecules.target_names
    return () if schema.task.kind == "classification" else schema.task.labels


def _finite(values: Mapping[str, float] | None) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in (values or {}).items()}
