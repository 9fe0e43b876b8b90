"""The protocol and the tables of the source on made collections; each function returns Markdown lines and what claims ask for.

Two halves of the hosts, each once training and once test, so that no host is on both sides; five runs a half, each on four fifths
of the training pairs: ten paired runs a seed.
"""

import time

import numpy as np
from common import WAYS, ap, at_fpr, auc, binned, components, rdr, reduction
from methods import FIXED, all_methods, em_scores
from scipy.stats import t

from garimpo.mirrors.pair_features import SOURCE
from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.lac import LAC
from garimpo.mirrors.thesis.pareto import dominance

GRID = [round(0.1 * step, 1) for step in range(1, 10)]
RANKS = (10, 100, 1_000, 10_000)
RATES = (0.0, 0.001, 0.005)
TIMED = 10_000
"""Labelled pairs whose flips are timed: counting anew after each takes its time."""


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


def bounds(values):
    """Mean and 95 % interval of independent values (Student's t); nothing is known of one value alone."""
    values = np.asarray(values, float)
    if len(values) < 2 or not np.isfinite(values).all():
        return float("nan"), float("-inf"), float("inf")
    width = float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5)
    return float(values.mean()), float(values.mean()) - width, float(values.mean()) + width


def interval(values):
    """Mean and half the width of its 95 % interval, as text."""
    mean, _, high = bounds(values)
    return f"{mean:.4f} ± {high - mean:.4f}"


def compare(collections):
    """AUC, AP, RDR (table 4.4) and reduction of all methods, once for each way: {way: {method: runs}}.

    A run knows its `block`: those of one seed and half share test pairs, and count once in a claim.
    """
    runs, costs = {way: {} for way in WAYS}, None
    for seed, collection in collections:
        for number, (train, test) in enumerate(folds(collection, seed)):
            half, first = divmod(number, 5)
            y = collection.truth[test]
            by_way, costs = all_methods(collection, train, test, None if first == 0 else costs)
            for way, method, scores in ((w, m, s) for w, methods in by_way.items() for m, s in methods.items()):
                row = {"block": (seed, half), "AUC": auc(y, scores), "AP": ap(y, scores)}
                if first == 0:
                    row |= {f"RDR {k}+1": rdr(y, scores, k, 200) for k in RANKS} | _reductions(collection, test, y, scores)
                runs[way].setdefault(method, []).append(row)
    return runs


def compared(runs):
    """The tables of methods for one way."""
    lines = ["Methods (figures 4.7 and 4.9, table 4.4): mean and 95 % interval.", ""]
    for names in (["AUC", "AP", *(f"RDR {k}+1" for k in RANKS)], [n for n in runs["NormPaths"][0] if n.startswith("RR")]):
        rows = [[method, *(interval(by_block(mine, name)) for name in names)] for method, mine in runs.items()]
        lines += table(["method", *names], rows)
    return lines


def by_block(runs, name):
    """The mean of a measure over the runs of each block: what an interval is made of."""
    blocks = {}
    for row in runs:
        if name in row:
            blocks.setdefault(row["block"], []).append(row[name])
    return np.array([np.mean(values) for values in blocks.values()])


def _reductions(collection, test, y, scores):
    """Share of the duplicate URLs that go at a rate of strangers let in (figures 4.8, 4.10), by each way of counting."""
    out, chosen = {}, np.zeros(len(collection.truth), bool)
    for rate in RATES:
        chosen[test] = at_fpr(y, scores, rate)
        out |= {f"RR_{kind} {rate}": reduction(collection, chosen, kind) for kind in ("doc", "keep1", "tp")}
    return out


def sweep(collections, way):
    """AUC by fixed threshold (table 4.1), each feature alone and left out (4.2, 4.3). Returns lines and {name: AUCs}."""
    chosen = [(c, *run) for seed, c in collections for run in list(folds(c, seed))[::5]]
    found = {(mode, at): _aucs(chosen, way, mode, at) for mode in ("pu", "nu") for at in [*GRID, "entropy"]}
    rows = [[mode.upper(), *(f"{found[mode, at].mean():.4f}" for at in [*GRID, "entropy"])] for mode in ("pu", "nu")]
    lines = ["AUC by threshold (table 4.1), one run a half.", "", *table(["α_min", *GRID, "entropy"], rows)]
    for kind in ("fixed", "entropy"):
        rows = []
        for f, name in enumerate(SOURCE):
            others = [g for g in range(len(SOURCE)) if g != f]
            for what, columns in (("alone", [f]), ("without", others)):
                for mode in ("pu", "nu"):
                    threshold = FIXED[mode] if kind == "fixed" else kind
                    found[mode, kind, what, name] = _aucs(chosen, way, mode, threshold, columns)
            rows.append([name, *(f"{found[m, kind, w, name].mean():.4f}" for w in ("alone", "without") for m in ("pu", "nu"))])
        heads = [f"feature ({kind})", "alone PU", "alone NU", "all-except PU", "all-except NU"]
        lines += [f"Features, {kind} thresholds (table {'4.2' if kind == 'fixed' else '4.3'}).", "", *table(heads, rows)]
    return lines, found


def _aucs(chosen, way, mode, threshold, columns=slice(None)):
    return np.array([auc(c.truth[test], em_scores(c, way, mode, train, test, threshold, columns)) for c, train, test in chosen])


def timing(collections, way):
    """Label flips from scratch and incremental, and the cost of a candidate (table 4.6). Returns lines, and figures of each."""
    found, rows = {}, []
    for _, collection in collections:
        cells, near, far = binned(collection, np.arange(min(len(collection.truth), TIMED)), way)
        cells = cells[:TIMED]
        for mode, seeds, threshold in (("pu", near, 0.8), ("nu", far, 0.5)):
            quick, slow = SeedEM(mode, threshold), SeedEM(mode, threshold, incremental=False)
            slow_s, quick_s = (_cpu(lambda each=each, seeds=seeds, cells=cells: each.fit(seeds, cells)) for each in (slow, quick))
            figures = {"slow": slow_s, "quick": quick_s, "flips": sum(quick.flips_)}
            figures["equal"] = float((quick.labels_ == slow.labels_).all())
            for name, value in figures.items():
                found.setdefault((mode, name), []).append(value)
        model, scores = LAC(bins=None).fit(cells, collection.truth[:TIMED]), []
        predict = _cpu(lambda model=model, cells=cells, out=scores: out.append(model.predict_proba(cells)[:, 1])) / len(cells)
        join = _cpu(lambda scores=scores: dominance(scores[0], -scores[0])) / len(cells)
        found.setdefault("predict", []).append(predict)
        found.setdefault("join", []).append(join)
    for mode in ("pu", "nu"):
        slow_s, quick_s, flips = (found[mode, name] for name in ("slow", "quick", "flips"))
        times = f"{np.mean(slow_s) / np.mean(quick_s):.0f}"
        rows.append([mode.upper(), f"{np.mean(flips):,.0f}", f"{np.mean(slow_s):.3f}", f"{np.mean(quick_s):.3f}", times])
    lines = [f"CPU seconds (table 4.6), {TIMED:,} labelled pairs at most, fixed thresholds (PU 0.8, NU 0.5).", ""]
    lines += table(["EM", "flips", "counted anew after each", "incremental", "times"], rows)
    of_one = np.mean(found["predict"]) * 1e6, np.mean(found["join"]) * 1e6
    lines.append(f"A candidate: rules and votes {of_one[0]:.2f} us, dominance {of_one[1]:.2f} us.\n")
    return lines, found


def _cpu(work):
    began = time.process_time()
    work()
    return time.process_time() - began
