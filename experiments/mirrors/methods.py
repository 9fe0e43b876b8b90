"""Every ranking of the source's comparison: its own methods, without label flips too, and the baselines."""

import numpy as np
from common import WAYS, auc, binned
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.lac import LAC
from garimpo.mirrors.thesis.pareto import dominance

FIXED = {"pu": 0.6, "nu": 0.5}
"""The thresholds that the source found best on its test pairs; here they are set before, not chosen."""
COSTS = [(C, more) for C in (0.01, 0.1, 1.0, 10.0) for more in (1.0, 10.0)]
"""Cost of an unlabelled pair on the wrong side of the SVM, and how much more a positive seed costs. The best by the AUC of the
test pairs is taken, by hindsight: the source tells what its SVM reached *at best*."""
BUDGET, ROUNDS = 2_000, 5
"""Unlabelled pairs (and at most as many seeds) that the SVM is made from, and how often it is made anew."""


def em_scores(collection, way, mode, train, test, threshold, columns=slice(None), **options):
    """Scores of the test pairs by rules from seeds and the training pairs."""
    cells, near, far = binned(collection, train, way)
    rest = train[~collection.obvious[train]]
    seeds = near if mode == "pu" else far
    em = SeedEM(mode, threshold, **options).fit(seeds[:, columns], cells[rest][:, columns])
    return em.score(cells[test][:, columns])


def supervised(collection, way, train, test):
    """The rules with the true labels of the training pairs."""
    cells, *_ = binned(collection, train, way)
    return LAC(bins=None).fit(cells[train], collection.truth[train]).predict_proba(cells[test])[:, 1]


def biased_svm(collection, train, test, costs, threshold=0.5):
    """An SVM with a radial kernel in the same loop, one threshold; of the unlabelled pairs a sample."""
    rest = np.random.default_rng(0).permutation(train[~collection.obvious[train]])[:BUDGET]
    scale = StandardScaler().fit(collection.values[train])
    seeds, rest = scale.transform(collection.seeds[:BUDGET]), scale.transform(collection.values[rest])
    X, y = np.concatenate([seeds, rest]), np.r_[np.ones(len(seeds)), np.zeros(len(rest))]
    for _ in range(ROUNDS):
        model = _svm(costs).fit(X, y)
        likely = 1 / (1 + np.exp(-model.decision_function(X)))
        flips = (y == 0) & (likely >= threshold)
        if not flips.any() or (y[len(seeds) :] + flips[len(seeds) :]).mean() > 0.5:
            break
        y[flips] = 1
    return model.decision_function(scale.transform(collection.values[test]))


def best_costs(collection, train, test):
    """The costs with which the SVM ranks the test pairs best."""
    return max(COSTS, key=lambda costs: auc(collection.truth[test], biased_svm(collection, train, test, costs)))


def _svm(costs):
    return SVC(kernel="rbf", gamma="scale", C=costs[0], class_weight={1: costs[1], 0: 1.0})


def baselines(collection, train, test, costs=None):
    """Rankings that have no intervals, and the costs that the SVM took."""
    costs = costs or best_costs(collection, train, test)
    out = {"garimpo": collection.own[test], "NormPaths": collection.normpaths[test], "Jaccard": collection.jaccard[test]}
    return out | {"B-SVM": biased_svm(collection, train, test, costs)}, costs


def seeded_methods(collection, way, train, test):
    """The source's own rankings for one run and one way to make intervals and negative seeds."""
    out = {}
    for name, threshold in (("fixed", FIXED), ("entropy", {"pu": "entropy", "nu": "entropy"})):
        pu = em_scores(collection, way, "pu", train, test, threshold["pu"])
        nu = em_scores(collection, way, "nu", train, test, threshold["nu"])
        out |= {f"PU {name}": pu, f"NU {name}": nu, f"PNU {name}": dominance(pu, nu).astype(float)}
    for mode in ("pu", "nu"):
        out[f"{mode.upper()} no EM"] = em_scores(collection, way, mode, train, test, "entropy", passes=0)
    return out | {"Upper bound": supervised(collection, way, train, test)}


def all_methods(collection, train, test, costs=None):
    """Every ranking of the source's comparison for one run: {way: {method: scores}}, and the costs of the SVM."""
    others, costs = baselines(collection, train, test, costs)
    return {way: others | seeded_methods(collection, way, train, test) for way in WAYS}, costs
