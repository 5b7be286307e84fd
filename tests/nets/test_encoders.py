import torch

from argnp.data.schema import Features
from argnp.nets.encoders import FeatureEncoder


def rows(*codes):
    return torch.tensor(codes)[:, None]


def test_what_training_never_saw_adds_nothing():
    encoder = FeatureEncoder(Features("codes", (4,)), 3)
    encoder.train()(rows(0, 2), 2)
    found = encoder.eval()(rows(0, 1, 2, 3, 4), 5)
    assert torch.equal(found[[0, 2]], encoder.embedding.weight[[0, 2]])
    assert not found[[1, 3, 4]].any()


def test_columns_are_seen_each_for_itself():
    encoder = FeatureEncoder(Features("codes", (2, 2)), 3)
    encoder.train()(torch.tensor([[0, 1]]), 1)
    found = encoder.eval()(torch.tensor([[0, 0], [1, 1]]), 2)
    assert torch.equal(found, encoder.embedding.weight[[0, 4]])


def test_before_any_training_every_code_counts():
    encoder = FeatureEncoder(Features("codes", (4,)), 3).eval()
    assert torch.equal(encoder(rows(1, 4), 2), encoder.embedding.weight[[1, 4]])


def test_what_was_seen_is_saved():
    encoder = FeatureEncoder(Features("codes", (4,)), 3)
    encoder.train()(rows(3), 1)
    again = FeatureEncoder(Features("codes", (4,)), 3)
    again.load_state_dict(encoder.state_dict())
    assert torch.equal(again.eval()(rows(2, 3), 2), encoder.eval()(rows(2, 3), 2))
