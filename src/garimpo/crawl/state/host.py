"""Hosts and addresses, and the heaps they wait in.

To move a host is to push it again. What lies in a heap from before is stale: only the item with the host's present ticket
counts, others are dropped when they come up, and all of them when half of a heap may be stale.
"""

import heapq
from typing import Any

from garimpo.url import site

NEVER = float("inf")
ASKED = 1e12
"""What a request under way puts a host back by: more than any sequence number."""
NOTHING = (-NEVER, -1.0)
"""The floor of a host of which nothing lies in the heads: before every (-score, sequence number)."""
NOBODY = (NEVER, NEVER)
"""After every (-score, sequence number)."""
HOP_SCORE = 3.0
"""The score of a robots.txt that other hosts wait for: above checks, and asked for even where nothing else of a host is."""
SLACK = 8
"""So many stale items of an address are never looked for."""


class Address:
    """An IP address (or what stands for one): the hosts on it, when it may be asked again, how many requests are open."""

    __slots__ = ("busy", "hosts", "most", "name", "next_at", "placed", "ready", "waiting")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.hosts = 0
        """How many hosts on it are awake."""
        self.next_at = 0.0
        self.busy = 0
        self.ready: list[HostItem] = []
        self.waiting: list[HostItem] = []
        self.most = SLACK
        """How long one of them may grow before stale items are dropped."""
        self.placed: HostItem | AddressItem | None = None
        """What it lies under on the workbench."""

    def add_ready(self, best: tuple[float, float], host: "Host") -> None:
        self._make_room()
        heapq.heappush(self.ready, (*best, host.ticket, host))

    def add_waiting(self, count: int, host: "Host") -> None:
        self._make_room()
        heapq.heappush(self.waiting, (host.next_at, count, host.ticket, host))

    def first_ready(self) -> "HostItem | None":
        """The item of the best host that is ready."""
        return _first_fresh(self.ready)

    def first_waiting(self) -> "HostItem | None":
        """The item of the host that waits least."""
        return _first_fresh(self.waiting)

    def take_ready(self) -> None:
        heapq.heappop(self.ready)

    def take_waiting(self) -> None:
        heapq.heappop(self.waiting)

    def _make_room(self) -> None:
        if max(len(self.ready), len(self.waiting)) >= self.most:
            self.sweep()
            self.most = 2 * max(len(self.ready), len(self.waiting)) + SLACK

    def sweep(self) -> None:
        """Drop what is stale."""
        self.ready, self.waiting = _without_stale(self.ready), _without_stale(self.waiting)


class Host:
    """A host: its URLs at hand (a heap of heads), its delay, and what the crawl knows of it."""

    __slots__ = (
        "address",
        "beyond",
        "counted",
        "delay",
        "errors",
        "failed_at",
        "fetched",
        "floor",
        "heads",
        "held",
        "id",
        "is_sure",
        "later",
        "name",
        "next_at",
        "open",
        "sought",
        "ticket",
    )

    def __init__(self, id: int, name: str, delay: float) -> None:
        self.id, self.name, self.delay = id, name, delay
        self.address: Address | None = None
        self.next_at = 0.0
        self.ticket = 0
        self.heads: list[tuple[float, int, Any]] = []
        """(-score, sequence number, entry): the best of the host's URLs, in a heap."""
        self.later: list[Any] = []
        """Entries not yet committed that did not fit into the heads."""
        self.beyond = False
        """Whether some of the host's queued URLs are not in the heads; they are ordered after `floor`."""
        self.floor: tuple[float, float] = NOTHING
        """(-score, sequence number): whatever of it is at hand is ordered before."""
        self.counted = False
        """Whether the queues count it among those that have something queued."""
        self.fetched = 0
        self.open = 0
        """Requests to it that are under way."""
        self.errors = 0
        """Failures in a row; those of requests that were under way together count once."""
        self.failed_at = 0.0
        self.sought = False
        """Whether its address is known or being looked up."""
        self.held = False
        """While its robots.txt is on its way nothing is asked of a host but what others wait for."""
        self.is_sure = False
        """Whether it has a URL soon that is not postponed."""

    @property
    def site(self) -> str:
        return site(self.name)

    def count_failure(self, started: float, failed_at: float) -> None:
        """A request begun at `started` failed: one more in a row, unless it was under way when the last one failed."""
        if started >= self.failed_at:
            self.errors += 1
            self.failed_at = failed_at

    @property
    def best(self) -> tuple[float, float] | None:
        """The order of its best URL, (-score, sequence number); None when it has none.

        Among equal scores a host that is being asked comes after those that are not: requests spread over the hosts, and
        a connection is used again, where in the order of discovery all links of a page would be asked for at once.
        """
        if not self.heads and not self.beyond:
            return None
        score, sequence = self.heads[0][:2] if self.heads else self.floor
        return score, sequence + self.open * ASKED if self.open else sequence

    @property
    def serves_others(self) -> bool:
        """Whether its best URL is a robots.txt that other hosts wait for."""
        best = self.best
        return best is not None and best[0] <= -HOP_SCORE


HostItem = tuple[float, float, int, Host]
"""The order of a ready host or the time of a waiting one, a number that settles ties, the ticket, and the host."""
AddressItem = tuple[float, int, Address]
"""When an address may be asked again, a number that settles ties, and the address."""


def _first_fresh(heap: list[HostItem]) -> HostItem | None:
    """The first item that is not stale; those before it are dropped."""
    while heap and _is_stale(heap[0]):
        heapq.heappop(heap)
    return heap[0] if heap else None


def _without_stale(heap: list[HostItem]) -> list[HostItem]:
    heap = [item for item in heap if not _is_stale(item)]
    heapq.heapify(heap)
    return heap


def _is_stale(item: HostItem) -> bool:
    return item[2] != item[3].ticket
