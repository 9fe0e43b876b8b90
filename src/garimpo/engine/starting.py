"""Processes that do not run the caller's script again.

A spawned process imports the script that started it. One without `if __name__ == "__main__":`, as people write them first,
would crawl once more in every child; ours import only what they are given.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.reduction import ForkingPickler
from types import ModuleType


def needs_script(given: object) -> bool:
    """Whether something was defined in the caller's script, so that a child must import that to have it.

    Args:
        given: what a child is handed.

    >>> needs_script(len)
    False
    """
    return b"__main__" in bytes(ForkingPickler.dumps(given))


@contextmanager
def without_script(given: object) -> Iterator[None]:
    """Start a process in this block and it does not import the caller's script, unless what is `given` needs it.

    Args:
        given: what the child is handed.
    """
    script = sys.modules["__main__"]
    if not needs_script(given):
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script
