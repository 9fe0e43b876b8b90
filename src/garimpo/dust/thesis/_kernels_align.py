"""Token rows, pairwise and multiple alignment of token sets, and the signature of a consensus.

An alignment is a matrix: a row for each URL, a column for each position, an entry the number of a token or -1 (a gap).
Column sets are read off the matrix; two tokens are equal when their case-folded hashes are.
"""

import numpy as np
from numba import types

from garimpo.dust.inputs._kernels_tokens import OTHER
from garimpo.engine._kernels import BYTES, I64, MATRIX, OUT8, OUT64, OUTU64, U64, mix64
from garimpo.engine.jit import kernel

TIE = 1e-9  # scores are sums of fractions: equal ones may differ by rounding


@kernel(types.void(MATRIX, U64, BYTES, types.Array(types.uint64, 2, "C"), OUT64, OUT8, OUT8))
def column_sets(matrix, folded, kinds, members, sizes, gapped, kind):  # type: ignore[no-untyped-def]
    """The distinct case-folded tokens of each column, how many, whether it has a gap, and its kind."""
    rows, columns = matrix.shape
    for column in range(columns):
        size = 0
        for row in range(rows):
            token = matrix[row, column]
            if token < 0:
                gapped[column] = 1
                continue
            kind[column] = kinds[token]
            value, known = folded[token], False
            for i in range(size):
                if members[column, i] == value:
                    known = True
                    break
            if not known:
                members[column, size] = value
                size += 1
        sizes[column] = size


@kernel(
    types.Tuple((MATRIX, types.float64))(MATRIX, MATRIX, U64, BYTES, types.boolean),
    allocates=True,
)
def align(first, second, folded, kinds, gap_in_numerator):  # type: ignore[no-untyped-def]
    """The best alignment of two alignments, as one, and its score: Jaccard of column sets, free gaps.

    Ties are broken towards the diagonal, then the left, then up. Equal columns at both ends' tail are matched at once,
    which is what that order does anyway.
    """
    rows_a, n = first.shape
    rows_b, m = second.shape
    in_a, in_b = np.empty((n, rows_a), np.uint64), np.empty((m, rows_b), np.uint64)
    size_a, size_b = np.zeros(n, np.int64), np.zeros(m, np.int64)
    gap_a, gap_b = np.zeros(n, np.uint8), np.zeros(m, np.uint8)
    kind_a, kind_b = np.zeros(n, np.uint8), np.zeros(m, np.uint8)
    column_sets(first, folded, kinds, in_a, size_a, gap_a, kind_a)
    column_sets(second, folded, kinds, in_b, size_b, gap_b, kind_b)
    tail = 0
    while tail < n and tail < m:
        i, j = n - 1 - tail, m - 1 - tail
        if size_a[i] != 1 or size_b[j] != 1 or gap_a[i] or gap_b[j] or in_a[i, 0] != in_b[j, 0]:
            break
        tail += 1
    n0, m0 = n - tail, m - tail
    score = np.zeros((n0 + 1, m0 + 1), np.float64)
    match = np.empty((n0 + 1, m0 + 1), np.float64)
    for i in range(1, n0 + 1):
        for j in range(1, m0 + 1):
            gain = -1.0
            if kind_a[i - 1] == kind_b[j - 1]:
                common = 0
                for p in range(size_a[i - 1]):
                    for q in range(size_b[j - 1]):
                        if in_a[i - 1, p] == in_b[j - 1, q]:
                            common += 1
                            break
                gaps = np.int64(gap_a[i - 1]) + np.int64(gap_b[j - 1])
                union = size_a[i - 1] + size_b[j - 1] - common + (1 if gaps else 0)
                if gaps == 2 and gap_in_numerator:
                    common += 1
                gain = common / union
            match[i, j] = gain
            best = score[i - 1, j - 1] + gain
            if score[i - 1, j] > best:
                best = score[i - 1, j]
            if score[i, j - 1] > best:
                best = score[i, j - 1]
            score[i, j] = best
    path = np.empty(n0 + m0, np.int64)
    steps, i, j = 0, n0, m0
    while i > 0 or j > 0:
        if i > 0 and j > 0 and match[i, j] >= 0 and abs(score[i, j] - score[i - 1, j - 1] - match[i, j]) < TIE:
            path[steps], i, j = 0, i - 1, j - 1
        elif j > 0 and (i == 0 or abs(score[i, j] - score[i, j - 1]) < TIE):
            path[steps], j = 1, j - 1
        else:
            path[steps], i = 2, i - 1
        steps += 1
    out = np.full((rows_a + rows_b, steps + tail), -1, np.int64)
    i = j = 0
    for column in range(steps + tail):
        move = path[steps - 1 - column] if column < steps else 0
        if move != 1:
            for row in range(rows_a):
                out[row, column] = first[row, i]
            i += 1
        if move != 2:
            for row in range(rows_b):
                out[rows_a + row, column] = second[row, j]
            j += 1
    return out, score[n0, m0] + tail


@kernel(MATRIX(I64, types.int64), inline="always", allocates=True)
def one_row(token_offsets, row):  # type: ignore[no-untyped-def]
    first = token_offsets[row]
    out = np.empty((1, token_offsets[row + 1] - first), np.int64)
    for i in range(out.shape[1]):
        out[0, i] = first + i
    return out


@kernel(types.Tuple((MATRIX, types.float64))(I64, I64, U64, BYTES), allocates=True)
def align_chain(rows, token_offsets, folded, kinds):  # type: ignore[no-untyped-def]
    """All rows in the given order, each aligned to those before; and the mean score per merge, 1 for equal length and text."""
    consensus = one_row(token_offsets, rows[0])
    total = 0.0
    for i in range(1, rows.size):
        row = one_row(token_offsets, rows[i])
        longest = max(row.shape[1], consensus.shape[1])
        consensus, score = align(row, consensus, folded, kinds, True)
        total += score / max(longest, 1)
    return consensus, total / max(rows.size - 1, 1)


