"""Sites instead of pages, in a running crawl: a judge where pages are read, and a scorer that decides sites as they come.

The judge gives every page its chance to be a listing; below the threshold, what counts is how much it speaks like good sites, so
that sites about other things are left after few pages. A page in another language than the model's is none. The scorer keeps a
short record of each site: while it is open, its links are worth their priority; once a listing was seen, or the limit of pages
was reached without one, the site is decided and its links are worth little: what sites it has led to so far, as a hub. A link to
a site not yet decided is worth more, by the same record of the site that names it and by how much the naming page speaks like
good sites.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import Link, Page, Verdict
from garimpo.sites.hubs import Hubs
from garimpo.sites.model import SiteModel
from garimpo.url import site as site_of

PRIOR = 0.2
"""The chance of a site named by a page that is new to us."""
NEW, BY_HUB, BY_PAGE = 0.1, 0.2, 0.7
"""What a link to another site is worth: something, by the record of the site that names it, and by what its page speaks of."""
DECIDED = 0.2
"""What links inside decided sites are worth at most: after those of open sites, the best hubs first."""
OFF_TOPIC, OFF_TOPIC_BELOW = 4, 0.05
"""A page that scores below this costs its site as much patience as so many pages."""
STRANGE = OFF_TOPIC_BELOW / 2
"""The score of a page that looks like a listing but cannot be judged: it is in another language, or in words not known."""
PROMISING = 3.0
"""A link inside an open site with this priority is worth half; new sites come before most others."""
NEVER = 0.001
"""What links are worth that lead nowhere: into decided sites from outside, or against the priorities."""


class SiteJudge:
    """A `Judge`: the chance that a page is a listing of the entity; else, below the threshold, that its site is a good one.

    Args:
        model: of the sites to collect.
    """

    def __init__(self, model: SiteModel) -> None:
        self._model = model

    def read(self, page: Page) -> Verdict:
        score, threshold = self._model.listing(page), self._model.threshold
        if score >= threshold:
            strange = self._model.strange([page])
            return Verdict(score=score, reason="listing") if strange is None else Verdict(score=STRANGE, reason=strange)
        topic = self._model.topic(page) if self._model.topic is not None else 0.5
        return Verdict(score=0.99 * threshold * topic)


@dataclass
class _Record:
    spent: int = 0
    relevant: bool | None = None
    named_by: set[str] = field(default_factory=set)


class SiteScorer:
    """A `Scorer` that decides sites: `relevant` maps every site met to its answer so far.

    Args:
        model: of the sites to collect.
    """

    def __init__(self, model: SiteModel) -> None:
        self._model = model
        self._sites: dict[str, _Record] = {}
        self._hubs = Hubs(PRIOR)

    @property
    def relevant(self) -> dict[str, bool | None]:
        return {site: record.relevant for site, record in self._sites.items()}

    def learn(self, link: Link, verdict: Verdict) -> None:
        """A page was read: it may decide its site."""
        record = self._record(site_of(link.target))
        if record.relevant is not None:
            return
        record.spent += OFF_TOPIC if verdict.score < OFF_TOPIC_BELOW else 1
        if verdict.score >= self._model.threshold:
            record.relevant = True
        elif record.spent >= self._model.limits.max_pages:
            record.relevant = False
        if record.relevant is not None:
            for name in record.named_by:
                self._hubs.note(name, float(record.relevant))

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
        scores = links.column("source_score").to_pylist()
        scored = (self._score(*link) for link in zip(sources, targets, anchors, scores))
        return np.fromiter(scored, np.float32, links.num_rows)

    def _score(self, source: str, target: str, anchor: str | None, source_score: float) -> float:
        here, there = site_of(source), site_of(target)
        record = self._record(there)
        if record.relevant is not None:
            return DECIDED * self._hubs.chance(self._hubs.row(here)) if here == there else NEVER
        if here != there:
            record.named_by.add(here)
            about = min(1.0, source_score / self._model.threshold)
            return NEW + BY_HUB * self._hubs.chance(self._hubs.row(here)) + BY_PAGE * about
        worth = self._model.priority.score(target, anchor or "", source.count("/") == 3)
        patience = 1 - record.spent / self._model.limits.max_pages
        return float(patience / (1 + np.exp(PROMISING - min(worth, 20.0)))) if worth >= 0 else NEVER

    def _record(self, site: str) -> _Record:
        return self._sites.setdefault(site, _Record())
