"""A trained page classifier as plain arrays, so that it can be stored without code: linear, quadratic or a tree."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from garimpo.contract import Page
from garimpo.sites.listing import ListingClassifier
from garimpo.sites.page_features import PageFeatures, Vectors, features

LARGEST = float(np.log((1 - 1e-6) / 1e-6))
"""No classifier that gives chances is surer than this, in log-odds."""


class _Last:
    """The features of the page read last: listing and topic ask for the same page in turn."""

    def __init__(self) -> None:
        self._last: tuple[Page, PageFeatures] | None = None

    def __call__(self, page: Page) -> PageFeatures:
        last = self._last  # one look: threads may read different pages
        if last is None or last[0] is not page:
            self._last = last = page, features(page)
        return last[1]


_features = _Last()


@dataclass
class PageJudge:
    """The probability that a page is of a kind.

    Args:
        numbers: The numeric features it uses.
        kept: The words it knows, each with its name space.
        weights: One for each feature.
        intercept: The margin of a page without features.
        slope: Of the calibration of margins.
        shift: Of the calibration of margins.
        squares: Weights of the squares of the features (naive Bayes).
        tree: Feature, threshold, left, right and margin of each node of a decision tree, used instead of weights.
    """

    numbers: list[str]
    kept: list[str]
    weights: NDArray[np.float64]
    intercept: float
    slope: float
    shift: float
    squares: NDArray[np.float64] | None = None
    tree: NDArray[np.float64] | None = None
    _vectors: Vectors = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._vectors = Vectors(self.numbers, self.kept)

    @classmethod
    def of(cls, classifier: ListingClassifier) -> "PageJudge":
        """From a fitted classifier; its scaling is folded into the weights."""
        model, scale, vectors = classifier.model_, classifier.scaler_.scale_, classifier.vectors_
        squares = tree = None
        weights, intercept = np.zeros(len(scale)), 0.0
        if hasattr(model, "tree_"):
            tree = _tree(model.tree_, scale)
        elif hasattr(model, "theta_"):
            weights, squares, intercept = _gaussian(model)
            weights, squares = weights / scale, squares / scale**2
        else:
            dense = model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_
            weights, intercept = np.asarray(dense, float).ravel() / scale, float(np.ravel(model.intercept_)[0])
        shift = classifier.shift_
        return cls(list(vectors.numbers), vectors.kept, weights, intercept, classifier.slope_, shift, squares, tree)

    def parameters(self) -> dict[str, Any]:
        """All but the arrays, to be stored."""
        names = ("numbers", "kept", "intercept", "slope", "shift")
        return {name: getattr(self, name) for name in names}

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The arrays, to be stored under names that begin with `name`."""
        found = {name: self.weights, f"{name}-squares": self.squares, f"{name}-tree": self.tree}
        return {key: array for key, array in found.items() if array is not None}

    @classmethod
    def stored(cls, name: str, parameters: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> "PageJudge":
        """From what was stored."""
        judge = cls(weights=arrays[name], squares=arrays.get(f"{name}-squares"), tree=arrays.get(f"{name}-tree"), **parameters)
        size = len(judge.numbers) + len(judge.kept)
        fits = all(
            array is None or (array.shape == (size,) and array.dtype.kind == "f") for array in (judge.weights, judge.squares)
        )
        if not fits or (judge.tree is not None and not _is_tree(judge.tree, size)):
            raise ValueError(f"the arrays of {name} do not fit its {size:,} features")
        return judge

    def known_share(self, page: Page) -> float:
        """The share of a page's words that training has met; of a text in another script, none."""
        said = [word for word in _features(page).words if word.startswith("b:")]
        if not said:
            return 0.0 if any(map(str.isalpha, page.text)) else 1.0
        return sum(map(self._vectors.knows, said)) / len(said)

    def reasons(self, page: Page, most: int = 5) -> list[tuple[str, float]]:
        """The features of a page that speak loudest, for or against, with what each adds; none of a tree."""
        row = self._vectors.transform([_features(page)]).tocoo()
        names = [*self.numbers, *self.kept]
        said = [(names[i], self.slope * value * self.weights[i]) for i, value in zip(row.col, row.data)]
        return sorted((one for one in said if one[1]), key=lambda one: -abs(one[1]))[:most]

    def words(self, most: int = 15) -> tuple[list[str], list[str]]:
        """The words that speak loudest for the kind, and against it; none of a tree."""
        weights = self.weights[len(self.numbers) :]
        order = np.argsort(-weights, kind="stable")
        return (
            [self.kept[i] for i in order[:most] if weights[i] > 0],
            [self.kept[i] for i in order[::-1][:most] if weights[i] < 0],
        )

    def __call__(self, page: Page) -> float:
        margin = self._margin(self._vectors.transform([_features(page)]))
        return float(1 / (1 + np.exp(-np.clip(self.slope * margin + self.shift, -50, 50))))

    def _margin(self, row: csr_matrix) -> float:
        if self.tree is not None:
            return _walked(self.tree, row.toarray()[0])
        margin = float((row @ self.weights)[0]) + self.intercept
        if self.squares is None:
            return margin
        return float(np.clip(margin + (row.multiply(row) @ self.squares)[0], -LARGEST, LARGEST))


def _gaussian(model: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The log-odds of two Gaussians a feature, as weights of it and of its square."""
    (a, b), (va, vb) = model.theta_, model.var_
    constant = 0.5 * np.sum(np.log(va) - np.log(vb)) + 0.5 * np.sum(a * a / va - b * b / vb)
    prior = np.log(model.class_prior_[1] / model.class_prior_[0])
    return b / vb - a / va, 0.5 / va - 0.5 / vb, float(constant + prior)


def _tree(tree: Any, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    chance = np.clip(tree.value[:, 0, 1] / tree.value[:, 0].sum(axis=1), 1e-6, 1 - 1e-6)
    thresholds = np.where(tree.feature >= 0, tree.threshold * scale[np.maximum(tree.feature, 0)], 0.0)
    return np.array([tree.feature, thresholds, tree.children_left, tree.children_right, np.log(chance / (1 - chance))], float)


def _is_tree(tree: NDArray[np.float64], features: int) -> bool:
    """Whether a walk from the root reaches a leaf on every way."""
    if tree.ndim != 2 or len(tree) != 5 or not tree.shape[1] or not np.isfinite(tree).all():
        return False
    inner = np.flatnonzero(tree[0] >= 0)
    below = tree[2:4, inner]
    return bool((tree[0] < features).all() and (below > inner).all() and (below < tree.shape[1]).all())


def _walked(tree: NDArray[np.float64], row: NDArray[np.float64]) -> float:
    node = 0
    while tree[0, node] >= 0:
        node = int(tree[2 if row[int(tree[0, node])] <= tree[1, node] else 3, node])
    return float(tree[4, node])
