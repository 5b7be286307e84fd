"""``argnp bench speed | memory | scaling``."""

import argparse

from argnp.cli.options import add_output
from argnp.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=["speed", "memory", "scaling"])
    parser.add_argument("--sizes", type=int, nargs="+", help="vertices (default 4 8 16)")
    parser.add_argument("--kernels", nargs="+", choices=["reference", "torch", "fused"])
    parser.add_argument("--rounds", type=int, default=5, help="repetitions (default 5)")
    parser.add_argument("--batch-size", type=int, default=128)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.kernels.fused import unavailable

    every = ["reference", "torch"] if unavailable() else ["reference", "torch", "fused"]
    paths = arguments.kernels or every
    if arguments.name == "speed":
        from argnp.workflows.bench.speed import speed_command

        outcome = speed_command(arguments.sizes or [4, 8, 16], paths, arguments.rounds)
    elif arguments.name == "memory":
        from argnp.workflows.bench.growth import memory_command

        outcome = memory_command(arguments.sizes or [4, 8, 16], paths, arguments.batch_size)
    else:
        from argnp.workflows.bench.growth import scaling_command

        sizes = arguments.sizes or [4, 8, 16, 32, 64]
        whole = [size for size in sizes if size <= 16]
        outcome = scaling_command(sizes, whole, arguments.batch_size, paths[-1])
    emit(outcome, json=arguments.json)
