"""The codes of atoms and bonds: fixed lists, so that a code means the same for ever.

The place of a value in its list is its code; the length of the list is the code of whatever is
not in it. To change a list is to raise the featuriser's version.
"""

from typing import Final

Value = str | int | bool
Vocabulary = tuple[tuple[str, tuple[Value, ...]], ...]

# The numbering of the published ZINC graphs: symbol, explicit hydrogens, charge.
ZINC_ATOMS: Final[Vocabulary] = (
    (
        "type",
        (
            *("C", "O", "N", "F", "C H1", "S", "Cl", "O -", "N H1 +", "Br", "N H3 +", "N H2 +"),
            *("N +", "N -", "S -", "I", "P", "O H1 +", "N H1 -", "O +", "S +", "P H1", "P H2"),
            *("C H2 -", "P +", "S H1 +", "C H1 -", "P H1 +"),
        ),
    ),
)
ZINC_BONDS: Final[Vocabulary] = (("bond_type", ("NONE", "SINGLE", "DOUBLE", "TRIPLE")),)

# The numbering of the Open Graph Benchmark, whose last code of a list is the unknown one too.
RICH_ATOMS: Final[Vocabulary] = (
    ("atomic_num", tuple(range(1, 119))),
    (
        "chirality",
        ("CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW", "CHI_OTHER"),
    ),
    ("degree", tuple(range(11))),
    ("formal_charge", tuple(range(-5, 6))),
    ("num_hydrogens", tuple(range(9))),
    ("num_radical_electrons", tuple(range(5))),
    ("hybridization", ("SP", "SP2", "SP3", "SP3D", "SP3D2")),
    ("is_aromatic", (False, True)),
    ("is_in_ring", (False, True)),
)
RICH_BONDS: Final[Vocabulary] = (
    ("bond_type", ("SINGLE", "DOUBLE", "TRIPLE", "AROMATIC")),
    (
        "stereo",
        ("STEREONONE", "STEREOZ", "STEREOE", "STEREOCIS", "STEREOTRANS", "STEREOANY"),
    ),
    ("is_conjugated", (False, True)),
)
