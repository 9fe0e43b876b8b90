"""From a few good sites to many: through the pages that link to them, to the other sites those pages link to.

A page that links to good sites (a hub) tends to link to more. Every hub keeps a record of what became of the sites it
named; a candidate's chance is put together from the records of the hubs that name it. The search always decides the most likely
candidate of the hub with the best record, drawn with some luck (Thompson sampling) so that new hubs get their turn. A
detector errs, so its yes is weighed: a site counts as found once its chance before the detection and the detector's error
rates make it likely enough, at once or later, when its hubs have proved good; it is no witness for itself. Only found sites
recruit hubs of their own; so a false yes does not recruit its friends.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from garimpo.url import site as site_of


@runtime_checkable
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
    """`sensitivity` and `false_alarms` are the detector's error rates; the rest are limits.

    The search gives up when, over about the last `patience` detections, the share of yes falls below `give_up_below`: what the
    detector finds then is mostly its own errors.
    """

    sensitivity: float = 0.95
    false_alarms: float = 0.05
    accept: float = 0.9
    give_up_below: float = 0.2
    patience: int = 100
    backlinks_a_site: int = 15
    max_detections: int | None = None
    max_found: int | None = None
    prevalence: float = 0.1
    seed: int = 0


class _Hubs:
    """The records of all hubs, as two columns of counts; a hub with no open candidate is closed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._random = np.random.default_rng(settings.seed)
        self.row: dict[str, int] = {}
        self.names: list[list[str]] = []
        self.good, self.bad = np.zeros(64), np.zeros(64)
        self.open = np.zeros(64, bool)

    def add(self, page: str, names: list[str]) -> int:
        row = self.row[page] = len(self.names)
        self.names.append(names)
        if row >= len(self.open):
            self.good, self.bad = (np.concatenate([column, np.zeros(row)]) for column in (self.good, self.bad))
            self.open = np.concatenate([self.open, np.zeros(row, bool)])
        self.open[row] = True
        return row

    def chance(self, row: int, but: float = 0.0) -> float:
        """Mean of a Beta whose prior is the prevalence, worth two sites; `but` is what one site has added to the good ones."""
        good, bad = self.good[row] - but, self.bad[row] - (1 - but if but else 0.0)
        return float((good + 2 * self._settings.prevalence) / (good + bad + 2))

    def draw(self) -> int | None:
        """An open hub, by Thompson sampling."""
        rows = np.flatnonzero(self.open)
        if not len(rows):
            return None
        prior = 2 * self._settings.prevalence
        return int(rows[self._random.beta(self.good[rows] + prior, self.bad[rows] + 2 - prior).argmax()])


def locate(
    seeds: Iterable[str],
    links: LinkSource | Iterable[tuple[str, str]],
    detect: Callable[[str], bool | None] | Mapping[str, bool | None],
    settings: Settings | None = None,
    wanted: Callable[[str], bool] = lambda site: True,
) -> Location:
    """Search from `seeds` (sites or URLs, trusted to be good) along `links` (a source, or pairs of source page and target URL).

    `detect` says of a site whether it is good: a function, or the answers. `wanted` filters candidates, by top-level domain, say.

    >>> links = [("http://hub.com/", f"http://{name}.com/") for name in "abcdefgh"]
    >>> [found.site for found in locate(["http://a.com/", "b.com"], links, {"c.com": True, "d.com": True}).found]
    ['c.com', 'd.com']
    """
    source = links if isinstance(links, LinkSource) else LinkTable.of(links)
    decide = detect.get if isinstance(detect, Mapping) else detect
    return _Locator(source, decide, settings or Settings(), wanted).run(list(dict.fromkeys(map(site_of, seeds))))


