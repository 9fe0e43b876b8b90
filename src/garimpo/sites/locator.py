"""From a few good sites to many: through the pages that link to them, to the other sites those pages link to.

A page that links to good sites (a hub) tends to link to more. Every hub keeps a record of what became of the sites it
named; a candidate's chance is put together from the records of the hubs that name it, and the search always decides the
candidate with the best chance next, drawn with some luck (Thompson sampling) so that new hubs get their turn. A detector errs, so
its yes is weighed: a site counts as found once its chance before the detection and the detector's error rates make it
likely enough, at once or later, when its hubs have proved good. Only found sites recruit hubs of their own; so a false yes
does not recruit its friends.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from garimpo.url import site as site_of


class LinkSource(Protocol):
    """Who links to a site, and what a page links to."""

    def backlinks(self, site: str, limit: int) -> list[str]: ...

    def outlinks(self, page: str) -> list[str]: ...


@dataclass
class LinkTable:
    """Links held in memory, as two maps; backlinks from the page with the most links first."""

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
    """A site that the locator found, in order of discovery."""

    site: str
    rank: int
    confidence: float
    via: str | None


@dataclass
class Location:
    """The end of a search: what was found, what was tried, and why it stopped."""

    found: list[Found]
    decided: dict[str, bool | None]
    reason: str


@dataclass
class Settings:
    """`sensitivity` and `false_alarms` are the detector's error rates; the rest are limits."""

    sensitivity: float = 0.95
    false_alarms: float = 0.05
    accept: float = 0.9
    give_up_below: float = 0.01
    backlinks_a_site: int = 15
    max_detections: int | None = None
    max_found: int | None = None
    prevalence: float = 0.1
    seed: int = 0


@dataclass
class _Hub:
    good: float = 0.0
    bad: float = 0.0
    names: list[str] = field(default_factory=list)

    def chance(self, settings: Settings) -> float:
        """Mean of a Beta whose prior is the prevalence, worth two sites."""
        return (self.good + 2 * settings.prevalence) / (self.good + self.bad + 2)


def locate(
    seeds: Iterable[str],
    links: LinkSource,
    detect: Callable[[str], bool | None],
    settings: Settings | None = None,
    wanted: Callable[[str], bool] = lambda site: True,
) -> Location:
    """Search from `seeds` (sites that are trusted to be good). `wanted` filters candidates, by top-level domain, say."""
    return _Locator(links, detect, settings or Settings(), wanted).run(list(dict.fromkeys(seeds)))


class _Locator:
    def __init__(
        self, links: LinkSource, detect: Callable[[str], bool | None], settings: Settings, wanted: Callable[[str], bool]
    ) -> None:
        self._links, self._detect, self._settings, self._wanted = links, detect, settings, wanted
        self._random = np.random.default_rng(settings.seed)
        self._hubs: dict[str, _Hub] = {}
        self._named_by: dict[str, list[str]] = {}
        self._decided: dict[str, bool | None] = {}
        self._doubtful: set[str] = set()
        self._found: list[Found] = []

    def run(self, seeds: list[str]) -> Location:
        for seed in seeds:
            self._decided[seed] = True
            self._recruit(seed)
        detections = 0
        while True:
            site, chance = self._next()
            if site is None:
                return Location(self._found, self._decided, "nothing left to try")
            if chance < self._settings.give_up_below:
                return Location(self._found, self._decided, "the best candidate is too unlikely")
            if self._settings.max_detections is not None and detections >= self._settings.max_detections:
                return Location(self._found, self._decided, "budget of detections spent")
            if self._settings.max_found is not None and len(self._found) >= self._settings.max_found:
                return Location(self._found, self._decided, "enough sites found")
            detections += 1
            self._decide(site)

    def _next(self) -> tuple[str | None, float]:
        """The open candidate with the best drawn chance."""
        best, best_draw = None, -1.0
        for site, hubs in self._named_by.items():
            if site in self._decided:
                continue
            draw = max(self._draw(hub) for hub in hubs)
            if draw > best_draw:
                best, best_draw = site, draw
        return best, self._chance(best) if best is not None else 0.0

    def _draw(self, hub: str) -> float:
        record, settings = self._hubs[hub], self._settings
        return float(
            self._random.beta(record.good + 2 * settings.prevalence, record.bad + 2 * (1 - settings.prevalence))
        )

    def _chance(self, site: str) -> float:
        """The hubs' records put together, damped because hubs copy from each other."""
        base = _logit(self._settings.prevalence)
        votes = [_logit(self._hubs[hub].chance(self._settings)) - base for hub in self._named_by.get(site, ())]
        return _chance(base + sum(votes) / np.sqrt(len(votes))) if votes else self._settings.prevalence

    def _decide(self, site: str) -> None:
        answer = self._detect(site)
        self._decided[site] = answer
        if answer is None:
            return
        if answer:
            self._doubtful.add(site)
        belief = self._belief(site) if answer else 0.0
        for hub in self._named_by.get(site, ()):
            self._hubs[hub].good += belief
            self._hubs[hub].bad += 1 - belief
        self._settle()

    def _belief(self, site: str) -> float:
        """The chance that a site the detector said yes to is good."""
        weight = np.log(self._settings.sensitivity / self._settings.false_alarms)
        return _chance(_logit(self._chance(site)) + float(weight))

    def _settle(self) -> None:
        """Accept doubtful sites that have become likely enough, until none does."""
        while True:
            ready = [site for site in sorted(self._doubtful) if self._belief(site) >= self._settings.accept]
            if not ready:
                return
            for site in ready:
                self._doubtful.discard(site)
                via = self._named_by.get(site, [None])[0]
                self._found.append(Found(site, len(self._found) + 1, self._belief(site), via))
                self._recruit(site)

    def _recruit(self, site: str) -> None:
        """Read the pages that link to a good site, and note the sites they name."""
        for page in self._links.backlinks(site, self._settings.backlinks_a_site):
            if page in self._hubs:
                self._hubs[page].good += 0.0
                continue
            hub = self._hubs[page] = _Hub(names=self._links.outlinks(page))
            for name in hub.names:
                if self._decided.get(name) is True and name not in self._doubtful:
                    hub.good += 1.0
                elif self._decided.get(name) is False:
                    hub.bad += 1.0
                if self._wanted(name):
                    self._named_by.setdefault(name, []).append(page)


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.log(chance / (1 - chance)))


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))
