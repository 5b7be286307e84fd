"""``argnp bench speed | memory | scaling | epoch | roofline``."""

import argparse

from argnp.cli.options import add_output
from argnp.cli.output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=["speed", "memory", "scaling", "epoch", "roofline"])
    parser.add_argument(
        "--workload",
        choices=["molecules", "dense", "points"],
        default="molecules",
        help="of speed (default molecules)",
    )
    parser.add_argument("--sizes", type=int, nargs="+", help="vertices (default 4 8 16)")
    parser.add_argument("--kernels", nargs="+", choices=["reference", "torch", "fused"])
    parser.add_argument("--rounds", type=int, default=5, help="repetitions (default 5)")
    parser.add_argument("--batch-size", type=int, help="default 128; dense and points: 4")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.kernels.fused import unavailable

    every = ["reference", "torch"] if unavailable() else ["reference", "torch", "fused"]
    paths = arguments.kernels or every
    sizes, batch = arguments.sizes, arguments.batch_size
    if arguments.name == "speed":
        from argnp.workflows.bench.speed import speed_command

        sizes = sizes or ([4, 8, 16] if arguments.workload == "molecules" else [4])
        outcome = speed_command(arguments.workload, sizes, paths, arguments.rounds, batch)
    elif arguments.name == "memory":
        from argnp.workflows.bench.growth import memory_command

        outcome = memory_command(sizes or [4, 8, 16], paths, batch or 128)
    elif arguments.name == "epoch":
        from argnp.workflows.bench.epoch import epoch_command

        outcome = epoch_command(sizes or [4, 16], paths[-1], arguments.rounds, batch or 128)
    elif arguments.name == "roofline":
        from argnp.workflows.bench.roofline import roofline_command

        outcome = roofline_command(sizes or [4, 16], arguments.rounds, batch or 128)
    else:
        from argnp.workflows.bench.growth import scaling_command

        sizes = sizes or [4, 8, 16, 32, 64]
        whole = [size for size in sizes if size <= 16]
        outcome = scaling_command(sizes, whole, batch or 128, paths[-1])
    emit(outcome, json=arguments.json)