class _Locator:
    def __init__(
        self, links: LinkSource, detect: Callable[[str], bool | None], settings: Settings, wanted: Callable[[str], bool]
    ) -> None:
        self._links, self._detect, self._settings, self._wanted = links, detect, settings, wanted
        self._hubs = _Hubs(settings)
        self._named_by: dict[str, list[int]] = {}
        self._decided: dict[str, bool | None] = {}
        self._doubtful: set[str] = set()
        self._found: list[Found] = []
        self._pages: list[str] = []
        self._added: dict[str, float] = {}
        self._yields = 1.0

    def run(self, seeds: list[str]) -> Location:
        for seed in seeds:
            self._decided[seed] = True
        for seed in seeds:
            self._recruit(seed)
        detections = 0
        while True:
            site = self._next()
            reason = self._stop(site, detections)
            if site is None or reason is not None:
                return Location(self._found, self._decided, reason or "nothing left to try")
            detections += 1
            self._decide(site)

    def _stop(self, site: str | None, detections: int) -> str | None:
        settings = self._settings
        if site is None:
            return "nothing left to try"
        if settings.max_detections is not None and detections >= settings.max_detections:
            return "budget of detections spent"
        if settings.max_found is not None and len(self._found) >= settings.max_found:
            return "enough sites found"
        if self._yields < settings.give_up_below:
            return "too few of the last sites were good"
        return None

    def _next(self) -> str | None:
        """The most likely open candidate of a drawn hub."""
        while (row := self._hubs.draw()) is not None:
            candidates = [name for name in self._hubs.names[row] if name not in self._decided and self._wanted(name)]
            if candidates:
                return max(candidates, key=self._chance)
            self._hubs.open[row] = False
        return None

    def _chance(self, site: str) -> float:
        """The hubs' records put together, damped because hubs copy from each other."""
        base = _logit(self._settings.prevalence)
        own = self._added.get(site, 0.0)  # a site is no witness for itself
        votes = [_logit(self._hubs.chance(row, own)) - base for row in self._named_by.get(site, ())]
        return _chance(base + sum(votes) / np.sqrt(len(votes))) if votes else self._settings.prevalence

    def _decide(self, site: str) -> None:
        answer = self._detect(site)
        self._decided[site] = answer
        if answer is None:
            return
        if answer:
            self._doubtful.add(site)
        self._yields += (answer - self._yields) / self._settings.patience
        belief = self._belief(site) if answer else 0.0
        if answer:
            self._added[site] = belief
        rows = self._named_by.get(site, [])
        for row in rows:
            self._hubs.good[row] += belief
            self._hubs.bad[row] += 1 - belief
        self._settle(rows)

    def _belief(self, site: str) -> float:
        """The chance that a site the detector said yes to is good."""
        weight = np.log(self._settings.sensitivity / self._settings.false_alarms)
        return _chance(_logit(self._chance(site)) + float(weight))

    def _settle(self, changed: list[int]) -> None:
        """Accept doubtful sites that changed hubs have made likely enough; what they recruit may change more."""
        while changed:
            row = changed[-1]
            changed = changed[:-1]
            for site in self._hubs.names[row]:
                if site in self._doubtful and (belief := self._belief(site)) >= self._settings.accept:
                    self._doubtful.discard(site)
                    self._found.append(Found(site, len(self._found) + 1, belief, self._pages[self._named_by[site][0]]))
                    changed = [*changed, *self._recruit(site)]

    def _recruit(self, site: str) -> list[int]:
        """Read the pages that link to a good site, and note the sites they name; the hubs that are new."""
        new = []
        for page in self._links.backlinks(site, self._settings.backlinks_a_site):
            if page in self._hubs.row:
                continue
            names = self._links.outlinks(page)
            row = self._hubs.add(page, names)
            self._pages.append(page)
            new.append(row)
            for name in names:
                answer = self._decided.get(name)
                if answer is not None:
                    belief = self._added.get(name, 1.0) if answer else 0.0
                    self._hubs.good[row] += belief
                    self._hubs.bad[row] += 1 - belief
                self._named_by.setdefault(name, []).append(row)
        return new


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.log(chance / (1 - chance)))


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))
