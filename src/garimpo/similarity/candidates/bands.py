"""How many bands of how many slots: the cheapest that find as many pairs as the user wants found.

Two sketches become a candidate pair when all slots of one of their bands are equal. If a slot matches with probability p,
that happens with probability 1 - (1 - p**rows)**bands: the S-curve. Candidates are checked exactly afterwards, so wrong ones
cost time but no quality; only recall is bound by the bands. The recall asked for is kept at the threshold itself, where the
curve is lowest: pages made of one template crowd there, so a mean over all similarities would promise too much.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput, Result
from garimpo.similarity.sketches.sketch import SketchConfig

Floats = NDArray[np.float64]

RELATED, STRANGERS, STRANGENESS = 100.0, 10_000.0, 0.05
"""The model of what lies below the threshold: each document has so many others evenly spread over [0, threshold), and so
many that share only a menu or a footer with it, at one low similarity. Checking one costs about as much as one band more."""


@dataclass(frozen=True)
class Bands:
    """A choice of bands, and what it promises.

    Args:
        bands: how many there are.
        rows: slots in each.
        threshold: the similarity they are made for.
        config: the sketches they are made for.
    """

    bands: int
    rows: int
    threshold: Fraction
    recall: float
    """Expected share of the pairs at or above the threshold that become candidates, were they spread evenly."""
    config: SketchConfig

    def curve(self, similarities: Floats) -> Floats:
        """The probability that a pair of each similarity becomes a candidate.

        Args:
            similarities: Jaccard similarities.

        >>> bands = choose(SketchConfig(), Fraction(4, 5), 0.99)
        >>> bands.curve(np.array([0.2, 0.8])).round(2).tolist()
        [0.0, 0.99]
        """
        return candidate_probability(slot_match(self.config, similarities), self.bands, self.rows)


def slot_match(config: SketchConfig, jaccard: Floats) -> Floats:
    """The probability that one slot of two sketches is equal (for SimHash: at least, whatever the sizes of the sets)."""
    if config.method != "simhash":
        return jaccard
    return 1 - np.arccos(np.clip(2 * jaccard / (1 + jaccard), 0, 1)) / np.pi


def candidate_probability(match: Floats, bands: int, rows: int) -> Floats:
    """The S-curve."""
    return -np.expm1(bands * np.log1p(-np.minimum(match**rows, 1 - 1e-16)))


def as_fraction(threshold: float | str | Fraction) -> Fraction:
    """A threshold as the number that was written, so that comparisons are in integers.

    >>> as_fraction(0.8)
    Fraction(4, 5)
    """
    try:
        value = Fraction(str(threshold)).limit_denominator(1_000_000)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"the threshold is a number in (0, 1], not {threshold}") from None
    if not 0 < value <= 1:
        raise BadInput(f"the threshold is a number in (0, 1], not {threshold}")
    return value


def choose(
    config: SketchConfig, threshold: Fraction, recall: float = 0.99, *, bands: int | None = None, rows: int | None = None
) -> Bands:
    """The cheapest bands that find a pair at the threshold with a probability of at least `recall`, or those given.

    If not even bands of one row reach the recall, the bands with the highest are given.

    Args:
        config: what the sketches are made with.
        threshold: the least similarity that must be found.
        recall: the least share of the pairs at the threshold (of those above it, more) that become candidates.
        bands: so many bands, whatever recall they reach; wants `rows`.
        rows: slots in each of them.

    >>> bands = choose(SketchConfig(), as_fraction(0.7), 0.99)
    >>> bands.bands, bands.rows, round(bands.recall, 4)
    (17, 4, 0.9991)
    """
    if not 0 < recall < 1:
        raise BadInput(f"the recall is a number between 0 and 1, not {recall}")
    step = rows_step(config)
    if bands is not None or rows is not None:
        return _given(config, threshold, bands, rows, step)
    lowest = slot_match(config, np.array([float(threshold)]))
    below, below_weight = _below(config, float(threshold))
    best: tuple[float, int, int] | None = None
    for height in range(step, config.slots + 1, step):
        most = config.slots // height
        reached = float(candidate_probability(lowest, most, height)[0]) >= recall
        if not reached and best is not None:
            break
        count = _fewest(lowest, most, height, recall) if reached else most
        cost = count + float(below_weight @ candidate_probability(below, count, height))
        if best is None or cost < best[0]:
            best = cost, count, height
        if not reached:
            break
    if best is None:
        raise BadInput(f"{config.slots} slots are too few for one band of {config.method}")
    return _made(config, threshold, *best[1:])


def _given(config: SketchConfig, threshold: Fraction, bands: int | None, rows: int | None, step: int) -> Bands:
    if bands is None or rows is None:
        raise BadInput("bands and rows are given together")
    if bands < 1 or rows < 1 or rows % step or bands * rows > config.slots:
        raise BadInput(f"{bands} bands of {rows} rows do not fit {config.slots} slots of {config.method}")
    return _made(config, threshold, bands, rows)


def _made(config: SketchConfig, threshold: Fraction, bands: int, rows: int) -> Bands:
    match, weight = _density(config, float(threshold), 1.0)
    return Bands(bands, rows, threshold, float(weight @ candidate_probability(match, bands, rows)), config)


def rows_step(config: SketchConfig) -> int:
    """Bands take whole permutations: all of min1, min2, ... of one permutation match with probability J to the power
    of their number, but a second minimum alone does not match with probability J."""
    names = config.operators
    if {"mean", "median"} & set(names):
        raise BadInput(f"{config.method} has no known collision probability: bands want min1, min2, ... without gaps")
    for end in ("min", "max"):
        ranks = sorted(int(name[3:]) for name in names if name.startswith(end))
        if ranks != list(range(1, len(ranks) + 1)):
            raise BadInput(f"{config.method} has no known collision probability: bands want min1, min2, ... without gaps")
    if config.bits:
        raise BadInput("packed sketches are for estimates, not for bands")
    return max(1, len(names))


def _fewest(match: Floats, most: int, rows: int, wanted: float) -> int:
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        if float(candidate_probability(match, middle, rows)[0]) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def _below(config: SketchConfig, threshold: float) -> tuple[Floats, Floats]:
    """Match probabilities below the threshold, weighted by how many pairs a document has there."""
    match, weight = _density(config, 0.0, threshold)
    strangers = slot_match(config, np.array([min(STRANGENESS, threshold / 2)]))
    return np.append(match, strangers), np.append(RELATED * weight, STRANGERS)


def _density(config: SketchConfig, low: float, high: float) -> tuple[Floats, Floats]:
    """Match probabilities and weights over [low, high]: Gauss-Legendre nodes of the uniform density, with which the
    integral of the S-curve (a polynomial) is exact."""
    if low == high:
        return slot_match(config, np.array([high])), np.array([1.0])
    nodes, weights = np.polynomial.legendre.leggauss(max(64, min(config.slots, 512) // 2 + 1))
    return slot_match(config, (high - low) / 2 * nodes + (low + high) / 2), weights / 2


def explain(bands: Bands, documents: int, histogram: tuple[Floats, Floats] | None = None, shingles: float = 300.0) -> Result:
    """What a run over so many documents is expected to do, without running it.

    Args:
        bands: how sketches are cut into bands.
        documents: how many there will be.
        histogram: sampled similarities of pairs and their weights; without it, a model of what lies below the threshold.
        shingles: how many a document has, on average.

    >>> explain(choose(SketchConfig(), as_fraction(0.8)), 1000)["curve"]["0.8"]
    0.9915
    """
    if histogram is not None and histogram[1].sum() > 0:
        similarities, weights = histogram
        pairs = documents * (documents - 1) / 2
        share = float((weights / weights.sum()) @ bands.curve(similarities))
        candidates = pairs * share
    else:
        below, weight = _below(bands.config, float(bands.threshold))
        each = float(weight @ candidate_probability(below, bands.bands, bands.rows))
        candidates = documents / 2 * min(each, documents)
    keys = 8 * (bands.bands + 1)
    told = {
        "documents": documents,
        "sketch": bands.config.method,
        "slots": bands.config.slots,
        "threshold": float(bands.threshold),
        "bands": bands.bands,
        "rows": bands.rows,
        "expected_recall": round(bands.recall, 5),
        "curve": {f"{s:g}": round(float(bands.curve(np.array([s]))[0]), 4) for s in np.arange(1, 11) / 10},
        "predicted_pairs": round(candidates),
        "pairs_from": "sample" if histogram is not None else "model",
        "memory_bytes": int(documents * (keys + 100)),
        "disk_bytes": int(documents * 8 * shingles),
    }
    return Result(told)
