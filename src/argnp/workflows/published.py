"""Settings of the published runs, by benchmark (section 4.1 of the paper and its released code)."""

from typing import Any, Final

_PLAIN: Final[dict[str, dict[str, Any]]] = {
    "zinc": {
        "widths": (50, 25, 60, 30),
        "batch_size": 128,
        "dropout": 0.0,
        "encoding": "lap:8",
        "metric": "mae",
    },
    "cluster": {
        "widths": (55, 25, 60, 30),
        "batch_size": 16,
        "dropout": 0.5,
        "encoding": "lap:20",
        "metric": "balanced_accuracy",
        "loss": "weighted-cross-entropy",
        "encoder_norm": True,
    },
    "tsp": {
        "widths": (40, 30, 80, 60),
        "batch_size": 4,
        "dropout": 0.5,
        "encoding": "none",
        "metric": "f1",
    },
    "cifar10": {
        "widths": (55, 25, 60, 30),
        "batch_size": 32,
        "dropout": 0.5,
        "encoding": "none",
        "metric": "accuracy",
    },
    "modelnet10": {
        "widths": (64, 32, 256, 128),
        "batch_size": 16,
        "dropout": 0.75,
        "encoding": "none",
        "metric": "accuracy",
    },
    "modelnet40": {
        "widths": (128, 32, 1024, 256),
        "batch_size": 16,
        "dropout": 0.6,
        "encoding": "none",
        "metric": "accuracy",
    },
}
# Benchmarks that the paper does not run, but whose likes it does.
_LIKE: Final[dict[str, str]] = {
    "zinc-full": "zinc",
    "pattern": "cluster",
    "mnist": "cifar10",
    "digits": "cifar10",
    "shapes": "modelnet10",
}
# What makes sense of a benchmark under any recipe: its metric, its loss, its encoding.
_ALWAYS: Final[tuple[str, ...]] = ("metric", "loss", "encoding", "encoder_norm", "batch_size")


def published(data: str, recipe: str) -> dict[str, Any]:
    """Changes of the defaults for the named benchmark; none for other data.

    The recipe ``modern`` takes over what belongs to the task only, ``paper`` everything.
    """
    found = _PLAIN.get(_LIKE.get(data, data))
    if found is None:
        return {}
    chosen: dict[str, Any] = (
        found if recipe == "paper" else {k: found[k] for k in _ALWAYS if k in found}
    )
    train = {
        key: chosen[key]
        for key in ("batch_size", "dropout", "loss", "encoder_norm")
        if key in chosen
    }
    changes: dict[str, Any] = {
        "data": {"metric": chosen["metric"], "encoding": chosen["encoding"]},
        "train": train,
        "search": {"batch_size": chosen["batch_size"]},
    }
    if "widths" in chosen:
        names = ("node", "edge", "node_out", "edge_out")
        changes["widths"] = dict(zip(names, chosen["widths"], strict=True))
    return changes
