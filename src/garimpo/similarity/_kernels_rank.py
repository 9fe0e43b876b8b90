"""The kernel of ranking: which of the queries' terms stand where in a stream of documents' terms."""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel

U64_IN = types.Array(types.uint64, 1, "C", readonly=True)
I32 = types.Array(types.int32, 1, "C")
I32_IN = types.Array(types.int32, 1, "C", readonly=True)


@kernel(types.void(U64_IN, I32))
def fill_table(keys, table):  # type: ignore[no-untyped-def]
    """Put the number of each key where its low bits say, or behind; `table` holds -1 and is a power of two long."""
    mask = np.uint64(table.size - 1)
    for i in range(keys.size):
        at = keys[i] & mask
        while table[at] >= 0:
            at = (at + np.uint64(1)) & mask
        table[at] = i


@kernel(types.void(U64_IN, U64_IN, I32_IN, I32))
def look_up(values, keys, table, out):  # type: ignore[no-untyped-def]
    """The number of each value among the keys, or -1."""
    mask = np.uint64(table.size - 1)
    for i in range(values.size):
        at = values[i] & mask
        found = table[at]
        while found >= 0 and keys[found] != values[i]:
            at = (at + np.uint64(1)) & mask
            found = table[at]
        out[i] = found
