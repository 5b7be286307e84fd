"""Everything that determines a run, in one value: what config.toml holds."""

from typing import Annotated, Literal

import msgspec

from argnp.arch import Space
from argnp.differentiate.settings import SearchSettings
from argnp.nets.widths import Widths
from argnp.train.settings import RECIPES, Count, NotNegative, RecipeName, TrainSettings


class DataSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which data, and how it is read. ``encoding``: ``auto``, ``lap:K``, ``rwse:K`` or ``none``."""

    data: str = ""
    target: tuple[str, ...] = ()
    smiles_column: str | None = None
    featurizer: str = "rich"
    splits_column: str | None = None
    split: str | None = None
    split_sizes: tuple[float, float, float] = (0.8, 0.1, 0.1)
    split_file: str | None = None
    on_invalid: Literal["skip", "error"] = "skip"
    root: str | None = None
    graphs: str | None = None
    recipe: dict[str, float] = {}
    task: str | None = None
    metric: str | None = None
    relations: Literal["auto", "directed", "undirected", "off"] = "auto"
    encoding: str = "auto"


class SpaceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is searched: see `argnp.arch.Space`; whether relations are on, the data settings say."""

    node_operations: tuple[str, ...] = Space().node_operations
    relation_operations: tuple[str, ...] = Space().relation_operations
    start_size: Count = 2
    cells: Count = 1

    def space(self, *, relations: bool) -> Space:
        return Space(
            node_operations=self.node_operations,
            relation_operations=self.relation_operations,
            start_size=self.start_size,
            cells=self.cells,
            relations=relations,
        )


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run. ``params`` is a budget of weights that the widths are solved for; 0: none.

    ``tune``: compare widths and regularisations of the chosen architecture on the validation set
    where a time budget has room for it. ``ensemble``: trainings of the chosen architecture that
    predict as one; 0: as many, up to 4, as a time budget has room for, else 1. ``plan``: the
    folder of a run whose plan is followed, in place of a budget.
    """

    data: DataSettings = DataSettings()
    recipe: RecipeName = "modern"
    size: Count = 8
    proliferate: bool = True
    searches: Count = 1
    seeds: Count = 1
    seed: int = 0
    tune: bool = True
    ensemble: Annotated[int, msgspec.Meta(ge=0)] = 0
    params: Annotated[int, msgspec.Meta(ge=0)] = 0
    time_budget: NotNegative = 0.0
    plan: str | None = None
    kernels: Literal["auto", "fused", "torch", "reference"] = "auto"
    device: str = "auto"
    executor: Literal["local"] = "local"
    space: SpaceSettings = SpaceSettings()
    search: SearchSettings = SearchSettings(batch_size=0)
    train: TrainSettings = RECIPES["modern"]
    widths: Widths = Widths()
