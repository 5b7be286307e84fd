"""The one exception a user can cause, and nothing else."""


class UserError(Exception):
    """Something the user or the machine's owner can mend.

    The message is one line: what is wrong, where, and what to do about it. The command line
    prints it without a traceback and leaves with exit code 2.
    """
