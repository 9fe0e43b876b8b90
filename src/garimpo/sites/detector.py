"""Is this site about the entity? A best-first search for one listing page, in as few fetches as it takes.

The search holds the site's links in order of priority (ties: nearer to the root, then first met), fetches the best, and asks
the page judge. The first listing ends it: the site is relevant and that page is its entry. Limits keep it short: pages in
all, unproductive children of a page, depth, and no link of negative priority (of zero priority only from the root).
"""

import heapq
import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from garimpo.contract import Page
from garimpo.sites.priority import Priority
from garimpo.url import site as site_of

Get = Callable[[str], Page | None]
"""A page, or None where there is none. Raises `Refused` where it was not asked at all, `Unreadable` to say why there is none."""

FOUND, ODDS, BUDGET, EMPTY, UNREACHABLE = "found", "odds", "budget", "frontier empty", "root unreachable"
"""How a search ends: a listing; unlikely to find one; the limit of pages; no link left; not one page could be read."""
NO_LINKS, STRANGE, FOREIGN = "no links to follow", "words not known", "another language"
"""Why a site is unknown although it was read: forms or scripts only; words that training has not met, or pages that say they are
in another language than its listings."""
NO_SITE = "not the name or URL of a site"
LINKS_A_PAGE = 2_000
"""No menu or listing has more links than this; what follows is not looked at."""
STRANGE_BELOW = 0.1
"""The share of known words below which a site speaks another language."""


class Odds(Protocol):
    """The sequential stop rule: the chance that the search still ends at a listing, and when that is too little."""

    give_up_below: float

    def __call__(self, trace: "Trace") -> float: ...


class Refused(Exception):
    """The URL was not requested: robots.txt forbids it, or its name does not resolve. Counts as no page."""


class Unreadable(Exception):
    """The server was asked and gave no page of the site; the message says what it did instead."""


@dataclass(frozen=True)
class Limits:
    """The limits of the source, at its working point. `None` children: no limit."""

    max_pages: int = 10
    max_bad_children: int | None = 3
    max_bad_children_root: int | None = 6
    follow_zero_everywhere: bool = False
    max_depth: int = 2
    root_may_be_index: bool = True


@dataclass
class Visit:
    """One page that was fetched on the way: `score` is its chance to be a listing, `topic` to stand on a relevant site."""

    url: str
    priority: float
    level: int
    score: float
    topic: float = 0.5
    page: Page | None = None


@dataclass
class Trace:
    """What a search has seen so far."""

    visits: list[Visit] = field(default_factory=list)
    best_waiting: float = 0.0
    waiting: int = 0
    problem: str = ""


@dataclass
class Detection:
    """The answer about one site. `relevant` None: unknown, for the reason given."""

    site: str
    relevant: bool | None
    reason: str
    entry_url: str | None = None
    score: float = 0.0
    visits: list[Visit] = field(default_factory=list)

    @property
    def pages_fetched(self) -> int:
        return len(self.visits)


class Search:
    """One site's search: the frontier of its links and the counts of unproductive children."""

    def __init__(self, root: str, priority: Priority, limits: Limits) -> None:
        self.site = site_of(root)
        self._priority, self._limits = priority, limits
        self._heap: list[tuple[float, int, int, str, str | None]] = [(0.0, 0, 0, root, None)]
        self._best: dict[str, float] = {root: 0.0}
        self._place: dict[str, tuple[int, str | None]] = {root: (0, None)}
        self._numbers = itertools.count(1)
        self._done: set[str] = set()
        self._bad: dict[str | None, int] = {}
        self._menu: set[str] = set()
        self.root = root

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
        """Add the links of a page that are worth following; those of the root were judged there, wherever they stand again."""
        if level >= self._limits.max_depth:
            return
        links = page.links[:LINKS_A_PAGE]
        for link in links:
            if link.target in self._done or link.target in self._menu or site_of(link.target) != self.site:
                continue
            priority = self._priority.score(link.target, link.anchor, level == 0)
            zero_allowed = level == 0 or self._limits.follow_zero_everywhere
            if priority > 0 or (priority == 0 and zero_allowed):
                self._add(link.target, priority, level + 1, url)
        if level == 0:
            self._menu = {link.target for link in links}

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
        return any(link.target != page.url and site_of(link.target) == self.site for link in page.links)

    def waiting(self) -> tuple[int, float]:
        """How many links wait, and the priority of the best."""
        live = [-minus for minus, _, _, url, _ in self._heap if url not in self._done]
        return len(live), max(live, default=0.0)


