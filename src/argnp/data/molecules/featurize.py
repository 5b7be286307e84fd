"""SMILES to codes, in this process."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules import chemistry
from argnp.data.molecules.chemistry import Property
from argnp.data.molecules.converted import Converted, Rejection
from argnp.data.molecules.featurizer import Featurizer
from argnp.data.molecules.files import first_line
from argnp.data.molecules.vocabulary import Value, Vocabulary


def featurize(
    smiles: Sequence[str],
    featurizer: Featurizer,
    *,
    scaffolds: bool = False,
    stop_at_first: bool = False,
) -> Converted:
    """Every molecule that RDKit accepts, in order; the others are listed with the reason.

    ``stop_at_first``: nothing after the first that is not accepted is looked at.
    """
    arrays = _Arrays(featurizer, scaffolds)
    rejected: list[Rejection] = []
    with chemistry.silence():
        for place, text in enumerate(smiles):
            try:
                arrays.add(place, text, chemistry.parse(text))
            except (ValueError, RuntimeError) as error:
                rejected.append((place, first_line(error)))
                if stop_at_first:
                    break
    return arrays.converted(rejected)


class _Arrays:
    """Grows by one molecule at a time."""

    def __init__(self, featurizer: Featurizer, scaffolds: bool) -> None:
        self._chem = chemistry.rdkit()
        self._kekulized, self._scaffolds = featurizer.kekulized, scaffolds
        self._atoms = _Coder(featurizer.atoms, chemistry.atom_properties())
        self._bonds = _Coder(featurizer.bonds, chemistry.bond_properties())
        self._first, self._last = self._chem.Bond.GetBeginAtomIdx, self._chem.Bond.GetEndAtomIdx
        self._sizes: list[tuple[int, int]] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._places: list[int] = []
        self._keys: list[int] = []
        self._cores: list[int] = []

    def add(self, place: int, smiles: str, molecule: Any) -> None:
        """Adds all of the molecule, or nothing where RDKit raises."""
        key = _hash(chemistry.identity(molecule, smiles))
        core = _hash(chemistry.scaffold(molecule, smiles)) if self._scaffolds else 0
        if self._kekulized:
            self._chem.Kekulize(molecule, clearAromaticFlags=True)
        # Half the price of molecule.GetAtoms(), which is a loop in Python.
        atoms = [*map(molecule.GetAtomWithIdx, range(molecule.GetNumAtoms()))]
        bonds = [*map(molecule.GetBondWithIdx, range(molecule.GetNumBonds()))]
        self._atoms.add(atoms)
        self._bonds.add(bonds)
        self._starts += map(self._first, bonds)
        self._ends += map(self._last, bonds)
        self._sizes.append((len(atoms), len(bonds)))
        self._places.append(place)
        self._keys.append(key)
        self._cores.append(core)

    def converted(self, rejected: Sequence[Rejection]) -> Converted:
        sizes = np.array(self._sizes, dtype=np.int64).reshape(-1, 2)
        return Converted(
            atoms=sizes[:, 0].copy(),
            bonds=sizes[:, 1].copy(),
            ends=np.array([self._starts, self._ends], dtype=np.int32).T.copy(),
            atom_codes=self._atoms.codes(),
            bond_codes=self._bonds.codes(),
            places=np.array(self._places, dtype=np.int64),
            keys=np.array(self._keys, dtype=np.uint64),
            scaffolds=np.array(self._cores if self._scaffolds else [], dtype=np.uint64),
            rejected=tuple(rejected),
        )


class _Coder:
    """Codes of atoms, or of bonds, one row of a growing table each."""

    def __init__(self, vocabulary: Vocabulary, properties: Mapping[str, Property]) -> None:
        self._ask = [properties[name] for name, _ in vocabulary]
        self._table = _Table(vocabulary)
        self._rows: list[int] = []

    def add(self, items: Sequence[Any]) -> None:
        answers = zip(*[map(ask, items) for ask in self._ask], strict=True)
        self._rows.extend(map(self._table.__getitem__, answers))

    def codes(self) -> NDArray[np.uint8]:
        """(items, categories)"""
        table = np.array(self._table.codes, dtype=np.uint8).reshape(-1, len(self._ask))
        return table[np.array(self._rows, dtype=np.int64)]


class _Table(dict[tuple[Any, ...], int]):
    """Row of each combination of values; a new one is looked up once and gets the next row."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.codes: list[tuple[int, ...]] = []
        self._places = [
            {value: code for code, value in enumerate(values)} for _, values in vocabulary
        ]

    def __missing__(self, values: tuple[Any, ...]) -> int:
        self[values] = row = len(self.codes)
        self.codes.append(
            tuple(
                places.get(_plain(value), len(places))
                for places, value in zip(self._places, values, strict=True)
            )
        )
        return row


def _plain(value: Any) -> Value:
    """As vocabularies write it: ``N H1 +`` for an atom's type, names for RDKit's enumerations."""
    if isinstance(value, tuple):
        symbol, hydrogens, charge = value
        held = f" H{hydrogens}" if hydrogens else ""
        number = abs(charge) if abs(charge) > 1 else ""
        sign = "" if charge == 0 else f" +{number}" if charge > 0 else f" -{number}"
        return f"{symbol}{held}{sign}"
    name: Value = getattr(value, "name", value)
    return name


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
