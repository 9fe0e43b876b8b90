"""What the process of a command need not load.

Arrow looks for pandas, and numba for scipy's linear algebra and a C parser, the first time they are at work, to see whether
they are there. Loading all takes half a second, and no command hands tables to pandas or compiles a matrix product or a call
of C. A Python program that imports garimpo is left alone: there they may be wanted.

Nor need a long crawl keep what it let go of: Arrow's own allocator holds on to what a commit freed, 20 MB of 200; the system's
gives it to whoever asks next. Commands that hold large tables are a little slower with it.
"""

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def loading() -> Iterator[None]:
    """While libraries load nothing becomes garbage, and what they made never does: Python need not look for any."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def slim() -> None:
    """Load Arrow and numba, and let them find none of those; before anything else loads them."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # read as Arrow is loaded, here and in readers
    with _hidden("pandas"):
        import pyarrow as pa

        pa.array([0])
    with _hidden("scipy", "scipy.linalg", "cffi", "yaml"):
        import numba  # noqa: F401


class _Absent:
    """An importer that knows of some modules that they are not there."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> None:
        if name in self._names:
            raise ModuleNotFoundError(f"{name} is not used here", name=name)


@contextmanager
def _hidden(*names: str) -> Iterator[None]:
    importer = _Absent(names)
    sys.meta_path.insert(0, importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)
