"""What a report should say of a molecule file: what was lost, what is there twice."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.molecules.converted import Converted
from argnp.data.molecules.featurizer import Featurizer
from argnp.data.molecules.rejected import Rejected
from argnp.data.molecules.rows import Rows
from argnp.data.splits import NAMES


def loss_notes(
    rows: Rows, converted: Converted, rejected: Sequence[Rejected], featurizer: Featurizer
) -> tuple[str, ...]:
    """Rows left out, and atoms and bonds that the vocabulary has no code for."""
    notes = []
    if rejected:
        first = f"row {rejected[0].row}, {rejected[0].reason}"
        notes.append(f"warning: rows rejected: {len(rejected):,} (the first: {first})")
    missing = rows.targets.missing
    blank = int(missing.sum()) - sum(bool(missing[place]) for place in rows.bad)
    if blank:
        notes.append(f"rows without any target, left out: {blank:,}")
    for what, codes, sizes in (
        ("atoms", converted.atom_codes, featurizer.node_sizes),
        ("bonds", converted.bond_codes, featurizer.edge_sizes),
    ):
        unknown = int((codes >= np.array(sizes)).any(axis=1).sum())
        if unknown:
            notes.append(
                f"{what} that the {featurizer.name} featurizer has no code for: "
                f"{unknown:,} of {len(codes):,}"
            )
    return tuple(notes)


def overlap_notes(
    keys: NDArray[np.uint64], splits: Mapping[Split, NDArray[np.int64]]
) -> tuple[str, ...]:
    """Repeated molecules and leakage; ``keys`` (G,) are equal where canonical SMILES are."""
    notes = []
    repeated = len(keys) - len(np.unique(keys))
    if repeated:
        notes.append(f"warning: rows that repeat the molecule of an earlier row: {repeated:,}")
    for one, other in combinations(NAMES, 2):
        shared = len(np.intersect1d(keys[splits[one]], keys[splits[other]]))
        if shared:
            notes.append(
                f"warning: molecules both in {one} and in {other}: {shared:,}; they make results "
                "look better than they are (--split scaffold has none)"
            )
    return tuple(notes)
