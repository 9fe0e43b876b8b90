"""Claims 1 to 5 and 18: means and variances of the estimators against theory, and the cost of hashing."""

import time
from typing import Any

import numpy as np

from garimpo.similarity import Sets, Sketcher, estimate


def pairs(size: int, jaccard: float, trials: int, seed: int = 1) -> tuple[Sets, Sets, float, int]:
    """Random pairs of sets, their Jaccard and the size of their union."""
    common = round(2 * size * jaccard / (1 + jaccard))
    union = 2 * size - common
    values = np.random.default_rng(seed).integers(0, 1 << 64, (trials, union), dtype=np.uint64)
    offsets = np.arange(trials + 1, dtype=np.int64) * size
    left, right = values[:, :size].ravel(), values[:, union - size :].ravel()
    return Sets.from_hashes(left, offsets), Sets.from_hashes(right, offsets), common / union, union


def _estimates(method: str, slots: int, size: int, jaccard: float, trials: int, **how: str) -> tuple[np.ndarray, float, int]:
    left, right, truth, union = pairs(size, jaccard, trials)
    sketcher = Sketcher(method, slots)
    return estimate(sketcher.sketch(left), sketcher.sketch(right), **how), truth, union


def claims() -> list[list[Any]]:
    """What theory says of the estimators, and what they do."""
    rows = []
    errors = []
    for method in ("min", "max"):
        for jaccard in (0.1, 0.3, 0.5, 0.7, 0.9):
            got, truth, _ = _estimates(method, 1024, 200, jaccard, 200)
            errors.append(abs(got.mean() - truth) / (got.std(ddof=1) / np.sqrt(200)))
    rows.append(
        ["1", "Min and Max are unbiased", _verdict(max(errors) < 3.5), f"largest deviation {max(errors):.2f} standard errors"]
    )
    got, truth, _ = _estimates("min", 128, 100, 0.5, 2000)
    ratio = got.var() / (truth * (1 - truth) / 128)
    rows.append(["2", "Matches of Min are binomial", _verdict(abs(ratio - 1) < 0.1), f"variance {ratio:.3f} of theory"])
    for size in (7, 190):
        got, truth, union = _estimates("minmax", 128, size, 0.5, 3000)
        ratio = got.var() / (truth * (1 - truth) / 128)
        wanted = (union - 2) / (union - 1)
        rows.append(
            [
                "3",
                f"MinMax variance is (u-2)/(u-1) of Min's, u = {union}",
                _verdict(abs(ratio - wanted) < 0.08),
                f"{ratio:.3f}, theory {wanted:.3f}",
            ]
        )
    for method in ("minmin", "maxmax"):
        got, truth, _ = _estimates(method, 256, 1000, 0.5, 300)
        side = (1 - truth) / 2
        wanted = (truth + truth**2 + 2 * side * side * truth) / 2
        unbiased, _, _ = _estimates(method, 256, 1000, 0.5, 300, compare="bottom_k")
        good = abs(got.mean() - wanted) < 0.01 and abs(unbiased.mean() - truth) < 0.01
        text = f"slot by slot {got.mean():.3f}, theory {wanted:.3f}; bottom-k {unbiased.mean():.3f}, truth {truth:.3f}"
        rows.append(["4", f"{method} is biased slot by slot, not as bottom-k", _verdict(good), text])
    left, right, truth, union = pairs(40, 0.5, 2000)
    sketcher = Sketcher("minmax", 128)
    a, b = sketcher.sketch(left).values, sketcher.sketch(right).values
    both = float(((a == b)[:, 0::2] & (a == b)[:, 1::2]).mean())
    common = round(truth * union)
    wanted = truth * (common - 1) / (union - 1)
    rows.append(
        [
            "5",
            "A pair of min and max matches with J(I-1)/(u-1)",
            _verdict(abs(both - wanted) < 0.01),
            f"{both:.4f}, theory {wanted:.4f}",
        ]
    )
    rows.append(_hashing_time())
    return rows


def _hashing_time() -> list[Any]:
    sets, _, _, _ = pairs(300, 0.5, 1500)
    spent = {}
    for method in ("min", "minmax"):
        sketcher = Sketcher(method, 1024)
        sketcher.sketch(sets)
        times = []
        for _ in range(3):
            began = time.process_time()
            sketcher.sketch(sets)
            times.append(time.process_time() - began)
        spent[method] = min(times)
    ratio = spent["minmax"] / spent["min"]
    return ["18", "At equal dimensions MinMax takes about half of Min's time", _verdict(0.4 < ratio < 0.65), f"{ratio:.2f}"]


def _verdict(holds: bool) -> str:
    return "holds" if holds else "fails"
