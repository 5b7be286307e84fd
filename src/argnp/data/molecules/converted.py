"""Molecules as arrays, and the list of those that could not become any."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules.featurizer import Featurizer
from argnp.data.raw import RawGraphs

Rejection = tuple[int, str]  # place in the list, reason
DAMAGED: Final = (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class Converted:
    """G molecules with N atoms and B bonds out of a list of SMILES.

    ``places`` say which member of the list each molecule was; what is in neither them nor
    ``rejected`` was not looked at. ``keys`` and ``scaffolds`` are 64-bit hashes of the canonical
    SMILES and of the Bemis-Murcko scaffold: equal where the molecules' are.
    """

    atoms: NDArray[np.int64]  # (G,) how many
    bonds: NDArray[np.int64]  # (G,) how many
    ends: NDArray[np.int32]  # (B, 2) atoms of a bond, counted within the molecule
    atom_codes: NDArray[np.uint8]  # (N, categories)
    bond_codes: NDArray[np.uint8]  # (B, categories)
    places: NDArray[np.int64]  # (G,)
    keys: NDArray[np.uint64]  # (G,)
    scaffolds: NDArray[np.uint64]  # (G,), or (0,) where not asked for
    rejected: tuple[Rejection, ...]

    def graphs(self, featurizer: Featurizer) -> RawGraphs:
        """Every bond as two directed edges, one after the other."""
        start, end = self.ends.T
        edge_index = np.empty((2, 2 * len(self.ends)), dtype=np.int32)
        edge_index[0, 0::2] = edge_index[1, 1::2] = start
        edge_index[0, 1::2] = edge_index[1, 0::2] = end
        return RawGraphs(
            node_ptr=_offsets(self.atoms),
            edge_ptr=2 * _offsets(self.bonds),
            edge_index=edge_index,
            x=self.atom_codes,
            edge_attr=np.repeat(self.bond_codes, 2, axis=0),
            node_sizes=featurizer.node_sizes,
            edge_sizes=featurizer.edge_sizes,
        )

    def take(self, keep: NDArray[np.bool_]) -> "Converted":
        """Only the molecules that ``keep`` (G,) marks; the rejected stay listed."""
        of_atoms, of_bonds = np.repeat(keep, self.atoms), np.repeat(keep, self.bonds)
        return Converted(
            atoms=self.atoms[keep],
            bonds=self.bonds[keep],
            ends=self.ends[of_bonds],
            atom_codes=self.atom_codes[of_atoms],
            bond_codes=self.bond_codes[of_bonds],
            places=self.places[keep],
            keys=self.keys[keep],
            scaffolds=self.scaffolds[keep] if len(self.scaffolds) else self.scaffolds,
            rejected=self.rejected,
        )

    def write(self, stream: IO[bytes]) -> None:
        """An npz archive without pickles."""
        rejected = np.frombuffer(msgspec.json.encode(self.rejected), np.uint8)
        np.savez(stream, rejected=rejected, **{name: getattr(self, name) for name in _ARRAYS})

    @staticmethod
    def read(stream: IO[bytes]) -> "Converted":
        """What ``write`` wrote; one of ``DAMAGED`` where it is torn."""
        with np.load(stream, allow_pickle=False) as archive:
            rejected = msgspec.json.decode(
                archive["rejected"].tobytes(), type=tuple[Rejection, ...]
            )
            return Converted(**{name: archive[name] for name in _ARRAYS}, rejected=rejected)


def join(parts: Sequence[Converted], starts: Sequence[int]) -> Converted:
    """One list out of consecutive pieces; ``starts`` are the places of their first members."""
    fields = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in _ARRAYS
        if name != "places"
    }
    return Converted(
        **fields,
        places=np.concatenate(
            [part.places + start for part, start in zip(parts, starts, strict=True)]
        ),
        rejected=tuple(
            (place + start, reason)
            for part, start in zip(parts, starts, strict=True)
            for place, reason in part.rejected
        ),
    )


_ARRAYS = (
    *("atoms", "bonds", "ends", "atom_codes", "bond_codes"),
    *("places", "keys", "scaffolds"),
)


def _offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
