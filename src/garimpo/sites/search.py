"""The frontier of one site's search: its links in order of priority, under the limits.

Ties go to the link nearer to the root, then to the one met first. A URL counts by the best anchor seen for it, wherever that
stood; it keeps the page it was first met on. A page whose children were no listings too often has no more of them visited.
"""

import heapq
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from garimpo.contract import Link, Page
from garimpo.sites.priority import Priority
from garimpo.url import site as site_of

LINKS_A_PAGE = 2_000
"""No menu or listing has more links than this; what follows is not looked at."""

_NO_PAGE = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|svg|ico|bmp|tiff?|css|js|json|xml|rss|zip|gz|rar|7z|exe|apk|dmg|docx?|xlsx?|pptx?|csv"
    r"|mp[34]|m4[av]|avi|mov|wmv|webm|ogg|wav|swf|woff2?|ttf|eot)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Limits:
    """The limits of a search, by default at the working point of the source.

    Args:
        max_pages: How many pages of a site are asked for, at most.
        max_bad_children: How many children of a page may be no listings before its other links are dropped; None: no limit.
        max_bad_children_root: The same for the page the search began at.
        follow_zero_everywhere: Also follow links of priority 0 that do not stand on the first page.
        max_depth: How many links away from the first page the search goes.
        root_may_be_index: Whether the first page itself may be the listing.

    >>> Limits(max_pages=5).max_depth
    2
    """

    max_pages: int = 10
    max_bad_children: int | None = 3
    max_bad_children_root: int | None = 6
    follow_zero_everywhere: bool = False
    max_depth: int = 2
    root_may_be_index: bool = True


def may_be_page(url: str) -> bool:
    """Whether a URL may lead to a page, by its ending: documents, pictures and the like do not.

    >>> may_be_page("http://a.com/tabela.PDF"), may_be_page("http://a.com/casas.html"), may_be_page("http://a.com/v1.2/")
    (False, True, True)
    """
    return _NO_PAGE.search(urlsplit(url).path) is None


class Search:
    """One site's search; `starts` are further pages to begin at, where the one before could not be read or leads nowhere."""

    def __init__(self, root: str, priority: Priority, limits: Limits, starts: Sequence[str] = ()) -> None:
        self.site = site_of(root)
        self._priority, self._limits = priority, limits
        self._heap: list[tuple[float, int, int, str, str | None]] = []
        self._best: dict[str, float] = {}
        self._place: dict[str, tuple[int, str | None]] = {}
        self._numbers = itertools.count()
        self._done: set[str] = set()
        self._bad: dict[str | None, int] = {}
        self._menu: set[str] = set()
        self._starts = iter([url for url in starts if url != root])
        self.root = root
        self._begin(root)

    def _begin(self, url: str) -> None:
        if url not in self._best:
            self._best[url], self._place[url] = 0.0, (0, None)
            heapq.heappush(self._heap, (0.0, 0, next(self._numbers), url, None))

    def begin_again(self) -> bool:
        """Put the next of the other starts on the frontier; False if there is none."""
        url = next((url for url in self._starts if url not in self._done), None)
        if url is None:
            return False
        self.root = url
        self._begin(url)
        return True

    def next(self) -> tuple[str, float, int] | None:
        """The best link whose parent is not exhausted."""
        while self._heap:
            minus, level, _, url, referrer = heapq.heappop(self._heap)
            if url in self._done or -minus < self._best[url]:  # taken already, or raised since
                continue
            self._done.add(url)
            if not self._exhausted(referrer):
                return url, -minus, level
        return None

    def _exhausted(self, referrer: str | None) -> bool:
        limit = self._limits.max_bad_children_root if referrer == self.root else self._limits.max_bad_children
        return referrer is not None and limit is not None and self._bad.get(referrer, 0) >= limit

    def unproductive(self, url: str) -> None:
        """Count a page that was no listing against the page it was linked from."""
        referrer = self._place[url][1]
        self._bad[referrer] = self._bad.get(referrer, 0) + 1

    def expand(self, page: Page, url: str, level: int) -> None:
        """Add the links of a page that are worth following; one of the first page is judged as such wherever it stands."""
        if level >= self._limits.max_depth:
            return
        links = [link for link in page.links[:LINKS_A_PAGE] if link.target not in self._done and self._inside(link)]
        for link in links:
            from_root = level == 0 or link.target in self._menu
            priority = self._priority.score(link.target, link.anchor, from_root)
            if priority > 0 or (priority == 0 and (from_root or self._limits.follow_zero_everywhere)):
                self._add(link.target, priority, 1 if from_root else level + 1, self.root if from_root else url)
        if level == 0:
            self._menu |= {link.target for link in links}

    def _inside(self, link: Link) -> bool:
        return site_of(link.target) == self.site and may_be_page(link.target)

    def _add(self, target: str, priority: float, level: int, referrer: str) -> None:
        known = self._best.get(target)
        if known is not None and priority <= known:
            return
        self._best[target] = priority
        level, first = (min(level, self._place[target][0]), self._place[target][1]) if known is not None else (level, referrer)
        self._place[target] = (level, first)
        heapq.heappush(self._heap, (-priority, level, next(self._numbers), target, first))

    def has_links(self, page: Page) -> bool:
        """Whether a page links to another page of the site."""
        return any(link.target != page.url and self._inside(link) for link in page.links)

    def waiting(self) -> tuple[int, float]:
        """How many links wait, and the priority of the best."""
        live = [-minus for minus, _, _, url, _ in self._heap if url not in self._done]
        return len(live), max(live, default=0.0)
