"""Kernels from shingle hashes to sketches. Sets are flat: all hashes in one array, and where each document begins.

A slot that has nothing to hold (a set smaller than its operator wants, or an empty one) holds the largest value of its
type; no real value is ever that large, and it never counts as a match.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64, xxh64
from garimpo.engine.jit import kernel

U64 = types.Array(types.uint64, 1, "C")
U64_IN = types.Array(types.uint64, 1, "C", readonly=True)
I64 = types.Array(types.int64, 1, "C")
I64_IN = types.Array(types.int64, 1, "C", readonly=True)
U32_ROWS = types.Array(types.uint32, 2, "C")
U64_ROWS = types.Array(types.uint64, 2, "C")
U8_ROWS = types.Array(types.uint8, 2, "C")

GOLD = np.uint64(0x9E3779B97F4A7C15)
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ZERO = np.uint64(0)
ONE = np.uint64(1)

BLOCK = 1024
MOST_BITS = 20
CROWD = 48
"""A bin of the spreading sort with more values than this (repeats, or a hostile page) goes to a comparison sort."""


@kernel(types.int64(U64, types.int64, types.int64))
def _insertion(values, start, stop):  # type: ignore[no-untyped-def]
    for i in range(start + 1, stop):
        value = values[i]
        j = i - 1
        while j >= start and values[j] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value
    return stop - start


@kernel(types.int64(U64_IN, I64_IN, U64, I64), allocates=True)
def sort_unique(hashes, offsets, out, out_offsets):  # type: ignore[no-untyped-def]
    """Each document's hashes as a sorted set. Hashes are uniform, so one spread by their top bits nearly sorts them."""
    spread = np.empty(1024, np.uint64)
    starts = np.zeros(2049, np.int32)
    at = 0
    out_offsets[0] = 0
    for d in range(offsets.size - 1):
        first, last = offsets[d], offsets[d + 1]
        n = last - first
        bits = 1
        while (1 << bits) < 2 * n and bits < MOST_BITS:
            bits += 1
        shift = np.uint64(64 - bits)
        bins = 1 << bits
        if n > spread.size:
            spread = np.empty(n + n // 2, np.uint64)
        if bins >= starts.size:
            starts = np.zeros(bins + 1, np.int32)
        starts[: bins + 1] = 0
        for i in range(first, last):
            starts[np.int64(hashes[i] >> shift) + 1] += 1
        crowded = False
        total = 0
        for b in range(1, bins + 1):
            crowded |= starts[b] > CROWD
            total += starts[b]
            starts[b] = total
        for i in range(first, last):
            at_bin = np.int64(hashes[i] >> shift)
            spread[starts[at_bin]] = hashes[i]
            starts[at_bin] += 1
        if crowded:
            spread[:n] = np.sort(spread[:n])
        else:
            _insertion(spread, 0, n)
        for i in range(n):
            if i == 0 or spread[i] != spread[i - 1]:
                out[at] = spread[i]
                at += 1
        out_offsets[d + 1] = at
    return at


@kernel(types.void(U64_IN, I64_IN, U64))
def digests(values, offsets, out):  # type: ignore[no-untyped-def]
    """xxh64 of each sorted set: equal sets, and only they (as far as 64 bits go), have equal digests."""
    data = values.view(np.uint8)
    for d in range(out.size):
        out[d] = xxh64(data, 8 * offsets[d], 8 * offsets[d + 1], np.uint64(0))


@kernel(types.void(U64_IN, types.uint64, U64))
def _mix_all(values, seed, out):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        out[i] = mix64(values[i] ^ seed)


@kernel(types.uint64(U64_IN, types.uint64))
def _least(values, seed):  # type: ignore[no-untyped-def]
    least = NOTHING
    for i in range(values.size):
        least = min(least, mix64(values[i] ^ seed))
    return min(least, NOTHING - ONE)


@kernel(types.UniTuple(types.uint64, 2)(U64_IN, types.uint64))
def _least_and_most(values, seed):  # type: ignore[no-untyped-def]
    least, most = NOTHING, ZERO
    for i in range(values.size):
        x = mix64(values[i] ^ seed)
        least = min(least, x)
        most = max(most, x)
    return min(least, NOTHING - ONE), min(most, NOTHING - ONE)


@kernel(types.void(U64_IN, I64_IN, U64_IN, U32_ROWS), allocates=True)
def fast_similarity(values, offsets, seeds, out):  # type: ignore[no-untyped-def]
    """Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup 2017).

    In each round every element falls into one bin with one value; a bin belongs to the smallest value of the earliest round
    that reached it. Once all bins are taken the rest of the rounds is not run. Bins still free after the last seed
    take the smallest element under a hash of their own.
    """
    slots = out.shape[1]
    wide = np.uint64(slots)
    bins = np.empty(slots, np.uint64)
    mixed = np.empty(BLOCK, np.uint64)
    for d in range(out.shape[0]):
        row = values[offsets[d] : offsets[d + 1]]
        bins[:] = NOTHING
        taken = slots if row.size == 0 else 0
        for r in range(seeds.size):
            if taken == slots:
                break
            base = np.uint64(r) << HALF
            for start in range(0, row.size, BLOCK):
                block = row[start : start + BLOCK]
                _mix_all(block, seeds[r], mixed)
                for i in range(block.size):
                    b = ((mixed[i] >> HALF) * wide) >> HALF
                    bins[b] = min(bins[b], base | (mixed[i] & LOW))
            taken = 0
            for b in range(slots):
                taken += bins[b] != NOTHING
        if taken < slots:
            for b in range(slots):
                if bins[b] == NOTHING:
                    bins[b] = _least(row, GOLD * np.uint64(b + 1))
        for b in range(slots):
            folded = (bins[b] ^ ((bins[b] >> HALF) * GOLD)) & LOW
            out[d, b] = np.uint32(LOW) if row.size == 0 else np.uint32(min(folded, LOW - ONE))


@kernel(types.void(U64_IN, I64_IN, types.uint64, U32_ROWS), allocates=True)
def one_permutation(values, offsets, seed, out):  # type: ignore[no-untyped-def]
    """One-permutation hashing; a free bin copies a taken one found by its own probe sequence (Shrivastava 2017)."""
    slots = out.shape[1]
    wide = np.uint64(slots)
    bins = np.empty(slots, np.uint64)
    mixed = np.empty(BLOCK, np.uint64)
    for d in range(out.shape[0]):
        row = values[offsets[d] : offsets[d + 1]]
        bins[:] = NOTHING
        for start in range(0, row.size, BLOCK):
            block = row[start : start + BLOCK]
            _mix_all(block, seed, mixed)
            for i in range(block.size):
                b = ((mixed[i] >> HALF) * wide) >> HALF
                bins[b] = min(bins[b], mixed[i] & LOW)
        for b in range(slots):
            donor = np.int64(b)
            attempt = ZERO
            while row.size and bins[donor] == NOTHING:
                attempt += ONE
                probe = mix64(seed + np.uint64(b) * GOLD + (attempt << HALF))
                donor = np.int64(((probe >> HALF) * wide) >> HALF)
            out[d, b] = np.uint32(LOW) if row.size == 0 else np.uint32(min(bins[donor], LOW - ONE))


@kernel(types.void(U64_IN, types.uint64, U64, U64))
def _ends(values, seed, low, high):  # type: ignore[no-untyped-def]
    low[:] = NOTHING
    high[:] = ZERO
    for i in range(values.size):
        x = min(mix64(values[i] ^ seed), NOTHING - ONE)
        if low.size and x < low[-1]:
            j = low.size - 1
            while j > 0 and low[j - 1] > x:
                low[j] = low[j - 1]
                j -= 1
            low[j] = x
        if high.size and x >= high[-1]:
            j = high.size - 1
            while j > 0 and high[j - 1] < x:
                high[j] = high[j - 1]
                j -= 1
            high[j] = x


@kernel(types.void(U64_IN, I64_IN, U64_IN, types.int64, types.int64, U64_ROWS), allocates=True)
def extremes(values, offsets, seeds, smallest, largest, out):  # type: ignore[no-untyped-def]
    """For each permutation the `smallest` least values in rising order, then the `largest` greatest in falling order."""
    kept = smallest + largest
    low = np.empty(max(smallest, 1), np.uint64)
    high = np.empty(max(largest, 1), np.uint64)
    for d in range(out.shape[0]):
        row = values[offsets[d] : offsets[d + 1]]
        n = row.size
        for p in range(seeds.size):
            if smallest <= 1 and largest <= 1:
                low[0], high[0] = _least_and_most(row, seeds[p])
            else:
                _ends(row, seeds[p], low[:smallest], high[:largest])
            for j in range(smallest):
                out[d, p * kept + j] = low[j] if j < n else NOTHING
            for j in range(largest):
                out[d, p * kept + smallest + j] = high[j] if j < n else NOTHING


@kernel(types.void(U64_IN, I64_IN, U64_IN, U8_ROWS), allocates=True)
def sign_bits(values, offsets, seeds, out):  # type: ignore[no-untyped-def]
    """SimHash: bit j says which sign has the majority among the elements; a tie goes by a coin of the slot's own."""
    slots = out.shape[1]
    votes = np.empty(64, np.int64)
    for d in range(out.shape[0]):
        first, last = offsets[d], offsets[d + 1]
        for word in range(seeds.size):
            seed = seeds[word]
            votes[:] = 0
            for i in range(first, last):
                x = mix64(values[i] ^ seed)
                for j in range(64):
                    votes[j] += np.int64((x >> np.uint64(j)) & ONE)
            coins = mix64(seed)
            for j in range(min(64, slots - 64 * word)):
                balance = 2 * votes[j] - (last - first)
                coin = np.int64((coins >> np.uint64(j)) & ONE)
                bit = 1 if balance > 0 or (balance == 0 and coin == 1) else 0
                out[d, 64 * word + j] = 255 if first == last else bit
