"""``argnp bench speed | memory | scaling | epoch | roofline``."""

import argparse

from argnp.cli.options import add_output
from argnp.cli.output import emit
from argnp.cli.parser import count
from argnp.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=["speed", "memory", "scaling", "epoch", "roofline"])
    parser.add_argument(
        "--workload",
        choices=["molecules", "dense", "points"],
        default="molecules",
        help="of speed (default molecules)",
    )
    parser.add_argument(
        "--sizes",
        type=count,
        nargs="+",
        help="vertices (default 4 8 16; of dense and points 4; of epoch and roofline 4 16; of "
        "scaling 2 4 8 16 32 64, the global supernet up to 16)",
    )
    parser.add_argument(
        "--kernels",
        nargs="+",
        choices=["reference", "torch", "fused"],
        help="default all that run here; scaling and epoch take the last one",
    )
    parser.add_argument(
        "--rounds",
        type=count,
        default=5,
        help="steps or rounds of steps that are timed (default 5)",
    )
    parser.add_argument(
        "--batch-size",
        type=count,
        help="graphs of a step (default 128; of scaling 32, with which the global supernet of 16 "
        "fits into memory; dense and points: 4)",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    from argnp.kernels.fused import unavailable

    missing = unavailable()
    every = ["reference", "torch"] if missing else ["reference", "torch", "fused"]
    paths = arguments.kernels or every
    if missing and "fused" in paths:
        raise UserError(f"--kernels fused: {missing}; --kernels torch needs no compiler")
    sizes, rounds, batch = arguments.sizes, arguments.rounds, arguments.batch_size
    if arguments.name == "speed":
        from argnp.workflows.bench.speed import speed_command

        sizes = sizes or ([4, 8, 16] if arguments.workload == "molecules" else [4])
        outcome = speed_command(arguments.workload, sizes, paths, rounds, batch)
    elif arguments.name == "memory":
        from argnp.workflows.bench.growth import memory_command

        outcome = memory_command(sizes or [4, 8, 16], paths, batch or 128, rounds)
    elif arguments.name == "epoch":
        from argnp.workflows.bench.epoch import epoch_command

        outcome = epoch_command(sizes or [4, 16], paths[-1], rounds, batch or 128)
    elif arguments.name == "roofline":
        from argnp.workflows.bench.roofline import roofline_command

        outcome = roofline_command(sizes or [4, 16], rounds, batch or 128)
    else:
        from argnp.workflows.bench.growth import scaling_command

        sizes = sizes or [2, 4, 8, 16, 32, 64]
        whole = [size for size in sizes if size <= 16]
        outcome = scaling_command(sizes, whole, batch or 32, paths[-1], rounds)
    emit(outcome, json=arguments.json)
