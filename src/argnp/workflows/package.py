"""What a run found, as a folder to take home."""

from pathlib import Path
from typing import Final

from argnp.data.pointclouds import PointCloudSource
from argnp.model.save import save_model
from argnp.workflows.context import Context
from argnp.workflows.fit import Fitted
from argnp.workflows.open_data import Opened

# Names of datasets that were given as objects are those of their types; these say nothing.
_TYPES: Final = frozenset({"list", "tuple", "Data", "Batch", "Subset", "ConcatDataset"})
_OWN: Final = "own graphs"


def package(
    context: Context, fitted: Fitted, opened: Opened, folder: Path | None = None
) -> Path | None:
    """Saves the chosen networks to ``folder``, by default the run's own ``model/``.

    What was tested predicts; where that is the first of the chosen, the others are there for
    ``--ensemble``. Nothing is written, and None returned, where neither folder is.
    """
    if folder is None:
        if context.folder is None:
            return None
        folder = context.folder.model
    best, dataset = fitted.chosen[0], context.dataset
    context = context.varied(best.variant)
    train = context.settings.train
    source = dataset.source
    return save_model(
        folder,
        [candidate.network for candidate in fitted.chosen],
        architecture=best.architecture,
        widths=context.widths(best.architecture),
        schema=dataset.schema,
        metric=dataset.metric,
        name=_OWN if dataset.name in _TYPES else dataset.name,
        readout=train.readout,
        encoder_norm=train.encoder_norm,
        scaling=context.scaling,
        validation=fitted.validation,
        test=fitted.test,
        ensemble=fitted.ensemble,
        molecules=opened.molecules,
        neighbours=source.neighbours if isinstance(source, PointCloudSource) else None,
    )
