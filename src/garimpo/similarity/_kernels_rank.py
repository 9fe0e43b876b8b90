"""The kernel of exact ranking: for each query, the documents of one block that share most with it."""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel

U64_IN = types.Array(types.uint64, 1, "C", readonly=True)
I64_IN = types.Array(types.int64, 1, "C", readonly=True)
I64_ROWS = types.Array(types.int64, 2, "C")


@kernel(
    types.void(U64_IN, I64_IN, U64_IN, I64_IN, I64_IN, types.int64, types.boolean, I64_ROWS, I64_ROWS, I64_ROWS), allocates=True
)
def rank_block(queries, query_offsets, keys, documents, sizes, base, inside, best, top, bottom):  # type: ignore[no-untyped-def]
    """Put the documents of a block among the best of each query.

    `keys` (sorted) and `documents` are the block's hashes; `best` holds document numbers, `top` / `bottom` their
    similarity as a fraction. A later document goes behind an earlier one of the same similarity.
    """
    common = np.zeros(sizes.size, np.int64)
    touched = np.empty(sizes.size, np.int64)
    places = best.shape[1]
    for q in range(query_offsets.size - 1):
        row = queries[query_offsets[q] : query_offsets[q + 1]]
        count = 0
        at = 0
        for value in row:
            at += np.searchsorted(keys[at:], value)
            while at < keys.size and keys[at] == value:
                d = documents[at]
                if common[d] == 0:
                    touched[count] = d
                    count += 1
                common[d] += 1
                at += 1
        found = np.sort(touched[:count])
        for d in found:
            shared = common[d]
            common[d] = 0
            under = min(sizes[d], row.size) if inside else sizes[d] + row.size - shared
            if top[q, places - 1] * under >= shared * bottom[q, places - 1]:
                continue
            j = places - 1
            while j > 0 and top[q, j - 1] * under < shared * bottom[q, j - 1]:
                best[q, j], top[q, j], bottom[q, j] = best[q, j - 1], top[q, j - 1], bottom[q, j - 1]
                j -= 1
            best[q, j], top[q, j], bottom[q, j] = base + d, shared, under
