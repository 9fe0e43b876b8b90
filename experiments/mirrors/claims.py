"""The claims of the source, each with what it said, what was measured, and whether it holds.

A verdict is computed: a claim is a difference or a value with a 95 % interval over collections and halves, and a bound. The claim
*holds* if the whole interval is on the right side, *fails* if it is on the wrong one, and is *not shown here* otherwise, also
where nothing happened that could show it.
"""

from itertools import pairwise

import numpy as np
from protocol import GRID, bounds, by_block, table

from garimpo.mirrors.pair_features import SOURCE

HOLDS, FAILS, NOT_SHOWN = "holds", "fails", "not shown here"
ENTROPY = ["PNU entropy", "PU entropy", "NU entropy", "NormPaths"]


def over(text, values, bound, happened=True):
    """What was measured of a value that must be above a bound, and the verdict."""
    mean, low, high = bounds(values)
    verdict = HOLDS if low > bound else FAILS if high <= bound else NOT_SHOWN
    return f"{text} {mean:.4g} [{low:.4g}, {high:.4g}]", verdict if happened else NOT_SHOWN


def under(text, values, bound, happened=True):
    """What was measured of a value that must not be above a bound, and the verdict."""
    told, verdict = over(text, values, bound, happened)
    return told, {HOLDS: FAILS, FAILS: HOLDS}.get(verdict, verdict)


def better(runs, a, b, measure="AUC"):
    """By how much method a beats b, over the blocks of runs."""
    first, second = by_block(runs[a], measure), by_block(runs[b], measure)
    return over(f"{a} - {b}:", first - second, 0.0, happened=bool(np.any(first) or np.any(second)))


def chain(runs, names, measure="AUC"):
    """Each method beats the next."""
    return together(*(better(runs, a, b, measure) for a, b in pairwise(names)))


def together(*steps):
    """All steps must hold."""
    verdicts = {verdict for _, verdict in steps}
    whole = FAILS if FAILS in verdicts else NOT_SHOWN if NOT_SHOWN in verdicts else HOLDS
    return "; ".join(text for text, _ in steps), whole


def claims(collections, runs, found, times):
    """All claims on one kind of collection and one way: number -> (what the source says, what was found, verdict)."""
    return {
        **_blocking([c.facts for _, c in collections]),
        **_methods(runs),
        **_features(found),
        **_saving(runs),
        **_cost(times),
    }


def _blocking(facts):
    of = {name: np.array([fact[name] for fact in facts], float) for name in facts[0] if name != "cluster hosts"}
    tail = [fact["cluster hosts"]["100 %"] / fact["cluster hosts"]["50 %"] for fact in facts]
    return {
        1: ("blocking keeps >= 95 % of the copies with <= 0.1 % of all pairs", *together(
            over("kept", of["blocking recall"], 0.95), under("share of all pairs", of["blocking share"], 0.001))),
        2: ("paths give more candidates than contents (about 60 %)", *over(
            "share by path", of["by path"] / (of["by path"] + of["by content"]), 0.5)),
        20: ("clusters are heavy-tailed; copies are larger (224 and 135 URLs)", *together(
            over("hosts of the largest cluster, in medians:", tail, 10.0),
            over("more URLs known of copies:", of["urls of copies"] - of["urls of others"], 0.0))),
    }  # fmt: skip


def _methods(runs):
    gap = by_block(runs["Upper bound"], "AUC") - by_block(runs["PNU entropy"], "AUC")
    rank = "RDR 1000+1"
    pairs = ("PU entropy", "B-SVM"), ("B-SVM", "NU entropy"), ("B-SVM", "NormPaths")
    return {
        "own": ("(ours) the package's own method ranks better than PNU and than NormPaths, by AP", *together(
            better(runs, "garimpo", "PNU entropy", "AP"), better(runs, "garimpo", "NormPaths", "AP"))),
        3: ("AUC: PNU > PU > NU > NormPaths", *chain(runs, ENTROPY)),
        4: ("PNU is close to the supervised rules (gap 0.0006)", *under("gap", gap, 0.01)),
        5: ("own thresholds beat a fixed one", *together(
            *(better(runs, f"{mode} entropy", f"{mode} fixed") for mode in ("PU", "NU", "PNU")))),
        6: ("PU beats B-SVM; B-SVM beats NU and NormPaths", *together(*(better(runs, *pair) for pair in pairs))),
        12: ("RDR at 1000+1: PNU >= 0.99, PU 0.96, B-SVM 0.93, NU and NormPaths 0.42", *together(
            over("PNU entropy", by_block(runs["PNU entropy"], rank), 0.99), *(better(runs, *pair, rank) for pair in pairs))),
        21: ("Jaccard of contents alone does not separate", *better(runs, "Upper bound", "Jaccard", "AP")),
        22: ("what EM itself gains", *together(*(better(runs, f"{m} entropy", f"{m} no EM") for m in ("PU", "NU")))),
    }  # fmt: skip


