import numpy as np
import pytest

from argnp.model import predicted
from argnp.model.predicted import Predicted, batches, join


def test_batches_cover_all_graphs_in_order(monkeypatch):
    monkeypatch.setattr(predicted, "MOST_ITEMS", 10)
    monkeypatch.setattr(predicted, "MOST_GRAPHS", 3)
    nodes = np.array([1, 1, 1, 1, 50, 4, 4, 0, 2, 2])
    found = [graphs.tolist() for graphs in batches(nodes, nodes)]
    assert found == [[0, 1, 2], [3], [4], [5], [6, 7], [8, 9]]
    assert not list(batches(nodes[:0], nodes[:0]))


def test_parts_join_with_their_reasons():
    def part(rows, reason_at):
        return Predicted(
            np.full((rows, 2), rows, np.float32), None, {"graph": np.arange(rows)}, {reason_at: "?"}
        )

    whole = join([part(2, 1), part(3, 0)], 2)
    assert whole.values[:, 0].tolist() == [2, 2, 3, 3, 3]
    assert whole.index["graph"].tolist() == [0, 1, 0, 1, 2]
    assert whole.reasons == {1: "?", 2: "?"}
    assert whole.spread is None
    assert join([], 2).values.shape == (0, 2)


@pytest.mark.parametrize("most", [1, 5, 200_000])
def test_predictions_do_not_depend_on_batches(packaged, monkeypatch, most):
    from argnp.model.load import load_model

    model = load_model(packaged.folder)
    expected = model.predict(packaged.dataset)
    monkeypatch.setattr(predicted, "MOST_ITEMS", most)
    found = model.predict_rows(packaged.dataset)
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-6)
    assert found.index["graph"].tolist() == list(range(12))
