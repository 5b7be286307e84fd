"""A model folder, wherever it was moved, back to networks that predict."""

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load

from argnp.arch import Architecture
from argnp.errors import UserError
from argnp.kernels.core import Core
from argnp.model.folder import FolderFiles
from argnp.model.manifest import (
    ARCHITECTURE,
    METRICS,
    MODEL,
    Manifest,
    Metrics,
    Operations,
    read_manifest,
    read_struct,
)
from argnp.model.model import Model
from argnp.nets.cores import Kernels, choose
from argnp.nets.network import Network, build
from argnp.nets.widths import count_parameters
from argnp.ops.catalogue import node_operations, relation_operations
from argnp.runs.folder import RunFolder


def load_model(path: Path | str, *, kernels: Kernels = "auto") -> Model:
    """The model of a run folder, or of a ``model/`` folder.

    Nothing of the folder is executed or unpickled. What is missing, damaged, of another
    version, or made of operations that are not registered here is a UserError of one line.
    """
    files = FolderFiles(model_folder(path))
    manifest = read_manifest(files.folder / MODEL, files.read(MODEL))
    architecture = _architecture(files)
    _require_operations(files.folder, Operations.of(architecture))
    core = choose(kernels).core
    return Model(
        manifest=manifest,
        architecture=architecture,
        metrics=read_struct(files.folder / METRICS, files.read(METRICS), Metrics),
        networks=[_network(files, name, manifest, architecture, core) for name in manifest.weights],
    )


def model_folder(path: Path | str) -> Path:
    """The model's own folder, where a run's folder or the model's was named."""
    path = Path(path)
    for folder in (path, RunFolder(path).model):
        if (folder / MODEL).exists():
            return folder
    if not path.exists():
        raise UserError(f"{path}: no such folder; name a run folder, or the model/ folder of one")
    raise UserError(
        f"{path}: no model there: {MODEL} is missing; name a run folder whose fit has ended, or "
        "the model/ folder of one"
    )


def _architecture(files: FolderFiles) -> Architecture:
    try:
        architecture = Architecture.from_json(files.read(ARCHITECTURE))
    except ValueError as error:
        raise UserError(f"{files.folder / ARCHITECTURE}: {error}") from None
    if not architecture.decided:
        raise UserError(f"{files.folder / ARCHITECTURE}: some of its links are still mixtures")
    return architecture


def _require_operations(folder: Path, operations: Operations) -> None:
    for space, needed, known in (
        ("node", operations.node, node_operations()),
        ("relation", operations.relation, relation_operations()),
    ):
        missing = [name for name in needed if name not in known]
        if missing:
            raise UserError(
                f"{folder}: the model is made of the {space} operation '{missing[0]}', which is "
                f"not registered here; call argnp.ops.catalogue.register_{space}_operation"
                f"('{missing[0]}', ...) before loading it"
            )


def _network(
    files: FolderFiles, name: str, manifest: Manifest, architecture: Architecture, core: Core
) -> Network:
    content = files.read(name)
    needed = count_parameters(
        architecture, manifest.widths, manifest.schema, encoder_norm=manifest.encoder_norm
    )
    if needed > len(content):  # told before so much memory is asked for
        raise _unfit(files.folder / name, f"{needed} weights are not in {len(content)} bytes")
    network = build(
        architecture,
        manifest.widths,
        manifest.schema,
        seed=0,
        readout=manifest.readout,
        encoder_norm=manifest.encoder_norm,
        core=core,
    )
    try:
        network.load_state_dict(load(content))
    except (SafetensorError, RuntimeError, KeyError, ValueError) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise _unfit(files.folder / name, first) from None
    return network.eval()


def _unfit(file: Path, why: str) -> UserError:
    return UserError(f"{file}: does not fit the architecture ({why}); copy the model folder again")
