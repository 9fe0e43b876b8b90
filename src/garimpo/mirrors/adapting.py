"""What pairs that are surely copies tell of the others in their collection.

Weights say the same in every collection, but collections differ: in some a crawl saw little of each host, and copies look no
more alike than the evidence of a few pages; in others crowds of strangers share a manual. The source's idea helps: some pairs are
sure by what their pages do not say (names that differ by `www.`, a redirect or canonical address), the rest have no label. The
evidence of the sure ones, as a distribution, is what that of all copies looks like. Where there are many more pairs than
copies would explain, most are strangers, and the odds are lowered; where there are not, they are raised. Few sure pairs
change little, and what is likely anyway is not lowered.
"""

import numpy as np

from garimpo.mirrors.page_scan import Array

STEP, WIDTH = 0.25, 0.8
"""Log odds from one place of the scale to the next, and over how many a pair is smeared out."""
SCALE = np.arange(-12.0, 12.0 + STEP, STEP)
GUESSED, TRUSTED = 5.0, 10.0
"""The shape that the weights expect counts for so many sure pairs; with so many, half of what they teach is taken over."""
LIKELY, MOST = 1.0, 3.0
"""Log odds from which on pairs are counted as copies and no more lowered; and by how much odds are moved at most."""


def taught(odds: Array, probability: Array, sure: Array) -> Array:
    """What is to be added to the log odds of each pair.

    Args:
        odds: log odds by all evidence but the kinds that make a pair sure.
        probability: of each pair, by all evidence.
        sure: which pairs are surely copies.
    """
    known = np.count_nonzero(sure)
    if not known:
        return np.zeros(len(odds))
    every, guess = _smooth(odds), _smooth(odds, 1.0 / (1.0 + np.exp(-odds)))
    shape = (_smooth(odds[sure]) + GUESSED * guess / max(guess.sum(), 1e-9)) / (known + GUESSED)
    copies = (probability[odds >= LIKELY].sum() + 0.5) / max(shape[SCALE >= LIKELY].sum(), 0.1)
    share = np.maximum.accumulate(np.clip(copies * shape / np.maximum(every, 1e-9), 1e-6, 0.995))
    shift = (np.log(share) - np.log1p(-share) - SCALE) * known / (known + TRUSTED)
    out = np.clip(np.interp(odds, SCALE, shift), -MOST, MOST)
    return np.where(odds < SCALE[0], 0.0, np.where(odds > LIKELY, np.maximum(out, 0.0), out))


def _smooth(odds: Array, weight: Array | None = None) -> Array:
    """How many pairs there are at each place of the scale, each smeared out."""
    inside = odds >= SCALE[0]
    at = np.minimum(np.rint((odds[inside] - SCALE[0]) / STEP).astype(np.int64), len(SCALE) - 1)
    count = np.bincount(at, None if weight is None else weight[inside], len(SCALE))
    kernel = np.exp(-0.5 * ((SCALE[:, None] - SCALE) / WIDTH) ** 2)
    return np.asarray(kernel @ count / kernel[len(SCALE) // 2].sum())
