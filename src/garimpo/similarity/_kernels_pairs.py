"""Kernels from sketches to clusters: band keys, buckets, the exact check, stars; and the merging of sorted runs.

Documents are numbered in the order in which they are preferred: of a pair (a, b) with a < b, `a` is the one to keep.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64
from garimpo.engine.jit import kernel

U64 = types.Array(types.uint64, 1, "C")
U64_IN = types.Array(types.uint64, 1, "C", readonly=True)
I64 = types.Array(types.int64, 1, "C")
I64_IN = types.Array(types.int64, 1, "C", readonly=True)
I32 = types.Array(types.int32, 1, "C")
I32_IN = types.Array(types.int32, 1, "C", readonly=True)
U32_ROWS_IN = types.Array(types.uint32, 2, "C", readonly=True)
U64_ROWS = types.Array(types.uint64, 2, "C")

GOLD = np.uint64(0x9E3779B97F4A7C15)


@kernel(types.void(U32_ROWS_IN, types.int64, types.int64, U64_ROWS))
def band_keys(words, bands, width, out):  # type: ignore[no-untyped-def]
    """One 64-bit key for each band of `width` words; the band's number is part of the key."""
    for d in range(words.shape[0]):
        for b in range(bands):
            key = mix64(np.uint64(b + 1) * GOLD)
            for j in range(b * width, (b + 1) * width):
                key = mix64(key ^ np.uint64(words[d, j]))
            out[d, b] = key


@kernel(types.void(U64_IN, I64), allocates=True)
def settle(keys, documents):  # type: ignore[no-untyped-def]
    """Put the documents of each key in rising order; `keys` is sorted."""
    start = 0
    while start < keys.size:
        stop = start + 1
        while stop < keys.size and keys[stop] == keys[start]:
            stop += 1
        if stop - start > 32:
            documents[start:stop] = np.sort(documents[start:stop])
        else:
            for i in range(start + 1, stop):
                document = documents[i]
                j = i - 1
                while j >= start and documents[j] > document:
                    documents[j + 1] = documents[j]
                    j -= 1
                documents[j + 1] = document
        start = stop


@kernel(types.int64(U64_IN, I64_IN, I64_IN, I64_IN, types.int64, types.int64, types.int64, types.int64, U64, I64))
def bucket_pairs(keys, documents, sizes, before, cap, part, whole, containment, out, capped):  # type: ignore[no-untyped-def]
    """Pairs of documents with equal keys, as (a << 32 | b); the count is returned, `out` is filled as far as it goes.

    `keys` is sorted; `documents` goes with it and rises inside a key. In one bucket only the first `cap` documents, of
    which `before[i]` came earlier and are not shown here, are paired with those that follow: a bucket of m documents makes at
    most m * cap pairs. `capped` counts the buckets that were larger, and the pairs not made. Pairs whose
    sizes alone rule out a Jaccard of part/whole are left out.
    """
    count = 0
    start = 0
    while start < keys.size:
        stop = start + 1
        while stop < keys.size and keys[stop] == keys[start]:
            stop += 1
        leaders = min(stop, start + max(0, cap - before[start]))
        members = stop - start
        if before[start] + members > cap:
            hidden = stop - leaders
            capped[0] += 1
            capped[1] += hidden * (hidden - 1) // 2
        for i in range(start, leaders):
            a = documents[i]
            for j in range(i + 1, stop):
                small, large = min(sizes[i], sizes[j]), max(sizes[i], sizes[j])
                if containment == 0 and small * whole < large * part:
                    continue
                if count < out.size:
                    out[count] = (np.uint64(a) << np.uint64(32)) | np.uint64(documents[j])
                count += 1
        start = stop
    return count


