"""How many pages of a host and of a site may be fetched."""

import sqlite3
from collections import Counter

from garimpo.crawl.settings import Settings
from garimpo.crawl.state import host_rows
from garimpo.crawl.state.host import Host


class Quota:
    """Counts pages by host and by site. Sites are counted only where they have a quota."""

    def __init__(self, settings: Settings, db: sqlite3.Connection) -> None:
        self._of_host, self._of_site = settings.max_pages_per_host, settings.max_pages_per_site
        self._sites: Counter[str] = Counter(host_rows.fetched_by_site(db) if self._of_site else {})

    def count(self, host: Host, pages: int) -> None:
        """So many more pages (or fewer, below zero) were asked for."""
        host.fetched += pages
        if self._of_site:
            self._sites[host.site] += pages

    def has_room(self, host: Host) -> bool:
        """Whether another page of this host may be asked for."""
        if self._of_host and host.fetched >= self._of_host:
            return False
        return not (self._of_site and self._sites[host.site] >= self._of_site)
