import random

import numpy as np

from argnp.train.seeds import derive, generator, python_random


def test_every_purpose_has_numbers_of_its_own() -> None:
    seeds = {derive(s, p, n) for s in range(3) for p in ("weights", "order") for n in range(3)}
    assert len(seeds) == 18
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_the_path_is_not_run_together() -> None:
    assert derive(1, 23) != derive(12, 3)
    assert derive(0, "a", "b") != derive(0, "ab")


def test_known_values_stay() -> None:
    assert derive(0) == 1609362278  # another number would change every run that there is


def test_global_generators_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    expected = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    generator(0, "x").random(5)
    python_random(0, "x").random()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == expected  # noqa: NPY002
    assert generator(0, "x").random() == generator(0, "x").random()
