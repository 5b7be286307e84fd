"""What `argnp data info` warns of is said at the start of a run, too, and kept with it."""

import torch
from torch_geometric.data import Data

import argnp


def rings():
    """Training and test hold the same graphs; the second feature column never changes."""
    graphs = []
    for number in range(24):
        n = 3 + number % 6
        here = torch.arange(n)
        ends = torch.stack([here, (here + 1) % n])
        x = torch.stack([here.float() / n, torch.ones(n)], dim=1)
        graphs.append(Data(x=x, edge_index=ends, y=torch.tensor([float(n)])))
    return graphs


def test_findings_are_told_and_kept(tmp_path, capsys):
    triple = (rings(), rings()[:6], rings()[6:12])
    argnp.search(triple, size=2, strategy="random", output_dir=tmp_path / "run")
    told = capsys.readouterr().err
    assert "warning: node feature column 1 is the same everywhere" in told
    assert "warning: 6 of 6 test graphs look like one in train" in told
    assert "6 of 6 val graphs look like one in train" in (tmp_path / "run/data.json").read_text()
