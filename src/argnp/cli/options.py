"""Flags that several commands share, and the settings they stand for."""

import argparse
from pathlib import Path
from typing import Any


def add_data(parser: argparse.ArgumentParser) -> None:
    """DATA and how it is read."""
    parser.add_argument(
        "data",
        metavar="DATA",
        help="a CSV, TSV or Parquet file of molecules, a benchmark's name, package.module:name, "
        "or a folder that `argnp data make` wrote",
    )
    group = parser.add_argument_group("data")
    add = group.add_argument
    add("--target", action="append", metavar="COLUMN", help="target column; may be repeated")
    add("--smiles-column", metavar="COLUMN", help="default: the first column that parses")
    add("--featurizer", choices=["rich", "zinc"], help="of molecules (default rich)")
    add("--on-invalid", choices=["skip", "error"], help="bad rows (default skip)")
    add("--task", help="{graph,node,edge}-{classification,regression,multilabel}; inferred")
    add("--metric", help="what validation judges by")
    add("--split", help="random, stratified, scaffold, column or file")
    add("--split-sizes", nargs=3, type=float, metavar="SHARE", help="default .8 .1 .1")
    add("--splits-column", metavar="COLUMN", help="column with train, val, test")
    add("--split-file", metavar="FILE", help="row numbers of train, val and test")
    add("--root", metavar="FOLDER", help="where benchmarks lie or are downloaded to")
    add("--graphs", metavar="N | TRAIN/VAL/TEST", help="generate so many graphs")
    add(
        "--relations",
        choices=["auto", "directed", "undirected", "off"],
        help="whether an edge and its reverse are one relation (default auto: where all are "
        "equal); off: edges carry messages and no features of their own",
    )
    add("--pe", metavar="lap:K | rwse:K | none", help="positional encoding (default auto)")


def add_run(parser: argparse.ArgumentParser) -> None:
    """What is searched and trained, and where it goes."""
    group = parser.add_argument_group("run")
    add = group.add_argument
    add("-o", "--output-dir", type=Path, metavar="RUN", help="run folder (default: runs/NAME)")
    add(
        "--size",
        type=int,
        help="vertices of the network (default 8); one that is no power of two is reached by "
        "dividing only as many vertices as it lacks, the latest first",
    )
    add("--start-size", type=int, help="vertices the search starts from (default 2)")
    add("--cells", type=int, help="equal cells the network is stacked of (default 1)")
    add("--no-proliferation", action="store_true", help="search the whole supernet at once")
    add("--strategy", help="sgas, sgas2, darts, darts2, milenas, random; per round: random,sgas")
    add("--recipe", choices=["modern", "paper"], help="training recipe (default modern)")
    add("--width", type=int, metavar="N", help="width of the node stream; others in proportion")
    add("--params", metavar="500k", help="weights; the widths are solved for")
    add("--epochs", type=int, help="of training (default: modern 100, paper 400, fewer in time)")
    add("--search-epochs", type=int, help="of the last round; earlier ones get their share")
    add(
        "--batch-size",
        type=int,
        help="of search and training (default: 8 to 128, by the training set; benchmarks: theirs)",
    )
    add("--lr", type=float, help="of training")
    add("--seed", type=int, help="of everything that is drawn (default 0)")
    add("--searches", type=int, help="independent searches (default 1)")
    add("--seeds", type=int, help="trainings of each architecture (default 1)")
    add("--ensemble", type=int, help="trainings that predict as one (default: up to 4 in time)")
    add(
        "--time-budget",
        metavar="30m",
        help="rounds and epochs are fitted into it (default: none; of fit 30m, unless --epochs or "
        "--plan is given)",
    )
    add(
        "--plan",
        metavar="RUN",
        help="rounds and epochs as another run had them, in place of a time budget",
    )
    add("--device", help="cpu, cuda, ... (default auto)")
    add(
        "--kernels",
        choices=["auto", "fused", "torch", "reference"],
        help="what computes (default auto: the fastest that runs here)",
    )
    add("--executor", choices=["local"], help="where work runs: in this process")
    add("--config", type=Path, metavar="FILE.toml", help="settings; flags win over it")
    add("--set", action="append", metavar="A.B=C", help="any setting, as train.clip=1")
    add("--resume", action="store_true", help="go on with the run, and only that")
    add_output(parser)


def add_output(parser: argparse.ArgumentParser) -> None:
    """How much is said."""
    group = parser.add_argument_group("output")
    group.add_argument("--quiet", action="store_true", help="no progress")
    group.add_argument("--json", action="store_true", help="the last line is a JSON result")


_FLAGS = {
    "data": "data.data",
    "target": "data.target",
    "smiles_column": "data.smiles_column",
    "featurizer": "data.featurizer",
    "on_invalid": "data.on_invalid",
    "task": "data.task",
    "metric": "data.metric",
    "split": "data.split",
    "split_sizes": "data.split_sizes",
    "splits_column": "data.splits_column",
    "split_file": "data.split_file",
    "root": "data.root",
    "graphs": "data.graphs",
    "relations": "data.relations",
    "pe": "data.encoding",
    "size": "size",
    "start_size": "space.start_size",
    "cells": "space.cells",
    "strategy": "search.strategy",
    "recipe": "recipe",
    "epochs": "train.epochs",
    "search_epochs": "search.epochs",
    "lr": "train.lr",
    "seed": "seed",
    "searches": "searches",
    "seeds": "seeds",
    "ensemble": "ensemble",
    "plan": "plan",
    "device": "device",
    "kernels": "kernels",
    "executor": "executor",
}


def settings_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Dotted settings of the flags that were given."""
    from argnp.workflows.configure import parse_assignment
    from argnp.workflows.quantities import parse_count, parse_duration, widths_of

    given = vars(arguments)
    found: dict[str, Any] = {
        setting: given[flag] for flag, setting in _FLAGS.items() if given.get(flag) is not None
    }
    if given.get("no_proliferation"):
        found["proliferate"] = False
    if given.get("batch_size") is not None:
        found["train.batch_size"] = found["search.batch_size"] = given["batch_size"]
    if given.get("width") is not None:
        found |= widths_of(given["width"])
    if given.get("params") is not None:
        found["params"] = parse_count(given["params"])
    if given.get("time_budget") is not None:
        found["time_budget"] = parse_duration(given["time_budget"])
    found.update(parse_assignment(text) for text in given.get("set") or [])
    return found
