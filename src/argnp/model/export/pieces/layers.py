"""Small layers that every network has."""

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm, leaky_relu


def act(x: Tensor) -> Tensor:
    """LeakyReLU(0.2)."""
    return leaky_relu(x, 0.2)


class BatchNorm(nn.BatchNorm1d):
    """BatchNorm that takes fewer than two rows too: by its running statistics."""

    def forward(self, x: Tensor) -> Tensor:
        if self.training and x.shape[0] < 2:
            mean, var = self.running_mean, self.running_var
            return batch_norm(x, mean, var, self.weight, self.bias, eps=self.eps)
        return super().forward(x)


class Film(nn.Module):
    """Scale and shift of one stream from the features of the other.

    ``z = act(W2 act(W1 x))``, ``gamma = sigmoid(Wk z)``, ``beta = Wb z``, with biases.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.film1 = nn.Linear(inputs, hidden)
        self.film2 = nn.Linear(hidden, hidden)
        self.gamma = nn.Linear(hidden, outputs)
        self.beta = nn.Linear(hidden, outputs)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(rows, inputs) to gamma and beta, each (rows, outputs)."""
        z = act(self.film2(act(self.film1(x))))
        return torch.sigmoid(self.gamma(z)), self.beta(z)


class CodeEncoder(nn.Module):
    """Sum of one embedding for each column of integer codes.

    Column c holds 0 .. sizes[c] - 1; sizes[c] itself is for values training never saw.
    """

    def __init__(self, sizes: tuple[int, ...], width: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(size + 1, width) for size in sizes)

    def forward(self, codes: Tensor) -> Tensor:
        """(rows, columns) int64 to (rows, width)."""
        parts = [table(codes[:, column]) for column, table in enumerate(self.tables)]
        return torch.stack(parts).sum(0)


class Gather(nn.Module):
    """``act(BN(W [act(X_0) | act(X_1) | ..]))``: all streams of a cell into one."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs, bias=False)
        self.norm = BatchNorm(outputs)

    def forward(self, *streams: Tensor) -> Tensor:
        """Streams (rows, d) to (rows, outputs)."""
        return act(self.norm(self.linear(act(torch.cat(streams, 1)))))


class Head(nn.Module):
    """Linear, BatchNorm, LeakyReLU, dropout, Linear: ``w -> h -> outputs``."""

    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden, bias=False)
        self.norm = BatchNorm(hidden)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """(rows, inputs) to (rows, outputs)."""
        y: Tensor = self.out(self.dropout(act(self.norm(self.hidden(x)))))
        return y
