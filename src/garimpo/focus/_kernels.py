"""Jitted code of this room: words to term counts, and the score of a document straight from its words."""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel

HASHES = types.Array(types.uint64, 1, "C", readonly=True)
OFFSETS = types.Array(types.int64, 1, "C", readonly=True)
TERMS = types.Array(types.int32, 1, "C", readonly=True)
WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)


@kernel(types.void(HASHES, types.Array(types.uint64, 1, "C"), types.Array(types.int32, 1, "C")))
def fill_table(hashes, keys, terms):  # type: ignore[no-untyped-def]
    """Enter hash number i as term i into an open-addressing table whose empty places have term -1."""
    mask = np.uint64(keys.size - 1)
    for i in range(hashes.size):
        place = hashes[i] & mask
        while terms[place] >= 0:
            place = (place + np.uint64(1)) & mask
        keys[place] = hashes[i]
        terms[place] = i


@kernel(types.int32(HASHES, TERMS, types.uint64))
def term_of(keys, terms, value):  # type: ignore[no-untyped-def]
    mask = np.uint64(keys.size - 1)
    place = value & mask
    while terms[place] >= 0:
        if keys[place] == value:
            return terms[place]
        place = (place + np.uint64(1)) & mask
    return np.int32(-1)


@kernel(
    types.int64(
        HASHES, OFFSETS, HASHES, TERMS, types.Array(types.int32, 1, "C"),
        types.Array(types.int64, 1, "C"), types.Array(types.int32, 1, "C"), types.Array(types.float32, 1, "C"),
    )
)  # fmt: skip
def count_terms(hashes, offsets, keys, terms, scratch, starts, indices, counts):  # type: ignore[no-untyped-def]
    """The known words of each document as a sparse row of counts, terms in order of first occurrence; returns the cells.

    `scratch` holds one zero a term, and holds zeros again at the end.
    """
    end = 0
    for row in range(offsets.size - 1):
        starts[row] = end
        for i in range(offsets[row], offsets[row + 1]):
            term = term_of(keys, terms, hashes[i])
            if term < 0:
                continue
            if scratch[term] == 0:
                indices[end] = term
                end += 1
            scratch[term] += 1
        for cell in range(starts[row], end):
            counts[cell] = scratch[indices[cell]]
            scratch[indices[cell]] = 0
    starts[offsets.size - 1] = end
    return end


@kernel(
    types.void(
        HASHES, OFFSETS, HASHES, TERMS, WEIGHTS, WEIGHTS, types.boolean, types.boolean,
        types.Array(types.int32, 1, "C"), types.Array(types.int32, 1, "C"), types.Array(types.float64, 1, "C"),
    )
)  # fmt: skip
def weigh_documents(  # type: ignore[no-untyped-def]
    hashes, offsets, keys, terms, scale, weight, binary, euclidean, scratch, touched, out
):
    """The linear score of each document: sum of value times weight over the norm of the values; NaN if no word is known.

    A term's value is its scale, times its count unless `binary`; the norm is Euclidean, or else the sum.
    """
    for row in range(offsets.size - 1):
        found = 0
        for i in range(offsets[row], offsets[row + 1]):
            term = term_of(keys, terms, hashes[i])
            if term < 0:
                continue
            if scratch[term] == 0:
                touched[found] = term
                found += 1
            scratch[term] += 1
        total, norm = 0.0, 0.0
        for i in range(found):
            term = touched[i]
            value = scale[term] if binary else scale[term] * scratch[term]
            total += value * weight[term]
            norm += value * value if euclidean else value
            scratch[term] = 0
        if norm > 0.0:
            out[row] = total / (np.sqrt(norm) if euclidean else norm)
        else:
            out[row] = np.nan


@kernel(
    types.int64(
        HASHES, OFFSETS, HASHES, TERMS, types.int64, types.Array(types.uint64, 1, "C"), types.Array(types.int64, 1, "C"),
    )
)  # fmt: skip
def rarer_words(hashes, offsets, keys, terms, most, kept, starts):  # type: ignore[no-untyped-def]
    """The words of each document that are not among the first `most` terms; returns how many there are."""
    end = 0
    for row in range(offsets.size - 1):
        for i in range(offsets[row], offsets[row + 1]):
            term = term_of(keys, terms, hashes[i])
            if term < 0 or term >= most:
                kept[end] = hashes[i]
                end += 1
        starts[row + 1] = end
    return end
