"""Errors a user can act on. Their text is one line; the command line prints it and nothing else."""


class GarimpoError(Exception):
    """The work ran and failed: exit code 1."""


class BadInput(GarimpoError):
    """Wrong usage or input that cannot be read: exit code 2. The text names the file (and line) at fault."""
