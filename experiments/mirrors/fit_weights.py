"""Learn the weights that the package ships, and measure them on makers of webs that the fit had left out.

    python experiments/mirrors/fit_weights.py --out weights.json --report experiments/mirrors/unseen.md

Six makers: the four of `minds`, the tables of `garimpo web tables` and the small webs of the tests. Weights are fitted on five
and judge the sixth, six times over; one scale and one offset for all are then fitted on those judgements, so that a score
means what it says on a web that nothing was fitted to. What ships is fitted on all six.

Logistic regression over a dozen amounts of evidence, none of which may change its sign. Bounds hold what one maker alone
would decide: names and addresses weigh at most 2; pages that differ at least 1.5, sections that are missing at least 1, since
only some makers have strangers that are told apart by nothing else. Copies that hardly agree, as their pages change at each
fetch, are left out of learning: without near-duplicates nothing tells them from two releases of a manual. They count in figures.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from common import tables
from minds import MINDS
from scipy.optimize import minimize
from sklearn.metrics import average_precision_score

from garimpo import engine
from garimpo.mirrors import folds, search
from garimpo.mirrors.blocking import candidates
from garimpo.mirrors.evidence import agreed, amounts, sure
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import scan
from garimpo.mirrors.pair_features import features
from garimpo.mirrors.search import CUT, joined, with_groups
from garimpo.mirrors.weighing import Weights, probabilities, weigh

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from mirrors import made

BOUNDS = {"agreement": (1.5, 2.5), "missing": (1.0, 1.5), "paths": (0.0, 0.8), "network": (0.0, 1.0)}
BOUNDS |= dict.fromkeys(("www", "top", "number", "address"), (0.0, 2.0))
STATED = ("titles", "links")
STRONG = 10
"""Copies with so many equal pages fetched are the ones that a method must be sure of."""


@dataclass
class Judged:
    """The candidates of a collection with their amounts of evidence and the truth."""

    maker: str
    name: str
    table: dict
    amounts: dict
    y: np.ndarray
    true: int
    pairs: object
    hosts: int
    sure: np.ndarray
    world: object = None

    @property
    def learnable(self):
        both, same = agreed(self.table)
        return ~(self.y & (both >= 5) & (same < 0.6 * both))

    def matrix(self, names):
        return np.column_stack([self.amounts[name] for name in names])

    def scores(self, weights):
        return probabilities(weigh(self.amounts, weights), self.table, weights, self.sure)[0]

    def told(self, weights):
        """The scores that the command tells, which agree with its groups."""
        score = self.scores(weights)
        groups = joined(self.pairs, score, score >= CUT, self.hosts)
        return with_groups(score, groups[self.pairs.first] == groups[self.pairs.second], CUT)


def judged(maker, name, pages, true, links=None, near=None, world=None):
    with engine.local() as local:
        found = scan(local, pages, near)
    pairs = candidates(found)
    table = features(found, pairs, links)
    hosts, number = len(found.hosts), {host: i for i, host in enumerate(found.hosts)}
    keys = [number[a] * hosts + number[b] for a, b in true if a in number and b in number]
    y = np.isin(pairs.first.astype(np.int64) * hosts + pairs.second, keys)
    names = Names.of(found.hosts)
    known = {n: v for n, v in amounts(found, pairs, names, table).items() if n not in STATED}
    return Judged(maker, name, table, known, y, len(true), pairs, hosts, sure(names, pairs, table), world)


def collections(hosts):
    """Every maker with few, some and many copies; with near-duplicates where copies are many."""
    for maker, make in MINDS.items():
        for seed, share in ((1, 0.05), (11, 0.01), (12, 0.2)):
            world = make(seed, hosts, share)
            near = world.near if share == 0.2 else None
            name = f"{maker} {seed}{' near' if near is not None else ''}"
            yield judged(maker, name, world.pages, world.truth, world.links, near, world)
    yield judged("tests", "tests 101", *made.web(101, hosts))
    with tempfile.TemporaryDirectory() as folder:
        pages, true, _ = tables(7101, 2 * hosts, 0.004, folder)
    yield judged("tables", "tables 7101", pages, true)


def fit(known, ridge=1e-4):
    """Weights from some collections; each counts the same, and has its own share of copies."""
    names = list(known[0].amounts)
    keep = [one.learnable for one in known]
    X = np.vstack([one.matrix(names)[k] for one, k in zip(known, keep)])
    y = np.concatenate([one.y[k] for one, k in zip(known, keep)]).astype(float)
    w = np.concatenate([np.full(k.sum(), 1.0 / k.sum()) for k in keep]) / len(known)
    base = np.concatenate([np.full(k.sum(), np.log(one.y.mean() / (1 - one.y.mean()))) for one, k in zip(known, keep)])

    def loss(beta):
        z = X @ beta[:-1] + beta[-1] + base
        slope = w * (1.0 / (1.0 + np.exp(-z)) - y)
        value = np.sum(w * (np.logaddexp(0.0, z) - y * z)) + ridge * np.sum(beta[:-1] ** 2)
        return value, np.append(X.T @ slope + 2 * ridge * beta[:-1], slope.sum())

    bounds = [BOUNDS.get(name, (0.0, None)) for name in names] + [(None, None)]
    start = np.array([low or 0.0 for low, _ in bounds])
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 2000}).x
    return Weights("", float(found[-1]), dict(zip(names, map(float, found[:-1]))))


def scaled(weights, scale, offset, note=""):
    return Weights(note, scale * weights.offset + offset, {name: scale * w for name, w in weights.weights.items()})


def fit_scale(known, left_out):
    """One scale and one offset under which the weights that did not know a maker judge it best."""

    def loss(v):
        total = 0.0
        for one in known:
            p = np.clip(one.scores(scaled(left_out[one.maker], *v))[one.learnable], 1e-9, 1 - 1e-9)
            y = one.y[one.learnable]
            total -= np.mean(np.where(y, np.log(p), np.log1p(-p))) / max(y.mean(), 1e-3)
        return total

    return minimize(loss, [1.0, -1.0], method="Nelder-Mead", options={"maxiter": 200}).x


def figures(one, score):
    """What a row of the report says of one collection."""
    called, sure, strong = score >= CUT, score >= 0.9, one.y & (agreed(one.table)[1] >= STRONG)
    share = lambda part, whole: f"{part.sum() / whole.sum():.3f}" if whole.sum() else "-"  # noqa: E731
    ap = average_precision_score(one.y, score) * one.y.sum() / one.true
    found = f"{(one.y & called).sum() / one.true:.3f}"
    row = [one.name, len(one.y), one.true, f"{100 * one.y.mean():.2f}", f"{ap:.3f}", share(one.y & called, called), found]
    return [*row, share(strong & called, strong), int(sure.sum()), share(one.y & sure, sure), share(strong & sure, strong)]


def fold_figures(one, weights):
    """Folds by weights that did not know the maker: how many, how many right, and which part of the foldable hosts they fold."""
    world = one.world
    near = world.near if one.name.endswith("near") else None
    pages = world.pages
    found = search(pages, near, world.links, weights=weights)
    made_folds = folds(found.pairs, pages, near=near).to_pylist()
    right = [fold for fold in made_folds if world.is_right(fold)]
    strong = found.pairs.filter(agreed_column(found.pairs) >= STRONG).to_pylist()
    pairs = [(r["host_a"], r["host_b"]) for r in strong if (r["host_a"], r["host_b"]) in world.truth]
    owned = sum(
        r.get("same_site") or max(r["moved_a"], r["moved_b"]) >= 0.05 for r in strong if (r["host_a"], r["host_b"]) in pairs
    )
    folded = {frozenset((fold["host"], fold["keep_host"])) for fold in right}
    hosts = {fold["host"] for fold in right}
    done = sum(frozenset(pair) in folded or bool(hosts & set(pair)) for pair in pairs)
    return [one.name, len(made_folds), len(right), len(pairs), owned, done]


def agreed_column(pairs):
    import pyarrow as pa

    same = pairs["same"].to_numpy()
    return pa.array(np.maximum(same, pairs["near_same"].to_numpy()) if "near_same" in pairs.column_names else same).to_numpy()


def reliability(known, left_out):
    """Pairs, mean score and share of copies by tenths of the score, over all collections."""
    score = np.concatenate([one.told(left_out[one.maker]) for one in known])
    y = np.concatenate([one.y for one in known])
    tenth = np.minimum((10 * score).astype(int), 9)
    return [
        [f"{t / 10:.1f}", (tenth == t).sum(), f"{score[tenth == t].mean():.3f}", f"{y[tenth == t].mean():.3f}"] for t in range(10)
    ]


def markdown(heads, rows):
    return [
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
        *("| " + " | ".join(map(str, row)) + " |" for row in rows),
        "",
    ]


def report(known, left_out, shipped):
    heads = ["collection", "pairs", "copies", "% copies", "average precision", f"precision at {CUT}", "recall"]
    heads += [f"recall, {STRONG}+ equal pages", "scored .9 to 1", "copies among them", f"of the {STRONG}+ there"]
    lines = [
        "# Mirrors on webs that the weights did not know",
        "",
        "Made by `python experiments/mirrors/fit_weights.py`. Each row is",
    ]
    lines += ["judged by weights fitted on the other makers. Recall counts every true pair, also of hosts known by one URL.", ""]
    lines += markdown(heads, [figures(one, one.told(left_out[one.maker])) for one in known])
    lines += ["Reliability by tenths of the score, all collections together:", ""]
    lines += markdown(["score from", "pairs", "mean score", "copies"], reliability(known, left_out))
    heads = ["collection", "folds", "right", f"copies with {STRONG}+ equal pages", "of one site, or led to", "folded"]
    lines += ["Folds, by the same weights:", "", *markdown(heads, [fold_figures(o, left_out[o.maker]) for o in known if o.world])]
    lines += ["Weights, in nats for each unit of evidence (the last column ships):", ""]
    names = list(shipped.weights)
    heads = ["evidence", *(f"without {maker}" for maker in left_out), "all"]
    rows = [[name, *(f"{w.weights[name]:.2f}" for w in left_out.values()), f"{shipped.weights[name]:.2f}"] for name in names]
    return lines + markdown(heads, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="weights.json")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--hosts", type=int, default=700, help="of each collection")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    hosts = 250 if given.quick else given.hosts
    known = list(collections(hosts))
    makers = dict.fromkeys(one.maker for one in known)
    left_out = {maker: fit([one for one in known if one.maker != maker]) for maker in makers}
    scale, offset = fit_scale(known, left_out)
    left_out = {maker: scaled(weights, scale, offset) for maker, weights in left_out.items()}
    note = f"experiments/mirrors/fit_weights.py --hosts {hosts}: {', '.join(one.name for one in known)}"
    shipped = scaled(fit(known), scale, offset, note)
    if given.out:
        rounded = {name: round(w, 3) for name, w in shipped.weights.items()}
        given.out.write_text(
            json.dumps({"made_from": note, "offset": round(shipped.offset, 3), "weights": rounded}, indent=1) + "\n"
        )
    text = "\n".join(report(known, left_out, shipped))
    if given.report:
        given.report.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
