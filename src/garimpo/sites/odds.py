"""The sequential stop rule: the chance that a search will still find a listing, given what it has seen.

Learned from searches over the example sites, with page scores and priorities from models that did not see the site, so that
the searches go as they will go on new sites. After each page: what was seen so far, and whether the site has a listing (the
search may miss it only because not all pages of the site are known). The chance at which to give up is the lowest that a
search in a good site went through, and then some: stopping there would have cost no listing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from garimpo.sites.detector import Trace

LOSS = 0.005
"""The share of good sites that stopping early may cost on the example sites."""
CAUTION = 0.5
"""New sites differ from the examples: give up only at this share of the lowest chance met there, ..."""
FEW = 20
"""... at half of that when only so many good sites are known."""
MOST = 0.05
"""However clear the examples are, never give up while the chance is higher than this."""


FOLDS = 10
"""The lowest chances come from this many odds, each of which did not see its part of the searches."""


def trace_features(trace: Trace) -> list[float]:
    """A search so far, as numbers: pages, their best chance and topic, promises that were not kept, and what still waits."""
    scores = [_logit(visit.score) for visit in trace.visits] or [_logit(0.0)]
    topics = [_logit(visit.topic) for visit in trace.visits] or [_logit(0.0)]
    return [
        float(np.log1p(len(trace.visits))),
        max(scores),
        topics[0],
        max(topics),
        float(np.log1p(sum(max(visit.priority, 0.0) for visit in trace.visits))),
        float(np.log1p(trace.waiting)),
        max(trace.best_waiting, 0.0),
    ]


@dataclass
class SearchOdds:
    """A logistic regression over `trace_features`, and the chance below which to give up."""

    weights: NDArray[np.float64]
    intercept: float
    give_up_below: float

    def __call__(self, trace: Trace) -> float:
        """The chance that this site has a listing."""
        return self.chance(trace_features(trace))

    def chance(self, row: Sequence[float]) -> float:
        return float(1 / (1 + np.exp(-np.clip(np.asarray(row) @ self.weights + self.intercept, -50, 50))))


def learn_odds(searches: Sequence[tuple[list[list[float]], bool]]) -> SearchOdds | None:
    """From searches run to their end: their features after each page that was no listing, and whether there is one."""
    searches = [(steps, good) for steps, good in searches if steps]
    odds = _fitted(searches)
    if odds is None:
        return None
    lowest = sorted(_unseen_lowest(searches))
    caution = CAUTION * len(lowest) / (len(lowest) + FEW)
    odds.give_up_below = min(MOST, caution * lowest[int(LOSS * len(lowest))]) if lowest else 0.0
    return odds


def _fitted(searches: Sequence[tuple[list[list[float]], bool]]) -> SearchOdds | None:
    rows = np.array([row for steps, _ in searches for row in steps], float)
    labels = np.array([good for steps, good in searches for _ in steps])
    if labels.all() or not labels.any():
        return None
    weights = np.array([1 / len(steps) for steps, _ in searches for _ in steps])
    scale = rows.std(axis=0) + 1e-9
    model = LogisticRegression(C=1.0, max_iter=1000).fit(rows / scale, labels, sample_weight=weights)
    return SearchOdds(model.coef_[0] / scale, float(model.intercept_[0]), 0.0)


def _unseen_lowest(searches: Sequence[tuple[list[list[float]], bool]]) -> Iterator[float]:
    """The lowest chance each search in a good site went through, by odds that did not see that search."""
    folds = min(FOLDS, len(searches))
    for fold in range(folds):
        odds = _fitted([search for i, search in enumerate(searches) if i % folds != fold])
        for steps, good in searches[fold::folds]:
            if good and odds is not None:
                yield min(map(odds.chance, steps))


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(chance / (1 - chance)))
