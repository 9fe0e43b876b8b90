"""SVMC: a mapper finds strong negatives among the unlabelled, then nu-SVMs are trained until no more are found."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse as sp
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import NuSVC, OneClassSVM

from garimpo.contract.errors import GarimpoError
from garimpo.focus.linear import Floats, LinearTopic, idf_scale, scaled


class SVMC(LinearTopic):
    """Mapping and convergence with a choice of mapper (`dnf`, `osvm`, `cosine`) and kernel.

    The strong negatives of the mapper found are in `strong_`, the number of SVMs trained in `iterations_`.

    Args:
        mapper: how strong negatives are found.
        kernel: of the SVMs and of the mapper `cosine`, as scikit-learn names it.
        gamma: of kernels that are not linear, and of the mapper `osvm`.
        nu: of the SVMs; lowered until it can be reached.
        iterations: how many SVMs are trained at most.
        random_state: from which all that is drawn at random follows.

    >>> X, y = [[3, 0, 1], [2, 0, 1], [0, 2, 1], [0, 1, 1], [0, 3, 1], [4, 0, 1]], [1, 1, 0, 0, 0, 0]
    >>> SVMC("cosine").fit(X, y).predict([[1, 0, 1], [0, 1, 1]]).tolist()
    [1, 0]
    """

    def __init__(
        self, mapper: str = "cosine", kernel: str = "linear", gamma: float = 0.5, nu: float = 0.1,
        iterations: int = 50, random_state: int = 0,
    ) -> None:  # fmt: skip
        self.mapper = mapper
        self.kernel = kernel
        self.gamma = gamma
        self.nu = nu
        self.iterations = iterations
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "SVMC":
        """Learn from rows of word counts; the larger label of `y` is positive, the other unlabelled."""
        positive, unlabelled = self._split(X, y)
        self.scale_ = idf_scale(sp.vstack([positive, unlabelled]))
        positive, unlabelled = (scaled(part, self.scale_, False) for part in (positive, unlabelled))
        negative = self._map(positive, unlabelled)
        if not negative.any():  # every mapper can fail to find one: the farthest from the positives then begins
            negative[int(np.argmin(np.asarray(unlabelled @ positive.mean(axis=0).T).ravel()))] = True
        self.strong_ = negative.copy()
        random = np.random.default_rng(self.random_state)
        for iteration in range(1, self.iterations + 1):
            self._svm = self._train(positive, unlabelled[negative], random)
            self.iterations_ = iteration
            rest = np.flatnonzero(~negative)
            if not len(rest):
                break
            fresh = rest[self._decide(unlabelled[rest]) <= 0]
            if not len(fresh):
                break
            negative[fresh] = True
        self.slope_ = 2.0
        self.intercept_ = float(self._svm.intercept_[0])
        if self.kernel != "linear":
            self.coef_ = None
        return self

    def _map(self, positive: Any, unlabelled: Any) -> NDArray[np.bool_]:
        if self.mapper == "dnf":
            return one_dnf(positive, unlabelled)[0]
        if self.mapper == "osvm":
            return one_class(positive, unlabelled, self.gamma)[0]
        if self.mapper == "cosine":
            return cosine(positive, unlabelled, self.kernel, self.gamma)
        raise ValueError(f"mapper is {self.mapper!r}: dnf, osvm or cosine")

    def _train(self, positive: Any, negative: Any, random: np.random.Generator) -> NuSVC:
        """A nu-SVM on equal samples of both sides; nu is lowered until it is feasible."""
        size = min(positive.shape[0], negative.shape[0])
        parts = [part[np.sort(random.choice(part.shape[0], size, replace=False))] for part in (positive, negative)]
        rows, label = sp.vstack(parts).tocsr(), np.repeat([1, 0], size)
        linear = self.kernel == "linear"
        given = (rows @ rows.T).toarray() if linear else rows  # LIBSVM is ten times slower at products of sparse rows
        nu = self.nu
        while True:
            try:
                svm = NuSVC(nu=nu, kernel="precomputed" if linear else self.kernel, gamma=self.gamma).fit(given, label)
                if linear:
                    self.coef_ = svm.dual_coef_.ravel() @ rows[svm.support_]
                return svm
            except ValueError:
                if nu < 1e-6:
                    raise GarimpoError("SVMC: positives and strong negatives cannot be told apart") from None
                nu /= 2

    def decision_function(self, X: Any) -> Floats:
        """The signed score of each row; above zero is positive."""
        return self._decide(self._rows(X))

    def _decide(self, rows: Any) -> Floats:
        """The decision of the last SVM; a linear one needs none of its support vectors for that."""
        if self.kernel == "linear":
            return np.asarray(rows @ self.coef_ + float(self._svm.intercept_[0]))
        return np.asarray(self._svm.decision_function(rows)).ravel()


def one_dnf(positive: Any, unlabelled: Any) -> tuple[NDArray[np.bool_], float]:
    """Strong negatives hold none of the words whose rate in positives is over theta times that in unlabelled; and theta.

    Of the thetas 1.0, 1.1 ... 10.0 the lowest counts that finds a twentieth of the unlabelled: recall of the positives never
    grows with theta, so this is the source's lowest theta of the largest recall that finds something.
    """
    inside, outside = ((part > 0).astype(np.float64) for part in (positive, unlabelled))
    rates = [np.asarray(part.mean(axis=0)).ravel() for part in (inside, outside)]
    ratio = np.where(rates[1] > 0, rates[0] / np.maximum(rates[1], 1e-300), np.where(rates[0] > 0, np.inf, 0))
    for theta in np.arange(10, 101) / 10:
        strong = outside @ (ratio > theta).astype(np.float64) == 0
        if strong.mean() >= 0.05:
            break
    return strong, float(theta)


def one_class(positive: Any, unlabelled: Any, gamma: float) -> tuple[NDArray[np.bool_], float]:
    """Strong negatives lie outside a one-class SVM of the positives; and its nu, the one of largest recall."""
    inside = pairwise_kernels(positive, metric="rbf", gamma=gamma)
    best, chosen = -1.0, None
    for nu in (0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2):
        model = OneClassSVM(nu=nu, kernel="precomputed").fit(inside)
        recall = float((model.predict(inside) > 0).mean())
        if recall > best:
            best, chosen = recall, (model, nu)
    assert chosen is not None
    return chosen[0].predict(pairwise_kernels(unlabelled, positive, metric="rbf", gamma=gamma)) < 0, chosen[1]


def cosine(positive: Any, unlabelled: Any, kernel: str = "linear", gamma: float = 0.5) -> NDArray[np.bool_]:
    """Strong negatives are farther from the mean of the positives than any positive is, in the kernel's space."""
    options = {} if kernel == "linear" else {"gamma": gamma}
    inside = pairwise_kernels(positive, metric=kernel, **options)
    outside = pairwise_kernels(unlabelled, positive, metric=kernel, **options).mean(axis=1)
    length = np.sqrt(inside.mean())
    own = np.sqrt(np.maximum(_self_kernel(unlabelled, kernel, gamma), 1e-300))
    near = inside.mean(axis=1) / (length * np.sqrt(np.maximum(np.diag(inside), 1e-300)))
    return np.asarray(outside / (length * own) < near.min() - 1e-12)


def _self_kernel(rows: Any, kernel: str, gamma: float) -> Floats:
    """k(x, x) of each row for the linear, polynomial (of degree 3) and RBF kernels."""
    square = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    if kernel == "linear":
        return square
    return (gamma * square + 1) ** 3 if kernel == "poly" else np.ones(len(square))
