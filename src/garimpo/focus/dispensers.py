"""What gives the next page of a simulated visit. One class a strategy; ties go to what was found first."""

import heapq
from collections import deque
from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from garimpo.focus._kernels_walk import offer, walk_pages
from garimpo.focus.links import LinkScorer
from garimpo.focus.web import Web

Nodes = NDArray[np.int32]
AT_ONCE = 4096
"""So many pages are visited before the first of them is told, where nobody has a say."""


class Dispenser(Protocol):
    """Holds what was found and not visited. `put` is called with all arcs of a page once it was visited; -1: a seed."""

    def put(self, source: int, targets: Nodes) -> None: ...

    def get(self) -> int: ...


class Fifo:
    """Breadth first."""

    def __init__(self, web: Web) -> None:
        self._queue: deque[int] = deque()
        self._seen = np.zeros(len(web), bool)

    def put(self, source: int, targets: Nodes) -> None:
        for target in targets.tolist():
            if not self._seen[target]:
                self._seen[target] = True
                self._queue.append(target)

    def get(self) -> int:
        return self._queue.popleft() if self._queue else -1


class Lifo(Fifo):
    """Depth first."""

    def get(self) -> int:
        return self._queue.pop() if self._queue else -1


class Chance(Fifo):
    """Any of the pages found, by chance."""

    def __init__(self, web: Web, seed: int = 0) -> None:
        super().__init__(web)
        self._random = np.random.default_rng(seed)
        self._list: list[int] = []

    def get(self) -> int:
        self._list.extend(self._queue)
        self._queue.clear()
        if not self._list:
            return -1
        at = int(self._random.integers(len(self._list)))
        self._list[at], self._list[-1] = self._list[-1], self._list[at]
        return self._list.pop()


class Ranked:
    """A queue by priority, largest first, then first in first out; a priority can be raised while a page waits."""

    def __init__(self, web: Web, dynamic: bool = True) -> None:
        self.web, self.dynamic = web, dynamic
        self.priority = np.full(len(web), -np.inf)
        self.parent = np.full(len(web), -1, np.int32)
        self.done = np.zeros(len(web), bool)
        self._heap: list[tuple[float, int, int]] = []
        self._number = 0

    def offer(self, source: int, target: int, priority: float) -> None:
        """Queue a page, or raise it if it waits with less (and the strategy is dynamic)."""
        known = self.priority[target]
        if self.done[target] or priority <= known or (known > -np.inf and not self.dynamic):
            return
        self.priority[target] = priority
        self.parent[target] = source
        self._number += 1
        heapq.heappush(self._heap, (-priority, self._number, target))

    def get(self) -> int:
        while self._heap:
            priority, _, node = heapq.heappop(self._heap)
            if not self.done[node] and -priority == self.priority[node]:
                self.done[node] = True
                return node
        return -1


class Best(Ranked):
    """Best first: a page waits with the probability of the page that showed it (dynamic: the best of those)."""

    def put(self, source: int, targets: Nodes) -> None:
        priority = 0.0 if source < 0 else float(self.web.quality[source])
        for target in targets.tolist():
            self.offer(source, target, priority)


class Shark(Ranked):
    """Shark-search: half what a page passes on, half the topic's score of the anchor.

    A page on topic passes on its probability, any other half of what it was passed itself: so the pages before it count too.
    """

    def __init__(self, web: Web) -> None:
        super().__init__(web)
        self._passed = np.zeros(len(web))

    def put(self, source: int, targets: Nodes) -> None:
        anchored, passed = np.zeros(len(targets)), 0.0
        if source >= 0:
            quality, parent = float(self.web.quality[source]), int(self.parent[source])
            passed = quality if quality > 0.5 or parent < 0 else max(quality, self._passed[parent] / 2)
            self._passed[source] = passed
            anchored = np.nan_to_num(self.web.links.anchored[self.web.offsets[source] : self.web.offsets[source + 1]])
        for target, words in zip(targets.tolist(), anchored.tolist()):
            self.offer(source, target, (passed + words) / 2)


