"""The tables of the source on two made collections (0.4 % and 5 % copies among the candidates), several seeds, Wilcoxon.

Two folds of pairs, each once training and once test; five runs a fold, each on four fifths of the training pairs: ten paired runs
a seed. Folds are cut by group of hosts, so that no host is on both sides. Prints Markdown.
"""

import argparse
import time

import numpy as np
from common import ap, at_fpr, auc, binned, collect, rdr, reduction
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.stats import wilcoxon
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from garimpo.mirrors.em import SeedEM
from garimpo.mirrors.features import SOURCE
from garimpo.mirrors.lac import LAC
from garimpo.mirrors.pareto import dominance

GRID = [round(0.1 * step, 1) for step in range(1, 10)]
FIXED = {"pu": 0.6, "nu": 0.5}


def folds(collection, seed):
    """Ten (train, test) pairs of index arrays, cut by the hosts' groups of copies."""
    size = len(collection.found.hosts)
    true = collection.truth
    edges = (np.ones(true.sum()), (collection.pairs.first[true], collection.pairs.second[true]))
    group = connected_components(coo_matrix(edges, (size, size)), directed=False)[1]
    random = np.random.default_rng(seed)
    side = random.integers(0, 2, group.max() + 1)[group]
    a, b = side[collection.pairs.first], side[collection.pairs.second]
    for test in (0, 1):
        train_pairs, test_pairs = np.flatnonzero((a != test) & (b != test)), np.flatnonzero((a == test) & (b == test))
        part = random.integers(0, 5, len(train_pairs))
        for left_out in range(5):
            yield train_pairs[part != left_out], test_pairs


def em_scores(collection, mode, train, test, threshold, columns=slice(None), **options):
    """Scores of the test pairs by rules from seeds and the training pairs."""
    cells, far = binned(collection, train)
    rest = train[~collection.obvious[train]]
    seeds = cells[collection.obvious] if mode == "pu" else far
    em = SeedEM(mode, threshold, **options).fit(seeds[:, columns], cells[rest][:, columns])
    return em.score(cells[test][:, columns])


def supervised(collection, train, test):
    cells, _ = binned(collection, train)
    return LAC(bins=None).fit(cells[train], collection.truth[train]).predict_proba(cells[test])[:, 1]


def biased_svm(collection, train, test, threshold=0.5, budget=6_000, rounds=5):
    """A linear SVM in the same loop, made anew each round, with one threshold; a budget of unlabelled pairs."""
    random = np.random.default_rng(0)
    rest = random.permutation(train[~collection.obvious[train]])[:budget]
    positives = collection.values[collection.obvious][:budget]
    scale = StandardScaler().fit(collection.values[train])
    X = scale.transform(np.concatenate([positives, collection.values[rest]]))
    y = np.r_[np.ones(len(positives)), np.zeros(len(rest))]
    for _ in range(rounds):
        model = LinearSVC(class_weight={1: 20.0, 0: 1.0}, C=0.1).fit(X, y)
        margin = 1 / (1 + np.exp(-model.decision_function(X)))
        flips = (y == 0) & (1 - margin <= 1 - threshold)
        if not flips.any() or (y + flips).mean() > 0.5:
            break
        y[flips] = 1
    return model.decision_function(scale.transform(collection.values[test]))


def all_methods(collection, train, test):
    """Every ranking of the source's comparison for one run."""
    out = {"NormPaths": collection.normpaths[test], "Jaccard": collection.jaccard[test]}
    for name, threshold in (("fixed", FIXED), ("entropy", {"pu": "entropy", "nu": "entropy"})):
        pu = em_scores(collection, "pu", train, test, threshold["pu"])
        nu = em_scores(collection, "nu", train, test, threshold["nu"])
        out |= {f"PU {name}": pu, f"NU {name}": nu, f"PNU {name}": dominance(pu, nu).astype(float)}
    out["PU no EM"] = em_scores(collection, "pu", train, test, "entropy", passes=0)
    out["PU entropy, batch"] = em_scores(collection, "pu", train, test, "entropy", schedule="batch")
    out["NU entropy, batch"] = em_scores(collection, "nu", train, test, "entropy", schedule="batch")
    out["B-SVM"] = biased_svm(collection, train, test)
    out["Upper bound"] = supervised(collection, train, test)
    return out


