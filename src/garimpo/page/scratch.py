"""Arrays that are filled anew for every page and kept between pages: touching fresh memory costs more than the filling."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KEPT_BYTES = 8 << 20


class Scratch(threading.local):
    """One set of arrays for each thread; an array is overwritten by the next request for its name."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(self, name: str, length: int, kind: type[np.generic]) -> NDArray[Any]:
        """An array of at least that length, whatever it holds; a very large one is not kept.

        >>> Scratch().array("text", 10, np.uint8).size >= 10
        True
        """
        kept = self._arrays.get(name)
        if kept is not None and kept.size >= length:
            return kept
        fresh = np.empty(length + length // 2, kind)
        if fresh.nbytes <= _KEPT_BYTES:
            self._arrays[name] = fresh
        return fresh


scratch = Scratch()
