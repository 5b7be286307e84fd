"""Training on a folder of arrays that memory does not hold."""

import dataclasses
import json
import subprocess
import sys
import textwrap

import msgspec
import numpy as np
import pytest

from argnp.data.folder import save_dataset
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Features

GRAPHS, NODES, WIDTH = 1500, 10, 8000
ALLOWED_MB = 330  # on top of what the imports take; the node features alone are 480

SCRIPT = """
    import resource, sys, torch
    import argnp.workflows.commands, torch_geometric
    from argnp.cli.main import main
    torch.set_num_threads(1)
    status = open("/proc/self/status").read()
    limit = int(status.split("VmData:")[1].split()[0]) * 1024 + int(sys.argv[1]) * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture
def folder(tmp_path):
    """Rings with node features in a file with holes: as large as it says, on a small disk."""
    here = np.arange(NODES)
    there = np.stack([here, (here + 1) % NODES]).astype(np.int32)
    ring = np.concatenate([there, there[::-1]], axis=1)
    rng = np.random.default_rng(0)
    raw = RawGraphs(
        np.arange(GRAPHS + 1) * NODES,
        np.arange(GRAPHS + 1) * ring.shape[1],
        np.tile(ring, (1, GRAPHS)),
        x=np.zeros((GRAPHS * NODES, 1), np.float32),
        y=rng.normal(size=GRAPHS),
    )
    dataset = ingest(raw, name="big")
    wide = msgspec.structs.replace(dataset.schema, node=Features("floats", width=WIDTH))
    save_dataset(dataclasses.replace(dataset, schema=wide), tmp_path / "big")
    np.lib.format.open_memmap(
        tmp_path / "big" / "node.npy", mode="w+", dtype=np.float32, shape=(GRAPHS * NODES, WIDTH)
    ).flush()
    return tmp_path / "big"


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA counts mappings elsewhere")
def test_a_dataset_larger_than_memory_is_searched_and_trained(folder, tmp_path):
    words = [str(ALLOWED_MB), "fit", str(folder), "-o", str(tmp_path / "run"), "--size", "2"]
    # Both halves of the training set are read in turns, and training after them.
    words += ["--strategy", "sgas", "--search-epochs", "2", "--epochs", "1"]
    words += ["--batch-size", "16", "--width", "4"]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), *words, "--kernels", "torch", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])
