"""The room's bars: 50,000 hosts, 0.4 % copies, seeds that nothing was learned or tuned on; all methods beside ours.

Two universes: the pairs of the truth table (copies, and strangers that share a content), where a pair that no candidate list
holds has score 0; and all candidates. Recall counts every true pair, also those that share nothing known.
"""

import argparse
import json
import tempfile

import numpy as np
import pyarrow.parquet as pq
from common import ap, auc, precision_at, tables

from garimpo.mirrors import METHODS, search


def universe(folder, pairs):
    """Truth and score of every pair of the truth table."""
    truth = pq.read_table(f"{folder}/truth.parquet")
    score = dict(zip(zip(pairs["host_a"].to_pylist(), pairs["host_b"].to_pylist()), pairs["score"].to_pylist()))
    names = zip(truth["host_a"].to_pylist(), truth["host_b"].to_pylist())
    return truth["replica"].to_numpy(zero_copy_only=False), np.array([score.get(pair, 0.0) for pair in names])


def measure(seed, hosts, methods):
    out = []
    with tempfile.TemporaryDirectory() as folder:
        pages, true, made = tables(seed, hosts, 0.004, folder)
        for method in methods:
            found = search(pages, method=method)
            pairs = found.pairs
            y, scores = universe(folder, pairs)
            mine = np.array([pair in true for pair in zip(pairs["host_a"].to_pylist(), pairs["host_b"].to_pylist())])
            replica = pairs["replica"].to_numpy(zero_copy_only=False)
            row = {"seed": seed, "method": method, "truth pairs": len(y), "prevalence": round(made["prevalence"], 5)}
            row |= {"AP": ap(y, scores), "P@R.85": precision_at(y, scores, 0.85), "AUC": auc(y, scores)}
            every = pairs["score"].to_numpy()
            row |= {"AP all candidates": ap(mine, every) * mine.sum() / len(true)}
            row |= {"P@R.85 all candidates": precision_at(mine, every, 0.85, len(true)), "candidates": len(mine)}
            row |= {"blocking recall": mine.sum() / len(true)}
            row |= {"precision": (replica & mine).sum() / max(replica.sum(), 1), "recall": (replica & mine).sum() / len(true)}
            out.append({name: round(float(v), 4) if isinstance(v, float) else v for name, v in row.items()})
            print(json.dumps(out[-1]), flush=True)
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=50_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.hosts, given.seeds, given.methods = 500, given.seeds[:1], given.methods[:1]
    for seed in given.seeds:
        measure(seed, given.hosts, given.methods)
