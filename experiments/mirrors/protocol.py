"""The protocol and the tables of the source on made collections; each function returns Markdown lines and what claims ask for.

Two halves of the hosts, each once training and once test, so that no host is on both sides; five runs a half, each on four fifths
of the training pairs: ten paired runs a seed.
"""

import time

import numpy as np
from common import ap, at_fpr, auc, binned, components, rdr, reduction
from methods import FIXED, all_methods, em_scores

from garimpo.mirrors.pair_features import SOURCE
from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.lac import LAC
from garimpo.mirrors.thesis.pareto import dominance

GRID = [round(0.1 * step, 1) for step in range(1, 10)]
RANKS = (10, 100, 1_000, 10_000)
RATES = (0.0, 0.001, 0.005)


def folds(collection, seed):
    """Ten (train, test) pairs of index arrays."""
    true = collection.truth
    group = components(collection.first[true], collection.second[true], collection.hosts)
    random = np.random.default_rng(seed)
    side = random.integers(0, 2, group.max() + 1)[group]
    a, b = side[collection.first], side[collection.second]
    for test in (0, 1):
        train_pairs, test_pairs = np.flatnonzero((a != test) & (b != test)), np.flatnonzero((a == test) & (b == test))
        part = random.integers(0, 5, len(train_pairs))
        for left_out in range(5):
            yield train_pairs[part != left_out], test_pairs


def table(heads, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(map(str, heads)) + " |", "|---" * len(heads) + "|"]
    return [*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""]


def interval(values):
    """Mean and half the width of its 95 % interval."""
    spread = 1.96 * np.std(values) / max(len(values), 1) ** 0.5
    return f"{np.mean(values):.4f} ± {spread:.4f}"


def compare(collections):
    """AUC, AP, RDR (table 4.4) and reduction of all methods: means over runs and seeds. Returns lines and the runs by method."""
    runs: dict[str, list[dict]] = {}
    for seed, collection in collections:
        for number, (train, test) in enumerate(folds(collection, seed)):
            y = collection.truth[test]
            for name, scores in all_methods(collection, train, test).items():
                row = {"AUC": auc(y, scores), "AP": ap(y, scores)}
                if number % 5 == 0:
                    row |= {f"RDR {k}+1": rdr(y, scores, k, 200) for k in RANKS} | _reductions(collection, test, y, scores)
                runs.setdefault(name, []).append(row)
    lines = ["Methods (figures 4.7 and 4.9, table 4.4): mean and 95 % interval.", ""]
    for names in (["AUC", "AP", *(f"RDR {k}+1" for k in RANKS)], [n for n in runs["NormPaths"][0] if n.startswith("RR")]):
        rows = [[method, *(interval([row[n] for row in rows if n in row]) for n in names)] for method, rows in runs.items()]
        lines += table(["method", *names], rows)
    return lines, runs


def _reductions(collection, test, y, scores):
    """Share of the duplicate URLs that go at a rate of strangers let in (figures 4.8, 4.10), by each way of counting."""
    out, chosen = {}, np.zeros(len(collection.truth), bool)
    for rate in RATES:
        chosen[test] = at_fpr(y, scores, rate)
        out |= {f"RR_{kind} {rate}": reduction(collection, chosen, kind) for kind in ("doc", "keep1", "tp")}
    return out


def sweep(collections):
    """AUC by fixed threshold (table 4.1), each feature alone and left out (4.2, 4.3). Returns lines and {name: mean AUC}."""
    chosen = [(c, *next(folds(c, seed))) for seed, c in collections]
    found = {(mode, at): _mean_auc(chosen, mode, at) for mode in ("pu", "nu") for at in [*GRID, "entropy"]}
    rows = [[mode.upper(), *(f"{found[mode, at]:.4f}" for at in [*GRID, "entropy"])] for mode in ("pu", "nu")]
    lines = ["AUC by threshold (table 4.1), one run a seed.", "", *table(["α_min", *GRID, "entropy"], rows)]
    for kind in ("fixed", "entropy"):
        rows = []
        for f, name in enumerate(SOURCE):
            others = [g for g in range(len(SOURCE)) if g != f]
            for what, columns in (("alone", [f]), ("without", others)):
                for mode in ("pu", "nu"):
                    found[mode, kind, what, name] = _mean_auc(chosen, mode, FIXED[mode] if kind == "fixed" else kind, columns)
            rows.append([name, *(f"{found[m, kind, w, name]:.4f}" for w in ("alone", "without") for m in ("pu", "nu"))])
        heads = [f"feature ({kind})", "alone PU", "alone NU", "all-except PU", "all-except NU"]
        lines += [f"Features, {kind} thresholds (table {'4.2' if kind == 'fixed' else '4.3'}).", "", *table(heads, rows)]
    return lines, found


def _mean_auc(chosen, mode, threshold, columns=slice(None)):
    scores = (auc(c.truth[test], em_scores(c, mode, train, test, threshold, columns)) for c, train, test in chosen)
    return float(np.mean(list(scores)))


def timing(collection):
    """Label flips from scratch and incremental, and the cost of a candidate (table 4.6). Returns lines and figures."""
    every = np.arange(len(collection.truth))
    cells, near, far = binned(collection, every)
    found, rows = {}, []
    for mode, seeds, threshold in (("pu", near, 0.8), ("nu", far, 0.5)):
        quick, slow = SeedEM(mode, threshold), SeedEM(mode, threshold, incremental=False)
        found[mode] = [_cpu(lambda each=each, seeds=seeds: each.fit(seeds, cells)) for each in (slow, quick)]
        found[f"{mode} equal"] = bool((quick.labels_ == slow.labels_).all())
        flips = sum(quick.flips_)
        slow_s, quick_s = found[mode]
        rows.append([mode.upper(), f"{flips:,}", f"{slow_s:.3f}", f"{quick_s:.3f}", f"{slow_s / quick_s:.0f}"])
    lines = [f"CPU seconds (table 4.6), {len(cells):,} unlabelled pairs, fixed thresholds (PU 0.8, where it flips most).", ""]
    lines += table(["EM", "flips", "counted anew after each", "incremental", "times"], rows)
    model = LAC(bins=None).fit(cells, collection.truth)
    scores: list[np.ndarray] = []
    predict = _cpu(lambda: scores.append(model.predict_proba(cells)[:, 1])) / len(cells)
    join = _cpu(lambda: dominance(scores[0], -scores[0])) / len(cells)
    found["online"] = predict + join
    lines.append(f"A candidate: rules and votes {predict * 1e6:.2f} us, dominance {join * 1e6:.2f} us.\n")
    return lines, found


def _cpu(work):
    began = time.process_time()
    work()
    return time.process_time() - began
