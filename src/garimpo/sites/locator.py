"""From a few good sites to many: through the pages that link to them, to the other sites those pages link to.

A page that links to good sites (a hub) tends to link to more. Every hub keeps a record of what became of the sites it
named; a candidate's chance is put together from the records of the hubs that name it. The search always decides the most likely
candidate of the hub with the best record, drawn with some luck (Thompson sampling) so that new hubs get their turn. A
detector errs, so its yes is weighed: a site counts as found once its chance before the detection and the detector's error
rates make it likely enough, at once or later, when its hubs have proved good; it is no witness for itself. Every yes recruits
the pages that link to it; what a false one brings has a poor record soon.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from garimpo.sites.archive_pages import site_named
from garimpo.sites.hubs import Hubs
from garimpo.url import site as site_of

NOT_LINKED = "no page is known that links to a seed"
NOT_NAMED = "the pages that link to the seeds name no other site that is wanted"
"""Why a search ends before its first step."""


@runtime_checkable
class LinkSource(Protocol):
    """Who links to a site, and what a page links to."""

    def backlinks(self, site: str, limit: int) -> list[str]: ...

    def outlinks(self, page: str) -> list[str]: ...


@dataclass
class LinkTable:
    """Links held in memory, as two maps; backlinks from the page with the most links first.

    Args:
        targets: the sites that each page links to.
        sources: the pages that link to each site.
    """

    targets: Mapping[str, list[str]]
    sources: Mapping[str, list[str]]

    @classmethod
    def of(cls, links: Iterable[tuple[str, str]]) -> "LinkTable":
        """From (source page, target URL) pairs.

        >>> table = LinkTable.of([("http://hub.com/", "http://a.com/x"), ("http://hub.com/", "http://b.com/")])
        >>> table.backlinks("a.com", 15), table.outlinks("http://hub.com/")
        (['http://hub.com/'], ['a.com', 'b.com'])
        """
        targets: dict[str, list[str]] = {}
        sources: dict[str, list[str]] = {}
        for source, target in dict.fromkeys((source, site_of(target)) for source, target in links):
            if site_of(source) != target:
                targets.setdefault(source, []).append(target)
                sources.setdefault(target, []).append(source)
        for pages in sources.values():
            pages.sort(key=lambda page: -len(targets[page]))
        return cls(targets, sources)

    def backlinks(self, site: str, limit: int) -> list[str]:
        return self.sources.get(site, [])[:limit]

    def outlinks(self, page: str) -> list[str]:
        return self.targets.get(page, [])


@dataclass(frozen=True)
class Found:
    """A site that the locator found, in order of discovery.

    Args:
        site: its registrable domain.
        rank: its place in the order of discovery, from 1.
        confidence: the chance that it is a good one.
        via: the page that named it.
    """

    site: str
    rank: int
    confidence: float
    via: str | None


@dataclass
class Location:
    """The end of a search.

    Args:
        found: The sites found, in order of discovery.
        decided: Every site that was decided, in order, with the detector's answer; the seeds first.
        reason: Why it stopped.
        via: The page that named each decided site first.
    """

    found: list[Found]
    decided: dict[str, bool | None]
    reason: str
    via: dict[str, str] = field(default_factory=dict)

    def harvest(self, step: int = 100) -> list[tuple[int, int]]:
        """How many sites the detector said yes to, after so many decided.

        Args:
            step: After how many decided sites each.

        >>> Location([], {"a.com": True, "b.com": False, "c.com": True}, "").harvest(step=2)
        [(2, 1), (3, 2)]
        """
        answers = np.cumsum([bool(answer) for answer in self.decided.values()])
        stops = sorted({*range(step, len(answers) + 1, step), len(answers)} - {0})
        return [(stop, int(answers[stop - 1])) for stop in stops]


@dataclass
class Settings:
    """How a search for sites goes.

    Args:
        sensitivity: The share of good sites that the detector says yes to.
        false_alarms: The share of other sites that it says yes to.
        accept: How likely a site must be good, after all its neighbours say, to count as found.
        give_up_below: Stop when the share of good sites among about the last `patience` falls below this, as far as the
            detector's error rates tell; 0: go on as long as there is a site to try.
        patience: Over how many sites that share is looked at.
        backlinks_a_site: How many pages that link to a site are read.
        max_detections: How many sites are decided, at most.
        max_found: How many sites are found, at most.
        prevalence: The chance of a site that nothing is known of.
        beside: How many sites are decided side by side.
        seed: Makes a search repeatable.
    """

    sensitivity: float = 0.95
    false_alarms: float = 0.08
    accept: float = 0.9
    give_up_below: float = 0.05
    patience: int = 100
    backlinks_a_site: int = 15
    max_detections: int | None = None
    max_found: int | None = None
    prevalence: float = 0.1
    beside: int = 1
    seed: int = 0


def locate(
    seeds: Iterable[str],
    links: LinkSource | Iterable[tuple[str, str]],
    detect: Callable[[str], bool | None] | Mapping[str, bool | None],
    settings: Settings | None = None,
    wanted: Callable[[str], bool] = lambda site: True,
) -> Location:
    """Search for sites like the seeds.

    Args:
        seeds: Sites or URLs, trusted to be good.
        links: A source of links, or pairs of source page and target URL.
        detect: Says of a site whether it is good: a function, or the answers.
        settings: How the search goes.
        wanted: Says which candidates are tried, by top-level domain, say.

    >>> links = [("http://hub.com/", f"http://{name}.com/") for name in "abcdefgh"]
    >>> [found.site for found in locate(["http://a.com/", "b.com"], links, {"c.com": True, "d.com": True}).found]
    ['c.com', 'd.com']
    """
    source = links if isinstance(links, LinkSource) else LinkTable.of(links)
    decide = detect.get if isinstance(detect, Mapping) else detect
    return _Locator(source, decide, settings or Settings(), wanted).run(list(dict.fromkeys(map(site_named, seeds))))


class _Locator:
    def __init__(
        self, links: LinkSource, detect: Callable[[str], bool | None], settings: Settings, wanted: Callable[[str], bool]
    ) -> None:
        self._links, self._detect, self._settings, self._wanted = links, detect, settings, wanted
        self._hubs = Hubs(settings.prevalence, settings.seed)
        self._names: list[list[str]] = []
        self._named_by: dict[str, list[int]] = {}
        self._decided: dict[str, bool | None] = {}
        self._doubtful: set[str] = set()
        self._found: list[Found] = []
        self._added: dict[str, float] = {}
        self._yields = 1.0

    def run(self, seeds: list[str]) -> Location:
        for seed in seeds:
            self._decided[seed] = True
        for seed in seeds:
            self._recruit(seed)
        detections = 0
        with ThreadPoolExecutor(self._settings.beside) as pool:
            while True:
                batch = self._batch(detections)
                reason = self._stop(batch, detections)
                if reason is not None:
                    via = {site: self._hubs.names[rows[0]] for site, rows in self._named_by.items() if site in self._decided}
                    return Location(self._found, self._decided, reason, via)
                detections += len(batch)
                for site, answer in zip(batch, pool.map(self._detect, batch)):
                    self._note(site, answer)

    def _stop(self, batch: list[str], detections: int) -> str | None:
        settings = self._settings
        if settings.max_detections is not None and detections >= settings.max_detections:
            return "budget of detections spent"
        if not batch:
            return "nothing left to try" if detections else NOT_NAMED if self._names else NOT_LINKED
        if settings.max_found is not None and len(self._found) >= settings.max_found:
            return "enough sites found"
        if self._good_share() < settings.give_up_below:
            return f"stopped paying: fewer than {settings.give_up_below:.0%} of the last sites were good"
        return None

    def _good_share(self) -> float:
        """The share of good sites among the last ones: that of yes without the false alarms in it."""
        settings = self._settings
        return max(0.0, (self._yields - settings.false_alarms) / (settings.sensitivity - settings.false_alarms))

    def _batch(self, detections: int) -> list[str]:
        """The sites to decide next, side by side."""
        most, left = self._settings.beside, self._settings.max_detections
        batch: list[str] = []
        while len(batch) < (most if left is None else min(most, left - detections)):
            site = self._next(batch)
            if site is None:
                break
            batch.append(site)
        return batch

    def _next(self, taken: list[str]) -> str | None:
        """The most likely open candidate of a drawn hub."""
        passed: list[int] = []
        try:
            while (row := self._hubs.draw()) is not None:
                candidates = [name for name in self._names[row] if name not in self._decided and self._wanted(name)]
                free = [name for name in candidates if name not in taken]
                if free:
                    return max(free, key=self._chance)
                self._hubs.open[row] = False
                if candidates:
                    passed.append(row)
            return None
        finally:
            self._hubs.open[passed] = True  # closed only until those taken are decided

    def _chance(self, site: str) -> float:
        """The hubs' records put together, damped because hubs copy from each other."""
        base = _logit(self._settings.prevalence)
        own = self._added.get(site, 0.0)  # a site is no witness for itself
        votes = [_logit(self._hubs.chance(row, own)) - base for row in self._named_by.get(site, ())]
        return _chance(base + sum(votes) / np.sqrt(len(votes))) if votes else self._settings.prevalence

    def _note(self, site: str, answer: bool | None) -> None:
        self._decided[site] = answer
        if answer is None:
            return
        self._yields += (answer - self._yields) / self._settings.patience
        belief = self._belief(site) if answer else 0.0
        if answer:
            self._doubtful.add(site)
            self._added[site] = belief
        rows = self._named_by.get(site, [])
        for row in rows:
            self._hubs.note(row, belief)
        recruited = self._recruit(site) if answer else []  # every yes does; the record of what it brings decides how far
        self._settle([*rows, *recruited])

    def _belief(self, site: str) -> float:
        """The chance that a site the detector said yes to is good."""
        weight = np.log(self._settings.sensitivity / self._settings.false_alarms)
        return _chance(_logit(self._chance(site)) + float(weight))

    def _settle(self, changed: list[int]) -> None:
        """Accept doubtful sites that changed hubs have made likely enough."""
        for site in dict.fromkeys(name for row in changed for name in self._names[row]):
            if site in self._doubtful and (belief := self._belief(site)) >= self._settings.accept:
                self._doubtful.discard(site)
                self._found.append(Found(site, len(self._found) + 1, belief, self._hubs.names[self._named_by[site][0]]))

    def _recruit(self, site: str) -> list[int]:
        """Read the pages that link to a site, and note the sites they name; the hubs that are new."""
        new = []
        for page in self._links.backlinks(site, self._settings.backlinks_a_site):
            if page in self._hubs:
                continue
            names = self._links.outlinks(page)
            row = self._hubs.row(page)
            self._names.append(names)
            new.append(row)
            for name in names:
                answer = self._decided.get(name)
                if answer is not None:
                    self._hubs.note(row, self._added.get(name, 1.0) if answer else 0.0)
                self._named_by.setdefault(name, []).append(row)
        return new


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.log(chance / (1 - chance)))


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))
