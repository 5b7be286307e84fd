import pytest

from argnp.workflows.configure import configure
from argnp.workflows.published import published

# Of the paper's released settings: d_V, d_E, D_V, D_E; encoding; batch; dropout; metric.
TABLE = {
    "zinc": ((50, 25, 60, 30), "lap:8", 128, 0.0, "mae"),
    "cluster": ((55, 25, 60, 30), "lap:20", 16, 0.5, "balanced_accuracy"),
    "tsp": ((40, 30, 80, 60), "none", 4, 0.5, "f1"),
    "cifar10": ((55, 25, 60, 30), "none", 32, 0.5, "accuracy"),
    "modelnet10": ((64, 32, 256, 128), "none", 16, 0.75, "accuracy"),
    "modelnet40": ((128, 32, 1024, 256), "none", 16, 0.6, "accuracy"),
}


@pytest.mark.parametrize("name", list(TABLE))
def test_the_paper_recipe_is_the_published_run(name: str) -> None:
    widths, encoding, batch, dropout, metric = TABLE[name]
    made = configure(flags={"data.data": name, "recipe": "paper"})
    assert (made.widths.node, made.widths.edge) == widths[:2]
    assert (made.widths.node_out, made.widths.edge_out) == widths[2:]
    assert (made.data.encoding, made.data.metric) == (encoding, metric)
    assert (made.train.batch_size, made.search.batch_size) == (batch, batch)
    assert made.train.dropout == dropout
    assert made.train.encoder_norm == (name == "cluster")
    assert made.train.loss == ("weighted-cross-entropy" if name == "cluster" else None)
    assert (made.search.w_lr, made.search.w_final_lr, made.search.w_decay) == (0.025, 0.001, 3e-4)
    assert (made.search.alpha_lr, made.search.alpha_decay) == (3e-4, 1e-3)


def test_the_modern_recipe_takes_over_what_belongs_to_the_task() -> None:
    made = configure(flags={"data.data": "cluster"})
    assert made.train.loss == "weighted-cross-entropy"
    assert made.data.metric == "balanced_accuracy"
    assert made.train.dropout == 0
    assert made.widths.node == 50


def test_benchmarks_of_the_same_kind_and_other_data() -> None:
    assert published("pattern", "paper") == published("cluster", "paper")
    assert published("zinc-full", "modern") == published("zinc", "modern")
    assert published("molecules.csv", "paper") == {}
