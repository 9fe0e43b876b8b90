"""Who may be asked next: hosts and addresses with their delays (BUbiNG's workbench).

A host belongs to one address. A host is *ready* when its own delay has passed and it has URLs in memory; an address is ready
when its delay has passed, fewer than the allowed connections to it are open, and one of its hosts is ready. Of all ready
addresses the one whose best URL has the best score goes first; of equal scores, the one found first on the host with the fewest
requests under way.

Addresses are moved as hosts are, by pushing them again: a score that rises costs one push. The item of an address is
the one it is `placed` under, which among the ready ones is that of its best host.
"""

import heapq
import itertools
from collections.abc import Callable

from garimpo.crawl.state.host import NEVER, NOBODY, Address, AddressItem, Host, HostItem

SOON = 5.0
"""A sure URL that can be asked within so many seconds is waited for, rather than ask one that is postponed."""


class Workbench:
    """The ready and waiting addresses. `pop` gives a host to ask now; `next_time` says when to look again."""

    def __init__(self, connections_per_address: int, clock: Callable[[], float]) -> None:
        self._limit, self._clock = connections_per_address, clock
        self._count = itertools.count()
        self._ready: list[HostItem] = []
        self._waiting: list[AddressItem] = []
        self._most = 0
        self.sure_hosts = 0
        """How many hosts have a URL soon that is not postponed."""
        self.open = 0
        """Requests begun and not ended."""

    def place(self, host: Host) -> None:
        """Put a host where it belongs after anything about it changed."""
        address = host.address
        if address is None:
            return
        now = self._clock()
        host.ticket += 1
        best = host.best
        self._count_sure(host, best is not None and best[0] <= 0 and host.next_at <= now + SOON)
        if best is not None and (not host.held or host.serves_others):
            if host.next_at > now:
                address.add_waiting(next(self._count), host)
            else:
                address.add_ready(best, host)
        self._place_address(address, now)

    def pop(self) -> Host | None:
        """The best ready host; it must be placed again by the caller once its entry was taken."""
        now = self._clock()
        self._mature(now)
        while self._ready:
            item = heapq.heappop(self._ready)
            address = _address(item)
            if address.placed is not item:
                continue
            address.placed = None
            host = self._best_host(address, now)
            if host is not None:
                address.take_ready()
                host.ticket += 1
                return host
            self._place_address(address, now)
        return None

    def begin(self, host: Host, delay: float) -> None:
        """A request to a popped host starts; `delay` is that of its address."""
        address, now = host.address, self._clock()
        assert address is not None  # else it would not have been popped
        host.next_at, address.next_at = now + host.delay, now + delay
        address.busy += 1
        host.open += 1
        self.open += 1
        self.place(host)

    def end(self, host: Host, delay: float, asked: float) -> None:
        """A request to a host ended. Delays count from `asked`, when the server had surely seen the request."""
        address = host.address
        assert address is not None
        address.busy -= 1
        host.open -= 1
        self.open -= 1
        if host.delay or delay:
            host.next_at = max(host.next_at, asked + host.delay)
            address.next_at = max(address.next_at, asked + delay)
        self.place(host)

    def drop(self, host: Host) -> None:
        """Leave a popped host out; its address goes on with the others."""
        self._count_sure(host, False)
        if host.address is not None:
            self._place_address(host.address, self._clock())

    def forget(self, host: Host) -> None:
        """Take a host off: it goes to sleep."""
        host.ticket += 1
        self._count_sure(host, False)
        if host.address is not None:
            host.address.sweep()
            self._place_address(host.address, self._clock())

    def sweep(self) -> None:
        """Drop what is stale, and with it the hosts that sleep."""
        self._ready = [item for item in self._ready if _address(item).placed is item]
        self._waiting = [item for item in self._waiting if item[2].placed is item]
        heapq.heapify(self._ready)
        heapq.heapify(self._waiting)

    def _count_sure(self, host: Host, is_sure: bool) -> None:
        self.sure_hosts += is_sure - host.is_sure
        host.is_sure = is_sure

    def best(self) -> tuple[float, float]:
        """The order of the best URL that may be asked for now, after all others when there is none."""
        self._mature(self._clock())
        while self._ready and _address(self._ready[0]).placed is not self._ready[0]:
            heapq.heappop(self._ready)
        return self._ready[0][:2] if self._ready else NOBODY

    def has_ready(self) -> bool:
        """Whether some address may be ready now."""
        return bool(self._ready)

    def next_time(self) -> float:
        """When the next waiting address becomes ready (`NEVER` when none waits)."""
        while self._waiting and self._waiting[0][2].placed is not self._waiting[0]:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else NEVER

    def _mature(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            item = heapq.heappop(self._waiting)
            if item[2].placed is item:
                self._place_address(item[2], now)

    def _best_host(self, address: Address, now: float) -> Host | None:
        while (item := address.first_waiting()) is not None and item[0] <= now:
            address.take_waiting()
            host = item[3]
            if (best := host.best) is not None:
                host.ticket += 1
                address.add_ready(best, host)
        first = address.first_ready()
        return None if first is None else first[3]

    def _place_address(self, address: Address, now: float) -> None:
        before, address.placed = address.placed, None
        if address.busy >= self._limit:
            return
        host = self._best_host(address, now)
        if host is not None and address.next_at <= now:
            address.placed = address.ready[0]
            if address.placed is not before:
                self._push_ready(address.placed)
        elif host is not None:
            self._push_waiting(address.next_at, address)
        elif (waiting := address.first_waiting()) is not None:
            self._push_waiting(max(waiting[0], address.next_at), address)

    def _push_ready(self, item: HostItem) -> None:
        if len(self._ready) >= self._most:
            self._ready = [one for one in self._ready if _address(one).placed is one]
            heapq.heapify(self._ready)
            self._most = 2 * len(self._ready) + 1_000
        heapq.heappush(self._ready, item)

    def _push_waiting(self, when: float, address: Address) -> None:
        address.placed = item = (when, next(self._count), address)
        heapq.heappush(self._waiting, item)


def _address(item: HostItem) -> Address:
    address = item[3].address
    assert address is not None  # else it would not have been placed
    return address
