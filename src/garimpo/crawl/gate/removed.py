"""What was taken out of the crawl folder for good is not fetched again, and leaves the crawl's own tables too."""

import sqlite3
from collections.abc import Iterable

from garimpo.crawl.state import schema
from garimpo.url import normalise


class Removed:
    """URLs and hosts that were taken down.

    >>> removed = Removed(["http://a.org/x", "b.org"])
    >>> removed.has("http://a.org/x", "a.org"), removed.has("http://a.org/", "a.org"), removed.has("http://b.org/", "b.org")
    (True, False, True)
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        named = list(named)
        self.urls = {normalise(one) or one for one in named if "://" in one}
        self.hosts = {one.lower() for one in named if "://" not in one}

    def has(self, url: str, name: str) -> bool:
        """Whether the URL on host `name` is one of them."""
        return name in self.hosts or url in self.urls


def forget(db: sqlite3.Connection, removed: Removed) -> None:
    """Delete every row about a removed URL; the seen set keeps its key, which says nothing."""
    with db:
        for name in removed.hosts:
            schema.delete_host(db, name)
        for url in removed.urls:
            schema.delete_url(db, url)
