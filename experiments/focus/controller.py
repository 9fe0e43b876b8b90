"""A controller beside our strategy that falls back on others: tried, and not taken up.

``python experiments/focus/controller.py [--trees apache lilypond]`` writes into `results.md` what the visits of `strategies.py`
find when each page is given by ours or by another strategy that holds the same queue. What each would have given counts for it
where it was visited, whoever gave it, and is forgotten by 2 % a page. *By draw*: the one with the best draw from what it gave
(Thompson). *Careful*: ours, but each tenth page another's, and another's while it gave more by both their standard errors.
"""

import numpy as np
from strategies import compare

from garimpo.focus import STRATEGIES, Web
from garimpo.focus._kernels_walk import change, offer, take
from garimpo.focus.dispensers import Dispenser, Garimpo, Nodes

DECAY, TENTH, TRIED = 0.98, 10, 3


class Controlled:
    """Ours and others over one queue. `careful`: leave ours only where another is better beyond doubt."""

    def __init__(self, web: Web, others: list[Dispenser], careful: bool, seed: int) -> None:
        self._web, self._ours, self._others, self._careful = web, Garimpo(web), others, careful
        self._good, self._tried = np.zeros(1 + len(others)), np.zeros(1 + len(others))
        self._heads = [-1] * len(others)
        self._seen, self._count = np.zeros(len(web), bool), 0
        self._random = np.random.default_rng(seed)

    def put(self, source: int, targets: Nodes) -> None:
        for each in (self._ours, *self._others):
            each.put(source, targets)

    def get(self) -> int:
        mine = self._ours.get()
        if mine < 0:
            return -1
        for at, other in enumerate(self._others):
            while self._heads[at] < 0 or self._seen[self._heads[at]]:
                self._heads[at] = other.get()
                if self._heads[at] < 0:
                    break
        heads = [mine, *self._heads]
        chosen = self._arm()
        node = heads[chosen] if heads[chosen] >= 0 else mine
        if node != mine:
            self._exchange(mine, node)
        self._seen[node] = True
        self._count += 1
        self._good, self._tried = DECAY * self._good, DECAY * self._tried
        named = np.array(heads) == node
        self._good += named * self._web.quality[node]
        self._tried += named
        return node

    def _arm(self) -> int:
        if not self._careful:
            return int(np.argmax(self._random.beta(1 + self._good, 1 + np.maximum(self._tried - self._good, 0))))
        if self._count % TENTH == TENTH - 1:
            return 1 + self._count // TENTH % len(self._others)
        rate = (self._good + 1) / (self._tried + 2)
        error = np.sqrt(rate * (1 - rate) / (self._tried + 2))
        best = 1 + int(np.argmax(rate[1:] - error[1:]))
        return best if self._tried[best] >= TRIED and rate[best] - error[best] > rate[0] + error[0] else 0

    def _exchange(self, mine: int, node: int) -> None:
        """Put back what ours gave, and take another page out of its queue."""
        own = self._ours
        queue = (own._heap, own._place, own._priority, own._order, own._state)
        own._done[mine], own._done[node] = False, True
        offer(np.int32(mine), own._priority[mine], *queue)
        if own._place[node] >= 0:
            change(np.int32(node), np.inf, *queue)
            take(*queue)


def controlled(careful: bool, *names: str) -> str:
    """Add a controller over ours and these to the strategies; its name."""
    name = f"{'careful' if careful else 'by draw'}: {', '.join(names)}"
    made = {other: STRATEGIES[other] for other in names}
    STRATEGIES[name] = lambda web, seed: Controlled(web, [make(web, seed) for make in made.values()], careful, seed)
    return name


if __name__ == "__main__":
    tried = [controlled(careful, *names) for careful in (False, True) for names in (["best"], ["best-dynamic"], ["best", "bfs"])]
    compare(("garimpo", "best", "best-dynamic", "bfs", *tried), "A controller that falls back", "controller.py", __doc__)
