"""What stands in a model folder beside the weights: model.json, as a value."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec

from argnp.arch import Architecture
from argnp.data.schema import Schema
from argnp.errors import UserError
from argnp.heads.metrics import METRICS as KNOWN_METRICS
from argnp.heads.readout import Readout
from argnp.heads.scaling import Scaling
from argnp.nets.widths import Widths

FORMAT: Final = 1
ARCHITECTURE: Final = "architecture.json"
MODEL: Final = "model.json"
METRICS: Final = "metrics.json"
CARD: Final = "README.md"
CHECKSUMS: Final = "checksums.json"

_Struct = TypeVar("_Struct", bound=msgspec.Struct)
FileName = Annotated[str, msgspec.Meta(pattern=r"^[\w.-]+\Z")]  # of no other folder


class Operations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of the operations that the network is made of, skip left out."""

    node: tuple[str, ...] = ()
    relation: tuple[str, ...] = ()

    @classmethod
    def of(cls, architecture: Architecture) -> "Operations":
        used = {
            space: {link.operation for _, link in architecture.places(space) if link.operation}
            for space in architecture.space.names
        }
        parametric = architecture.space.parametric
        return cls(
            node=tuple(name for name in parametric("node") if name in used["node"]),
            relation=tuple(
                name for name in parametric("relation") if name in used.get("relation", ())
            ),
        )


class Molecules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How SMILES become graphs: the featuriser with its vocabulary, and the column they were in."""

    featurizer: dict[str, Any]
    smiles_column: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a network needs to read new data and to speak in the user's terms.

    ``schema`` carries task, class labels, feature columns, relation mode and encoding.
    ``weights`` are files, the network of best validation first. ``ensemble``: the prediction is
    the mean over all of them, else that of the first. ``target_names``: of the predicted
    columns, or of the one column whose classes are predicted; may be empty. ``neighbours``: of
    each point, where the graphs were made from point clouds.
    """

    format: int
    argnp: str
    name: str
    schema: Schema
    widths: Widths
    readout: Readout
    encoder_norm: bool
    metric: str
    operations: Operations
    weights: Annotated[tuple[FileName, ...], msgspec.Meta(min_length=1)]
    ensemble: bool = False
    scaling: Scaling | None = None
    target_names: tuple[str, ...] = ()
    molecules: Molecules | None = None
    neighbours: int | None = None

    def __post_init__(self) -> None:
        """What the types cannot say; a file that breaks it is told like any other."""
        outputs, scaling = self.schema.task.outputs, self.scaling
        if scaling is not None and {len(scaling.mean), len(scaling.std)} != {outputs}:
            raise ValueError(f"scaling is not of the {outputs} outputs")
        if self.metric not in KNOWN_METRICS:
            raise ValueError(f"unknown metric '{self.metric}'")


class Metrics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the prediction reached; None where a set could not say."""

    metric: str
    validation: dict[str, float | None]
    test: dict[str, float | None]


class _Format(msgspec.Struct, frozen=True):
    format: int


def to_json(value: msgspec.Struct) -> bytes:
    """For people to read, too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def read_struct(file: Path, content: bytes, kind: type[_Struct]) -> _Struct:
    """The struct in a file's bytes, or one line that names the file."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(
            f"{file}: {error}; copy the model folder again, or package it anew"
        ) from None


def read_manifest(file: Path, content: bytes) -> Manifest:
    """As `read_struct`; a format of another version is told before anything else."""
    found = read_struct(file, content, _Format).format
    if found != FORMAT:
        raise UserError(
            f"{file}: format {found}, this argnp reads {FORMAT}; "
            f"{'install a newer argnp' if found > FORMAT else 'package the model anew'}"
        )
    return read_struct(file, content, Manifest)


def weight_files(count: int) -> Sequence[str]:
    """``weights-0.safetensors``, ..."""
    return [f"weights-{number}.safetensors" for number in range(count)]
