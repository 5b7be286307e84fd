import time

import numpy as np
import pytest

from argnp.data.molecules.drawing import drawn
from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import featurizer_called
from argnp.model.explain_placed import molecule


@pytest.mark.parametrize("smiles", ["OCC#N", "c1ccccc1C(=O)[O-]", "C", "[NH4+].[Cl-]", "N->[Cu]"])
def test_atoms_and_bonds_are_those_of_the_graph(smiles):
    drawing = drawn(smiles)
    converted = featurize([smiles], featurizer_called("rich"))
    assert len(drawing.positions) == len(drawing.labels) == converted.atoms[0]
    ends = {(min(s, t), max(s, t)) for s, t in converted.ends.tolist()}
    assert set(drawing.orders) == ends


def test_what_is_written_and_how_bonds_are_drawn():
    drawing = drawn("[O-]C(=O)C#[N+]")
    assert drawing.labels == ("O−", "C", "O", "C", "N+")
    assert [drawing.orders[pair] for pair in [(0, 1), (1, 2), (1, 3), (3, 4)]] == [1, 2, 1, 3]


def test_rings_have_single_and_double_bonds():
    assert sorted(drawn("c1ccccc1").orders.values()) == [1, 1, 1, 2, 2, 2]


def test_atoms_do_not_coincide_and_places_are_the_same_every_time():
    one, other = drawn("CC(C)Cc1ccc(cc1)C(C)C(=O)O"), drawn("CC(C)Cc1ccc(cc1)C(C)C(=O)O")
    assert np.array_equal(one.positions, other.positions)
    apart = np.linalg.norm(one.positions[:, None] - one.positions, axis=2)
    assert apart[np.triu_indices(len(apart), 1)].min() > 0.8


def test_a_very_large_molecule_is_not_laid_out_by_rdkit():
    """RDKit's layout of 2,000 atoms takes minutes: the generic one has a part of them."""
    began = time.process_time()
    drawing, placed = drawn("C" * 5000), molecule("C" * 5000)
    assert time.process_time() - began < 5
    assert drawing.positions is None
    assert len(drawing.labels) == 5000
    assert len(drawing.orders) == 4999
    kept = np.arange(20)
    assert placed.part(kept, np.stack([kept[:-1], kept[1:]], 1)).shape == (20, 2)
