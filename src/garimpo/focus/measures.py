"""How good a visit was: what it found by when, and against a visit that knew everything."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Measures:
    """The measures of one visit of `pages` pages in all, of which `total` are relevant.

    Args:
        hits: of each page visited, in order, whether it was relevant.

    >>> m = Measures(np.array([True, False, True]), total=2, pages=4)
    >>> m.found.tolist(), round(m.pref, 3), round(m.auc, 3), m.recall(3)
    ([1, 1, 2], 0.875, 0.75, 1.0)
    """

    hits: NDArray[np.bool_]
    total: int
    pages: int

    @property
    def found(self) -> NDArray[np.int64]:
        """B(t): relevant pages among the first t."""
        return np.cumsum(self.hits)

    @property
    def f1(self) -> Floats:
        """F1(t) = 2 B(t) / (t + relevant pages)."""
        return 2 * self.found / (np.arange(1, len(self.hits) + 1) + self.total)

    @property
    def f1_area(self) -> float:
        """The mean of F1(t) over the visit."""
        return float(self.f1.mean()) if len(self.hits) else 0.0

    @property
    def harvest(self) -> float:
        """The share of the visited pages that is relevant."""
        return float(self.hits.mean()) if len(self.hits) else 0.0

    @property
    def pref(self) -> float:
        """1 minus the mean share of irrelevant pages visited before a relevant one; unvisited pages cost nothing here."""
        return 1 - float(self._before()) / (self.pages * self.total) if self.hits.any() else 0.0

    @property
    def prefs(self) -> Floats:
        """Pref(t): what `pref` would be had the visit ended after t pages; 0 until a relevant one is found."""
        before = np.cumsum(np.where(self.hits, np.cumsum(~self.hits), 0))
        return np.where(self.found > 0, 1 - before / max(1, self.pages * self.total), 0.0)

    @property
    def auc(self) -> float:
        """Pref*: the same where a relevant page that was not visited counts as found after all others."""
        others = self.pages - self.total
        if not self.total or not others:
            return 0.0
        missed = self.total - int(self.hits.sum())
        return 1 - (float(self._before()) + missed * others) / (self.total * others)

    def _before(self) -> int:
        return int((np.cumsum(~self.hits)[self.hits]).sum())

    def recall(self, visited: int) -> float:
        """The share of the relevant pages found within so many visits."""
        return float(self.hits[:visited].sum() / self.total) if self.total else 0.0

    def curve(self, points: int = 200) -> list[list[int]]:
        """[t, found] at so many even steps."""
        if not len(self.hits):
            return []
        steps = np.unique(np.linspace(1, len(self.hits), min(points, len(self.hits))).astype(int))
        found = self.found
        return [[int(t), int(found[t - 1])] for t in steps]

    def table(self) -> dict[str, NDArray[Any]]:
        """What the visit had after each page: how many relevant ones, F1(t) and Pref(t)."""
        return {"t": np.arange(1, len(self.hits) + 1), "found": self.found, "f1": self.f1, "pref": self.prefs}

    def as_dict(self) -> dict[str, Any]:
        """The figures the command prints."""
        return {
            "visited": len(self.hits), "relevant": int(self.hits.sum()), "relevant_total": self.total,
            "pref": self.pref, "auc": self.auc, "harvest": self.harvest, "f1_area": self.f1_area, "curve": self.curve(),
        }  # fmt: skip
