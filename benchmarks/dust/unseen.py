"""Rules on an unseen third of real pages, by tolerance: ``unseen.py apache|swde|https [--seeds 3] [--fpr-max 0,0.01,...]``.

Clusters are split in three by a hash, for each seed anew; two thirds are learned from, and the third is the test. A skip is
judged against the third alone, and against all URLs in a random order: a third of the clusters hides most pairs that could deny a
rule, so the first figure is too kind. With ``--hosts`` whole hosts are held out, and rules are lent to them.
"""

import argparse
import random
import sys
import time
from pathlib import Path
from statistics import mean

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments" / "dust"))
import data
from measures import measure

from garimpo.dust import RuleSet, learn, lend
from garimpo.dust.inputs.preparation import cluster_hash
from garimpo.url import host_column

SETS = {"apache": data.apache, "swde": data.swde, "https": data.https_everywhere}


def parts(table: pa.Table, seed: int, by_host: bool) -> np.ndarray:
    """The third of each row: by its cluster, or by its host."""
    if not by_host:
        return cluster_hash(table["cluster"].to_numpy(), seed) % np.uint64(3)
    codes = host_column(table["url"]).dictionary_encode()
    codes = codes.combine_chunks() if isinstance(codes, pa.ChunkedArray) else codes
    return cluster_hash(codes.indices.to_numpy().astype(np.int64), seed) % np.uint64(3)


def against_all(table: pa.Table, test: np.ndarray, rules: RuleSet, seed: int) -> tuple[int, int]:
    """Skips of test URLs when all URLs come in a random order, and how many of them are of another page than the first."""
    keys, clusters = rules.keys(table["url"])[0].to_pylist(), table["cluster"].to_pylist()
    order = list(range(table.num_rows))
    random.Random(seed).shuffle(order)
    first: dict[str, int] = {}
    skips = wrong = 0
    for row in order:
        seen = first.setdefault(keys[row], row)
        if test[row] and seen != row:
            skips += 1
            wrong += clusters[seen] != clusters[row]
    return skips, wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("set", choices=list(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--fpr-max", default="0,0.003,0.01,0.015,0.02,0.03,0.05,0.1")
    parser.add_argument("--hosts", action="store_true")
    options = parser.parse_args()
    table = SETS[options.set]()
    print("| fpr_max | coverage % | precision, third % | precision, all % | rules | CPU s |\n|---|---|---|---|---|---|")
    for fpr_max in map(float, options.fpr_max.split(",")):
        found = []
        for seed in range(options.seeds):
            part = parts(table, 77 + seed, options.hosts)
            for fold in range(3):
                found.append(one_fold(table, part == fold, fpr_max, seed, options.hosts))
        cover, third, everything, rules, seconds = (mean(column) for column in zip(*found))
        print(
            f"| {fpr_max:g} | {100 * cover:.1f} | {100 * third:.2f} | {100 * everything:.2f} | {rules:.0f} | {seconds:.1f} |",
            flush=True,
        )


def one_fold(table: pa.Table, test: np.ndarray, fpr_max: float, seed: int, by_host: bool) -> tuple[float, ...]:
    training, unseen = table.filter(pa.array(~test)), table.filter(pa.array(test))
    started = time.process_time()
    rules = learn(training, fpr_max=fpr_max, normalise=False)
    if by_host:
        rules = lend(rules, training)
    seconds = time.process_time() - started
    keys = rules.keys(unseen["url"])[0].to_pylist()
    told = measure(unseen["url"].to_pylist(), unseen["cluster"].to_pylist(), keys, len(rules))
    skips, wrong = against_all(table, test, rules, seed)
    return told["coverage"], told["skip_precision"], 1 - wrong / max(skips, 1), len(rules), seconds


if __name__ == "__main__":
    main()
