"""URLs cut into tokens: runs of letters, runs of digits, single other characters."""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, I64, OUT8, OUT64, OUTU64, mix64
from garimpo.engine.jit import kernel

LETTERS, DIGITS, OTHER = 0, 1, 2


@kernel(types.int64(types.uint8), inline="always")
def kind_of(byte):  # type: ignore[no-untyped-def]
    if 97 <= byte <= 122 or 65 <= byte <= 90:
        return LETTERS
    if 48 <= byte <= 57:
        return DIGITS
    return OTHER


@kernel(types.int64(BYTES, types.int64, types.int64))
def token_stop(data, start, stop):  # type: ignore[no-untyped-def]
    """Where the token that begins at `start` ends: a run of letters, a run of digits, or one other character."""
    kind = kind_of(data[start])
    at = start + 1
    if kind == OTHER:
        while at < stop and (data[at] & 0xC0) == 0x80:  # the rest of a UTF-8 character
            at += 1
        return at
    while at < stop and kind_of(data[at]) == kind:
        at += 1
    return at


@kernel(types.void(BYTES, I64, OUT64))
def count_tokens(data, offsets, out):  # type: ignore[no-untyped-def]
    for row in range(offsets.size - 1):
        at, stop, count = offsets[row], offsets[row + 1], 0
        while at < stop:
            at = token_stop(data, at, stop)
            count += 1
        out[row] = count


@kernel(types.void(BYTES, I64, OUT64, OUT64, OUT8, OUTU64, OUTU64))
def fill_tokens(data, offsets, starts, stops, kinds, exact, folded):  # type: ignore[no-untyped-def]
    """Where each token stands, its kind, and the hashes of its spelling and of its lower-case form."""
    token = 0
    for row in range(offsets.size - 1):
        at, stop = offsets[row], offsets[row + 1]
        while at < stop:
            end = token_stop(data, at, stop)
            spelling, lower = np.uint64(0xCBF29CE484222325), np.uint64(0xCBF29CE484222325)
            for i in range(at, end):
                byte = data[i]
                spelling = (spelling ^ np.uint64(byte)) * np.uint64(0x100000001B3)
                if 65 <= byte <= 90:
                    byte += np.uint8(32)
                lower = (lower ^ np.uint64(byte)) * np.uint64(0x100000001B3)
            starts[token], stops[token], kinds[token] = at, end, kind_of(data[at])
            exact[token], folded[token] = mix64(spelling), mix64(lower)
            token += 1
            at = end
