"""A run's flags as the workflows take them."""

import argparse

from argnp.cli.options import settings_of
from argnp.workflows.commands import Call


def call_of(arguments: argparse.Namespace) -> Call:
    """The call that these arguments ask for."""
    return Call(
        flags=settings_of(arguments),
        config=arguments.config,
        output=arguments.output_dir,
        resume=True if arguments.resume else None,
        quiet=arguments.quiet,
        began=arguments.began,
    )
