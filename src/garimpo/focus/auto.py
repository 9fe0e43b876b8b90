"""The default topic classifier: a calibrated linear model from positives and unlabelled documents.

Documents are sets of words. A first order of the unlabelled ones says how large the share of hidden positives is; that share of
them is taken for positive, a model over words is trained so, and the labels are drawn anew by its order, a few rounds. Where
positives are few the first order comes from few concepts (the leading singular vectors), in which ten positives already say
something about words they do not have, and it keeps its voice in every round. Where they are many, each word is weighed by how
differently it occurs among positives and the rest. All orders come from models that did not see the document
(cross-fitting), so the last one also says where to cut: at the largest estimated F1.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.utils.extmath import randomized_svd
from threadpoolctl import threadpool_limits

from garimpo.focus.linear import Floats, LinearTopic, Matrix, idf_scale, scaled

FEW = 100
"""Positives below which words alone say too little for a first order."""
CONCEPTS = 50
ROUNDS = 3
FIRMNESS = {"concepts": 0.1, "words": 10.0}
"""C of the two logistic regressions."""
RICHER = 2.0
"""Documents to be judged are taken to hold at least so many times the odds of a positive among the unlabelled: they were looked
for. Where more positives were given, they are taken to be as rich as all that was given."""

Learned = tuple[Floats, Floats, float, Floats, list[tuple[Floats, float]]]
"""A scale for each word, labels of the unlabelled, the share of hidden positives, the score of every document, and the models
that gave them."""


class PositiveUnlabelled(LinearTopic):
    """Positives against unlabelled, with the share of hidden positives estimated.

    Args:
        folds: of the cross-validation that chooses and calibrates.
        random_state: from which the folds are drawn.

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
        documents = sp.vstack([positive, unlabelled]).tocsr()
        documents.data = (documents.data > 0).astype(np.float64)
        count, total = positive.shape[0], documents.shape[0]
        fold = self._fold_numbers(count, total)
        learn = _from_few if count < FEW else _from_many
        with threadpool_limits(1, "blas"):  # its threads spin while others use the cores: twenty times the CPU for small products
            self.scale_, label, self.prior_, scores, models = learn(documents, count, fold)
        cut = best_cut(scores[:count], scores[count:], self.prior_, RICHER)
        self.coef_ = np.mean([model[0] for model in models], axis=0)
        self.intercept_ = float(np.mean([model[1] for model in models])) - cut
        self.slope_ = _slope(scores - cut, np.concatenate([np.ones(count), label]))
        return self

    def _fold_numbers(self, positives: int, total: int) -> NDArray[np.int64]:
        random = np.random.default_rng(self.random_state)
        folds = max(2, min(self.folds, positives))
        parts = [random.permutation(np.arange(size) % folds) for size in (positives, total - positives)]
        return np.concatenate(parts)


def _from_few(documents: Matrix, count: int, fold: NDArray[np.int64]) -> Learned:
    scale = idf_scale(documents)
    rows = scaled(documents, scale, True)
    unlabelled = documents.shape[0] - count
    first, _ = _cross(concepts(rows), count, np.zeros(unlabelled), fold, FIRMNESS["concepts"], unlabelled / count)
    order = first
    for _ in range(ROUNDS):
        label = _top(order[count:], hidden_share(order[:count], order[count:]))
        scores, models = _cross(rows, count, label, fold, FIRMNESS["words"], 1.0)
        order = scores + first * (scores.std() / max(float(first.std()), 1e-9))
    # The first order is rough and puts the share too high. Each example has drawn documents like itself into the labels of the
    # last, which puts it too low.
    share = np.sqrt(hidden_share(first[:count], first[count:]) * hidden_share(scores[:count], scores[count:]))
    return scale, label, float(share), scores, models


