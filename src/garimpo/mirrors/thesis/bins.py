"""Unsupervised intervals: continuous features become small integers, with a bin of its own for exact zero."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput


class Bins:
    """Equal-frequency bins, fitted on the non-zero part of each feature; bin 0 is exact zero.

    Intervals are half open, the last is closed, and what lies outside falls into the nearest.

    >>> bins = Bins(2).fit(np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]))
    >>> bins.transform(np.array([[0.0], [1.5], [9.0]])).ravel().tolist()
    [0, 1, 2]
    >>> bins.name(0, 1)
    '[1, 2.5)'
    """

    def __init__(self, count: int = 10, width: str = "frequency") -> None:
        if count < 1 or width not in ("frequency", "equal"):
            raise BadInput(f"bins: need a count >= 1 and width frequency|equal, not {count} and {width}")
        self.count, self.width = count, width
        self.edges: list[NDArray[np.float64]] = []

    def fit(self, values: NDArray[Any]) -> "Bins":
        """Learn the edges of each column."""
        self.edges = [self._edges(np.asarray(column, np.float64)) for column in values.T]
        return self

    def _edges(self, column: NDArray[np.float64]) -> NDArray[np.float64]:
        column = column[column != 0.0]
        if not len(column):
            return np.array([0.0, 0.0])
        if self.width == "equal":
            return np.unique(np.linspace(column.min(), column.max(), self.count + 1))
        return np.unique(np.quantile(column, np.linspace(0.0, 1.0, self.count + 1)))

    def transform(self, values: NDArray[Any]) -> NDArray[np.int32]:
        """The bin of each value."""
        out = np.empty(values.shape, np.int32)
        for j, edges in enumerate(self.edges):
            column = np.asarray(values[:, j], np.float64)
            found = np.searchsorted(edges[1:-1], column, side="right") + 1
            out[:, j] = np.where(column == 0.0, 0, found)
        return out

    def name(self, feature: int, bin: int) -> str:
        """The interval behind a bin, for people."""
        if bin == 0:
            return "0"
        edges = self.edges[feature]
        close = "]" if bin >= len(edges) - 1 else ")"
        return f"[{edges[bin - 1]:.3g}, {edges[min(bin, len(edges) - 1)]:.3g}{close}"
