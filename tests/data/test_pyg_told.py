"""What of PyG's data cannot be used is refused in one line, or noted."""

import pytest
import torch
from torch_geometric.data import Data

from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError


def test_what_reading_a_graph_raises_is_one_line():
    class Broken:
        def __len__(self):
            return 10

        def __getitem__(self, number):
            if number == 7:
                raise KeyError("no\nsuch atom")
            return Data(x=torch.ones(2, 1), edge_index=torch.tensor([[0], [1]]), y=1.0 * number)

    with pytest.raises(UserError, match=r"^graph 7 cannot be read: KeyError: [^\n]*; look") as told:
        from_pyg(Broken())
    assert "\n" not in str(told.value)
