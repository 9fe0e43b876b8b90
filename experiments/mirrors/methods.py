"""Every ranking of the source's comparison: its own methods, without label flips too, and the baselines."""

import numpy as np
from common import binned
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.lac import LAC
from garimpo.mirrors.thesis.pareto import dominance

FIXED = {"pu": 0.6, "nu": 0.5}
"""The thresholds that the source found best on its test pairs; here they are set before, not chosen."""
COSTS = [(C, more) for C in (0.01, 0.1, 1.0) for more in (2.0, 10.0, 50.0, 200.0)]
"""Cost of an unlabelled pair on the wrong side of the SVM, and how much more a positive seed costs."""


def em_scores(collection, mode, train, test, threshold, columns=slice(None), **options):
    """Scores of the test pairs by rules from seeds and the training pairs."""
    cells, near, far = binned(collection, train)
    rest = train[~collection.obvious[train]]
    seeds = near if mode == "pu" else far
    em = SeedEM(mode, threshold, **options).fit(seeds[:, columns], cells[rest][:, columns])
    return em.score(cells[test][:, columns])


def supervised(collection, train, test):
    """The rules with the true labels of the training pairs."""
    cells, *_ = binned(collection, train)
    return LAC(bins=None).fit(cells[train], collection.truth[train]).predict_proba(cells[test])[:, 1]


def biased_svm(collection, train, test, threshold=0.5, budget=5_000, rounds=5):
    """A linear SVM in the same loop, made anew each round, one threshold; of the unlabelled pairs a sample."""
    rest = np.random.default_rng(0).permutation(train[~collection.obvious[train]])[:budget]
    scale = StandardScaler().fit(collection.values[train])
    seeds, rest = scale.transform(collection.seeds), scale.transform(collection.values[rest])
    X, y = np.concatenate([seeds, rest]), np.r_[np.ones(len(seeds)), np.zeros(len(rest))]
    costs = max(COSTS, key=lambda each: _seed_quality(seeds, rest, each))
    for _ in range(rounds):
        model = _svm(costs).fit(X, y)
        likely = 1 / (1 + np.exp(-model.decision_function(X)))
        flips = (y == 0) & (likely >= threshold)
        if not flips.any() or (y + flips).mean() > 0.5:
            break
        y[flips] = 1
    return model.decision_function(scale.transform(collection.values[test]))


def _svm(costs):
    return SVC(kernel="linear", C=costs[0], class_weight={1: costs[1], 0: 1.0})


def _seed_quality(seeds, rest, costs):
    """r^2 / Pr[called positive] on a held-out half of seeds and unlabelled pairs: needs no negative label."""
    if len(seeds) < 2:
        return 0.0
    half, other = slice(0, None, 2), slice(1, None, 2)
    X, y = np.concatenate([seeds[half], rest[half]]), np.r_[np.ones(len(seeds[half])), np.zeros(len(rest[half]))]
    model = _svm(costs).fit(X, y)
    recall, called = model.predict(seeds[other]).mean(), model.predict(rest[other]).mean()
    return recall**2 / max(called, 1 / len(rest))


def all_methods(collection, train, test):
    """Every ranking of the source's comparison for one run."""
    out = {"garimpo": collection.own[test], "NormPaths": collection.normpaths[test], "Jaccard": collection.jaccard[test]}
    for name, threshold in (("fixed", FIXED), ("entropy", {"pu": "entropy", "nu": "entropy"})):
        pu = em_scores(collection, "pu", train, test, threshold["pu"])
        nu = em_scores(collection, "nu", train, test, threshold["nu"])
        out |= {f"PU {name}": pu, f"NU {name}": nu, f"PNU {name}": dominance(pu, nu).astype(float)}
    for mode in ("pu", "nu"):
        out[f"{mode.upper()} no EM"] = em_scores(collection, mode, train, test, "entropy", passes=0)
        out[f"{mode.upper()} entropy, batch"] = em_scores(collection, mode, train, test, "entropy", schedule="batch")
    out["B-SVM"] = biased_svm(collection, train, test)
    out["Upper bound"] = supervised(collection, train, test)
    return out
