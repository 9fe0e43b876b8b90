"""The default topic classifier: a calibrated linear model from positives and unlabelled documents.

Documents are sets of words, each word weighed by how differently it occurs among positives and the rest. Positives against
all unlabelled gives a first order; the share of hidden positives is estimated from it, that share of the unlabelled is
taken for positive, and the model is trained anew, a few rounds. All orders come from models that did not see the
document (cross-fitting), so the last one also says where to cut: at the largest estimated F1.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from garimpo.focus.linear import Floats, LinearTopic, Matrix, scaled

FEW = 100
"""Below so many positives the model is held more firmly and given more rounds."""


class PositiveUnlabelled(LinearTopic):
    """Positives against unlabelled, with the share of hidden positives estimated.

    >>> X, y = [[3, 0, 1], [2, 0, 1], [0, 2, 1], [0, 1, 1], [0, 3, 1], [4, 0, 1]], [1, 1, 0, 0, 0, 0]
    >>> PositiveUnlabelled().fit(X, y).predict([[1, 0, 1], [0, 1, 1]]).tolist()
    [1, 0]
    """

    binary = True

    def __init__(self, folds: int = 5, random_state: int = 0) -> None:
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "PositiveUnlabelled":
        """Learn from rows of word counts; the larger label of `y` is positive, the other unlabelled."""
        positive, unlabelled = self._split(X, y)
        few = positive.shape[0] < FEW
        self._C, rounds = (3.0, 6) if few else (10.0, 3)
        documents = sp.vstack([positive, unlabelled]).tocsr()
        documents.data = (documents.data > 0).astype(np.float64)
        count, total = positive.shape[0], documents.shape[0]
        fold = self._fold_numbers(count, total)
        label = np.zeros(total - count)
        self.scale_ = contrast(documents, count, label)
        rows = scaled(documents, self.scale_, True)
        scores, models = self._cross(rows, count, label, fold)
        for _ in range(rounds):
            share = hidden_share(scores[:count], scores[count:])
            label = _top(scores[count:], share)
            if not few:
                self.scale_ = contrast(documents, count, label)
                rows = scaled(documents, self.scale_, True)
            scores, models = self._cross(rows, count, label, fold)
        share = hidden_share(scores[:count], scores[count:])
        self.prior_ = share
        cut = best_cut(scores[:count], scores[count:], share)
        self.coef_ = np.mean([model[0] for model in models], axis=0)
        self.intercept_ = float(np.mean([model[1] for model in models])) - cut
        self.slope_ = _slope(scores - cut, np.concatenate([np.ones(count), label]))
        return self

    def _fold_numbers(self, positives: int, total: int) -> NDArray[np.int64]:
        random = np.random.default_rng(self.random_state)
        folds = max(2, min(self.folds, positives))
        parts = [random.permutation(np.arange(size) % folds) for size in (positives, total - positives)]
        return np.concatenate(parts)

    def _cross(
        self, rows: Matrix, positives: int, label: Floats, fold: NDArray[np.int64]
    ) -> tuple[Floats, list[tuple[Floats, float]]]:
        """The score of every row by a model that did not see it, and those models."""
        scores, models = np.empty(rows.shape[0]), []
        for number in range(int(fold.max()) + 1):
            held = fold == number
            seen = ~held
            if not seen[:positives].any():
                seen[:positives] = True  # one positive page: it cannot be held back
            model = _regression(rows, positives, label, seen, self._C)
            scores[held] = model.decision_function(rows[held])
            models.append((model.coef_.ravel(), float(model.intercept_[0])))
        return scores, models


def contrast(documents: Matrix, positives: int, label: Floats) -> Floats:
    """How differently each word occurs among positives and the rest: 0.2 plus the absolute log ratio of its rates."""
    weight = np.concatenate([np.ones(positives), label])
    inside = np.asarray(weight @ documents).ravel()
    outside = np.asarray((1 - weight) @ documents).ravel()
    inside = (inside + 0.5) / (weight.sum() + 1)
    outside = (outside + 0.5) / ((1 - weight).sum() + 1)
    return np.asarray(0.2 + np.abs(np.log(inside / outside)))


def hidden_share(positives: Floats, unlabelled: Floats) -> float:
    """The share of the unlabelled that is positive: the least ratio of the two tails, where the positives' is not thin."""
    cuts = np.sort(unlabelled)[::-1]
    tail = np.arange(1, len(cuts) + 1) / len(cuts)
    recall = _smooth_recall(positives, cuts)
    enough = recall >= min(0.8, 0.2 + 1 / np.sqrt(len(positives)))
    if not enough.any():
        return 0.5
    return float(np.clip((tail / np.maximum(recall, 1e-9))[enough].min(), 1 / len(unlabelled), 0.9))


def best_cut(positives: Floats, unlabelled: Floats, share: float) -> float:
    """The score with the largest estimated F1 over positives and unlabelled together."""
    cuts = np.unique(np.concatenate([positives, unlabelled]))
    recall = _smooth_recall(positives, cuts)
    taken = 1 - np.searchsorted(np.sort(unlabelled), cuts) / len(unlabelled)
    p, u = len(positives), len(unlabelled)
    relevant, answered = (p + share * u) / (p + u), (p * recall + u * taken) / (p + u)
    best = int(np.argmax(2 * recall * relevant / (answered + relevant)))
    return float(cuts[best] + cuts[max(best - 1, 0)]) / 2


def _smooth_recall(positives: Floats, cuts: Floats) -> Floats:
    """The share of positives above each cut, each positive spread by a normal kernel."""
    width = 1.06 * positives.std() * len(positives) ** -0.2 + 1e-6
    grid = np.linspace(cuts.min(), cuts.max(), min(len(cuts), 512))
    recall = norm.sf((grid[:, None] - positives[None, :]) / width).mean(axis=1)
    return np.interp(cuts, grid, recall)


def _top(scores: Floats, share: float) -> Floats:
    """Labels for the unlabelled: the best `share` of them positive, from 1 down to a half."""
    label, size = np.zeros(len(scores)), max(1, round(share * len(scores)))
    label[np.argsort(-scores, kind="stable")[:size]] = np.linspace(1, 0.5, size)
    return label


def _regression(rows: Matrix, positives: int, label: Floats, seen: NDArray[np.bool_], C: float) -> LogisticRegression:
    """Logistic regression where an unlabelled row counts as positive by its label and as negative by the rest."""
    numbers, hidden = np.flatnonzero(seen), np.flatnonzero(seen[positives:] & (label > 0)) + positives
    weight = np.ones(len(numbers) + len(hidden))
    target = np.concatenate([numbers < positives, np.ones(len(hidden), bool)])
    weight[: len(numbers)][numbers >= positives] = 1 - label[numbers[numbers >= positives] - positives]
    weight[len(numbers) :] = label[hidden - positives]
    kept = weight > 1e-3
    model = LogisticRegression(C=C, solver="liblinear", random_state=0)
    return model.fit(rows[np.concatenate([numbers, hidden])[kept]], target[kept], sample_weight=weight[kept])


def _slope(decision: Floats, label: Floats) -> float:
    """How steep the probability is at the cut (Platt's fit with the cut held at one half)."""
    scale = max(float(np.abs(decision).mean()), 1e-9)
    steps = np.geomspace(0.25, 16, 25) / scale
    loss = [float(np.mean(np.logaddexp(0, s * decision) - label * s * decision)) for s in steps]
    return float(steps[int(np.argmin(loss))])
