"""Learn the weights that the package ships, on made collections that no figure is measured on.

    python experiments/mirrors/fit_weights.py --out weights.json [--hosts 50000] [--check 4201]

Logistic regression over the levels of evidence, with the signs that reason demands: more shared paths, more equal contents and
a rarer common address never speak against a copy. Smaller collections are seen four times: as they are, without addresses,
without contents, without both, so that what is not known weighs nothing; and thinned out, with most hosts known by a few URLs, as
links show them, so that one common path is not taken for much. What company weighs is learned last. Then both the new
weights and the shipped ones judge the collection of the seed to check, which nothing was learned on.
"""

import argparse
import json
import sys
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
from common import ap, precision_at, tables
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse import csr_matrix, hstack, vstack

from garimpo import engine, webgen
from garimpo.mirrors.blocking import candidates
from garimpo.mirrors.levels import AGREEMENT, COUNTS, GRID, LEVELS, SHARES, evidence
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import scan
from garimpo.mirrors.pair_features import features
from garimpo.mirrors.third_hosts import STEPS, company
from garimpo.mirrors.weighing import Weights, accompanied, probabilities, shipped, weigh
from garimpo.url import host_column

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from mirrors import made  # noqa: E402

LARGE, SMALL = (7101, 7102), 7103
NOTE = (
    "experiments/mirrors/fit_weights.py: made tables (seeds 7101, 7102, 7103), made web medium (seed 907), "
    "the tests' small webs (seeds 101-103), and parts of them with few URLs a host"
)
SAMPLE = 250_000
"""Strangers of a large collection are sampled; all copies are used."""
UP, FREE = (0.0, None), (None, None)
NAME, SIZE = (-3.0, 6.0), (-6.0, 2.0)
"""Made names are alike for a reason; those of the Web may be by chance. So no name decides alone, nor does size."""
MOST_COMPANY = 5.0
RIDGE = 3e-7


def design(kind):
    """Columns for the levels of one kind (level 0 is all zero), and the bounds of their weights."""
    levels = np.arange(LEVELS[kind])
    known = (levels > 0).astype(float)
    if kind in ("name", "size"):
        return np.eye(len(levels))[:, 1:], [NAME if kind == "name" else SIZE] * (len(levels) - 1)
    if kind in ("address", "folders"):
        steps = [(levels > step).astype(float) for step in range(1, len(levels) - 1)]
        return np.column_stack([known, *steps]), [FREE] + [UP] * len(steps)
    width = len({"paths": SHARES, "shapes": SHARES, "content": SHARES}.get(kind, AGREEMENT)) + 1
    count, share = (levels - 1) // width, (levels - 1) % width
    if kind == "paths":
        return doubled(levels, count, share, width)
    return grid(known, count, share, width, FREE if kind == "agreement" else UP)


