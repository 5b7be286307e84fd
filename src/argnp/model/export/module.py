"""The exported Python module, brought to life: what the other formats are traced from."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from torch import nn

from argnp.arch import Architecture
from argnp.data.schema import Schema
from argnp.heads.scaling import Scaling
from argnp.model.export.python_text import entry, python_text
from argnp.model.export.shape import Shape, shape_of
from argnp.model.export.weights import State, state_of
from argnp.nets.network import Network
from argnp.nets.widths import Widths


@dataclass(frozen=True)
class Exported:
    """Networks as text and weights."""

    shape: Shape
    text: str
    state: State

    def module(self) -> nn.Module:
        """An instance with its weights, in evaluation mode.

        The text is this package's own: of what a model file says, only numbers and string
        literals reach it, and the names of known operations.
        """
        namespace = ModuleType("exported")
        exec(compile(self.text, "<exported network>", "exec"), namespace.__dict__)
        module: nn.Module = getattr(namespace, entry(self.shape))()
        module.load_state_dict(self.state, assign=True)
        return module.eval()


def write_out(
    networks: Sequence[Network],
    architecture: Architecture,
    schema: Schema,
    widths: Widths,
    scaling: Scaling | None = None,
) -> Exported:
    """Trained networks of one architecture (several: an ensemble) as plain torch.

    ``scaling``: predictions come out in the units of the targets.
    """
    shape = shape_of(networks, architecture, schema, widths, scaling)
    return Exported(shape, python_text(shape), state_of(shape, networks))
