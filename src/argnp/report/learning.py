"""Curves of search and training, with the numbers behind them."""

from argnp.report.blocks import Chart, Table
from argnp.report.charts import Mark, Series, lines
from argnp.report.numbers import figure
from argnp.report.record import Record, Training
from argnp.report.result import shown_metric


def search_chart(record: Record) -> Chart | None:
    """Both losses over the epochs of the chosen search, its rounds one after the other."""
    search = record.chosen_search
    if search is None:
        return None
    rows: list[list[str]] = []
    weights: list[tuple[float, float | None]] = []
    alphas: list[tuple[float, float | None]] = []
    marks: list[Mark] = []
    for entry in record.rounds_of(search):
        if entry.epochs:
            marks.append(Mark(len(weights) + 1, f"size {entry.size}"))
        for event in entry.epochs:
            x = len(weights) + 1
            weights.append((x, event["loss"]))
            alphas.append((x, event["alpha_loss"]))
            rows.append(
                [
                    str(entry.size),
                    str(int(event["epoch"]) + 1),
                    figure(event["loss"], 4),
                    figure(event["alpha_loss"], 4),
                ]
            )
    drawn = lines(
        [Series("weights", weights, "a"), Series("alphas", alphas, "b")],
        "epoch of the search",
        "loss",
        marks,
    )
    if drawn is None:
        return None
    head = ["Size", "Epoch", "Loss, weights' half", "Loss, held-out half (alphas)"]
    return Chart(
        "Search",
        drawn,
        Table("Losses of the search, epoch by epoch", head, rows),
        (("weights' half", "a"), ("held-out half, for the alphas", "b")),
    )


def training_charts(record: Record) -> list[Chart]:
    """Loss and metric of the chosen training; other trainings of its size stay in the back."""
    chosen = _chosen(record)
    if chosen is None:
        return []
    others = [
        training
        for training in record.trainings.values()
        if training.size == chosen.size and training is not chosen
    ]
    metric = shown_metric(record.metric) or "metric"
    what = f"size {chosen.size}, seed {chosen.seed}"
    marks = [Mark(chosen.best_epoch + 1, "best")] if chosen.best_epoch is not None else []
    losses = lines(
        [
            Series("training", _of(chosen, "train_loss"), "a"),
            Series("validation", _of(chosen, "val_loss"), "b"),
        ],
        "epoch",
        "loss",
        marks,
    )
    scores = lines(
        [Series(f"seed {t.seed}", _of(t, "val_metric"), "faint") for t in others]
        + [Series("chosen", _of(chosen, "val_metric"), "b")],
        "epoch",
        f"{metric}, validation",
        marks,
    )
    table = _table(chosen, metric)
    charts = []
    if losses is not None:
        key = [("training", "a"), ("validation", "b")]
        charts.append(Chart(f"Training loss, {what}", losses, table, key))
    if scores is not None:
        key = [("this training", "b"), *([("others of this size", "faint")] if others else [])]
        charts.append(Chart(f"{metric} while training, {what}", scores, table, key))
    return charts


def _chosen(record: Record) -> Training | None:
    if record.selected is not None:
        search, size, seed = (int(record.selected[name]) for name in ("search", "size", "seed"))
        variant = str(record.selected.get("variant") or "")
        own = record.variants.get((variant, search, size, seed))
        chosen = own if variant else record.trainings.get((search, size, seed))
        if chosen is not None:
            return chosen
    begun = [training for training in record.trainings.values() if training.epochs]
    return begun[-1] if begun else None


def _of(training: Training, name: str) -> list[tuple[float, float | None]]:
    return [(int(event["epoch"]) + 1, event[name]) for event in training.epochs]


def _table(training: Training, metric: str) -> Table:
    head = ["Epoch", "Learning rate", "Training loss", "Validation loss", metric]
    rows = [
        [
            str(int(event["epoch"]) + 1),
            figure(event["lr"], 2),
            *(figure(event[name], 4) for name in ("train_loss", "val_loss", "val_metric")),
        ]
        for event in training.epochs
    ]
    best = training.best_epoch
    strong = frozenset(i for i, event in enumerate(training.epochs) if event["epoch"] == best)
    return Table("The training, epoch by epoch", head, rows, strong=strong)
