from pathlib import Path

import msgspec
import pytest

from argnp.errors import UserError
from argnp.runs.toml import to_toml
from argnp.train.settings import RECIPES
from argnp.workflows.configure import BUDGET, configure, parse_assignment, put, reconfigure
from argnp.workflows.keywords import configure_keywords
from argnp.workflows.settings import Settings


def test_defaults_are_the_modern_recipe() -> None:
    assert configure(flags={}) == Settings()
    assert Settings().train == RECIPES["modern"]


def test_the_recipe_brings_its_training() -> None:
    made = configure(flags={"recipe": "paper"})
    assert made.train == RECIPES["paper"]
    assert (made.train.epochs, made.train.optimizer, made.train.clip) == (400, "adam", 5.0)
    assert (made.train.schedule, made.train.patience, made.train.weight_decay) == ("plateau", 20, 0)


def test_flags_win_over_the_file_and_the_file_over_published_settings(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        '[data]\ndata = "cluster"\nencoding = "lap:5"\n[train]\nbatch_size = 9\nlr = 1\n'
    )
    made = configure(flags={"train.lr": 0.5}, config=file)
    assert made.data.encoding == "lap:5"
    assert made.data.metric == "balanced_accuracy"
    assert (made.train.batch_size, made.train.lr) == (9, 0.5)
    assert made.search.batch_size == 16


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"sise": 3}, "setting sise: unknown; did you mean size?"),
        ({"train.clipp": 3}, "setting train.clipp: unknown; did you mean train.clip?"),
        ({"data.zzz": 3}, "setting data.zzz: unknown. There are data, encoding"),
        ({"size": "many"}, "setting size: Expected `int`"),
        ({"train.lr": -1}, "setting train.lr: Expected `float` > 0"),
        ({"train.dropout": 1}, "setting train.dropout: Expected `float` < 1"),
        ({"train": 5}, "setting train: Expected `object`"),
        ({"data": "cluster"}, "setting data: Expected `object`"),
        ({"recipe": ["paper"]}, "there are paper, modern"),
        ({"widths.edge": 0}, "setting widths.edge: Expected `int` >= 1"),
        ({"search.epochs": 0}, "setting search.epochs"),
        ({"space.cells": 0}, "setting space.cells"),
        ({"size": 3, "size.x": 1}, "size is no table"),
    ],
)
def test_what_cannot_be_is_named(flags: dict[str, object], told: str) -> None:
    with pytest.raises(UserError) as failed:
        configure(flags=flags)
    assert told in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text("size = = 3")
    with pytest.raises(UserError, match=r"s\.toml: "):
        configure(flags={}, config=file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match=r"s\.toml: "):
        configure(flags={}, config=file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train.lr=0.5", ("train.lr", 0.5)),
        ("train.loss=l1", ("train.loss", "l1")),
        ("search.strategy=random,sgas", ("search.strategy", "random,sgas")),
        ("proliferate=false", ("proliferate", False)),
        ('space.node_operations=["V_SUM"]', ("space.node_operations", ["V_SUM"])),
        ("data.data=a=b", ("data.data", "a=b")),
    ],
)
def test_assignments(text: str, expected: tuple[str, object]) -> None:
    assert parse_assignment(text) == expected


def test_no_assignments() -> None:
    for text in ("train.lr", "=3"):
        with pytest.raises(UserError, match="NAME=VALUE is expected"):
            parse_assignment(text)


def test_put_makes_the_tables_it_needs() -> None:
    tree: dict[str, object] = {}
    put(tree, "a.b.c", 1)
    put(tree, "a.d", 2)
    assert tree == {"a": {"b": {"c": 1}, "d": 2}}


def test_settings_of_a_run_are_changed_also_where_they_were_not_set() -> None:
    first = configure(flags={"data.data": "zinc", "size": 4, "train.lr": 0.5})
    # TOML knows no None: what is not set is not in the file.
    stored = {k: v for k, v in msgspec.to_builtins(first).items() if v is not None}
    stored["search"] = {k: v for k, v in stored["search"].items() if v is not None}
    assert reconfigure(stored, {}) == first
    timed = {**stored, "time_budget": 60.0}
    assert reconfigure(timed, {"plan": "run"}).time_budget == 0
    assert reconfigure({**stored, "plan": "run"}, {"time_budget": 9.0}).plan is None
    changed = reconfigure(stored, {"search.epochs": 7, "data.root": "there", "size": 2})
    assert (changed.search.epochs, changed.data.root, changed.size) == (7, "there", 2)
    assert changed.train == first.train
    other = reconfigure(stored, {"recipe": "paper"})
    assert (other.train.epochs, other.train.lr) == (400, 1e-3)
    with pytest.raises(UserError, match=r"did you mean train\.clip"):
        reconfigure(stored, {"train.clipp": 1})


@pytest.mark.parametrize(
    ("flags", "file", "seconds"),
    [
        ({}, "", BUDGET),
        ({"size": 4}, "[train]\nlr = 0.1\n", BUDGET),
        ({"train.epochs": 5}, "", 0),
        ({}, "[train]\nepochs = 5\n", 0),
        ({}, "time_budget = 0.0\n", 0),
        ({}, "time_budget = 60.0\n", 60),
        ({"time_budget": 0.0}, "", 0),
        ({"recipe": "paper"}, "", 0),
        ({"plan": "run"}, "", 0),
        ({"plan": "run"}, "time_budget = 60.0\n", 0),
        ({"time_budget": 60.0}, 'plan = "run"\n', 60),
    ],
)
def test_a_fit_has_a_budget_where_nothing_says_how_long(
    tmp_path: Path, flags: dict[str, object], file: str, seconds: float
) -> None:
    (tmp_path / "s.toml").write_text(file)
    made = configure(flags=flags, config=tmp_path / "s.toml", fits=True)
    assert made.time_budget == seconds
    if not file:
        keywords = {name.replace(".", "__"): value for name, value in flags.items()}
        by_library = configure_keywords([], keywords, fits=True)
        assert by_library.time_budget == seconds
        assert by_library.train == made.train


@pytest.mark.parametrize("flags", [{}, {"train.epochs": 5}, {"recipe": "paper"}])
def test_a_saved_configuration_is_the_same_run_again(
    tmp_path: Path, flags: dict[str, object]
) -> None:
    first = configure(flags=flags, fits=True)
    (tmp_path / "config.toml").write_text(to_toml(msgspec.to_builtins(first)))
    assert configure(flags={}, config=tmp_path / "config.toml", fits=True) == first


def test_a_search_has_no_budget_of_its_own() -> None:
    assert configure(flags={}).time_budget == 0
    assert configure_keywords([], {}).time_budget == 0
