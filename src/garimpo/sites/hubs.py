"""The records of hubs: pages or sites that name others, and what became of those they named."""

import numpy as np


class Hubs:
    """Counts of good and bad sites named by each hub, as columns.

    Args:
        prior: The chance of a site named by a hub that is new; it weighs as much as two sites.
        seed: For the draws.

    >>> hubs = Hubs(prior=0.2)
    >>> hubs.note("a.com", 1.0)
    >>> round(hubs.chance(hubs.row("a.com")), 2), round(hubs.chance(hubs.row("b.com")), 2)
    (0.47, 0.2)
    """

    def __init__(self, prior: float = 0.2, seed: int = 0) -> None:
        self._prior = 2 * prior
        self._random = np.random.default_rng(seed)
        self._rows: dict[str, int] = {}
        self.names: list[str] = []
        self.good, self.bad, self.open = np.zeros(64), np.zeros(64), np.zeros(64, bool)

    def __contains__(self, hub: str) -> bool:
        return hub in self._rows

    def row(self, hub: str) -> int:
        """The row of a hub, new or known; a new one is open."""
        known = self._rows.get(hub)
        if known is not None:
            return known
        row = self._rows[hub] = len(self.names)
        self.names.append(hub)
        if row >= len(self.open):
            self.good, self.bad = (np.concatenate([column, np.zeros(row)]) for column in (self.good, self.bad))
            self.open = np.concatenate([self.open, np.zeros(row, bool)])
        self.open[row] = True
        return row

    def note(self, hub: str | int, belief: float) -> None:
        """One more site that a hub names was decided: how likely it is good."""
        row = hub if isinstance(hub, int) else self.row(hub)
        self.good[row] += belief
        self.bad[row] += 1 - belief

    def chance(self, row: int, but: float = 0.0) -> float:
        """The chance of the next site it names; `but` is what one site has added to the good ones."""
        good, bad = self.good[row] - but, self.bad[row] - (1 - but if but else 0.0)
        return float((good + self._prior) / (good + bad + 2))

    def draw(self) -> int | None:
        """An open hub, by Thompson sampling."""
        rows = np.flatnonzero(self.open)
        if not len(rows):
            return None
        return int(rows[self._random.beta(self.good[rows] + self._prior, self.bad[rows] + 2 - self._prior).argmax()])