def detect(
    root: str,
    get: Get,
    judge: Callable[[Page], float],
    priority: Priority,
    limits: Limits | None = None,
    threshold: float = 0.5,
    odds: Odds | None = None,
    topic: Callable[[Page], float] | None = None,
) -> Detection:
    """Search one site from its root. `judge` gives the probability that a page is a listing of the entity.

    `odds` is the sequential stop rule; `topic` (the probability that a page stands on a relevant site) is evidence for it.
    """
    limits = limits or Limits()
    search, trace, digests = Search(root, priority, limits), Trace(), set[int]()
    while len(trace.visits) < limits.max_pages:
        step = search.next()
        if step is None:
            return _ended(search, trace, EMPTY)
        url, rank, level = step
        try:
            page = get(url)
        except Refused as error:
            trace.problem = trace.problem or str(error)
            continue
        except Unreadable as error:
            page, trace.problem = None, trace.problem or str(error)
        visit = Visit(url, rank, level, 0.0, page=page)
        if page is not None:
            visit.score, visit.topic = judge(page), topic(page) if topic is not None else 0.5
        trace.visits.append(visit)
        if page is not None and visit.score >= threshold and (level > 0 or limits.root_may_be_index):
            return Detection(search.site, True, FOUND, url, visit.score, trace.visits)
        search.unproductive(url)
        repeated = page is not None and page.text_digest is not None and page.text_digest in digests
        if page is not None and not repeated:
            digests.add(page.text_digest or 0)
            search.expand(page, url, level)
        trace.waiting, trace.best_waiting = search.waiting()
        if odds is not None and odds(trace) < odds.give_up_below:
            return _ended(search, trace, ODDS)
    return _ended(search, trace, BUDGET)


def _ended(search: Search, trace: Trace, reason: str) -> Detection:
    """A search without a listing: no, or unknown where the site could not be read."""
    best = max((visit.score for visit in trace.visits), default=0.0)
    pages = [visit.page for visit in trace.visits if visit.page is not None]
    if not pages:
        return Detection(search.site, None, trace.problem or UNREACHABLE, None, best, trace.visits)
    if not any(map(search.has_links, pages)):
        return Detection(search.site, None, NO_LINKS, None, best, trace.visits)
    return Detection(search.site, False, reason, None, best, trace.visits)


def detect_breadth_first(
    root: str, get: Get, judge: Callable[[Page], float], limits: Limits | None = None, threshold: float = 0.5
) -> Detection:
    """The baseline: the same judge and page limit, links in the order they are met, no priorities, no depth."""
    limits = limits or Limits()
    queue, seen, visits = deque([(root, 0)]), {root}, list[Visit]()
    site = site_of(root)
    while queue and len(visits) < limits.max_pages:
        url, level = queue.popleft()
        try:
            page = get(url)
        except (Refused, Unreadable):
            continue
        visits.append(Visit(url, 0.0, level, judge(page) if page is not None else 0.0, page=page))
        if visits[-1].score >= threshold and (level > 0 or limits.root_may_be_index):
            return Detection(site, True, FOUND, url, visits[-1].score, visits)
        for link in page.links if page is not None else ():
            if link.target not in seen and site_of(link.target) == site:
                seen.add(link.target)
                queue.append((link.target, level + 1))
    best = max((visit.score for visit in visits), default=0.0)
    if not any(visit.page for visit in visits):
        return Detection(site, None, UNREACHABLE, None, best, visits)
    return Detection(site, False, BUDGET if queue else EMPTY, None, best, visits)