def _from_many(documents: Matrix, count: int, fold: NDArray[np.int64]) -> Learned:
    label = np.zeros(documents.shape[0] - count)
    scale = contrast(documents, count, label)
    scores, models = _cross(scaled(documents, scale, True), count, label, fold, FIRMNESS["words"], 1.0)
    for _ in range(ROUNDS):
        label = _top(scores[count:], hidden_share(scores[:count], scores[count:]))
        scale = contrast(documents, count, label)
        scores, models = _cross(scaled(documents, scale, True), count, label, fold, FIRMNESS["words"], 1.0)
    return scale, label, hidden_share(scores[:count], scores[count:]), scores, models


def contrast(documents: Matrix, positives: int, label: Floats) -> Floats:
    """How differently each word occurs among positives and the rest: 0.2 plus the absolute log ratio of its rates."""
    weight = np.concatenate([np.ones(positives), label])
    inside = np.asarray(weight @ documents).ravel()
    outside = np.asarray((1 - weight) @ documents).ravel()
    inside = (inside + 0.5) / (weight.sum() + 1)
    outside = (outside + 0.5) / ((1 - weight).sum() + 1)
    return np.asarray(0.2 + np.abs(np.log(inside / outside)))


def concepts(rows: Matrix) -> Floats:
    """The documents in the space of the leading singular vectors, brought to length one.

    >>> concepts(sp.csr_matrix([[1.0, 0, 0], [0, 1, 1], [0, 1, 1]])).shape
    (3, 3)
    """
    left, values, _ = randomized_svd(rows, min(CONCEPTS, *rows.shape), n_iter=2, random_state=0)
    places = left * values
    return np.asarray(places / np.maximum(np.linalg.norm(places, axis=1, keepdims=True), 1e-12))


def _cross(
    rows: Any, positives: int, label: Floats, fold: NDArray[np.int64], C: float, worth: float
) -> tuple[Floats, list[tuple[Floats, float]]]:
    """The score of every row by a model that did not see it, and those models."""
    scores, models = np.empty(rows.shape[0]), []
    for number in range(int(fold.max()) + 1):
        held = fold == number
        seen = ~held
        if not seen[:positives].any():
            seen[:positives] = True  # one positive page: it cannot be held back
        model = _regression(rows, positives, label, seen, C, worth)
        scores[held] = model.decision_function(rows[held])
        models.append((model.coef_.ravel(), float(model.intercept_[0])))
    return scores, models


def hidden_share(positives: Floats, unlabelled: Floats) -> float:
    """The share of the unlabelled that is positive: the least ratio of the two tails, where the positives' is not thin."""
    cuts = np.sort(unlabelled)[::-1]
    tail = np.arange(1, len(cuts) + 1) / len(cuts)
    recall = _smooth_recall(positives, cuts)
    enough = recall >= min(0.8, 0.2 + 1 / np.sqrt(len(positives)))
    if not enough.any():
        return 0.5
    return float(np.clip((tail / np.maximum(recall, 1e-9))[enough].min(), 1 / len(unlabelled), 0.9))


def best_cut(positives: Floats, unlabelled: Floats, share: float, richer: float) -> float:
    """The score with the largest estimated F1 over documents so many times richer in positives than the unlabelled."""
    cuts = np.unique(np.concatenate([positives, unlabelled]))
    recall = _smooth_recall(positives, cuts)
    taken = 1 - np.searchsorted(np.sort(unlabelled), cuts) / len(unlabelled)
    wrong = np.clip((taken - share * recall) / (1 - share), 0, 1)
    hidden = share / (1 - share)
    odds = max(richer * hidden, hidden + len(positives) / ((1 - share) * len(unlabelled)))
    best = int(np.argmax(2 * odds * recall / (odds * (1 + recall) + wrong)))
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


def _regression(rows: Any, positives: int, label: Floats, seen: NDArray[np.bool_], C: float, worth: float) -> LogisticRegression:
    """Logistic regression; a positive has weight `worth`, an unlabelled row is positive by its label, negative by the rest."""
    numbers, hidden = np.flatnonzero(seen), np.flatnonzero(seen[positives:] & (label > 0)) + positives
    weight = np.full(len(numbers) + len(hidden), worth)
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
