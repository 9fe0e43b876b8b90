# ruff: noqa: E501
"""The claims of the source, each with what it said, what was measured at both shares of copies, and whether it holds."""

from itertools import pairwise

import numpy as np
from protocol import GRID, table
from scipy.stats import wilcoxon

from garimpo.mirrors.pair_features import SOURCE

LEVEL = 0.05


def better(runs, a, b, measure="AUC"):
    """By how much method a beats b, and a verdict of the signed-rank test on paired runs."""
    first, second = (np.array([row[measure] for row in runs[name] if measure in row]) for name in (a, b))
    gain = float(np.mean(first - second))
    p = float(wilcoxon(first, second).pvalue) if np.any(first != second) else 1.0
    verdict = "not shown" if p >= LEVEL else "holds" if gain > 0 else "fails"
    return f"{a} > {b}: {gain:+.4f} (p {p:.2g})", verdict


def chain(runs, names, measure="AUC"):
    """Each method beats the next: what was found of each step, and one verdict."""
    steps = [better(runs, a, b, measure) for a, b in pairwise(names)]
    verdicts = {verdict for _, verdict in steps}
    whole = "holds" if verdicts == {"holds"} else "fails" if "fails" in verdicts else "not shown"
    return "; ".join(text for text, _ in steps), whole


def told(text, held):
    """A claim that no test decides."""
    return text, "holds" if held else "fails"


