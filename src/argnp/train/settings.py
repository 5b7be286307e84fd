"""How a network is trained: every choice visible, none hidden in code."""

import sys
from typing import Annotated, Literal

import msgspec

from argnp.heads.readout import Readout

RecipeName = Literal["modern", "paper"]
Count = Annotated[int, msgspec.Meta(ge=1)]
CountOrAuto = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=sys.float_info.max)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]
Share = Annotated[float, msgspec.Meta(ge=0, lt=1)]


class TrainSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Optimiser, schedule and what surrounds the network while it learns.

    ``schedule``: ``plateau`` halves the rate when the validation loss has not fallen for
    ``patience`` epochs; ``cosine`` rises over ``warmup`` (a share of all epochs) and falls to
    ``final_lr``. ``ema`` averages weights (0: off); the average is what is evaluated and kept.
    ``standardise`` trains on targets of mean 0 and deviation 1. ``loss`` None: the task's own.
    ``batch_size`` 0: the run's choice, by its training set.
    """

    epochs: Count = 100
    batch_size: CountOrAuto = 128
    optimizer: Literal["adam", "adamw"] = "adamw"
    lr: Positive = 1e-3
    final_lr: NotNegative = 1e-5
    weight_decay: NotNegative = 0.0
    schedule: Literal["plateau", "cosine"] = "cosine"
    patience: Count = 20
    warmup: Share = 0.0
    clip: Positive = 5.0
    ema: Share = 0.0
    dropout: Share = 0.0
    readout: Readout = "mean-max"
    encoder_norm: bool = False
    standardise: bool = True
    loss: str | None = None


RECIPES: dict[RecipeName, TrainSettings] = {
    # Section 4.1 of the paper, with the settings its authors released where the text is silent.
    "paper": TrainSettings(
        epochs=400, optimizer="adam", schedule="plateau", standardise=False, clip=5.0
    ),
    # What trains these networks well in a quarter of the epochs.
    "modern": TrainSettings(
        epochs=100,
        batch_size=0,
        optimizer="adamw",
        lr=2e-3,
        weight_decay=1e-2,
        warmup=0.05,
        clip=1.0,
        ema=0.99,
    ),
}
