"""A topic from positives alone: near enough to their mean. Used only where no unlabelled document is at hand."""

from typing import Any

import numpy as np
from scipy import sparse as sp

from garimpo.focus.linear import LinearTopic, scaled


class OneClass(LinearTopic):
    """Cosine to the mean of the positives, cut where nine in ten of them lie above (each left out of its own mean).

    Rows labelled otherwise than positive are not used.

    >>> OneClass().fit([[3, 0, 1], [2, 0, 1], [2, 1, 0]], [1, 1, 1]).predict([[1, 0, 1], [0, 1, 0]]).tolist()
    [True, False]
    """

    binary = True

    def fit(self, X: Any, y: Any) -> "OneClass":
        """Learn from the rows of word counts whose label is true."""
        rows = sp.csr_matrix(X, dtype=np.float64)[np.flatnonzero(np.asarray(y))]
        self.n_features_in_, self.classes_ = rows.shape[1], np.array([False, True])
        self.scale_ = np.ones(rows.shape[1])
        rows = scaled(rows, self.scale_, True)
        total = np.asarray(rows.sum(axis=0)).ravel()
        count = rows.shape[0]
        self.coef_ = total / max(float(np.linalg.norm(total)), 1e-12)
        own = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        others = np.sqrt(np.maximum(total @ total - 2 * (rows @ total) + own, 1e-12))
        left_out = (rows @ total - own) / others if count > 1 else np.array([0.5])
        self.intercept_ = -float(np.quantile(left_out, 0.1))
        self.slope_ = 2.0 / max(float(left_out.std()), 0.05)
        return self
