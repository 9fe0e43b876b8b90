"""B-PrTFIDF (Zhang and Lee 2005): the probability of being positive, from the words' shares in positives and unlabelled."""

from typing import Any

import numpy as np
from scipy import sparse as sp

from garimpo.focus.linear import Floats, LinearTopic, scaled

GRID = np.arange(100) / 100


class BPrTFIDF(LinearTopic):
    """Pr[positive] = (1 + b Pr[P] - Pr[U]) / 2 with b = (1 + p) / (1 - p); p is the share of positives left unlabelled.

    `p` is searched for by the biased F-measure r²/Pr[f = 1] on a part held back (`held`, a share of the rows), or on
    `validation=(X, y)` given to `fit`. Words never seen are left out; a document without a seen word is negative.

    Args:
        random_state: from which the part held back is drawn.

    >>> X, y = [[3, 0, 1], [2, 0, 1], [0, 2, 1], [0, 1, 1], [0, 3, 1], [4, 0, 1]], [1, 1, 0, 0, 0, 0]
    >>> BPrTFIDF(p=0.5).fit(X, y).predict([[1, 0, 1], [0, 1, 1]]).tolist()
    [1, 0]
    """

    euclidean = False

    def __init__(self, p: float | None = None, held: float = 0.25, random_state: int = 0) -> None:
        self.p = p
        self.held = held
        self.random_state = random_state

    def fit(self, X: Any, y: Any, validation: tuple[Any, Any] | None = None) -> "BPrTFIDF":
        """Learn from rows of word counts; the larger label of `y` is positive, the other unlabelled."""
        positive, unlabelled = self._split(X, y)
        self.p_ = self.p if self.p is not None else self._search(positive, unlabelled, validation)
        self._learn(positive, unlabelled)
        self.intercept_ = -(1 - self.p_) / 2
        return self

    def _learn(self, positive: Any, unlabelled: Any) -> None:
        self.scale_ = np.ones(positive.shape[1])
        inside, outside = (_mass(part) for part in (positive, unlabelled))
        self.scale_ = ((inside + outside) > 0).astype(np.float64)
        self.coef_ = inside / np.maximum(inside + outside, 1e-300)

    def _search(self, positive: Any, unlabelled: Any, validation: tuple[Any, Any] | None) -> float:
        if validation is not None:
            rows, label = sp.csr_matrix(validation[0]), np.asarray(validation[1]) == self.classes_[1]
            held_positive, held_unlabelled = rows[label], rows[~label]
        else:
            positive, held_positive = self._hold(positive)
            unlabelled, held_unlabelled = self._hold(unlabelled)
        self._learn(positive, unlabelled)
        return search_p(self._share(held_positive), self._share(held_unlabelled))

    def _hold(self, rows: Any) -> tuple[Any, Any]:
        held = max(1, int(self.held * rows.shape[0]))
        if rows.shape[0] < 2:
            return rows, rows
        order = np.random.default_rng(self.random_state).permutation(rows.shape[0])
        return rows[order[held:]], rows[order[:held]]

    def _share(self, rows: Any) -> Floats:
        return np.asarray(scaled(rows, self.scale_, False, False) @ self.coef_).ravel()

    def _probability(self, decision: Floats) -> Floats:
        return np.clip((decision - self.intercept_) / (1 - self.p_), 0, 1)


def _mass(rows: Any) -> Floats:
    """For each word the sum over documents of its share in the document."""
    return np.asarray(scaled(rows, np.ones(rows.shape[1]), False, False).sum(axis=0)).ravel()


def search_p(positives: Floats, unlabelled: Floats) -> float:
    """The p of 0.00, 0.01 ... 0.99 with the largest r²/Pr[f = 1]; the smallest of equals."""
    best, chosen = -1.0, 0.0
    total = len(positives) + len(unlabelled)
    for p in GRID:
        inside, outside = (positives > (1 - p) / 2).sum(), (unlabelled > (1 - p) / 2).sum()
        if inside + outside == 0:
            continue
        biased = (inside / len(positives)) ** 2 * total / (inside + outside)
        if biased > best:
            best, chosen = biased, float(p)
    return chosen
