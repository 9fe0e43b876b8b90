"""Operators: what a sketch keeps of each permutation of a set (order statistics, mean, median), and what can be done with it.

Plain numpy, one permutation at a time; the kernels of `Sketcher` give the same numbers for order statistics.
"""

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput

Hashes = NDArray[np.uint64]
NOTHING = (1 << 64) - 1
"""In a slot of an order statistic: there is no such element."""
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
FIRST_BACK, SECOND_BACK = (np.uint64(pow(factor, -1, 1 << 64)) for factor in (FIRST, SECOND))


def mix(values: Hashes) -> Hashes:
    """The mixer of the kernels: a bijection of 64-bit numbers.

    >>> unmix(mix(np.array([7, 8], np.uint64))).tolist()
    [7, 8]
    """
    values = (values ^ (values >> np.uint64(30))) * np.uint64(FIRST)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(SECOND)
    return values ^ (values >> np.uint64(31))


def unmix(values: Hashes) -> Hashes:
    """The reverse of `mix`."""
    values = (values ^ (values >> np.uint64(31)) ^ (values >> np.uint64(62))) * SECOND_BACK
    values = (values ^ (values >> np.uint64(27)) ^ (values >> np.uint64(54))) * FIRST_BACK
    return values ^ (values >> np.uint64(30)) ^ (values >> np.uint64(60))


def selected(hashes: Hashes, names: tuple[str, ...]) -> Hashes:
    """What the operators keep of one permutation of one set; what it does not have is `NOTHING`.

    >>> selected(np.array([5, 1, 9], np.uint64), ("min1", "max2", "mean", "median")).tolist()
    [1, 5, 5, 5]
    """
    values = [int(value) for value in np.sort(hashes)]
    out = []
    for name in names:
        if name in ("mean", "median"):
            middle = values[(len(values) - 1) // 2 : len(values) // 2 + 1] if name == "median" else values
            out.append(sum(middle) // len(middle) if middle else NOTHING)
        else:
            place = int(name[3:])
            out.append((values[place - 1] if name.startswith("min") else values[-place]) if place <= len(values) else NOTHING)
    return np.array(out, np.uint64)


def merged(one: Hashes, other: Hashes, names: tuple[str, ...]) -> Hashes:
    """Order statistics of unions: the least (greatest) of both, each value once. Ranks must have no gaps."""
    shape = (one.shape[0], one.shape[1] // len(names), len(names))
    left, right, out = one.reshape(shape), other.reshape(shape), np.empty(shape, np.uint64)
    for end in ("min", "max"):
        places = [place for place, name in enumerate(names) if name.startswith(end)]
        ranks = [int(names[place][3:]) for place in places]
        if sorted(ranks) != list(range(1, len(ranks) + 1)):
            raise BadInput(f"to merge, {end}1, {end}2, ... must be there without gaps, not {','.join(names)}")
        if places:
            both = np.concatenate([left[:, :, places], right[:, :, places]], axis=2)
            out[:, :, places] = _first_distinct(both, end == "max")[:, :, [rank - 1 for rank in ranks]]
    return out.reshape(one.shape)


def _first_distinct(values: Hashes, from_above: bool) -> Hashes:
    """Distinct values in rising (falling) order, then `NOTHING`."""
    real = values != NOTHING
    rising = np.sort(np.where(real & from_above, NOTHING - 1 - values, values), axis=2)
    rising[:, :, 1:][rising[:, :, 1:] == rising[:, :, :-1]] = NOTHING
    rising.sort(axis=2)
    return np.where((rising != NOTHING) & from_above, NOTHING - 1 - rising, rising)
