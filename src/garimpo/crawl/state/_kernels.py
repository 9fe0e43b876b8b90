"""Jitted code of the seen-set: an open-addressing table of 64-bit keys with one byte beside each."""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64
from garimpo.engine.jit import kernel

KEYS = types.Array(types.uint64, 1, "C", readonly=True)
TABLE = types.Array(types.uint64, 1, "C")
LEVELS = types.Array(types.uint8, 1, "C")
LEVELS_IN = types.Array(types.uint8, 1, "C", readonly=True)


@kernel(types.int64(TABLE, types.uint64))
def find(table, key):  # type: ignore[no-untyped-def]
    """The slot that holds `key`, or the empty slot where it belongs. The table has less than 2^32 slots; 0 is empty."""
    size = np.uint64(table.size)
    at = ((mix64(key) >> np.uint64(32)) * size) >> np.uint64(32)
    while table[at] != np.uint64(0) and table[at] != key:
        at += np.uint64(1)
        if at == size:
            at = np.uint64(0)
    return np.int64(at)


@kernel(types.int64(TABLE, LEVELS, KEYS, LEVELS_IN, LEVELS))
def add(table, levels, keys, given, out):  # type: ignore[no-untyped-def]
    """Put each key in: out is 1 where it is new, 2 where its level rose, else 0. Returns how many are new."""
    added = 0
    for i in range(keys.size):
        key = keys[i] if keys[i] != np.uint64(0) else np.uint64(1)
        at = find(table, key)
        out[i] = 0
        if table[at] == np.uint64(0):
            table[at] = key
            levels[at] = given[i]
            out[i] = 1
            added += 1
        elif given[i] > levels[at]:
            levels[at] = given[i]
            out[i] = 2
    return added


@kernel(types.void(TABLE, KEYS, LEVELS))
def contains(table, keys, out):  # type: ignore[no-untyped-def]
    """Out is 1 where the key is in the table."""
    for i in range(keys.size):
        key = keys[i] if keys[i] != np.uint64(0) else np.uint64(1)
        out[i] = table[find(table, key)] != np.uint64(0)


@kernel(types.void(TABLE, KEYS))
def fill(table, keys):  # type: ignore[no-untyped-def]
    """Put keys into the table, with no word about which were new."""
    for i in range(keys.size):
        key = keys[i] if keys[i] != np.uint64(0) else np.uint64(1)
        table[find(table, key)] = key
