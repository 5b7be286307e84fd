import numpy as np
import pytest

from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import BY_NAME, Featurizer

RICH, ZINC = BY_NAME["rich"], BY_NAME["zinc"]


def test_the_benchmarks_molecules_give_the_benchmarks_graphs(zinc12k) -> None:
    graphs = zinc12k.converted.graphs(ZINC)
    assert not zinc12k.converted.rejected
    assert graphs.num_nodes / graphs.num_graphs == pytest.approx(23.09, abs=0.005)
    assert graphs.num_edges / graphs.num_graphs == pytest.approx(49.66, abs=0.005)
    for split, nodes, edges in (("test", 16, 34), ("val", 35, 78)):
        first = zinc12k.splits.index(split)
        assert np.diff(graphs.node_ptr)[first] == nodes
        assert np.diff(graphs.edge_ptr)[first] == edges
    # Every atom and bond has its code, and the list is ordered by how common they once were.
    assert graphs.x.max() < 28
    assert set(np.unique(graphs.edge_attr)) == {1, 2, 3}
    counts = np.bincount(graphs.x[:, 0], minlength=28)
    assert counts.argmax() == 0
    assert (counts[:12] > 0).all()


def test_zinc_codes_are_symbol_explicit_hydrogens_and_charge() -> None:
    # Chiral carbon, its hydrogen written; kekulised benzene; pyrrole's hydrogen is implicit then.
    converted = featurize(["[O-]C(=O)[C@@H](C)[NH3+]", "c1cc[nH]c1", "C#N", "[Na+]"], ZINC)
    labels = [*ZINC.atoms[0][1], "?"]
    atoms = [labels[code] for code in converted.atom_codes[:, 0]]
    assert atoms == [
        *("O -", "C", "O", "C H1", "C", "N H3 +"),
        *("C", "C", "C", "N", "C"),
        *("C", "N"),
        "?",
    ]
    bonds = [ZINC.bonds[0][1][code] for code in converted.bond_codes[:, 0]]
    assert sorted(bonds[5:10]) == ["DOUBLE", "DOUBLE", "SINGLE", "SINGLE", "SINGLE"]
    assert bonds[10:] == ["TRIPLE"]


def test_rich_codes_are_the_open_graph_benchmarks() -> None:
    converted = featurize(["Cl[C@H](/C=C/C)Br"], RICH)
    assert converted.atom_codes[1].tolist() == [5, 2, 4, 5, 1, 0, 2, 0, 0]
    double = converted.ends.tolist().index([2, 3])
    assert converted.bond_codes[double].tolist() == [1, 2, 0]


def test_what_no_list_holds_gets_the_unknown_code() -> None:
    star = featurize(["*", "C->[Fe]"], RICH)
    assert star.atom_codes[0, 0] == RICH.node_sizes[0]
    assert star.bond_codes[0, 0] == RICH.edge_sizes[0]
    small = Featurizer("rich", 7, False, (("atomic_num", (6,)),), RICH.bonds)
    assert featurize(["CO"], small).atom_codes.tolist() == [[0], [1]]


def test_every_bond_is_two_directed_edges_with_equal_codes() -> None:
    graphs = featurize(["CCO", "C=C"], RICH).graphs(RICH)
    assert graphs.edge_index.tolist() == [[0, 1, 1, 2, 0, 1], [1, 0, 2, 1, 1, 0]]
    assert graphs.edge_ptr.tolist() == [0, 4, 6]
    np.testing.assert_array_equal(graphs.edge_attr[0::2], graphs.edge_attr[1::2])


@pytest.mark.parametrize("featurizer", [RICH, ZINC])
@pytest.mark.parametrize(
    ("smiles", "atoms", "bonds"),
    [
        ("[Na+].[Cl-]", 2, 0),
        ("C", 1, 0),
        ("O.O.O", 3, 0),
        ("[H][H]", 2, 1),
        ("C" * 3000, 3000, 2999),
        ("CCO ethanol", 3, 2),
    ],
)
def test_odd_molecules_are_molecules(
    featurizer: Featurizer, smiles: str, atoms: int, bonds: int
) -> None:
    converted = featurize([smiles], featurizer)
    assert (converted.atoms.tolist(), converted.bonds.tolist()) == ([atoms], [bonds])


@pytest.mark.parametrize("smiles", ["C" * 20_000, "C1CC1" * 400, "C(" * 3000 + "C" + ")" * 3000])
def test_very_large_molecules_take_no_time(smiles: str) -> None:
    # The canonical SMILES of the first ends the process; the scaffold of the second takes minutes.
    converted = featurize([smiles, "CC"], RICH, scaffolds=True)
    assert converted.atoms.tolist() == [smiles.count("C"), 2]
    assert converted.keys[0] != converted.keys[1]
    assert (converted.scaffolds[0] == converted.scaffolds[1]) == ("1" not in smiles)


@pytest.mark.parametrize(
    ("smiles", "reason"),
    [
        ("", "blank"),
        ("not a molecule", "no valid SMILES"),
        ("C(C)(C)(C)(C)C", "Explicit valence for atom # 0 C, 5, is greater than permitted"),
        ("c1cccc1", "Can't kekulize"),
        ("|$$|", "no"),
        ("C1" * 99, "no valid SMILES"),
    ],
)
def test_bad_smiles_are_listed_with_the_reason(
    smiles: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    converted = featurize(["CC", smiles, "C"], RICH)
    assert converted.places.tolist() == [0, 2]
    ((place, told),) = converted.rejected
    assert place == 1
    assert reason in told
    assert "\n" not in told
    assert capfd.readouterr() == ("", "")


def test_nothing_at_all_gives_no_graphs() -> None:
    converted = featurize([], ZINC)
    assert converted.graphs(ZINC).num_graphs == 0
    assert converted.atom_codes.shape == (0, 1)


def test_it_stops_at_the_first_bad_one_when_asked() -> None:
    converted = featurize(["C", "bad", "C", "worse"], RICH, stop_at_first=True)
    assert (len(converted.places), len(converted.rejected)) == (1, 1)


def test_keys_are_equal_where_molecules_are() -> None:
    keys = featurize(["OCC", "CCO", "C(C)O", "CCN", "F[C@H](Cl)Br", "F[C@@H](Cl)Br"], RICH).keys
    assert len(set(keys[:3].tolist())) == 1
    assert len(set(keys.tolist())) == 4


def test_scaffolds_are_rings_and_what_links_them() -> None:
    scaffolds = featurize(
        ["Cc1ccccc1", "OC(=O)c1ccccc1", "c1ccccc1CCc1ccccc1", "CCO", "CCCN"], RICH, scaffolds=True
    ).scaffolds.tolist()
    assert scaffolds[0] == scaffolds[1] != scaffolds[2]
    assert scaffolds[3] == scaffolds[4] not in scaffolds[:3]
