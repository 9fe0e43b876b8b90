"""What all topic classifiers have in common: a linear score over scaled, normalised word counts."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

Matrix = Any
"""A sparse matrix of SciPy in rows."""
Floats = NDArray[np.float64]


def scaled(counts: Any, scale: Floats, binary: bool, euclidean: bool = True) -> Matrix:
    """Counts (or, if `binary`, presence) times a scale for each term, rows brought to length one.

    >>> scaled(sp.csr_matrix([[2.0, 0.0, 1.0]]), np.ones(3), binary=True).toarray().round(3).tolist()
    [[0.707, 0.0, 0.707]]
    """
    rows = sp.csr_matrix(counts, dtype=np.float64, copy=True)
    if binary:
        rows.data = (rows.data > 0).astype(np.float64)
    rows.data *= scale[rows.indices]
    mass = np.asarray((rows.multiply(rows) if euclidean else rows).sum(axis=1)).ravel()
    norm = np.sqrt(mass) if euclidean else mass
    rows.data /= np.repeat(np.where(norm > 0, norm, 1.0), np.diff(rows.indptr))
    return rows


def idf_scale(counts: Any) -> Floats:
    """The smoothed inverse document frequency of each term."""
    matrix = sp.csc_matrix(counts)
    return np.asarray(np.log((1 + matrix.shape[0]) / (1 + np.diff(matrix.indptr))) + 1)


class LinearTopic(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that learn from positives and unlabelled documents.

    `fit(X, y)` takes word counts and labels, of which the larger one means positive and the other *unlabelled*.
    After it, `scale_`, `coef_`, `intercept_` and `slope_` say all there is to know; the decision is positive where the score
    is above zero.
    """

    binary = False
    euclidean = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def _split(self, X: Any, y: Any) -> tuple[Matrix, Matrix]:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("Classifier can't train when only one class is present: give positives and unlabelled.")
        if (X.data if sp.issparse(X) else X).min(initial=0.0) < 0:
            raise ValueError(f"Negative values in data passed to {type(self).__name__}")
        X = sp.csr_matrix(X)
        return X[y == self.classes_[1]], X[y == self.classes_[0]]

    def _rows(self, X: Any) -> Matrix:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return scaled(X, self.scale_, self.binary, self.euclidean)

    def decision_function(self, X: Any) -> Floats:
        """The signed score of each row; above zero is positive."""
        return np.asarray(self._rows(X) @ self.coef_ + self.intercept_).ravel()

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, unlabelled (read: negative) first."""
        positive = self._probability(self.decision_function(X))
        return np.column_stack([1 - positive, positive])

    def _probability(self, decision: Floats) -> Floats:
        return expit(self.slope_ * decision)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        positive = self.decision_function(X) > 0
        return np.asarray(self.classes_[positive.astype(int)])
