"""Is this site about the entity? A best-first search for one listing page, in as few fetches as it takes.

The search fetches the most promising link, and asks the page judge. The first listing ends it: the site is relevant and that page
is its entry. A search without a listing ends at its limits, or earlier when the odds are clear; then all that was read votes
(`Vote`): the site is relevant, is not, or, where the evidence is thin, is unknown.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from garimpo.contract import Page
from garimpo.sites.priority import Priority
from garimpo.sites.search import Limits, Search
from garimpo.url import site as site_of

Get = Callable[[str], Page | None]
"""A page, or None where there is none. Raises `Refused` where it was not asked at all, `Unreadable` to say why there is none."""

FOUND, EVIDENCE, ODDS, BUDGET, EMPTY = "found", "evidence", "odds", "budget", "frontier empty"
"""How a search ends: a listing; all pages together; unlikely to find one; the limit of pages; no link left."""
UNREACHABLE = "root unreachable"
NO_LINKS, STRANGE, FOREIGN = "no links to follow", "words not known", "another language"
"""Why a site is unknown although it was read: forms or scripts only; words that training has not met; pages in another language
than the examples."""
MISSING, UNSURE = "promising links not in the archive", "evidence both ways"
"""... and: links that may lead to a listing could not be followed; pages that speak for and against."""
NO_SITE = "not the name or URL of a site"
FEW = 3
"""Fewer pages than this, without a link among them, are too thin for an answer."""


class Vote(Protocol):
    """All evidence together: the chance that the site is relevant, and between which chances nothing is said."""

    no_below: float
    yes_from: float

    def __call__(self, trace: "Trace") -> float: ...


class Odds(Protocol):
    """The sequential stop rule: the chance that the search still ends at a listing, and when that is too little."""

    give_up_below: float

    def __call__(self, trace: "Trace") -> float: ...


class Refused(Exception):
    """The URL was not requested: robots.txt forbids it, or its name does not resolve. Counts as no page."""


class NotArchived(Refused):
    """The archive does not have the URL: nothing is known about it."""


class Unreadable(Exception):
    """The server was asked and gave no page of the site; the message says what it did instead."""


@dataclass
class Visit:
    """One page that was asked for on the way.

    Args:
        url: The page.
        priority: That of the link that led to it.
        level: How many links it is away from where the search began.
        score: Its chance to be a listing of the entity.
        topic: Its chance to stand on a relevant site.
        page: What it says; None if it could not be read.
        chance: The chance that the site is relevant, after this page and all before.
    """

    url: str
    priority: float
    level: int
    score: float
    topic: float = 0.5
    page: Page | None = None
    chance: float | None = None


@dataclass
class Trace:
    """What a search has seen so far."""

    visits: list[Visit] = field(default_factory=list)
    best_waiting: float = 0.0
    waiting: int = 0
    problem: str = ""
    missing: int = 0


@dataclass
class Detection:
    """The answer about one site.

    Args:
        site: Its name.
        relevant: Whether it is about the entity; None: unknown, for the reason given.
        reason: How the search ended.
        entry_url: A listing, or the page that is most like one.
        score: The chance that the site is relevant.
        visits: The pages that were asked for, in order.

    >>> Detection("a.com", None, "answers 503").pages_fetched
    0
    """

    site: str
    relevant: bool | None
    reason: str
    entry_url: str | None = None
    score: float = 0.0
    visits: list[Visit] = field(default_factory=list)

    @property
    def pages_fetched(self) -> int:
        return len(self.visits)


@dataclass
class Judges:
    """What a search asks about the pages it reads.

    Args:
        listing: The chance that a page is a listing of the entity.
        priority: What a link is worth before it is followed.
        threshold: From which chance on a page is a listing.
        topic: The chance that a page stands on a relevant site.
        odds: When to give up.
        vote: All evidence together, where no listing was found.
        strange: Why pages cannot be judged (another language), if they cannot.
    """

    listing: Callable[[Page], float]
    priority: Priority
    threshold: float = 0.5
    topic: Callable[[Page], float] | None = None
    odds: Odds | None = None
    vote: Vote | None = None
    strange: Callable[[Sequence[Page]], str | None] | None = None


def search_site(root: str, get: Get, judges: Judges, limits: Limits | None = None, starts: Sequence[str] = ()) -> Detection:
    """Search one site.

    Args:
        root: Where to begin.
        get: Gives pages.
        judges: What is asked about them.
        limits: The limits of the search.
        starts: Other pages to begin at, the best first, where the root cannot be read or leads nowhere.
    """
    return _Run(root, get, judges, limits or Limits(), starts).run()


class _Run:
    """One search under way."""

    def __init__(self, root: str, get: Get, judges: Judges, limits: Limits, starts: Sequence[str]) -> None:
        self._get, self._judges, self._limits = get, judges, limits
        self._search = Search(root, judges.priority, limits, starts)
        self._trace, self._digests, self._followed = Trace(), set[int](), False

    def run(self) -> Detection:
        trace = self._trace
        while len(trace.visits) < self._limits.max_pages:
            step = self._search.next()
            if step is None:
                if not self._followed and self._search.begin_again():
                    continue
                return self._ended(EMPTY)
            visit = self._visit(*step)
            if visit is None:
                continue
            if self._is_listing(visit):
                return Detection(self._search.site, True, FOUND, visit.url, self._chance_with(visit.score), trace.visits)
            if self._foreign_so_far() or self._hopeless():
                return self._ended(ODDS)
        return self._ended(BUDGET)

    def _visit(self, url: str, priority: float, level: int) -> Visit | None:
        """Ask for a page and judge it; None where it was not asked for at all."""
        trace, judges, page = self._trace, self._judges, None
        try:
            page = self._get(url)
        except Refused as error:
            trace.problem = trace.problem or str(error)
            trace.missing += isinstance(error, NotArchived) and level > 0 and priority >= judges.priority.promising
            return None
        except Unreadable as error:
            trace.problem = trace.problem or str(error)
        visit = Visit(url, priority, level, 0.0, page=page)
        trace.visits.append(visit)
        if page is not None:
            visit.score = judges.listing(page)
            visit.topic = judges.topic(page) if judges.topic is not None else 0.5
        if not self._is_listing(visit):
            self._expand(visit)
        if judges.vote is not None:
            visit.chance = judges.vote(trace)
        return visit

    def _is_listing(self, visit: Visit) -> bool:
        may = visit.level > 0 or self._limits.root_may_be_index
        return visit.page is not None and may and visit.score >= self._judges.threshold

    def _chance_with(self, listing: float) -> float:
        """The chance that the site is relevant, given that of its listing: a page at the threshold is just enough for a yes."""
        vote = self._judges.vote
        return listing if vote is None else rescaled(listing, self._judges.threshold, vote.yes_from)

    def _expand(self, visit: Visit) -> None:
        self._search.unproductive(visit.url)
        page = visit.page
        if page is not None and (page.text_digest is None or page.text_digest not in self._digests):
            self._digests.add(page.text_digest or 0)
            self._search.expand(page, visit.url, visit.level)
        self._followed = self._followed or (visit.level > 0 and page is not None)
        self._trace.waiting, self._trace.best_waiting = self._search.waiting()

    def _pages(self) -> list[Page]:
        return [visit.page for visit in self._trace.visits if visit.page is not None]

    def _foreign_so_far(self) -> bool:
        """Two pages of another language are enough to leave."""
        pages, strange = self._pages(), self._judges.strange
        return strange is not None and len(pages) == 2 and strange(pages) == FOREIGN

    def _hopeless(self) -> bool:
        odds = self._judges.odds
        return odds is not None and odds(self._trace) < odds.give_up_below

    def _ended(self, reason: str) -> Detection:
        """A search without a listing: all that was read votes."""
        trace, search, judges, pages = self._trace, self._search, self._judges, self._pages()
        chance = judges.vote(trace) if judges.vote is not None else max((visit.score for visit in trace.visits), default=0.0)

        def answer(relevant: bool | None, why: str, entry: str | None = None) -> Detection:
            return Detection(search.site, relevant, why, entry, chance if pages else 0.0, trace.visits)

        if not pages:
            return answer(None, trace.problem or UNREACHABLE)
        thin = len(pages) < FEW and not any(map(search.has_links, pages))
        if judges.vote is not None and chance >= judges.vote.yes_from and not thin:
            best = max((visit for visit in trace.visits if visit.page is not None), key=lambda visit: visit.score)
            return answer(True, EVIDENCE, best.url)
        why = judges.strange(pages) if judges.strange is not None else None
        if why is None and trace.missing:
            why = MISSING
        if why is None and thin:
            why = NO_LINKS
        if why is None and judges.vote is not None and chance >= judges.vote.no_below:
            why = UNSURE
        return answer(None, why) if why is not None else answer(False, reason)


def rescaled(chance: float, threshold: float, even: float) -> float:
    """A chance on another scale: what was the threshold there is `even` here, by the same odds against it.

    >>> round(rescaled(0.3, 0.3, 0.6), 2), round(rescaled(0.9, 0.3, 0.6), 2)
    (0.6, 0.97)
    """
    odds = chance / max(1e-9, 1 - chance) * (1 - threshold) / threshold * even / (1 - even)
    return odds / (1 + odds)


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
