"""Errors a user can act on. Their text is one line; the command line prints it and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SPEAKS_FLAGS = ContextVar("speaks_flags", default=False)


def option(name: str, value: str = "") -> str:
    """An option as whoever called us writes it: a parameter in Python, a flag on the command line.

    Args:
        name: the parameter's name.
        value: what to give it; without one it is a switch.

    >>> option("allow_private"), option("engine", "spark")
    ('allow_private=True', "engine='spark'")
    >>> with speaking_flags():
    ...     option("allow_private"), option("engine", "spark")
    ('--allow-private', '--engine spark')
    """
    if _SPEAKS_FLAGS.get():
        return " ".join(filter(None, (f"--{name.replace('_', '-')}", value)))
    return f"{name}={value!r}" if value else f"{name}=True"


def spoken(python: str, line: str) -> str:
    """How to do something, for whoever called us: in Python, or on the command line.

    Args:
        python: what to write in Python.
        line: what to write on the command line.

    >>> spoken("another `out`", "another --out")
    'another `out`'
    """
    return line if _SPEAKS_FLAGS.get() else python


@contextmanager
def speaking_flags() -> Iterator[None]:
    """While the block runs, errors speak of flags: for the command line."""
    before = _SPEAKS_FLAGS.set(True)
    try:
        yield
    finally:
        _SPEAKS_FLAGS.reset(before)


class GarimpoError(Exception):
    """The work ran and failed: exit code 1."""


class BadInput(GarimpoError):
    """Wrong usage or input that cannot be read: exit code 2. The text names the file (and line) at fault."""


class BadValues(BadInput):
    """Values of another type than they should be, of no file that is known here: the command line names those given."""


class LeftOut(UserWarning):
    """Something damaged was left out of a run that went on with the rest: the command line says so, and ends with 1."""


def printable(text: str) -> str:
    r"""The text with nothing in it that a terminal obeys.

    Args:
        text: what is to be printed, on one line.

    >>> printable("a\x1b[31mb\nc")
    'a\\x1b[31mb c'
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
