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
    """

    weight: float
    intercept: float
    looked: float = 0.0
    no_below: float = NO_BELOW
    yes_from: float = YES_FROM

    def __call__(self, trace: Trace) -> float:
        """The chance that the site is relevant."""
        odds = self.weight * evidence(trace.visits) + self.looked * looked(trace.visits) + self.intercept
        return float(1 / (1 + np.exp(-np.clip(odds, -50, 50))))


class Search(NamedTuple):
    """A search that found no listing: what it read, whether the site is relevant, and how many such searches it stands for."""

    visits: Sequence[Visit]
    good: bool
    weight: float = 1.0


def learn_vote(searches: Sequence[Search]) -> SiteVote:
    """From searches over the example sites, as they stand after each page."""
    searches = [search for search in searches if search.visits]
    steps = [[_row(search.visits[: i + 1]) for i in range(len(search.visits))] for search in searches]
    rows = np.array([step for own in steps for step in own])
    labels = np.array([search.good for own, search in zip(steps, searches) for _ in own], bool)
    shares = np.array([search.weight / len(own) for own, search in zip(steps, searches) for _ in own])
    if not labels.any() or labels.all():
        good = sum(search.good for search in searches)
        return SiteVote(0.0, _logit((good + 0.5) / (len(searches) + 1)))
    model = LogisticRegression(C=1.0).fit(rows, labels, sample_weight=shares)
    return SiteVote(max(0.0, float(model.coef_[0, 0])), float(model.intercept_[0]), min(0.0, float(model.coef_[0, 1])))


def _row(visits: Sequence[Visit]) -> tuple[float, bool]:
    return evidence(visits), looked(visits)


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(chance / (1 - chance)))
