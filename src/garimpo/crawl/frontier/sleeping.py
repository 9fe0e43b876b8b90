"""How good the best URL of each sleeping host is: two numbers a host, by its id."""

import numpy as np
from numpy.typing import NDArray

from garimpo.crawl.state.host import NEVER, NOBODY


class SleepingHosts:
    """The orders of sleeping hosts. `floor` is at or before the first of them, `NOBODY` when none sleeps.

    >>> asleep = SleepingHosts()
    >>> asleep.put(7, (-0.5, 1.0)); asleep.put(3, (-0.5, 0.0)); asleep.put(9, (-0.1, 2.0))
    >>> asleep.take_best(2, before=(-0.2, 0.0)), asleep.floor
    ([(3, (-0.5, 0.0)), (7, (-0.5, 1.0))], (-0.1, 2.0))
    """

    def __init__(self) -> None:
        self._order = np.full(1_024, NEVER)
        self._place = np.full(1_024, NEVER)
        self.floor = NOBODY

    def put(self, id: int, best: tuple[float, float]) -> None:
        """A host sleeps; one that slept before has another best URL now."""
        if id >= len(self._order):
            self._grow(id)
        self._order[id], self._place[id] = best
        self.floor = min(self.floor, best)

    def has(self, id: int) -> bool:
        return id < len(self._order) and bool(self._order[id] < NEVER)

    def take(self, id: int) -> tuple[float, float] | None:
        """A host wakes: its order, None for one that has no turn to wait for."""
        if not self.has(id):
            return None
        best = float(self._order[id]), float(self._place[id])
        self._order[id] = NEVER
        return best

    def take_best(self, most: int, before: tuple[float, float]) -> list[tuple[int, tuple[float, float]]]:
        """The best hosts with their orders, at most so many, if the first of them is ordered before `before`."""
        ids = self._best(most + 1)
        found = list(zip(ids.tolist(), zip(self._order[ids].tolist(), self._place[ids].tolist())))
        taken = found[:most] if found and found[0][1] < before else []
        self._order[ids[: len(taken)]] = NEVER
        self.floor = found[len(taken)][1] if len(taken) < len(found) else NOBODY
        return taken

    def _best(self, most: int) -> NDArray[np.int64]:
        """The ids of the best, in order."""
        ids = self._some_best(np.flatnonzero(self._order < NEVER), most)
        return ids[np.lexsort((self._place[ids], self._order[ids]))]

    def _some_best(self, ids: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        """So many of the best; of many hosts with the same score those found first."""
        if len(ids) <= most:
            return ids
        order = self._order[ids]
        last = np.partition(order, most - 1)[most - 1]
        better, equal = ids[order < last], ids[order == last]
        wanted = most - len(better)
        return np.concatenate([better, equal[np.argpartition(self._place[equal], wanted - 1)[:wanted]]])

    def _grow(self, id: int) -> None:
        more = np.full(id + id // 4 - len(self._order), NEVER)
        self._order, self._place = np.concatenate([self._order, more]), np.concatenate([self._place, more])
