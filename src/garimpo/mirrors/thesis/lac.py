"""Lazy associative classification: every rule that holds in an instance votes with its confidence."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from garimpo.mirrors._kernels import votes
from garimpo.mirrors.thesis.bins import Bins
from garimpo.mirrors.thesis.rule_index import RuleIndex


class Vote(NamedTuple):
    """One rule of an explanation: its antecedent (feature -> interval), and what it counts for either class."""

    antecedent: dict[str, str]
    positive: float
    negative: float

    @property
    def confidence(self) -> float:
        """Share of the positive class among the examples that the antecedent holds for."""
        return self.positive / (self.positive + self.negative)


class LAC(ClassifierMixin, BaseEstimator):
    """Exact lazy associative classifier for two classes, as a scikit-learn estimator.

    `bins=None` takes X as it is: small integers that name intervals; `width` is how else intervals are made (frequency, equal).
    `count_zero_rules` lets a rule vote for both classes even where it never saw one of them.

    Args:
        bins: intervals for each feature.
        max_rule_len: features in a rule, at most.
        min_support: rows that a rule must hold for.
        min_confidence: share of them that must have the class it names.

    >>> X = np.array([[0, 1], [0, 2], [1, 1], [1, 2]])
    >>> LAC(bins=None).fit(X, [0, 0, 1, 1]).predict([[1, 3], [0, 1]]).tolist()
    [1, 0]
    """

    def __init__(
        self,
        bins: int | None = 10,
        max_rule_len: int = 5,
        min_support: float = 1.0,
        min_confidence: float = 0.0,
        count_zero_rules: bool = False,
        width: str = "frequency",
    ) -> None:
        self.bins = bins
        self.width = width
        self.max_rule_len = max_rule_len
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.count_zero_rules = count_zero_rules

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any) -> "LAC":
        """Count every antecedent of the examples for either class."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(f"Only binary classification is supported. The type of the target is {type_of_target(y)}.")
        if len(self.classes_) == 1:
            raise ValueError("Classifier can't train when only one class is present.")
        self.bins_ = Bins(self.bins, self.width).fit(X) if self.bins is not None else None
        self.index_, cells = RuleIndex.build(self._binned(X), self.max_rule_len)
        self.negative_ = self.index_.count(cells[codes == 0])
        self.positive_ = self.index_.count(cells[codes == 1])
        self.prior_ = float((codes == 0).mean())
        return self

    def _binned(self, X: NDArray[Any]) -> NDArray[np.int32]:
        return self.bins_.transform(X) if self.bins_ is not None else np.asarray(X).astype(np.int32)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Membership of each instance in the two classes (not calibrated: a mean of confidences)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        cells, inverse = np.unique(self._binned(X), axis=0, return_inverse=True)
        alpha = np.empty(len(cells), np.float64)
        options = (float(self.min_support), float(self.min_confidence), float(self.count_zero_rules))
        votes(self.index_.find(cells), self.positive_, self.negative_, 0.0, 0.0, self.prior_, options, alpha)
        negative = alpha[inverse.ravel()]
        return np.column_stack([negative, 1.0 - negative])

    def predict(self, X: Any) -> NDArray[Any]:
        """The likelier class of each instance."""
        scores = self.predict_proba(X)
        return self.classes_[(scores[:, 1] > scores[:, 0]).astype(int)]

    def explain(self, x: Any, names: list[str] | None = None) -> list[Vote]:
        """The rules that vote on one instance, the most decided first."""
        check_is_fitted(self)
        x = validate_data(self, np.asarray(x).reshape(1, -1), reset=False)
        names = names or [f"x{i}" for i in range(x.shape[1])]
        binned = self._binned(x)
        found = []
        for subset, rule in zip(self.index_.subsets, self.index_.find(binned)[0]):
            if rule < 0 or self.positive_[rule] + self.negative_[rule] <= 0:
                continue
            antecedent = {names[f]: self._interval(f, int(binned[0, f])) for f in subset}
            found.append(Vote(antecedent, float(self.positive_[rule]), float(self.negative_[rule])))
        return sorted(found, key=lambda v: (-abs(v.confidence - 0.5), len(v.antecedent), -v.positive - v.negative))

    def _interval(self, feature: int, bin: int) -> str:
        return self.bins_.name(feature, bin) if self.bins_ is not None else str(bin)