def _features(found):
    alone = {(mode, f): found[mode, "entropy", "alone", f] for mode in ("pu", "nu") for f in SOURCE}
    without = {(mode, k, f): found[mode, k, "without", f] for mode in ("pu", "nu") for k in ("fixed", "entropy") for f in SOURCE}
    worst = {kind: np.min([without["nu", kind, f] for f in SOURCE], axis=0) for kind in ("fixed", "entropy")}
    strong, weak = ("ndist", "fullpath"), ("ip3", "ip4")
    middle = [at for at in GRID if 0.4 <= at <= 0.6]
    outside = [at for at in GRID if at not in middle]

    def most(keys, lowest=False):
        return (np.min if lowest else np.max)([found[key] for key in keys], axis=0)

    def lost(mode):
        others = np.min([without[mode, "entropy", f] for f in SOURCE if f != "fullpath"], axis=0)
        return others - without[mode, "entropy", "fullpath"]

    gain = {mode: most([(mode, at) for at in middle]) - most([(mode, at) for at in outside]) for mode in ("pu", "nu")}
    apart = np.min([alone["pu", f] for f in SOURCE if f not in weak], axis=0) - np.max([alone["pu", f] for f in weak], axis=0)
    above = np.min([alone["pu", f] for f in strong], axis=0) - alone["pu", "nmatch"]
    return {
        7: ("a middle threshold is best (PU 0.6, NU 0.5), NU collapses outside 0.4-0.6", *together(
            over("PU, middle - outside:", gain["pu"], 0.0), over("NU, middle - outside:", gain["nu"], 0.0),
            under("NU outside, at best", most([("nu", at) for at in outside]), 0.5))),
        8: ("each feature alone <= 0.78 AUC, all five > 0.96", *together(
            under("best alone", np.max(list(alone.values()), axis=0), 0.78),
            over("all, PU", found["pu", "entropy"], 0.96), over("all, NU", found["nu", "entropy"], 0.96))),
        9: ("ip3 and ip4 are the weakest alone (PU), ndist and fullpath the strongest", *together(
            over("weakest other - best of ip3, ip4:", apart, 0.0), over("worse of ndist, fullpath - nmatch:", above, 0.0))),
        10: ("without fullpath the loss is largest (own thresholds)", *together(
            *(over(f"{mode.upper()}, what it costs more:", lost(mode), 0.0) for mode in ("pu", "nu")))),
        11: ("own thresholds make NU robust to losing a feature", *over(
            "worst, entropy - fixed:", worst["entropy"] - worst["fixed"], 0.0)),
    }  # fmt: skip


def _saving(runs):
    measure = "RR_doc 0.005"
    first, second = by_block(runs["PNU fixed"], measure), by_block(runs["PU fixed"], measure)
    happened = bool(np.any(first) or np.any(second))
    return {
        13: ("reduction at FPR 0.005: PNU > PU > NU > NormPaths", *chain(runs, ENTROPY, measure)),
        14: ("with fixed thresholds PNU does not beat PU in reduction at FPR 0.005", *under(
            "PNU fixed - PU fixed:", first - second, 0.0, happened)),
    }  # fmt: skip


def _cost(times):
    of = {key: np.array(values) for key, values in times.items()}
    flipped = all(of[mode, "flips"].min() > 0 for mode in ("pu", "nu"))
    equal = bool(of["pu", "equal"].all() and of["nu", "equal"].all())
    faster = together(*(over(f"{m.upper()}, times", of[m, "slow"] / of[m, "quick"], 50.0, flipped) for m in ("pu", "nu")))
    return {
        17: ("incremental flips give the labels of counting anew, >= 50 times faster",
             faster[0] + f"; labels {'equal' if equal else 'DIFFER'}", faster[1] if equal else FAILS),
        18: ("NU takes longer than PU", *over("NU - PU, s:", of["nu", "quick"] - of["pu", "quick"], 0.0, flipped)),
        19: ("a candidate costs < 0.1 s; with cells < 1 ms", *under("s", of["predict"] + of["join"], 1e-3)),
    }  # fmt: skip


def claim_lines(by_kind):
    """One table: a row a claim, a column for each kind of collection and way."""
    heads = ["claim", "the source", *by_kind]
    first = next(iter(by_kind.values()))
    order = sorted(first, key=lambda number: (number != "own", number if number != "own" else 0))
    rows = []
    for number in order:
        cells = [f"**{each[number][2]}**: {each[number][1]}" for each in by_kind.values()]
        rows.append([number, first[number][0], *cells])
    return table(heads, rows)
