"""All evidence together: the chance that a site is relevant, where a search has found no listing.

Every page read has an opinion on how much it speaks like relevant sites: by its words and menus, its links and the types it
states. What their mean is worth is learned from searches over the example sites that found no listing either, with a judge that
did not see the site. So where listings are always found, a site without one needs much to be relevant, whatever it speaks of;
where the examples have only detail pages, they decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from garimpo.sites.detector import Trace, Visit

NO_BELOW, YES_FROM = 0.3, 0.6
"""Between these chances nothing is said."""


def evidence(visits: Sequence[Visit]) -> float:
    """What the pages read say of their site: the mean of their log-odds and of one page without an opinion.

    >>> evidence([Visit("http://a.com/", 0.0, 0, score=0.1, topic=0.5)])
    0.0
    """
    said = [_logit(visit.topic) for visit in visits if visit.page is not None]
    return sum(said) / (len(said) + 1)


def looked(visits: Sequence[Visit]) -> bool:
    """Whether a search could look for a listing: it followed links to pages of the site."""
    return any(visit.level > 0 and visit.page is not None for visit in visits)


@dataclass
class SiteVote:
    """A logistic regression over `evidence` and whether the search could look for a listing.

    Args:
        weight: What the evidence weighs; never below zero.
        intercept: The log-odds where it says nothing.
        looked: What it adds that the search looked along links and found no listing; never above zero.
        no_below: Below this chance a site is not relevant.
        yes_from: From this chance on it is.
        apart_weight: What the evidence weighs where no link of the site can be followed; None: as elsewhere.
        apart_intercept: The log-odds there, where it says nothing.
    """

    weight: float
    intercept: float
    looked: float = 0.0
    no_below: float = NO_BELOW
    yes_from: float = YES_FROM
    apart_weight: float | None = None
    apart_intercept: float = 0.0

    def __call__(self, trace: Trace) -> float:
        """The chance that the site is relevant."""
        said, along = evidence(trace.visits), looked(trace.visits)
        if self.apart_weight is not None and not along and not trace.waiting:
            odds = self.apart_weight * said + self.apart_intercept
        else:
            odds = self.weight * said + self.looked * along + self.intercept
        return float(1 / (1 + np.exp(-np.clip(odds, -50, 50))))


class Search(NamedTuple):
    """A search that found no listing: what it read, whether the site is relevant, and how many such searches it stands for."""

    visits: Sequence[Visit]
    good: bool
    weight: float = 1.0


def learn_vote(searches: Sequence[Search], apart: Sequence[Search] = ()) -> SiteVote:
    """From searches over the example sites, and from some single pages of each, `apart`, as they stand after each page."""
    weight, along, intercept = _fitted(searches)
    vote = SiteVote(max(0.0, weight), intercept, min(0.0, along))
    if any(search.good for search in apart) and not all(search.good for search in apart):
        weight, _, vote.apart_intercept = _fitted([*searches, *apart])
        vote.apart_weight = max(0.0, weight)
    return vote


def _fitted(searches: Sequence[Search]) -> tuple[float, float, float]:
    """The weights of a row and the intercept of a logistic regression, each search weighing the same."""
    searches = [search for search in searches if search.visits]
    steps = [[_row(search.visits[: i + 1]) for i in range(len(search.visits))] for search in searches]
    rows = np.array([step for own in steps for step in own])
    labels = np.array([search.good for own, search in zip(steps, searches) for _ in own], bool)
    shares = np.array([search.weight / len(own) for own, search in zip(steps, searches) for _ in own])
    if not labels.any() or labels.all():
        good = sum(search.good for search in searches)
        return 0.0, 0.0, _logit((good + 0.5) / (len(searches) + 1))
    model = LogisticRegression(C=1.0).fit(rows, labels, sample_weight=shares)
    return float(model.coef_[0, 0]), float(model.coef_[0, 1]), float(model.intercept_[0])


def _row(visits: Sequence[Visit]) -> tuple[float, bool]:
    return evidence(visits), looked(visits)


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(chance / (1 - chance)))
