"""Two rankings in one: a pair is the better, the more other pairs it beats in both scores."""

from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.mirrors._kernels import dominated


def dominance(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int64]:
    """How many points each point dominates: at least as good in both scores and better in one. O(n log n).

    >>> dominance(np.array([1.0, 0.5, 0.5]), np.array([1.0, 0.2, 0.2])).tolist()
    [2, 0, 0]
    """
    ranks_first = np.unique(first, return_inverse=True)[1].ravel()
    levels, ranks_second = np.unique(second, return_inverse=True)
    ranks_second = ranks_second.ravel()
    out = np.zeros(len(first), np.int64)
    order = np.lexsort((ranks_second, ranks_first))
    dominated(order, ranks_first, ranks_second, len(levels), out)
    return out


def layers(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int64]:
    """The layer of each point when frontiers are peeled off one by one: 0 for a point that none dominates.

    >>> layers(np.array([1.0, 0.2, 0.1]), np.array([0.1, 0.9, 0.05])).tolist()
    [0, 0, 1]
    """
    out = np.zeros(len(first), np.int64)
    tops: list[float] = []  # -(highest second score) of each layer so far: grows from layer to layer
    order = np.lexsort((-np.asarray(second), -np.asarray(first)))
    previous = (np.nan, np.nan, 0)
    for i in order:
        x, y = float(first[i]), float(second[i])
        if (x, y) == previous[:2]:
            out[i] = previous[2]
            continue
        layer = bisect_right(tops, -y)
        if layer == len(tops):
            tops.append(-y)
        else:
            tops[layer] = -y
        out[i] = layer
        previous = (x, y, layer)
    return out
