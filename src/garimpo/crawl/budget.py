"""How much a crawl may do: pages, requests, bytes, seconds, bytes a second; and when it brings too little."""

from collections.abc import Callable

from garimpo.crawl.settings import Settings

SATURATED = "hardly anything is new"
"""Why a crawl ended that was told when to stop."""


class Budget:
    """Says whether a request may start, and whether the crawl is over. Pages count over all runs, the rest in this one.

    Args:
        settings: The limits.
        clock: The time; seconds count from now on.
        stored: How many pages are stored.
        received: How many bytes were received.
        requested: How many requests were started, redirects and robots.txt files included.
        new: The share of the last fetches that brought a new page; None while there were too few.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float],
        stored: Callable[[], int],
        received: Callable[[], int],
        requested: Callable[[], int],
        new: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._settings, self._clock, self._stored, self._received = settings, clock, stored, received
        self._requested, self._new, self._least_new = requested, new, settings.least_new
        self._started = clock()

    def most_in_flight(self, unkept: int, in_flight: int = 0) -> int:
        """How many requests may be under way, given how many are: each counts as a page, as does what is not yet kept."""
        if self.spent() is not None or self._too_fast():
            return 0
        settings, most = self._settings, self._settings.connections
        if settings.max_pages:
            most = min(most, settings.max_pages - self._stored() - unkept)
        if settings.max_requests:
            most = min(most, in_flight + settings.max_requests - self._requested())
        return most

    def spent(self) -> str | None:
        """Which budget is spent, or None."""
        settings = self._settings
        if settings.max_pages and self._stored() >= settings.max_pages:
            return "page budget spent"
        if settings.max_requests and self._requested() >= settings.max_requests:
            return "request budget spent"
        if settings.max_seconds and self._clock() - self._started >= settings.max_seconds:
            return "time budget spent"
        if settings.max_bytes and self._received() >= settings.max_bytes:
            return "byte budget spent"
        if self._least_new is not None and (share := self._new()) is not None and share < self._least_new:
            return SATURATED
        return None

    def _too_fast(self) -> bool:
        limit = self._settings.bandwidth
        return bool(limit) and self._received() > limit * (self._clock() - self._started + 1.0)
