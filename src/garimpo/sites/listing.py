"""The listing-page classifier: the four learners of the source, and ours."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from garimpo.contract import BadInput, Page
from garimpo.sites.page_features import MORE_NUMBERS, NUMBERS, PageFeatures, Vectors, features
from garimpo.sites.telling import TellingWords

Learner = Literal["garimpo", "svm", "naive_bayes", "tree", "logistic"]
LEARNERS: tuple[Learner, ...] = get_args(Learner)


class ListingClassifier(ClassifierMixin, BaseEstimator):
    """Says of a `Page` whether it is a listing of the entity, with a calibrated probability.

    A scikit-learn classifier over pages instead of rows of numbers: `get_params`, `clone`, `NotFittedError`, `classes_`, `fit`,
    `predict` and `predict_proba` are as there. What expects a matrix does not apply: its input is no array, so `n_features_in_`
    and the checks of shapes and types of `check_estimator` have no meaning here.

    Args:
        learner: `garimpo` (logistic regression on the source's and our features, words by what they tell, calibrated across
            sites), or a learner of the source on its own features: `svm` (linear, C = 1, as Weka's SMO), `naive_bayes`
            (Gaussian), and, as stand-ins for Weka's, `tree` (entropy CART for J48) and `logistic` (L1 with C by
            cross-validation for Simple Logistic).
        C: How little the weights are held down, where the learner has such a number.
        seed: Makes learning repeatable.

    >>> ListingClassifier("svm").get_params()
    {'C': 1.0, 'learner': 'svm', 'seed': 0}
    """

    def __init__(self, learner: Learner = "garimpo", C: float = 1.0, seed: int = 0) -> None:
        self.learner = learner
        self.C = C
        self.seed = seed

    def fit(
        self,
        pages: Sequence[Page | PageFeatures],
        labels: Sequence[Any] | NDArray[Any],
        weights: NDArray[np.float64] | None = None,
    ) -> "ListingClassifier":
        """Learn from labelled pages; a page of weight 0 is only scored, as one of a site that was not seen (`unseen_`)."""
        seen, y = _features(pages), np.asarray(labels, bool)
        weights = np.ones(len(y)) if weights is None else weights
        if y[weights > 0].all() or not y[weights > 0].any():
            raise BadInput("the labelled pages are all of one kind: both listings and others are needed")
        ours = self.learner == "garimpo"
        self.classes_ = np.array([False, True])
        self.vectors_ = Vectors(MORE_NUMBERS if ours else NUMBERS).fit(seen, y, over_sites=ours)
        x = self.vectors_.transform(seen)
        self.scaler_ = MaxAbsScaler().fit(x)
        x = _dense(self.scaler_.transform(x), self.learner)
        sites = np.array([page.site for page in seen])
        self.model_ = fit_weighted(self._make(), x, y, weights, sites)
        margins, known = unseen_margins(self._make, x, y, weights, sites)
        margins[~known] = decision(self.model_, x[~known]) if (~known).any() else 0.0
        self.unseen_margins_ = margins
        used = known & (weights > 0)
        return self.calibrate(margins[used], y[used])

    def calibrate(self, margins: NDArray[np.float64], truth: NDArray[np.bool_]) -> "ListingClassifier":
        """Make chances of margins, by what came true of margins from models that did not see the site."""
        self.slope_, self.shift_ = _platt(margins, truth)
        self.unseen_ = _sigmoid(self.slope_ * self.unseen_margins_ + self.shift_)
        return self

    def _make(self) -> Any:
        return _learner(self.learner, self.C, self.seed, len(self.vectors_.numbers))

    def margins(self, pages: Sequence[Page | PageFeatures]) -> NDArray[np.float64]:
        """How far each page lies on the side of listings, before calibration."""
        check_is_fitted(self, "model_")
        seen = _features(pages)
        if not seen:
            return np.zeros(0)
        return decision(self.model_, _dense(self.scaler_.transform(self.vectors_.transform(seen)), self.learner))

    def predict_proba(self, pages: Sequence[Page | PageFeatures]) -> NDArray[np.float64]:
        margins = self.margins(pages)
        positive = _sigmoid(self.slope_ * margins + self.shift_)
        return np.column_stack([1 - positive, positive])

    def predict(self, pages: Sequence[Page | PageFeatures]) -> NDArray[np.bool_]:
        return np.asarray(self.margins(pages) > 0)


def fit_weighted(model: Any, x: Any, y: NDArray[np.bool_], weights: NDArray[np.float64], sites: NDArray[Any]) -> Any:
    """Fit on the rows that weigh anything."""
    used = weights > 0
    by_site = {"sites": sites[used]} if isinstance(model, TellingWords) else {}
    if (weights[used] == 1).all():
        return model.fit(x[used], y[used], **by_site)
    return model.fit(x[used], y[used], sample_weight=weights[used], **by_site)


def unseen_margins(
    make: Callable[[], Any], x: Any, y: NDArray[np.bool_], weights: NDArray[np.float64], sites: NDArray[Any], folds: int = 5
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Each row's margin from a model that did not see its site, and whether there is one; every fold has sites of both kinds."""
    names, number = np.unique(sites, return_inverse=True)
    relevant = np.zeros(len(names), bool)
    relevant[number[y]] = True
    fold = np.zeros(len(names), int)
    fold[np.argsort(relevant, kind="stable")] = np.arange(len(names)) % folds
    margins, known = np.zeros(len(y)), np.zeros(len(y), bool)
    for out in range(min(folds, len(names)) if len(names) > 1 else 0):
        test = fold[number] == out
        train = ~test & (weights > 0)
        if y[train].all() or not y[train].any():
            continue
        model = fit_weighted(make(), x[train], y[train], weights[train], sites[train])
        margins[test], known[test] = decision(model, x[test]), True
    return margins, known


def _features(pages: Sequence[Page | PageFeatures]) -> list[PageFeatures]:
    return [features(page) if isinstance(page, Page) else page for page in pages]


def _platt(margins: NDArray[np.float64], y: NDArray[np.bool_]) -> tuple[float, float]:
    """Platt's two numbers, from margins of sites that the model did not see."""
    if y.all() or not y.any():
        return 1.0, 0.0
    fitted = LogisticRegression(C=1.0).fit(margins.reshape(-1, 1), y)
    return max(float(fitted.coef_[0, 0]), 0.1), float(fitted.intercept_[0])


def _learner(name: str, C: float, seed: int, numbers: int) -> Any:
    if name == "garimpo":
        return TellingWords(numbers, C)
    if name == "svm":
        return SVC(kernel="linear", C=C, tol=1e-3)
    if name == "naive_bayes":
        return GaussianNB(var_smoothing=1e-3)
    if name == "tree":
        return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=0.002, random_state=seed)
    if name == "logistic":
        return LogisticRegressionCV(
            Cs=8, cv=3, solver="liblinear", l1_ratios=(1.0,), random_state=seed, scoring="accuracy", use_legacy_attributes=False
        )
    raise BadInput(f"no learner {name!r} (there are: {', '.join(LEARNERS)})")


def _dense(x: csr_matrix, learner: str) -> Any:
    return x.toarray() if learner == "naive_bayes" else x


def decision(model: Any, x: Any) -> NDArray[np.float64]:
    """A fitted model's margins: above zero for listings."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(x), float)
    chance = np.clip(model.predict_proba(x)[:, 1], 1e-6, 1 - 1e-6)
    return np.asarray(np.log(chance / (1 - chance)), float)


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -50, 50))), float)
