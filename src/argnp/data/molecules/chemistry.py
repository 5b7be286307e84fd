"""The only door to RDKit: parsing, and what a molecule is asked."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from argnp.errors import UserError

Property = Callable[[Any], Any]

# Atoms. Beyond, RDKit's canonical numbering, scaffolds and drawings take seconds to minutes, and
# its recursion ends the process without a word somewhere above 10,000.
LARGE: Final = 500


def rdkit() -> Any:
    """The ``Chem`` module; a line that names the extra where it is not installed."""
    try:
        from rdkit import Chem
    except ImportError:
        raise UserError("molecules need RDKit (pip install 'argnp[chem]')") from None
    return Chem


def version() -> str:
    """RDKit's own; other versions may see other molecules in the same SMILES."""
    rdkit()
    from rdkit import rdBase

    return str(rdBase.rdkitVersion)


@contextmanager
def silence() -> Iterator[None]:
    """RDKit's log stays quiet: what is wrong with a molecule is said elsewhere."""
    rdkit()
    from rdkit import rdBase

    blocked = rdBase.BlockLogs()
    try:
        yield
    finally:
        del blocked


def parse(smiles: str) -> Any:
    """The molecule, sanitized; ValueError with the reason where there is none."""
    if not smiles:
        raise ValueError("blank: no molecule")
    molecule = rdkit().MolFromSmiles(smiles)
    if molecule is None:
        raise ValueError(_why_not(smiles))
    if molecule.GetNumAtoms() == 0:
        raise ValueError("no atoms")
    return molecule


def identity(molecule: Any, smiles: str) -> str:
    """Canonical SMILES; of a very large molecule the SMILES it was read from."""
    if molecule.GetNumAtoms() > LARGE:
        return smiles
    return str(rdkit().MolToSmiles(molecule))


def scaffold(molecule: Any, smiles: str) -> str:
    """Bemis-Murcko scaffold (rings and what links them) as SMILES; empty without rings.

    A very large molecule with rings is its own scaffold.
    """
    if molecule.GetRingInfo().NumRings() == 0:
        return ""
    if molecule.GetNumAtoms() > LARGE:
        return smiles
    from rdkit.Chem.Scaffolds import MurckoScaffold

    core_of: Callable[[Any], Any] = MurckoScaffold.GetScaffoldForMol
    return str(rdkit().MolToSmiles(core_of(molecule), isomericSmiles=False))


def atom_properties() -> Mapping[str, Property]:
    """By the names that featurisers use."""
    Atom = rdkit().Atom
    symbol, hydrogens, charge = Atom.GetSymbol, Atom.GetNumExplicitHs, Atom.GetFormalCharge
    return {
        "type": lambda atom: (symbol(atom), hydrogens(atom), charge(atom)),
        "atomic_num": Atom.GetAtomicNum,
        "chirality": Atom.GetChiralTag,
        "degree": Atom.GetTotalDegree,
        "formal_charge": charge,
        "num_hydrogens": Atom.GetTotalNumHs,
        "num_radical_electrons": Atom.GetNumRadicalElectrons,
        "hybridization": Atom.GetHybridization,
        "is_aromatic": Atom.GetIsAromatic,
        "is_in_ring": Atom.IsInRing,
    }


def bond_properties() -> Mapping[str, Property]:
    """By the names that featurisers use."""
    Bond = rdkit().Bond
    return {
        "bond_type": Bond.GetBondType,
        "stereo": Bond.GetStereo,
        "is_conjugated": Bond.GetIsConjugated,
    }


def _why_not(smiles: str) -> str:
    Chem = rdkit()
    molecule = Chem.MolFromSmiles(smiles, sanitize=False)
    if molecule is None:
        return "no valid SMILES"
    problems = Chem.DetectChemistryProblems(molecule)
    return str(problems[0].Message()).splitlines()[0] if problems else "no valid SMILES"