def doubled(levels, count, share, width):
    """Two grids: where contents agree or were not compared, and where none agrees."""
    second = levels > GRID
    first = grid(((levels > 0) & ~second).astype(float), count, share, width, UP)
    other = grid(second.astype(float), count - GRID // width, share, width, UP)
    return np.column_stack([first[0], other[0]]), first[1] + other[1]


def grid(known, count, share, width, more):
    """Steps of a grid: more shared (bounded by `more`), a larger share, and both."""
    columns, bounds = [known], [FREE]
    for step in range(1, len(COUNTS) + 1):
        columns.append(known * (count >= step))
        bounds.append(more)
    for step in range(1, width):
        columns.append(known * (share >= step))
        bounds.append(UP)
    for low, high in product(range(1, len(COUNTS) + 1), range(1, width)):
        columns.append(known * (count >= low) * (share >= high))
        bounds.append(UP)
    return np.column_stack(columns), bounds


def fit(collections, note):
    """Weights from collections (levels by kind, truth, importance of each pair, and of the collection)."""
    designs = {kind: design(kind) for kind in LEVELS}
    parts, truth, weight = [], [], []
    for levels, y, importance, total in collections:
        rows = [csr_matrix(designs[kind][0])[levels[kind]] for kind in LEVELS]
        parts.append(hstack(rows).tocsr())
        truth.append(y)
        weight.append(importance * total / importance.sum())
    X, y, w = vstack(parts).tocsr(), np.concatenate(truth).astype(float), np.concatenate(weight)
    w /= w.sum()
    bounds = [bound for kind in LEVELS for bound in designs[kind][1]] + [FREE]

    def loss(beta):
        z = X @ beta[:-1] + beta[-1]
        slope = w * (1.0 / (1.0 + np.exp(-z)) - y)
        value = np.sum(w * (np.logaddexp(0.0, z) - y * z)) + RIDGE * np.sum(beta[:-1] ** 2)
        return value, np.append(X.T @ slope + 2 * RIDGE * beta[:-1], slope.sum())

    share = float(np.sum(w * y))
    result = minimize(loss, np.zeros(X.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 3000})
    offset = float(result.x[-1]) - np.log(share / (1.0 - share))
    levels, at = {}, 0
    for kind in LEVELS:
        width = designs[kind][0].shape[1]
        weights = designs[kind][0] @ result.x[at : at + width]
        at += width
        seen = np.concatenate([part[kind] for part, *_ in collections])
        if (seen > 0).all():  # always known: what is usual weighs nothing
            usual = np.average(weights[seen], weights=w * (1.0 - y))
            weights[1:] -= usual
            offset += usual
        levels[kind] = [round(float(v), 3) for v in weights]
    return {"made_from": note, "share": round(share, 6), "offset": round(offset, 3), "levels": levels}


class Judged:
    """All candidates of a collection: their evidence, their truth, and how many copies there are in all."""

    def __init__(self, pages, true, near=None):
        with engine.local() as local:
            found = scan(local, pages, near)
        self.pairs, self.hosts, self.copies = candidates(found), len(found.hosts), len(true)
        self.table = features(found, self.pairs)
        self.levels = evidence(found, self.pairs, Names.of(found.hosts), self.table)
        number = {host: i for i, host in enumerate(found.hosts)}
        keys = [number[a] * self.hosts + number[b] for a, b in true if a in number and b in number]
        self.y = np.isin(self.pairs.first.astype(np.int64) * self.hosts + self.pairs.second, keys)

    def sample(self):
        """Evidence, truth, and how many pairs each stands for; of many strangers a sample."""
        share = min(1.0, SAMPLE / len(self.y))
        chosen = self.y | (np.random.default_rng(0).random(len(self.y)) < share)
        levels = {kind: level[chosen] for kind, level in self.levels.items()}
        return levels, self.y[chosen], np.where(self.y, 1.0, 1.0 / share)[chosen]

    def scores(self, weights):
        return probabilities(weigh(self.levels, self.table, weights), weights)[0]


def fit_company(judged, weights):
    """What each level of company adds to the log odds, for the pairs of one collection."""
    score = np.clip(judged.scores(weights), 1e-9, 1 - 1e-9)
    level, odds = company(judged.pairs, score, judged.hosts), np.log(score / (1 - score))
    out = [0.0]
    for step in range(1, len(STEPS) + 2):
        of_level = level == step

        def loss(more, of_level=of_level):
            z = odds[of_level] + more
            return np.sum(np.logaddexp(0.0, z) - judged.y[of_level] * z) + 0.05 * more**2

        out.append(round(float(minimize_scalar(loss, bounds=(-MOST_COMPANY, MOST_COMPANY), method="bounded").x), 3))
    return [0.0, *np.maximum.accumulate(out[1:]).tolist()]


def without(pages, *names):
    for name in names:
        at = pages.column_names.index(name)
        pages = pages.set_column(at, name, pa.nulls(pages.num_rows, pages.schema.field(name).type))
    return pages


FEW = (1, 1, 1, 2, 2, 3, 4, 6, 10, 1000)
"""How many URLs are known of a host in a thin collection, drawn for each host."""


def thin(pages, seed=0):
    """A part of the pages, with few URLs of most hosts."""
    random = np.random.default_rng(seed)
    host = host_column(pages["url"]).dictionary_encode().indices.to_numpy()
    order = np.lexsort((random.random(len(host)), host))
    starts = np.r_[0, np.cumsum(np.bincount(host))[:-1]]
    rank = np.arange(len(host)) - starts[host[order]]
    most = random.choice(FEW, len(starts))
    return pages.take(pa.array(np.sort(order[rank < most[host[order]]])))


def four_times(pages, true):
    return [Judged(without(pages, *names), true).sample() for names in ((), ("ip",), ("digest",), ("ip", "digest"))]


def web_pages(folder, share):
    """A part of the URLs of a made web, with what they show and its near-duplicates; hosts of subdomains left out."""
    truth = webgen.truth(folder)
    address = {row["host"]: row["address"] for row in truth["hosts"].to_pylist() if row["kind"] != "subdomain"}
    random = np.random.default_rng(0)
    rows = [row for row in truth["pages"].sort_by("url").to_pylist() if row["url"].split("/")[2] in address]
    rows = [row for row, draw in zip(rows, random.random(len(rows))) if draw < share]
    hosts = [row["url"].split("/")[2] for row in rows]
    pages = pa.table({"url": [r["url"] for r in rows], "ip": [address[h] for h in hosts], "digest": [r["content"] for r in rows]})
    near = pa.table({"id": pages["url"], "cluster": [r["near"] for r in rows]})
    return pages, near, {(row["host_a"], row["host_b"]) for row in truth["mirrors"].to_pylist()}


def large(seed, folder, hosts):
    return Judged(*tables(seed, hosts, 0.004, folder)[:2])


def views(folder, hosts):
    """The smaller collections, each with how much it counts."""
    pages, true, _ = tables(SMALL, hosts, 0.004, folder)
    yield from ((*view, 1.0) for view in [*four_times(pages, true), *four_times(thin(pages), true)])
    webgen.make(Path(folder) / "web", profile="medium", seed=907)
    for share in (0.3, 0.7):
        pages, near, true = web_pages(Path(folder) / "web", share)
        yield from ((*view, 1.0) for view in [*four_times(pages, true), Judged(pages, true, near).sample()])
        yield from ((*view, 0.5) for view in four_times(thin(pages), true))
    for seed in (101, 102, 103):
        yield from ((*view, 0.5) for view in four_times(*made.web(seed, 2_000)))


def learn(judged, others):
    """The weights from large collections and views of smaller ones."""
    note = f"{NOTE}; the large tables have {judged[0].hosts:,} hosts each"
    weights = fit([(*one.sample(), 20.0) for one in judged] + others, note)
    weights["levels"]["company"] = fit_company(judged[-1], Weights(**weights))
    return weights


def check(judged, weights):
    """How well weights rank a collection that they were not learned on; recall counts every true pair."""
    score = accompanied(judged.scores(weights), judged.pairs, judged.table, judged.hosts, weights)[1]
    whole = ap(judged.y, score) * judged.y.sum() / judged.copies
    return f"average precision {whole:.4f}, precision at recall 0.85 {precision_at(judged.y, score, 0.85, judged.copies):.4f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hosts", type=int, default=50_000, help="of each large collection")
    parser.add_argument("--check", type=int, default=4201)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        learned = learn([large(seed, folder, given.hosts) for seed in LARGE], list(views(folder, given.hosts * 6 // 25)))
        given.out.write_text(json.dumps(learned, indent=1) + "\n")
        fresh = large(given.check, folder, given.hosts)
    for name, weights in (("learned now", Weights(**learned)), ("shipped", shipped())):
        print(f"{name}, all candidates of seed {given.check}: {check(fresh, weights)}")
