"""Where RDKit puts the atoms of a molecule on paper, and what it writes there."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules import chemistry

_ORDERS: Final = {"DOUBLE": 2.0, "TRIPLE": 3.0}


@dataclass(frozen=True)
class Drawing:
    """``orders``: of the bond between two atoms, the smaller number first; rings in Kekulé's form.

    Bonds of other kinds than single, double and triple count as single.
    """

    positions: NDArray[np.float64] | None  # (n, 2); None for a molecule too large to be laid out
    labels: tuple[str, ...]
    orders: dict[tuple[int, int], float]


def drawn(smiles: str) -> Drawing:
    """Atoms in the order in which they are nodes of the molecule's graph."""
    Chem = chemistry.rdkit()
    from rdkit.Chem import rdDepictor

    with chemistry.silence():
        molecule = chemistry.parse(smiles)
        laid_out = molecule.GetNumAtoms() <= chemistry.LARGE
        if laid_out:
            rdDepictor.Compute2DCoords(molecule)
        Chem.Kekulize(molecule, clearAromaticFlags=True)
    atoms = [molecule.GetAtomWithIdx(i) for i in range(molecule.GetNumAtoms())]
    bonds = [molecule.GetBondWithIdx(i) for i in range(molecule.GetNumBonds())]
    return Drawing(
        positions=_positions(molecule) if laid_out else None,
        labels=tuple(_label(atom.GetSymbol(), atom.GetFormalCharge()) for atom in atoms),
        orders={
            (min(ends), max(ends)): _ORDERS.get(bond.GetBondType().name, 1.0)
            for bond in bonds
            if (ends := (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()))
        },
    )


def _positions(molecule: Any) -> NDArray[np.float64]:
    return np.asarray(molecule.GetConformer().GetPositions())[:, :2].astype(np.float64)


def _label(symbol: str, charge: int) -> str:
    sign = "+" if charge > 0 else "−"
    return symbol + (sign if abs(charge) == 1 else f"{abs(charge)}{sign}" if charge else "")
