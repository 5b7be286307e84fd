"""What turns a molecule into codes, as a value that a packaged model carries with it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

import msgspec

from argnp.data.molecules import vocabulary
from argnp.data.molecules.vocabulary import Vocabulary
from argnp.errors import UserError

FeaturizerName = Literal["rich", "zinc"]
_MOST_VALUES: Final = 255  # of a category: codes and the unknown one fit into a byte


@dataclass(frozen=True)
class Featurizer:
    """Categories of atoms and of bonds, each a property's name and its list of values.

    The code of a value is its place in the list; ``len(list)`` stands for any other value.
    ``kekulized``: bonds are single, double or triple, never aromatic.
    """

    name: FeaturizerName
    version: int
    kekulized: bool
    atoms: Vocabulary
    bonds: Vocabulary

    @property
    def node_sizes(self) -> tuple[int, ...]:
        """Codes of every atom category, the unknown one not counted."""
        return tuple(len(values) for _, values in self.atoms)

    @property
    def edge_sizes(self) -> tuple[int, ...]:
        """Codes of every bond category, the unknown one not counted."""
        return tuple(len(values) for _, values in self.bonds)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, vocabulary included."""
        plain: dict[str, Any] = msgspec.to_builtins(asdict(self))
        return plain

    @staticmethod
    def from_dict(fields: Mapping[str, Any]) -> "Featurizer":
        """The same featuriser, also where its version is no longer the current one."""
        try:
            loaded = msgspec.convert(dict(fields), Featurizer, strict=True)
        except msgspec.ValidationError as error:
            raise UserError(f"featurizer: {error}; the file it comes from is damaged") from None
        current = BY_NAME[loaded.name]
        unknown = {name for name, _ in loaded.atoms} - _PROPERTIES["atoms"]
        unknown |= {name for name, _ in loaded.bonds} - _PROPERTIES["bonds"]
        if unknown:
            raise UserError(
                f"featurizer {loaded.name}, version {loaded.version}: '{min(unknown)}' is unknown "
                f"here (newest version: {current.version}); it takes a newer argnp"
            )
        if max(loaded.node_sizes + loaded.edge_sizes, default=0) > _MOST_VALUES:
            raise UserError(f"featurizer {loaded.name}: a list of more than {_MOST_VALUES} values")
        return loaded


BY_NAME: Final[Mapping[str, Featurizer]] = {
    "rich": Featurizer("rich", 1, False, vocabulary.RICH_ATOMS, vocabulary.RICH_BONDS),
    "zinc": Featurizer("zinc", 1, True, vocabulary.ZINC_ATOMS, vocabulary.ZINC_BONDS),
}
_PROPERTIES: Final = {
    "atoms": {name for known in BY_NAME.values() for name, _ in known.atoms},
    "bonds": {name for known in BY_NAME.values() for name, _ in known.bonds},
}


def featurizer_called(name: str) -> Featurizer:
    """The current version of a featuriser."""
    if name not in BY_NAME:
        raise UserError(f"--featurizer {name}: there is {' and '.join(get_args(FeaturizerName))}")
    return BY_NAME[name]
