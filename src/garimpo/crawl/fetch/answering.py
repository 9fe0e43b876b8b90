"""The requests of a crawl, answered by a `Fetcher` instead of the network: stored pages, another client, a test.

The loop does not know the difference: it starts requests, polls for answers, and keeps the same delays by the same clock.
"""

import select
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from garimpo.contract.protocols import Fetcher
from garimpo.contract.records import Fetched
from garimpo.crawl.clock import Clock
from garimpo.crawl.fetch.client import Answer, is_wanted
from garimpo.crawl.fetch.transfer import UNWANTED, Headers
from garimpo.crawl.settings import Settings
from garimpo.crawl.state.entry import Entry

AT_ONCE = 64
"""Answers given by one poll: more would keep what was read waiting."""


class FetcherClient:
    """Has the same methods as `client.Fetch`. The fetcher is asked in the loop's own thread, one URL after the other.

    Args:
        fetcher: Answers for every URL, robots.txt files too; it should be quick.
        settings: The limits on content types and sizes.
        clock: The clock of the crawl.
    """

    def __init__(self, fetcher: Fetcher, settings: Settings, clock: Clock) -> None:
        self._fetcher, self._clock = fetcher, clock
        self._types = tuple(kind.encode() for kind in settings.content_types)
        self._most = settings.max_body
        self._started: deque[tuple[Entry, str, int]] = deque()
        self._readers = select.epoll()
        self.received = 0
        """Body bytes received so far."""

    @property
    def in_flight(self) -> int:
        return len(self._started)

    def start(self, entry: Entry, url: str, purpose: int, connect_to: str | None, ip: str | None, extra: Headers = ()) -> None:
        """Ask for `url`; where the socket would go and what would be sent does not matter."""
        self._started.append((entry, url, purpose))

    def watch(self, descriptors: Sequence[int]) -> None:
        """Also wake `poll` when one of these can be read. Closed ones drop out by themselves."""
        for descriptor in descriptors:
            self._readers.register(descriptor, select.EPOLLIN)

    def poll(self, seconds: float) -> list[Answer]:
        """The answers to what was started; without any, wait up to `seconds`."""
        if not self._started:
            self._clock.wait(self._readers, seconds)
            return []
        return [self._answer(*self._started.popleft()) for _ in range(min(AT_ONCE, len(self._started)))]

    def close(self) -> None:
        """Drop what was not answered."""
        self._started.clear()
        self._readers.close()

    def _answer(self, entry: Entry, url: str, purpose: int) -> Answer:
        fetched = self._within_limits(self._fetcher.get(url))
        self.received += len(fetched.body)
        now = self._clock()
        return Answer(entry, fetched, (), now, now, purpose)

    def _within_limits(self, fetched: Fetched) -> Fetched:
        kind = (fetched.header("content-type") or "").lower().encode("latin-1", "replace")
        if fetched.body and not is_wanted(kind, self._types):
            return replace(fetched, body=b"", error=UNWANTED)
        if len(fetched.body) > self._most:
            return replace(fetched, body=fetched.body[: self._most], truncated=True)
        return fetched
