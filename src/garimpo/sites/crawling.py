"""Sites instead of pages, in a running crawl: a judge where pages are read, and a scorer that decides sites as they come.

The judge gives every page its chance to be a listing. The scorer keeps a short record of each site: while it is open, its links
are worth their priority; once a listing was seen, or the limit of pages was reached without one, they are worth almost nothing. A
link to a site not yet decided is worth what the site that names it has led to so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import Link, Page, Verdict
from garimpo.sites.model import SiteModel
from garimpo.url import site as site_of

PRIOR = 0.2
"""The chance of a site named by a page that is new to us."""
DECIDED = 0.001
"""What links into decided sites are worth: they come last, when nothing else is left."""


class SiteJudge:
    """A `Judge`: the chance that a page is a listing of the entity."""

    def __init__(self, model: SiteModel) -> None:
        self._model = model

    def read(self, page: Page) -> Verdict:
        score = self._model.listing(page)
        return Verdict(score=score, reason="listing" if score >= self._model.threshold else None)


@dataclass
class _Record:
    pages: int = 0
    relevant: bool | None = None
    named_by: set[str] = field(default_factory=set)


@dataclass
class _Hub:
    good: int = 0
    bad: int = 0

    @property
    def chance(self) -> float:
        return (self.good + 2 * PRIOR) / (self.good + self.bad + 2)


class SiteScorer:
    """A `Scorer` that decides sites: `relevant` maps every site met to its answer so far."""

    def __init__(self, model: SiteModel) -> None:
        self._model = model
        self._sites: dict[str, _Record] = {}
        self._hubs: dict[str, _Hub] = {}

    @property
    def relevant(self) -> dict[str, bool | None]:
        return {site: record.relevant for site, record in self._sites.items()}

    def learn(self, link: Link, verdict: Verdict) -> None:
        """A page was read: it may decide its site."""
        record = self._record(site_of(link.target))
        if record.relevant is not None:
            return
        record.pages += 1
        if verdict.score >= self._model.threshold:
            record.relevant = True
        elif record.pages >= self._model.limits.max_pages:
            record.relevant = False
        if record.relevant is not None:
            for name in record.named_by:
                hub = self._hubs.setdefault(name, _Hub())
                hub.good += record.relevant
                hub.bad += not record.relevant

    def replay(self, urls: Sequence[str], scores: Sequence[float | None]) -> None:
        """Take in pages that were read before this scorer was made."""
        for url, score in zip(urls, scores):
            if score is not None:
                self.learn(Link(url), Verdict(score))

    def score(self, links: pa.Table) -> NDArray[np.float32]:
        """Links inside a site by their priority, links to other sites by what their source led to."""
        sources = links.column("source").to_pylist()
        targets = links.column("target").to_pylist()
        anchors = links.column("anchor").to_pylist()
        depths = links.column("depth").to_pylist()
        scored = (self._score(*link) for link in zip(sources, targets, anchors, depths))
        return np.fromiter(scored, np.float32, links.num_rows)

    def _score(self, source: str, target: str, anchor: str | None, depth: int) -> float:
        here, there = site_of(source), site_of(target)
        record = self._record(there)
        if record.relevant is not None:
            return DECIDED
        if here != there:
            record.named_by.add(here)
            return 0.5 * self._hubs.setdefault(here, _Hub()).chance + 0.25
        worth = self._model.priority.score(target, anchor or "", source.count("/") == 3)
        patience = 1 - record.pages / self._model.limits.max_pages
        return float(patience / (1 + np.exp(-np.clip(worth, -20, 20)))) if worth >= 0 else 10 * DECIDED

    def _record(self, site: str) -> _Record:
        return self._sites.setdefault(site, _Record())
