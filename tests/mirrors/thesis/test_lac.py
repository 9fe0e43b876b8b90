"""The lazy associative classifier: the worked example, its plain twin, and scikit-learn's contract."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from garimpo.mirrors.thesis.bins import Bins
from garimpo.mirrors.thesis.lac import LAC
from mirrors import twins

NAMES = ["ip4", "ip3", "ndist", "nmatch", "fullpath"]
TABLE = [
    (".1-.3", ".3-.5", "8-10", ".2-.5", ".3-.5", 1),
    (".1-.3", ".1-.3", "10-14", ".1-.2", ".1-.3", 0),
    (".5-.8", ".1-.3", "8-10", ".1-.2", ".1-.3", 1),
    (".1-.3", ".5-.8", "8-10", ".2-.5", ".3-.5", 1),
    (".3-.5", ".5-.8", "5-8", ".5-.7", ".3-.5", 1),
    (".1-.3", ".3-.5", "8-10", ".5-.7", ".3-.5", 0),
    (".1-.3", ".1-.3", "10-14", ".1-.2", ".3-.5", 0),
    (".3-.5", ".5-.8", "5-8", ".5-.7", ".3-.5", 1),
]
X_ROW = (".1-.3", ".1-.3", "8-10", ".2-.5", ".1-.3")


def worked_example():
    codes = [{value: i for i, value in enumerate(sorted({row[f] for row in TABLE}))} for f in range(5)]
    X = np.array([[codes[f][row[f]] for f in range(5)] for row in TABLE])
    y = np.array([row[5] for row in TABLE])
    return X, y, np.array([[codes[f][X_ROW[f]] for f in range(5)]])


@pytest.mark.parametrize(("count_zero", "alpha"), [(False, 0.454301), (True, 0.365625)])
def test_worked_example(count_zero, alpha):
    X, y, x = worked_example()
    negative = LAC(bins=None, count_zero_rules=count_zero).fit(X, y).predict_proba(x)[0, 0]
    assert negative == pytest.approx(alpha, abs=1e-6)


def test_worked_example_rules():
    X, y, x = worked_example()
    found = LAC(bins=None).fit(X, y).explain(x[0], NAMES)
    by_names = {tuple(vote.antecedent): (vote.positive, vote.negative) for vote in found}
    assert len(by_names) == 16
    assert sum(p > 0 for p, _ in by_names.values()) == 13
    assert sum(n > 0 for _, n in by_names.values()) == 9
    assert by_names[("ip4",)] == (2, 3)
    assert by_names[("ndist",)] == (3, 1)
    assert by_names[("nmatch",)] == (2, 0)
    assert by_names[("ip4", "ip3")] == (0, 2)
    assert by_names[("ip4", "ndist")] == (2, 1)


@pytest.mark.parametrize("count_zero", [False, True])
def test_equals_its_plain_twin(count_zero):
    random = np.random.default_rng(7)
    X, y = random.integers(0, 4, (60, 4)), random.integers(0, 2, 60)
    tests = random.integers(0, 5, (40, 4))
    mine = LAC(bins=None, count_zero_rules=count_zero).fit(X, y).predict_proba(tests)[:, 0]
    assert mine == pytest.approx([twins.lac_alpha(X.tolist(), y.tolist(), x, count_zero) for x in tests.tolist()])


def test_value_beyond_the_training_range_matches_no_rule():
    model = LAC(bins=None).fit([[0, 0], [1, 1]], [0, 1])
    assert model.predict_proba([[9, 9], [-1, 7]])[:, 0].tolist() == [0.5, 0.5]


def test_explanation_names_the_intervals():
    X = np.column_stack([np.linspace(0, 1, 50), np.linspace(5, 9, 50)])
    vote = LAC(bins=2).fit(X, (X[:, 0] > 0.5).astype(int)).explain(X[-1], ["fullpath", "ndist"])[0]
    assert vote.antecedent["fullpath"].startswith("[") and vote.confidence == pytest.approx(1.0)


def test_too_many_rules_is_a_clear_error():
    with pytest.raises(ValueError, match="max_rule_len"):
        LAC(max_rule_len=20).fit(np.zeros((4, 20)), [0, 1, 0, 1])


def test_bins_have_zero_apart_and_clamp():
    bins = Bins(4).fit(np.array([[0.0], [0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]))
    assert bins.transform(np.array([[0.0], [1.0], [5.0], [-3.0], [99.0]])).ravel().tolist() == [0, 1, 4, 1, 4]
    assert Bins(3, "equal").fit(np.array([[1.0], [4.0]])).edges[0].tolist() == [1.0, 2.0, 3.0, 4.0]


@parametrize_with_checks([LAC(max_rule_len=2)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