@kernel(types.void(U64_IN, I64_IN, I64_IN, U64_IN, I64_IN, I64_IN, types.int64, types.int64, types.int64, I64))
def shared(left, left_start, left_size, right, right_start, right_size, part, whole, inside, out):  # type: ignore[no-untyped-def]
    """How many hashes the sets of each pair share, or -1 where it is too few.

    Enough is a Jaccard (or, of the smaller set, a containment) of at least part/whole, in integers throughout.
    A merge stops as soon as what is left cannot reach that.
    """
    for q in range(out.size):
        i, j = left_start[q], right_start[q]
        i_stop, j_stop = i + left_size[q], j + right_size[q]
        if inside:
            need = -(-part * min(left_size[q], right_size[q]) // whole)
        else:
            need = -(-part * (left_size[q] + right_size[q]) // (whole + part))
        allowed_i = left_size[q] - need
        allowed_j = right_size[q] - need
        common = 0
        while i < i_stop and j < j_stop and allowed_i >= 0 and allowed_j >= 0:
            x, y = left[i], right[j]
            common += x == y
            i += x <= y
            j += y <= x
            allowed_i -= x < y
            allowed_j -= y < x
        out[q] = common if common >= need and need > 0 else -1


@kernel(types.void(I64_IN, I64_IN, I64))
def stars(first, second, kept):  # type: ignore[no-untyped-def]
    """Greedy stars: each document, in order, goes to the earliest kept one it is paired with, or is kept.

    Pairs are sorted by `second`, then `first`. `kept[d]` comes in as d (or as another number: decided before) and leaves
    as the document that stands for d.
    """
    for q in range(second.size):
        a, b = first[q], second[q]
        if kept[b] == b and kept[a] == a:
            kept[b] = a


@kernel(types.void(U64_IN, U64_IN, types.int64, I64, I64))
def find(keys, wanted, limit, start, count):  # type: ignore[no-untyped-def]
    """Where each wanted key stands in a sorted run, and how often (no more than `limit`).

    Keys are uniform, so their value tells where to look first.
    """
    n = keys.size
    for q in range(wanted.size):
        key = wanted[q]
        low, high = 0, n
        guess = np.int64(np.float64(key) / 18446744073709551616.0 * n)
        step = 16
        at = min(max(guess, 0), n - 1)
        if n and keys[at] < key:
            low = at + 1
            while low + step < n and keys[low + step] < key:
                low += step + 1
                step *= 2
            high = min(n, low + step)
        elif n:
            high = at
            while high - step > 0 and keys[high - step] >= key:
                high -= step
                step *= 2
            low = max(0, high - step)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        stop = low
        while stop < n and stop - low < limit and keys[stop] == key:
            stop += 1
        start[q], count[q] = low, stop - low


@kernel(types.void(U64_IN, I32_IN, U64_IN, I32_IN, U64, I32))
def merge(keys_a, documents_a, keys_b, documents_b, keys, documents):  # type: ignore[no-untyped-def]
    """Two sorted runs as one; of equal keys those of the first run, the older, come first."""
    i, j = 0, 0
    for at in range(keys.size):
        if j == keys_b.size or (i < keys_a.size and keys_a[i] <= keys_b[j]):
            keys[at], documents[at] = keys_a[i], documents_a[i]
            i += 1
        else:
            keys[at], documents[at] = keys_b[j], documents_b[j]
            j += 1


@kernel(types.int64(U64_IN, I64_IN, I64_IN, I64_IN, I64_IN, types.uint64, types.uint64, U64, I64))
def in_range(values, starts, sizes, probes, documents, low, high, keys, marked):  # type: ignore[no-untyped-def]
    """The hashes in [low, high] of each set as entries (hash, document * 2 + 1 if it is one of the set's probes).

    The last hash of a range belongs to the next one too, which does no harm. The count is returned.
    """
    count = 0
    for d in range(starts.size):
        row = values[starts[d] : starts[d] + sizes[d]]
        at = np.searchsorted(row, low)
        while at < row.size and row[at] <= high:
            if count < keys.size:
                keys[count] = row[at]
                marked[count] = 2 * documents[d] + (at < probes[d])
            count += 1
            at += 1
    return count


@kernel(types.int64(U64_IN, I64_IN, I64_IN, types.int64, U64, I64))
def probe_pairs(keys, marked, sizes, cap, out, capped):  # type: ignore[no-untyped-def]
    """Pairs that share a hash which is a probe of the smaller set (of the first, if they are as large). See `bucket_pairs`."""
    count = 0
    start = 0
    while start < keys.size:
        stop = start + 1
        while stop < keys.size and keys[stop] == keys[start]:
            stop += 1
        leaders = min(stop, start + cap)
        if stop > leaders:
            hidden = stop - leaders
            capped[0] += 1
            capped[1] += hidden * (hidden - 1) // 2
        for i in range(start, leaders):
            a = marked[i] >> 1
            for j in range(i + 1, stop):
                b = marked[j] >> 1
                smaller = marked[j] if sizes[j] < sizes[i] else marked[i]
                if smaller & 1:
                    if count < out.size:
                        out[count] = (np.uint64(a) << np.uint64(32)) | np.uint64(b)
                    count += 1
        start = stop
    return count
