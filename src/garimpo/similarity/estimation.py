"""Estimates from two sketches, and the exact figures they stand for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.sets import Sets
from garimpo.similarity.sketch import Sketches

Floats = NDArray[np.float64]
MEASURES = ("jaccard", "dice", "cosine")


def estimate(a: Sketches, b: Sketches, measure: str = "jaccard", compare: str = "positional") -> Floats:
    """The similarity of row i of `a` and row i of `b`, estimated from the sketches alone.

    `compare` is "positional" (the share of equal slots) or, for sketches of the k smallest (or largest) values of
    each permutation, "bottom_k" (the share of the k smallest of the union that both have), which is
    unbiased where the positional share is not. Dice follows from Jaccard; so does the cosine, for sets of equal size.

    >>> from garimpo.similarity import Sets, Sketcher
    >>> one, other = Sets.of([range(100)]), Sets.of([range(50, 150)])
    >>> sketcher = Sketcher("min", slots=1024)
    >>> bool(abs(estimate(sketcher.sketch(one), sketcher.sketch(other))[0] - 1 / 3) < 0.05)
    True
    """
    a.config.require_same(b.config)
    if measure not in MEASURES:
        raise BadInput(f"no measure is called {measure}: one of {', '.join(MEASURES)}")
    if compare not in ("positional", "bottom_k"):
        raise BadInput(f"no comparison is called {compare}: one of positional, bottom_k")
    if a.config.method == "simhash":
        return _from_cosine(_cosine(a, b), measure)
    jaccard = _bottom_k(a, b) if compare == "bottom_k" else _positional(a, b)
    return jaccard if measure == "jaccard" else 2 * jaccard / (1 + jaccard)


def _positional(a: Sketches, b: Sketches) -> Floats:
    bits = a.config.bits
    if bits:
        chance = 0.5**bits
        empty = (a.values == (1 << bits) - 1).all(axis=1) | (b.values == (1 << bits) - 1).all(axis=1)
        matches = (a.values == b.values).mean(axis=1)
        return np.where(empty, 0.0, np.clip((matches - chance) / (1 - chance), 0.0, 1.0))
    return ((a.values == b.values) & (a.values != nothing(a.values))).mean(axis=1)


def nothing(values: NDArray[Any]) -> Any:
    """The value of a slot that holds nothing."""
    return np.iinfo(values.dtype).max


def _bottom_k(a: Sketches, b: Sketches) -> Floats:
    names = a.config.operators
    k = len(names)
    ends = {name[:3] for name in names}
    if len(ends) != 1 or sorted(int(name[3:]) for name in names) != list(range(1, k + 1)):
        raise BadInput(f"bottom_k wants the k smallest or the k largest values of a permutation, not {a.config.method}")
    shape = (len(a), -1, k)
    left, right = a.values.reshape(shape), b.values.reshape(shape)
    if ends == {"max"}:
        left, right = _reversed(left), _reversed(right)
    both = np.sort(np.concatenate([left, right], axis=2), axis=2)
    real = both != nothing(both)
    repeat = np.zeros(both.shape, bool)
    repeat[:, :, 1:] = (both[:, :, 1:] == both[:, :, :-1]) & real[:, :, 1:]
    rank = np.cumsum(real & ~repeat, axis=2)
    in_both = (repeat & (rank <= k)).sum(axis=2)
    considered = np.minimum(rank[:, :, -1], k)
    return np.divide(in_both, considered, out=np.zeros(in_both.shape), where=considered > 0).mean(axis=1)


def _reversed(values: NDArray[Any]) -> NDArray[Any]:
    return np.where(values == nothing(values), values, nothing(values) - 1 - values)


def _cosine(a: Sketches, b: Sketches) -> Floats:
    empty = (a.values[:, 0] == 255) | (b.values[:, 0] == 255)
    angle = np.pi * (a.values != b.values).mean(axis=1)
    return np.where(empty, 0.0, np.clip(np.cos(angle), 0.0, 1.0))


def _from_cosine(cosine: Floats, measure: str) -> Floats:
    return cosine / (2 - cosine) if measure == "jaccard" else cosine


def exact(a: Sets, b: Sets, measure: str = "jaccard") -> Floats:
    """The true similarity of set i of `a` and set i of `b`; 0 where one is empty. "containment" is of the smaller set.

    >>> from garimpo.similarity import Sets
    >>> exact(Sets.of([[1, 2, 3], []]), Sets.of([[2, 3, 4, 5], []])).tolist()
    [0.4, 0.0]
    >>> exact(Sets.of([[2, 3]]), Sets.of([[2, 3, 4, 5]]), "containment").tolist()
    [1.0]
    """
    common = np.array([np.intersect1d(a[i], b[i], assume_unique=True).size for i in range(len(a))], np.float64)
    left, right = a.sizes, b.sizes
    bottom = {
        "jaccard": left + right - common,
        "dice": (left + right) / 2,
        "cosine": np.sqrt(left * right),
        "containment": np.minimum(left, right),
    }
    if measure not in bottom:
        raise BadInput(f"no measure is called {measure}: one of {', '.join(bottom)}")
    return np.divide(common, bottom[measure], out=np.zeros(len(a)), where=bottom[measure] > 0)
