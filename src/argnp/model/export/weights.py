"""Trained weights under the names that the exported classes give them."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from argnp.heads.batchnorm import WeightedBatchNorm
from argnp.kernels.layout import node_layout, relation_layout
from argnp.model.export.shape import LETTER, Shape, operation_name
from argnp.nets.bank import Bank
from argnp.nets.body import Cell
from argnp.nets.encoders import FeatureEncoder
from argnp.nets.network import Network

State = dict[str, Tensor]


def state_of(shape: Shape, networks: Sequence[Network]) -> State:
    """The state dict of the exported module: copies, on the CPU."""
    states = [_network(shape, network) for network in networks]
    if len(states) == 1:
        return _copied(states[0])
    named = [(f"members.{i}", state) for i, state in enumerate(states)]
    return _copied({f"{lead}.{k}": v for lead, state in named for k, v in state.items()})


def _copied(state: State) -> State:
    return {name: value.detach().cpu().clone().contiguous() for name, value in state.items()}


def _network(shape: Shape, network: Network) -> State:
    encoder, body, head = network.encoder, network.body, network.head
    state = _encoder("encode_V", encoder.node)
    if encoder.node_norm is not None:
        state |= _norm("norm_V", encoder.node_norm)
    if encoder.encoding is not None:
        state |= _linear("encode_position", encoder.encoding)
    if encoder.edge is not None:
        state |= _encoder("encode_E", encoder.edge)
    for index, cell in enumerate(body.cells):
        assert isinstance(cell, Cell)
        lead, inside = shape.cell_name(index), _cell(shape, index, cell)
        state |= {f"{lead}.{name}": value for name, value in inside.items()}
    for letter, back in (("V", body.back_node), ("E", body.back_edge)):
        for index, linear in enumerate(back, start=1):
            state |= _linear(f"back_{letter}{index}", linear)
    state |= _linear("head.hidden", head.hidden) | _linear("head.out", head.out)
    return state | _norm("head.norm", head.norm)


def _encoder(name: str, encoder: FeatureEncoder) -> State:
    if encoder.features.kind != "codes":
        return _linear(name, encoder.linear)
    tables = torch.split(encoder.table, [size + 1 for size in encoder.features.sizes])
    return {f"{name}.tables.{column}.weight": table for column, table in enumerate(tables)}


def _cell(shape: Shape, index: int, cell: Cell) -> State:
    last = index == shape.cells - 1
    state: State = {}
    for space, vertex in cell.rows:
        if shape.lives(space, vertex, last=last):
            for link in shape.operations(space, vertex):
                row = cell.rows[space, vertex][link.source, str(link.operation)]
                weights = _operation(shape, cell.bank(space, vertex), row, space)
                name = operation_name(space, vertex, link)
                state |= {f"{name}.{key}": value for key, value in weights.items()}
    for space in shape.outputs if last else shape.architecture.space.names:
        name = f"gather_{LETTER[space]}"
        state |= _linear(f"{name}.linear", cell.gather[space])
        norm = cell.norm[space]
        assert isinstance(norm, WeightedBatchNorm)
        state |= _norm(f"{name}.norm", norm)
    return state


def _operation(shape: Shape, bank: Bank, row: int, space: str) -> State:
    """A bank row taken apart; its weights are (inputs, outputs), a Linear's the other way."""
    widths = shape.widths
    if space == "node":
        layout = node_layout(widths.node, widths.edge, relations=shape.relations)
    else:
        layout = relation_layout(widths.node, widths.edge)
    state: State = {}
    for name, value in layout.views(bank.weight[row]).items():
        guided = name.split(".")[0] in ("film1", "film2", "gamma", "beta")
        state[f"film.{name}" if guided else name] = value.t() if value.dim() == 2 else value
    assert bank.gain is not None
    assert bank.shift is not None
    return state | _batchnorm(
        "norm", bank.gain[row], bank.shift[row], bank.mean[row], bank.var[row]
    )


def _linear(name: str, linear: nn.Module) -> State:
    return {f"{name}.{key}": value for key, value in linear.state_dict().items()}


def _norm(name: str, norm: WeightedBatchNorm) -> State:
    return _batchnorm(name, norm.scale, norm.shift, norm.mean, norm.var)


def _batchnorm(name: str, scale: Tensor, shift: Tensor, mean: Tensor, var: Tensor) -> State:
    return {
        f"{name}.weight": scale,
        f"{name}.bias": shift,
        f"{name}.running_mean": mean,
        f"{name}.running_var": var,
        f"{name}.num_batches_tracked": mean.new_zeros(()).long(),
    }
