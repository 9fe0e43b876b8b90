"""Company: a third host that is likely a copy of both hosts of a pair speaks for the pair, its absence against it."""

import numpy as np

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.page_scan import Array

STEPS = (0.1, 0.3, 0.6, 0.9, 0.99)
"""How likely the third host must at least be a copy of both, for each level above the first."""
MOST = 50
"""So many likely copies of a host are asked about their pairs, the likeliest first."""


def company(pairs: Candidates, probability: Array, hosts: int) -> Array:
    """The level of each pair: 1 where no third host is a likely copy of both, then by how likely the best one is.

    >>> pairs = Candidates(np.array([0, 0, 1]), np.array([1, 2, 2]))
    >>> company(pairs, np.array([0.95, 0.995, 0.001]), 3).tolist()
    [1, 1, 5]
    """
    keys, values = _closed(pairs, probability, hosts)
    level = np.ones(len(pairs), np.int64)
    wanted = pairs.first.astype(np.int64) * hosts + pairs.second  # in order
    at = np.searchsorted(wanted, keys)
    met = at < len(wanted)
    met[met] = wanted[at[met]] == keys[met]
    level[at[met]] = 1 + np.digitize(values[met], STEPS)
    return level


def _closed(pairs: Candidates, probability: Array, hosts: int) -> tuple[Array, Array]:
    """Keys of all pairs of likely copies of one host, with the best such host's probability of being a copy of both."""
    likely = np.flatnonzero(probability >= STEPS[0])
    host = np.concatenate([pairs.first[likely], pairs.second[likely]]).astype(np.int64)
    other = np.concatenate([pairs.second[likely], pairs.first[likely]]).astype(np.int64)
    value = np.tile(probability[likely], 2)
    order = np.lexsort((other, -value, host))
    host, other, value = host[order], other[order], value[order]
    keys, values = [np.zeros(0, np.int64)], [np.zeros(0)]
    for start, stop in zip(*_runs(host)):
        a, b = np.triu_indices(min(stop - start, MOST), 1)
        low, high = np.minimum(other[start + a], other[start + b]), np.maximum(other[start + a], other[start + b])
        keys.append(low * hosts + high)
        values.append(np.minimum(value[start + a], value[start + b]))
    every, best = np.concatenate(keys), np.concatenate(values)
    order = np.lexsort((-best, every))
    every, best = every[order], best[order]
    first = np.r_[True, every[1:] != every[:-1]] if len(every) else np.zeros(0, bool)
    return every[first], best[first]


def _runs(host: Array) -> tuple[list[int], list[int]]:
    """Where the entries of each host that has more than one begin and end."""
    starts = np.flatnonzero(np.r_[True, host[1:] != host[:-1]]) if len(host) else np.zeros(0, np.int64)
    stops = np.r_[starts[1:], len(host)]
    several = stops - starts > 1
    return starts[several].tolist(), stops[several].tolist()
