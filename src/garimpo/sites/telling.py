"""Words that many relevant sites have and few others: a logistic regression that listens to them more.

Sites that list the same speak of it in different words, so of ten good sites only some have any one word; but words that several
of them have in their listings, and hardly any other site anywhere, are seldom chance. Each word counts by the logarithm of how
many times more of the relevant sites have it than of the others (or less), as in the log-count ratios that Wang and Manning
("Baselines and bigrams", ACL 2012) take of documents. Sites are counted, not pages: a word on all pages of one site proves
little.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression


class TellingWords:
    """A logistic regression over rows whose words weigh what they tell; the first columns are numbers and stay as they are.

    Args:
        numbers: How many columns are numbers.
        C: How little the weights are held down.
    """

    def __init__(self, numbers: int, C: float = 1.0) -> None:
        self.numbers, self.C = numbers, C

    def fit(
        self, x: csr_matrix, y: NDArray[np.bool_], sites: NDArray[Any], sample_weight: NDArray[np.float64] | None = None
    ) -> "TellingWords":
        """Learn from rows, which of them are listings, and the site of each."""
        told = telling(x, y, sites)
        told[: self.numbers] = 1.0
        model = LogisticRegression(C=self.C, class_weight="balanced", solver="liblinear", intercept_scaling=10.0, max_iter=200)
        model.fit(x @ diags(told), y, sample_weight=sample_weight)
        self.coef_, self.intercept_ = model.coef_ * told, model.intercept_
        return self

    def decision_function(self, x: csr_matrix) -> NDArray[np.float64]:
        return np.asarray(x @ self.coef_.ravel() + self.intercept_[0], float)


def telling(x: csr_matrix, y: NDArray[np.bool_], sites: NDArray[Any]) -> NDArray[np.float64]:
    """What having each word tells, for or against: sites with it in a listing, against sites without a listing that have it.

    >>> x = csr_matrix([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    >>> telling(x, np.array([True, True, False, False]), np.array(["a", "b", "c", "d"])).round(1).tolist()
    [1.1, 0.0]
    """
    names, number = np.unique(sites, return_inverse=True)
    relevant = np.zeros(len(names), bool)
    relevant[number[y]] = True
    if relevant.all():
        return np.ones(x.shape[1])
    shares = []
    for rows in (np.flatnonzero(y), np.flatnonzero(~relevant[number])):
        own = csr_matrix((np.ones(len(rows)), (number[rows], np.arange(len(rows)))), shape=(len(names), len(rows)))
        having = np.asarray((own @ x[rows] > 0).sum(axis=0)).ravel()
        shares.append((having + 1) / (len(np.unique(number[rows])) + 2))
    return np.asarray(np.abs(np.log(shares[0] / shares[1])), float)
