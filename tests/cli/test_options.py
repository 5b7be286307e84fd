import argparse
import shlex
from pathlib import Path
from typing import Any

import pytest

from argnp.cli.options import _FLAGS, add_data, add_run, settings_of
from argnp.cli.parser import Parser
from argnp.errors import UserError
from argnp.workflows.configure import configure
from argnp.workflows.quantities import parse_count, parse_duration


def parsed(*flags: str) -> argparse.Namespace:
    parser = Parser(prog="argnp fit")
    add_data(parser)
    add_run(parser)
    return parser.parse_args(["cluster", *flags])


def settings(*flags: str) -> dict[str, Any]:
    return settings_of(parsed(*flags))


def test_only_what_is_given_is_set() -> None:
    assert settings() == {"data.data": "cluster"}


def test_every_flag_of_the_interface() -> None:
    given = settings(
        *shlex.split(
            "--target a --target b --smiles-column s --featurizer zinc --on-invalid error "
            "--task node-classification --metric accuracy --split random --root r "
            "--split-sizes .6 .2 .2 --splits-column c --split-file f --graphs 6/2/2 "
            "--relations off --pe lap:8 --size 16 --start-size 1 --cells 4 --no-proliferation "
            "--strategy darts --recipe paper --params 1.5M --epochs 9 --search-epochs 7 "
            "--batch-size 5 --lr 0.1 --seed 3 --searches 2 --seeds 4 --time-budget 90s "
            "--device cpu --kernels torch --executor local --ensemble 3 --set train.clip=2.5 "
        )
    )
    made = configure(flags=given)
    assert made.data.target == ("a", "b")
    assert (made.data.smiles_column, made.data.featurizer) == ("s", "zinc")
    assert (made.data.on_invalid, made.data.task) == ("error", "node-classification")
    assert (made.data.metric, made.data.split, made.data.root) == ("accuracy", "random", "r")
    assert made.data.split_sizes == (0.6, 0.2, 0.2)
    assert (made.data.splits_column, made.data.split_file) == ("c", "f")
    assert (made.data.graphs, made.data.relations) == ("6/2/2", "off")
    assert made.data.encoding == "lap:8"
    assert (made.size, made.space.start_size, made.space.cells) == (16, 1, 4)
    assert (made.proliferate, made.search.strategy, made.recipe) == (False, "darts", "paper")
    assert (made.params, made.train.epochs, made.search.epochs) == (1_500_000, 9, 7)
    assert (made.train.batch_size, made.search.batch_size) == (5, 5)
    assert (made.train.lr, made.seed, made.searches, made.seeds) == (0.1, 3, 2, 4)
    assert (made.time_budget, made.device, made.kernels) == (90.0, "cpu", "torch")
    assert (made.executor, made.ensemble, made.train.clip) == ("local", 3, 2.5)
    assert configure(flags=settings("--plan", "runs/a")).plan == "runs/a"


def test_flags_stand_for_settings_that_there_are() -> None:
    import msgspec

    tree = msgspec.to_builtins(configure(flags={}))
    for name in _FLAGS.values():
        place = tree
        for part in name.split("."):
            assert part in place, name
            place = place[part]


def test_the_width_scales_all_streams() -> None:
    widths = configure(flags=settings("--width", "100")).widths
    assert (widths.node, widths.edge, widths.node_out, widths.edge_out) == (100, 50, 120, 60)
    assert configure(flags=settings("--width", "1")).widths.edge == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("1.5h", 5400), ("2", 120), (" 3 m ", 180), ("0.5m", 30)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "0s", "-3m", "m", "3d", "1h30", "nan", "inf"])
def test_no_durations(text: str) -> None:
    with pytest.raises(UserError, match="a duration is expected"):
        parse_duration(text)


def test_counts() -> None:
    assert [parse_count(t) for t in ("500k", "1.2M", "300", "1K")] == [
        500_000,
        1_200_000,
        300,
        1000,
    ]
    for text in ("", "k", "-3", "1G", "many"):
        with pytest.raises(UserError, match="a number of weights"):
            parse_count(text)


def test_a_file_of_settings_gives_way_to_flags(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('size = 4\nrecipe = "paper"\n[train]\nlr = 0.5\nclip = 2\n')
    made = configure(flags=settings("--lr", "0.1"), config=file)
    assert (made.size, made.train.lr, made.train.clip, made.train.epochs) == (4, 0.1, 2.0, 400)