def claims(collections, runs, found, times):
    """All claims on one kind of collection: number -> (what the source says, what was found, verdict)."""
    facts = [c.facts for _, c in collections]
    mean = {
        key: float(np.mean([f[key] for f in facts])) for key in ("blocking recall", "blocking share", "by path", "by content")
    }
    of = {name: {m: float(np.mean([r[m] for r in rows if m in r])) for m in rows[0]} for name, rows in runs.items()}
    path_share = mean["by path"] / (mean["by path"] + mean["by content"])
    best = {mode: max(GRID, key=lambda at, mode=mode: found[mode, at]) for mode in ("pu", "nu")}
    alone = {(mode, f): found[mode, "entropy", "alone", f] for mode in ("pu", "nu") for f in SOURCE}
    without = {(mode, k, f): found[mode, k, "without", f] for mode in ("pu", "nu") for k in ("fixed", "entropy") for f in SOURCE}
    worst = {
        (mode, k): min(SOURCE, key=lambda f, m=mode, k=k: without[m, k, f]) for mode in ("pu", "nu") for k in ("fixed", "entropy")
    }
    order = sorted(SOURCE, key=lambda f: alone["pu", f])
    entropy = ["PNU entropy", "PU entropy", "NU entropy", "NormPaths"]
    own = better(runs, "garimpo", "PNU entropy", "AP"), better(runs, "garimpo", "NormPaths", "AP")
    out = {
        "own": ("(ours) the package's own method ranks better than PNU and than NormPaths, by AP", *_all(*own)),
        1: ("blocking keeps >= 95 % of the copies with <= 0.1 % of all pairs", *told(
            f"{mean['blocking recall']:.3f} kept, {mean['blocking share']:.2%} of all pairs",
            mean["blocking recall"] >= 0.95 and mean["blocking share"] <= 0.001)),
        2: ("paths give more candidates than contents (about 60 %)", *told(f"{path_share:.0%} by path", path_share > 0.5)),
        3: ("AUC: PNU > PU > NU > NormPaths", *chain(runs, entropy)),
        4: ("PNU is close to the supervised rules (gap 0.0006)", *told(
            f"gap {of['Upper bound']['AUC'] - of['PNU entropy']['AUC']:.4f}",
            of["Upper bound"]["AUC"] - of["PNU entropy"]["AUC"] < 0.01)),
        5: ("own thresholds beat a fixed one", *_all(*(better(runs, f"{m} entropy", f"{m} fixed") for m in ("PU", "NU", "PNU")))),
        6: ("PU beats B-SVM; B-SVM beats NU and NormPaths", *_all(
            better(runs, "PU entropy", "B-SVM"), better(runs, "B-SVM", "NU entropy"), better(runs, "B-SVM", "NormPaths"))),
        7: ("a middle threshold is best (PU 0.6, NU 0.5), NU collapses outside 0.4-0.6", *told(
            f"best PU {best['pu']}, NU {best['nu']}; NU from {min(found['nu', a] for a in GRID):.3f} to "
            f"{max(found['nu', a] for a in GRID):.3f}",
            all(0.4 <= at <= 0.6 for at in best.values()) and found["nu", 0.3] < 0.5 and found["nu", 0.7] < 0.5)),
        8: ("each feature alone <= 0.78 AUC, all five > 0.96", *told(
            f"best alone {max(alone.values()):.3f}, all PU {found['pu', 'entropy']:.3f}, NU {found['nu', 'entropy']:.3f}",
            max(alone.values()) <= 0.78 and min(found["pu", "entropy"], found["nu", "entropy"]) > 0.96)),
        9: ("ip3 and ip4 are the weakest alone (PU), ndist and fullpath the strongest", *told(
            "from the weakest: " + ", ".join(f"{f} {alone['pu', f]:.3f}" for f in order),
            set(order[:2]) == {"ip3", "ip4"} and set(order[3:]) == {"ndist", "fullpath"})),
        10: ("without fullpath the loss is largest (own thresholds)", *told(
            ", ".join(f"{m.upper()} without {worst[m, 'entropy']} {without[m, 'entropy', worst[m, 'entropy']]:.3f}" for m in ("pu", "nu")),
            worst["pu", "entropy"] == worst["nu", "entropy"] == "fullpath")),
        11: ("own thresholds make NU robust to losing a feature", *told(
            f"worst {without['nu', 'entropy', worst['nu', 'entropy']]:.3f} against {without['nu', 'fixed', worst['nu', 'fixed']]:.3f} fixed",
            without["nu", "entropy", worst["nu", "entropy"]] > without["nu", "fixed", worst["nu", "fixed"]])),
        12: ("RDR at 1000+1: PNU >= 0.99, PU 0.96, B-SVM 0.93, NU and NormPaths 0.42", *told(
            ", ".join(f"{n} {of[n]['RDR 1000+1']:.3f}" for n in ("PNU entropy", "PU entropy", "B-SVM", "NU entropy", "NormPaths")),
            of["PNU entropy"]["RDR 1000+1"] >= 0.99 and of["NormPaths"]["RDR 1000+1"] < of["PU entropy"]["RDR 1000+1"])),
        13: ("reduction at FPR 0.005: PNU > PU > NU > NormPaths", *_with(chain(runs, entropy, "RR_doc 0.005"), of, "RR_doc 0.005", entropy)),
        14: ("with fixed thresholds PNU does not beat PU in reduction at FPR 0.005", *_not(
            better(runs, "PNU fixed", "PU fixed", "RR_doc 0.005"))),
        17: ("incremental flips give the labels of counting anew, >= 50 times faster", *told(
            ", ".join(f"{m.upper()} {times[m][0] / times[m][1]:.0f} times" for m in ("pu", "nu")) + ", labels "
            + ("equal" if times["pu equal"] and times["nu equal"] else "DIFFER"),
            times["pu equal"] and times["nu equal"] and min(times[m][0] / times[m][1] for m in ("pu", "nu")) >= 50)),
        18: ("NU takes longer than PU", *told(f"{times['nu'][1]:.3f} s and {times['pu'][1]:.3f} s", times["nu"][1] > times["pu"][1])),
        19: ("a candidate costs < 0.1 s; with cells < 1 ms", *told(f"{times['online'] * 1e6:.1f} us", times["online"] < 1e-3)),
        20: ("clusters are heavy-tailed; copies are larger (224 and 135 URLs)", *told(
            f"hosts of a content by percentile {facts[0]['cluster hosts']}; "
            f"{facts[0]['urls of copies']:.0f} and {facts[0]['urls of others']:.0f} URLs known",
            facts[0]["urls of copies"] > facts[0]["urls of others"])),
        21: ("Jaccard of contents alone does not separate", *told(
            f"AUC {of['Jaccard']['AUC']:.3f}, AP {of['Jaccard']['AP']:.3f}", of["Jaccard"]["AP"] < 0.9)),
        22: ("what EM itself gains", "; ".join(better(runs, f"{m} entropy", f"{m} no EM")[0] for m in ("PU", "NU")), "measured"),
    }  # fmt: skip
    return out


def _all(*steps):
    verdicts = {verdict for _, verdict in steps}
    held = (
        "holds"
        if verdicts == {"holds"}
        else "in part"
        if "holds" in verdicts
        else min(verdicts, key=["fails", "not shown"].index)
    )
    return "; ".join(text for text, _ in steps), held


def _not(step):
    return step[0], "fails" if step[1] == "holds" else "holds"


def _with(step, of, measure, names):
    return ", ".join(f"{n} {of[n][measure]:.3f}" for n in names) + "; " + step[0], step[1]


def claim_lines(by_share):
    """One table: a row a claim, a column for each share of copies."""
    heads = ["claim", "the source", *(f"{share:.1%} copies" for share in by_share)]
    first = next(iter(by_share.values()))
    rows = []
    for number in first:
        cells = [f"**{each[number][2]}**: {each[number][1]}" for each in by_share.values()]
        rows.append([number, first[number][0], *cells])
    return table(heads, rows)