def compare(collections):
    """AUC, AP, RDR and RR of all methods, means over runs and seeds, and who beats whom."""
    runs: dict[str, list[dict]] = {}
    for seed, collection in collections:
        for number, (train, test) in enumerate(folds(collection, seed)):
            y = collection.truth[test]
            for name, scores in all_methods(collection, train, test).items():
                row = {"auc": auc(y, scores), "ap": ap(y, scores)}
                row |= {f"rdr {k}": rdr(y, scores, k, 200) for k in (10, 100, 1000)} if number % 5 == 0 else {}
                if number == 0:
                    whole = np.zeros(len(collection.truth), bool)
                    for rate in (0.001, 0.005):
                        whole[test] = at_fpr(y, scores, rate)
                        row |= {f"doc {rate}": reduction(collection, whole, "doc")}
                        row |= {f"keep1 {rate}": reduction(collection, whole, "keep1")}
                runs.setdefault(name, []).append(row)
    names = ["auc", "ap", "rdr 10", "rdr 100", "rdr 1000", "doc 0.001", "keep1 0.001", "doc 0.005", "keep1 0.005"]
    print("| method | " + " | ".join(names) + " |\n|---" * 1 + "|---" * len(names) + "|")
    for method, rows in runs.items():
        cells = []
        for name in names:
            values = [row[name] for row in rows if name in row]
            spread = 1.96 * np.std(values) / max(len(values), 1) ** 0.5
            cells.append(f"{np.mean(values):.4f} ± {spread:.4f}")
        print(f"| {method} | " + " | ".join(cells) + " |")
    print("\nWilcoxon on the AUC of paired runs:\n")
    for better, worse in CLAIMS:
        a, b = ([row["auc"] for row in runs[name]] for name in (better, worse))
        p = wilcoxon(a, b).pvalue if np.any(np.array(a) != np.array(b)) else 1.0
        held = "holds" if p < 0.05 and np.mean(a) > np.mean(b) else "REFUTED" if p < 0.05 else "not shown"
        print(f"- {better} > {worse}: {np.mean(a) - np.mean(b):+.4f}, p = {p:.3g}: {held}")


CLAIMS = [
    ("PNU entropy", "PU entropy"), ("PU entropy", "NU entropy"), ("NU entropy", "NormPaths"), ("PU entropy", "B-SVM"),
    ("B-SVM", "NU entropy"), ("B-SVM", "NormPaths"), ("PU entropy", "PU fixed"), ("NU entropy", "NU fixed"),
    ("PNU entropy", "PNU fixed"), ("Upper bound", "PNU entropy"), ("PU entropy", "PU no EM"),
]  # fmt: skip


def sweep(collections):
    """AUC by fixed threshold; each feature alone and left out; two runs a seed."""
    print("\n| α_min | " + " | ".join(map(str, GRID)) + " | entropy |\n|---" + "|---" * (len(GRID) + 1) + "|")
    chosen = [(c, *run) for seed, c in collections for run in list(folds(c, seed))[::5]]
    for mode in ("pu", "nu"):
        cells = [_mean_auc(chosen, mode, threshold) for threshold in [*GRID, "entropy"]]
        print(f"| {mode.upper()} | " + " | ".join(f"{value:.4f}" for value in cells) + " |")
    for kind in ("fixed", "entropy"):
        print(f"\n| feature ({kind}) | alone PU | alone NU | all-except PU | all-except NU |\n|---|---|---|---|---|")
        for f, name in enumerate(SOURCE):
            others = [g for g in range(len(SOURCE)) if g != f]
            cells = [_mean_auc(chosen, m, FIXED[m] if kind == "fixed" else kind, c) for c in ([f], others) for m in ("pu", "nu")]
            print(f"| {name} | " + " | ".join(f"{value:.4f}" for value in cells) + " |")


def _mean_auc(chosen, mode, threshold, columns=slice(None)):
    scores = (auc(c.truth[test], em_scores(c, mode, train, test, threshold, columns)) for c, train, test in chosen)
    return float(np.mean(list(scores)))


def timing(collection):
    """Offline label flips and online scoring."""
    train = np.arange(len(collection.truth))
    for mode in ("pu", "nu"):
        began = time.process_time()
        em_scores(collection, mode, train, train, "entropy")
        used = time.process_time() - began
        each = used / len(train) * 1e6
        print(f"\n{mode.upper()}: labels and scores of {len(train):,} pairs in {used:.2f} s of CPU: {each:.2f} us a pair")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=4_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--prevalences", type=float, nargs="+", default=[0.004, 0.05])
    given = parser.parse_args()
    for prevalence in given.prevalences:
        made = [(seed, collect(seed, given.hosts, prevalence)) for seed in given.seeds]
        kept = [c.truth.sum() / c.true_pairs for _, c in made]
        pairs = [f"{len(c.truth):,} pairs, {c.prevalence:.4f} copies, {k:.3f} of all copies" for k, (_, c) in zip(kept, made)]
        print(f"\n## Prevalence {prevalence}: {given.hosts:,} hosts, seeds {given.seeds}\n\n" + "; ".join(pairs) + "\n")
        compare(made)
        sweep(made)
        timing(made[0][1])
