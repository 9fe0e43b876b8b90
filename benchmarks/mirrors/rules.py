"""The rule classifier and its label flips: against the plain-Python twin, and against counting anew after each flip."""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.lac import LAC

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from mirrors import twins


def pairs(count, seed):
    """Binned features of `count` pairs, a twentieth of them copies, and their labels."""
    random = np.random.default_rng(seed)
    labels = (random.random(count) < 0.05).astype(int)
    return random.binomial(10, np.where(labels, 0.7, 0.2)[:, None], (count, 5)), labels


def seconds(work):
    began = time.process_time()
    work()
    return time.process_time() - began


def scoring(repetitions):
    """Pairs scored in a second of CPU, by kernel and by twin, over the same 2,000 examples; interleaved."""
    X, y = pairs(2_000, 1)
    many, few = pairs(200_000, 2)[0], pairs(10, 3)[0]
    model = LAC(bins=None).fit(X, y)
    model.predict_proba(few)
    ratios = []
    for _ in range(repetitions):
        plain = seconds(lambda: [twins.lac_alpha(X.tolist(), y.tolist(), x) for x in few.tolist()]) / len(few)
        fast = seconds(lambda: model.predict_proba(many)) / len(many)
        ratios.append(plain / fast)
    print(f"scoring: {1 / fast:,.0f} pairs/s against {1 / plain:,.1f} of the plain twin: {np.median(ratios):,.0f} times")


def flipping(repetitions, size):
    """Label flips with counts that follow each flip, and with all counts made anew after each."""
    rest, _ = pairs(size, 4)
    seeds = np.random.default_rng(5).binomial(10, 0.75, (size // 40, 5))
    SeedEM("pu", 0.6).fit(seeds[:2], rest[:50])
    ratios = []
    for _ in range(repetitions):
        fast = SeedEM("pu", 0.6)
        slow = SeedEM("pu", 0.6, incremental=False)
        quick, long = seconds(lambda m=fast: m.fit(seeds, rest)), seconds(lambda m=slow: m.fit(seeds, rest))
        assert (fast.labels_ == slow.labels_).all()
        ratios.append(long / quick)
    flips = sum(fast.flips_)
    print(f"flips: {flips:,} of {size:,} pairs, {quick:.3f} s against {long:.3f} s: {np.median(ratios):,.0f} times, equal labels")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=60_000)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.repetitions, given.pairs = 1, 2_000
    scoring(given.repetitions)
    flipping(given.repetitions, given.pairs)