class Distiller(Best):
    """Best first; each time what was visited has grown by a tenth, the links of the best tenth of the hubs are raised.

    Hubs are found by HITS over links from host to host: a hub counts the relevant pages it shows, and these its relevance.
    """

    def __init__(self, web: Web) -> None:
        super().__init__(web)
        self._visited: list[int] = []
        self._next = 100

    def put(self, source: int, targets: Nodes) -> None:
        super().put(source, targets)
        if source >= 0:
            self._visited.append(source)
        if len(self._visited) >= self._next:
            self._next = int(1.1 * len(self._visited)) + 1
            for hub in self._hubs():
                for target in self.web.targets[self.web.offsets[hub] : self.web.offsets[hub + 1]].tolist():
                    self.offer(hub, target, 1.0)

    def _hubs(self) -> list[int]:
        """The best hubs among the visited pages."""
        web, size = self.web, len(self.web)
        sources = np.repeat(self._visited, np.diff(web.offsets)[self._visited])
        targets = np.concatenate([web.targets[web.offsets[node] : web.offsets[node + 1]] for node in self._visited])
        kept = self.done[targets] & (web.hosts[sources] != web.hosts[targets])
        a, b = sources[kept], targets[kept]
        hub = np.ones(size)
        for _ in range(10):
            authority = np.bincount(b, hub[a] * web.quality[b], size)
            shown = np.bincount(a, authority[b] * web.quality[a], size)
            hub = shown / max(float(shown.max()), 1e-12)
        best = np.argsort(-hub, kind="stable")[: len(self._visited) // 10]
        return [int(node) for node in best if hub[node] > 0]


class Backlink(Ranked):
    """The page with most known links into it."""

    def put(self, source: int, targets: Nodes) -> None:
        for target in targets.tolist():
            known = self.priority[target]
            self.offer(source, target, (0.0 if known == -np.inf else known) + (source >= 0))


class Hot(Ranked):
    """Links of pages that are on topic, or within three links of one that is, go first; in either group by chance."""

    def __init__(self, web: Web, seed: int = 0) -> None:
        super().__init__(web)
        self._far = np.full(len(web), 99)
        self._random = np.random.default_rng(seed)

    def put(self, source: int, targets: Nodes) -> None:
        if source >= 0:
            on_topic, parent = self.web.quality[source] > 0.5, int(self.parent[source])
            self._far[source] = 0 if on_topic else 99 if parent < 0 else min(99, self._far[parent] + 1)
        hot = source >= 0 and self._far[source] <= 3
        for target in targets.tolist():
            self.offer(source, target, float(hot) + float(self._random.random()) / 2)


class PageRank(Ranked):
    """The page of largest PageRank (0.9) on what is known, reckoned anew each time that has grown by a tenth."""

    def __init__(self, web: Web) -> None:
        super().__init__(web)
        self._sources: list[int] = []
        self._targets: list[int] = []
        self._next = 100

    def put(self, source: int, targets: Nodes) -> None:
        for target in targets.tolist():
            self.offer(source, target, self.priority[source] * 0.9 / max(1, len(targets)) if source >= 0 else 1e-9)
            if source >= 0:
                self._sources.append(source)
                self._targets.append(target)
        if len(self._sources) >= self._next:
            self._next = int(1.1 * len(self._sources)) + 100
            self._rank()

    def _rank(self) -> None:
        a, b = np.array(self._sources), np.array(self._targets)
        size = len(self.web)
        degree = np.bincount(a, minlength=size)
        rank = np.full(size, 1 / size)
        for _ in range(20):
            flow = np.bincount(b, rank[a] / degree[a], size)
            rank = 0.1 / size + 0.9 * (flow + rank[degree == 0].sum() / size)
        self._heap.clear()
        for node in np.flatnonzero((self.priority > -np.inf) & ~self.done).tolist():
            self.priority[node] = -np.inf
            self.offer(int(self.parent[node]), node, float(rank[node]))
        self.priority[self.done] = rank[self.done]


class Garimpo:
    """Our own: every arc scored by the `LinkScorer` of the live crawl; what waits beside a page is scored anew when it was read,
    and the whole queue from time to time.

    What a page teaches and where its arcs lead is reckoned when the next page is asked for.
    """

    def __init__(self, web: Web, scorer: LinkScorer | None = None, first_order: int = 5) -> None:
        size = len(web)
        self.web, self.scorer, self._last = web, scorer or LinkScorer(web.topic), -1
        self._heap, self._place, self._order = np.empty(size, np.int32), np.full(size, -1, np.int32), np.zeros(size, np.int64)
        self._priority, self._done, self._depth = np.full(size, -np.inf), np.zeros(size, bool), np.zeros(size, np.float32)
        self._state = np.array([0, 0, 0, first_order, 0, 0])
        self._page_of = np.full(size, -1, np.int32)
        self._scratch = np.empty((3, max(1, int(np.diff(web.offsets).max(initial=0)))), np.float32)
        self.scorer.make_room(size, 3 * size + len(web.targets))

    def put(self, source: int, targets: Nodes) -> None:
        if source >= 0:
            self._last = source
            return
        for target in targets.tolist():
            if self._priority[target] == -np.inf:
                offer(target, 1.0, self._heap, self._place, self._priority, self._order, self._state)

    def get(self) -> int:
        node = next(self.ahead(1), -1)
        self._last = -1  # until its arcs are put
        return node

    def ahead(self, budget: int) -> Iterator[int]:
        """The next pages of the visit, if nobody has a say about their links."""
        web, scorer = self.web, self.scorer
        while budget > 0:
            visited = np.empty(min(budget, AT_ONCE), np.int32)
            count = walk_pages(
                self._last, visited, self._scratch, self._page_of,
                self._heap, self._place, self._priority, self._order, self._state, self._done, self._depth,
                web.offsets, web.targets, web.quality, web.keys, web.hosts, web.folders, *web.links.arrays, *scorer.arrays,
                np.float32(scorer.explore), np.float32(scorer.host_budget),
            )  # fmt: skip
            self._last = int(visited[count - 1]) if count else -1
            yield from visited[:count].tolist()
            budget = budget - count if count == len(visited) else 0
