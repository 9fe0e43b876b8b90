"""Ways to compare the sketches of all queries with those of all documents, at every size in one pass."""

from collections.abc import Callable

import numpy as np
from numba import njit
from scipy import sparse

from garimpo.similarity import Sets, SketchConfig, Sketcher
from garimpo.similarity.sketches.operators import unmix
from garimpo.similarity.sketches.sketch import seeds_of

SIZES = tuple(2**n for n in range(1, 11))
Sides = dict[str, np.ndarray]
COUNTS = ("min", "max", "min2", "max2", "bottom", "top", "pair")


def term_sets(texts: list[np.ndarray]) -> Sets:
    """Term numbers as sets of 64-bit hashes."""
    return Sets.of([_hashed(np.unique(text)) for text in texts])


def _hashed(terms: np.ndarray) -> list[int]:
    x = terms.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return (x ^ (x >> np.uint64(31))).tolist()


def slot_sets(values: np.ndarray) -> Sets:
    """Sketches as sets of (slot, value)."""
    return Sets.of([_hashed(np.arange(row.size, dtype=np.uint64) ^ np.array(_hashed(row), np.uint64)) for row in values])


def extremes(sets: Sets, seed: int) -> dict[str, np.ndarray]:
    """min1, min2, max1, max2 of 1,024 permutations; every method and size is a choice of these columns."""
    values = Sketcher("min1,min2,max1,max2", 4 * SIZES[-1], seed=seed).sketch(sets).values
    return {name: np.ascontiguousarray(values[:, i::4]) for i, name in enumerate(("min1", "min2", "max1", "max2"))}


@njit(cache=True)
def _count(q, d, sizes, out):
    """Matches in the first n permutations, for each n of `sizes`; q and d hold min1, min2, max1, max2 (permutation-major)."""
    for i in range(q.shape[2]):
        total = np.zeros((7, d.shape[2]), np.int16)
        at = 0
        for n in range(q.shape[1]):
            a1, a2, z1, z2 = q[0, n, i], q[1, n, i], q[2, n, i], q[3, n, i]
            for j in range(d.shape[2]):
                b1, b2, y1, y2 = d[0, n, j], d[1, n, j], d[2, n, j], d[3, n, j]
                first, last = a1 == b1, z1 == y1
                total[0, j] += first
                total[1, j] += last
                total[2, j] += a2 == b2
                total[3, j] += z2 == y2
                total[4, j] += (1 + (a2 == b2)) if first else ((a2 == b1) | (b2 == a1))
                total[5, j] += (1 + (z2 == y2)) if last else ((z2 == y1) | (y2 == z1))
                total[6, j] += first & last
            if n + 1 == sizes[at]:
                out[:, at, i, :] = total
                at += 1


def matches(queries: dict[str, np.ndarray], documents: dict[str, np.ndarray]) -> dict[tuple[str, int], np.ndarray]:
    """Matching slots by (kind, permutations)."""
    names = ("min1", "min2", "max1", "max2")
    q, d = (np.ascontiguousarray(np.stack([side[name].T for name in names])) for side in (queries, documents))
    sizes = np.array((1, *SIZES))
    out = np.zeros((7, sizes.size, q.shape[2], d.shape[2]), np.int16)
    _count(q, d, sizes, out)
    return {(name, int(n)): out[k, s] for k, name in enumerate(COUNTS) for s, n in enumerate(sizes)}


def positional(found: dict[tuple[str, int], np.ndarray], size: int) -> dict[str, np.ndarray]:
    """Scores of the five methods (and two readings more) at one size in slots, compared slot by slot."""
    half = size // 2
    return {
        "Min": found["min", size],
        "Max": found["max", size],
        "MinMax": found["min", half] + found["max", half],
        "MinMin": found["min", half] + found["min2", half],
        "MaxMax": found["max", half] + found["max2", half],
        "MinMin bottom-k": found["bottom", half],
        "MaxMax top-k": found["top", half],
        "MinMax pair": found["pair", half],
    }


def value_sets(queries: Sides, documents: Sides, size: int, bits: int) -> dict[str, np.ndarray]:
    """The five methods compared as sets of values, slots forgotten, hashes of so many bits; Jaccard."""
    return _compared(queries, documents, size, lambda values: values >> np.uint64(64 - bits))


def element_sets(queries: Sides, documents: Sides, size: int, seed: int) -> dict[str, np.ndarray]:
    """The five methods compared as sets of the elements that were selected; Jaccard."""
    seeds = seeds_of(SketchConfig("min1,min2,max1,max2", 4 * SIZES[-1], seed=seed))
    return _compared(queries, documents, size, lambda values: unmix(values) ^ seeds[: values.shape[1]])


def _compared(queries: Sides, documents: Sides, size: int, turned: Callable[[np.ndarray], np.ndarray]) -> dict[str, np.ndarray]:
    half = size // 2
    chosen = {
        "Min": [("min1", size)],
        "Max": [("max1", size)],
        "MinMax": [("min1", half), ("max1", half)],
        "MinMin": [("min1", half), ("min2", half)],
        "MaxMax": [("max1", half), ("max2", half)],
    }
    out = {}
    for name, parts in chosen.items():
        rows = [np.concatenate([turned(side[part][:, :n]) for part, n in parts], axis=1) for side in (queries, documents)]
        out[name] = _set_jaccard(*rows)
    return out


def _set_jaccard(queries: np.ndarray, documents: np.ndarray) -> np.ndarray:
    _, codes = np.unique(np.concatenate([queries, documents]), return_inverse=True)
    codes = codes.reshape(queries.shape[0] + documents.shape[0], -1)
    rows = np.repeat(np.arange(codes.shape[0]), codes.shape[1])
    matrix = sparse.csr_matrix((np.ones(codes.size, np.float32), (rows, codes.ravel())))
    matrix.data[:] = 1  # a value that came twice counts once
    sizes = np.asarray(matrix.sum(axis=1)).ravel()
    left, right = matrix[: queries.shape[0]], matrix[queries.shape[0] :]
    common = np.asarray((left @ right.T).todense())
    return common / np.maximum(sizes[: left.shape[0], None] + sizes[None, left.shape[0] :] - common, 1)
