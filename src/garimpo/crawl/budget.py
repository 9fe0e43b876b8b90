"""How much a crawl may do: pages, bytes, seconds, and bytes a second."""

from garimpo.crawl.fetch import Fetch
from garimpo.crawl.keep import Keeper
from garimpo.crawl.settings import Settings


class Budget:
    """Says whether a request may start, and whether the crawl is over. Pages count over all runs, the rest in this one."""

    def __init__(self, settings: Settings, keeper: Keeper, fetch: Fetch, now: float) -> None:
        self._settings, self._keeper, self._fetch, self._started = settings, keeper, fetch, now

    def most_in_flight(self, unkept: int, now: float) -> int:
        """How many requests may be under way: each is counted as if it were a page, as is what is not yet kept."""
        if self.spent(now) is not None or self._too_fast(now):
            return 0
        most, pages = self._settings.connections, self._settings.max_pages
        return min(most, pages - self._keeper.counts["stored"] - unkept) if pages else most

    def spent(self, now: float) -> str | None:
        """Which budget is spent, or None."""
        settings = self._settings
        if settings.max_pages and self._keeper.counts["stored"] >= settings.max_pages:
            return "page budget spent"
        if settings.max_seconds and now - self._started >= settings.max_seconds:
            return "time budget spent"
        if settings.max_bytes and self._fetch.received >= settings.max_bytes:
            return "byte budget spent"
        return None

    def _too_fast(self, now: float) -> bool:
        limit = self._settings.bandwidth
        return bool(limit) and self._fetch.received > limit * (now - self._started + 1.0)