@kernel(types.Tuple((MATRIX, types.float64, types.int64))(I64, I64, U64, BYTES, types.boolean), allocates=True)
def align_progressive(rows, token_offsets, folded, kinds, gap_in_numerator):  # type: ignore[no-untyped-def]
    """Merge the best-scoring pair first (Feng-Doolittle); equal scores in order of arrival. Also the number of alignments."""
    n = rows.size
    nodes = [one_row(token_offsets, rows[i]) for i in range(n)]
    alive = np.zeros(2 * n, np.uint8)
    alive[:n] = 1
    pairs = [(np.int64(-1), np.int64(-1), 0.0)]
    merged = [nodes[0]]
    for i in range(n):
        for j in range(i + 1, n):
            matrix, score = align(nodes[i], nodes[j], folded, kinds, gap_in_numerator)
            pairs.append((np.int64(i), np.int64(j), score))
            merged.append(matrix)
    total = 0.0
    for _ in range(n - 1):
        best, best_score = -1, -1.0
        for p in range(1, len(pairs)):
            x, y, score = pairs[p]
            if alive[x] and alive[y] and score > best_score + TIE:
                best, best_score = p, score
        x, y, _score = pairs[best]
        alive[x] = alive[y] = 0
        node = len(nodes)
        total += best_score / max(nodes[x].shape[1], nodes[y].shape[1], 1)
        nodes.append(merged[best])
        for other in range(node):
            if alive[other]:
                matrix, score = align(nodes[node], nodes[other], folded, kinds, gap_in_numerator)
                pairs.append((np.int64(node), np.int64(other), score))
                merged.append(matrix)
        alive[node] = 1
    return nodes[-1], total / max(n - 1, 1), len(pairs) - 1


@kernel(types.boolean(types.uint8), inline="always")
def is_delimiter(byte):  # type: ignore[no-untyped-def]
    return byte in (47, 63, 61, 38, 35, 59, 58, 46)


@kernel(types.uint64(MATRIX, types.int64, U64, BYTES, types.int64))
def _choice_hash(matrix, column, exact, kinds, card):  # type: ignore[no-untyped-def]
    """Of a column that varies: its tokens as a set, or their class, and whether it is missing where its left neighbour is."""
    rows = matrix.shape[0]
    size, total, gap, same, kind = 0, np.uint64(0), False, column > 0, np.uint8(0)
    for row in range(rows):
        token = matrix[row, column]
        if token < 0:
            gap = True
        if column > 0 and (token < 0) != (matrix[row, column - 1] < 0):
            same = False
        if token < 0:
            continue
        kind = kinds[token]
        known = False
        for earlier in range(row):
            if matrix[earlier, column] >= 0 and exact[matrix[earlier, column]] == exact[token]:
                known = True
                break
        if not known:
            size += 1
            total += mix64(exact[token])
    if size >= card and kind != OTHER:
        total = np.uint64(31) + np.uint64(kind)
    return mix64(total + np.uint64(2 * gap + (1 if gap and same else 0)))


@kernel(types.uint64(MATRIX, U64, BYTES, BYTES, I64, types.int64), allocates=True)
def signature(matrix, exact, kinds, data, starts, card):  # type: ignore[no-untyped-def]
    """A hash of what a rule emitted from this alignment would say; equal rules may differ in it, unequal ones do not agree."""
    rows, columns = matrix.shape
    fixed, delimiter = np.ones(columns, np.uint8), np.zeros(columns, np.uint8)
    for column in range(columns):
        first = -1
        for row in range(rows):
            token = matrix[row, column]
            if token < 0:
                fixed[column] = 0
                continue
            if is_delimiter(data[starts[token]]):
                delimiter[column] = 1
            if first >= 0 and exact[token] != exact[first]:
                fixed[column] = 0
            first = token
    total, column = np.uint64(columns > 0), 0
    while column < columns:
        value = np.uint64(0)
        if fixed[column] and not delimiter[column]:
            begins = column == 0 or delimiter[column - 1]
            stop = column
            while stop < columns and not delimiter[stop] and fixed[stop]:
                stop += 1
            if begins and (stop == columns or delimiter[stop]):
                value, column = np.uint64(11), stop - 1
            elif kinds[matrix[0, column]] == OTHER:
                value = exact[matrix[0, column]]
            else:
                value = np.uint64(21) + np.uint64(kinds[matrix[0, column]])
        elif fixed[column]:
            value = exact[matrix[0, column]]
        else:
            value = _choice_hash(matrix, column, exact, kinds, card)
        total = mix64(total * np.uint64(0x9E3779B185EBCA87) + value)
        column += 1
    return total


@kernel(types.void(I64, I64, I64, U64, U64, BYTES, BYTES, I64, types.int64, types.boolean, OUTU64), allocates=True)
def cluster_signatures(  # type: ignore[no-untyped-def]
    rows, cluster_offsets, token_offsets, exact, folded, kinds, data, starts, card, progressive, out
):
    """The signature of the alignment of each cluster."""
    for cluster in range(cluster_offsets.size - 1):
        members = rows[cluster_offsets[cluster] : cluster_offsets[cluster + 1]]
        if progressive:
            matrix, _score, _merges = align_progressive(members, token_offsets, folded, kinds, True)
        else:
            matrix, _score = align_chain(members, token_offsets, folded, kinds)
        out[cluster] = signature(matrix, exact, kinds, data, starts, card)
