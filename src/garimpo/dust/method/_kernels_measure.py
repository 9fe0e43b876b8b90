"""What operations would do to the URLs of one host: which pages they would confuse, how many fetches they would save.

An operation changes few of a host's URLs. Which ones it could change is seen from the URL as it stands (`can_change`); only
those are rewritten. The URLs themselves are different from each other, so keys are counted by the changed rows alone, each
group of them together with the unchanged URL that has the same form, if there is one.
"""

import numpy as np
from numba import types

from garimpo.dust.rules._kernels_apply import WORK, rewrite
from garimpo.dust.rules._kernels_path import (
    BUFFER,
    BUNDLE,
    CASE,
    MIDDLE,
    ORDER,
    PARAMETER,
    PATH_PARAMETER,
    PATTERN,
    QUERY_CASE,
    SCHEME,
    SCRATCH,
    SEPARATOR,
    TABLES,
    TEMPLATE,
)
from garimpo.engine._kernels import BYTES, I64, MATRIX, OUT8, OUT64, OUTU64, xxh64
from garimpo.engine.jit import kernel

SECURE, CAPITALS, HIDDEN, QUERY_CAPITALS = 1, 2, 4, 8
PAIR = types.UniTuple(types.int64, 2)


@kernel(types.void(BYTES, I64, I64, MATRIX, OUTU64, OUT64), _nrt=False)
def split_rows(data, offsets, rows, parts, base, slots):  # type: ignore[no-untyped-def]
    """Of each row: where path and query begin, slashes of the path, what it contains, its hash; and a table by the hash."""
    slots[:] = -1
    for i in range(rows.size):
        start, stop = offsets[rows[i]], offsets[rows[i] + 1]
        base[i] = xxh64(data, start, stop, np.uint64(0))
        at = start
        while at < stop and data[at] != 58:
            at += 1
        flags = SECURE if at - start == 5 else 0
        at = min(at + 3, stop)
        while at < stop and data[at] != 47 and data[at] != 63:
            at += 1
        parts[i, 0] = at
        slashes = 0
        while at < stop and data[at] != 63:
            if data[at] == 47:
                slashes += 1
            elif data[at] == 59:
                flags |= HIDDEN
            elif 65 <= data[at] <= 90:
                flags |= CAPITALS
            at += 1
        parts[i, 1], parts[i, 2] = at, slashes
        while at < stop:
            if 65 <= data[at] <= 90:
                flags |= QUERY_CAPITALS
            at += 1
        parts[i, 3] = flags
        slot = np.int64(base[i] & np.uint64(slots.size - 1))
        while slots[slot] >= 0 and base[slots[slot]] != base[i]:
            slot = (slot + 1) & (slots.size - 1)
        if slots[slot] < 0:
            slots[slot] = i


@kernel(types.boolean(BYTES, types.int64, OUT8, types.int64, types.int64), inline="always", _nrt=False)
def text_is(data, at, pool, begin, size):  # type: ignore[no-untyped-def]
    same, i = True, 0
    while same and i < size:
        same = data[at + i] == pool[begin + i]
        i += 1
    return same


@kernel(types.boolean(BYTES, types.int64, types.int64, OUT8, types.int64, types.int64), _nrt=False)
def has_text(data, start, stop, pool, begin, size):  # type: ignore[no-untyped-def]
    at = start
    while at <= stop - size and not text_is(data, at, pool, begin, size):
        at += 1
    return at <= stop - size


@kernel(types.boolean(BYTES, types.int64, types.int64, OUT8, types.int64, types.int64), _nrt=False)
def has_parameter(data, start, stop, pool, begin, size):  # type: ignore[no-untyped-def]
    """Whether the query data[start:stop] has a parameter of this name."""
    at = start
    while at + size <= stop:
        end = at + size
        if text_is(data, at, pool, begin, size) and (end == stop or data[end] in (61, 38, 59)):
            return True
        while at < stop and data[at] != 38 and data[at] != 59:
            at += 1
        at += 1
    return False


@kernel(types.boolean(BYTES, types.int64, MATRIX, types.int64, TABLES, types.int64), _nrt=False)
def one_can_change(data, stop, parts, row, tables, op):  # type: ignore[no-untyped-def]
    """Whether an operation, no bundle, could change the URL; where not, it surely does not."""
    ops, _lists, _steps, _templates, pool = tables
    kind, path, mark, flags = ops[op, 0], parts[row, 0], parts[row, 1], parts[row, 3]
    if kind == PATTERN:
        head, tail, length = ops[op, 14], ops[op, 16], mark - path
        if ops[op, 18] == MIDDLE:
            return has_text(data, path, mark, pool, ops[op, 13], head)
        if head + tail > length or (ops[op, 17] >= 0 and ops[op, 17] != parts[row, 2]):
            return False
        return text_is(data, path, pool, ops[op, 13], head) and text_is(data, mark - tail, pool, ops[op, 15], tail)
    if kind == PARAMETER:
        return mark < stop and has_parameter(data, mark + 1, stop, pool, ops[op, 4], ops[op, 5])
    if kind in (ORDER, TEMPLATE):
        return mark < stop
    if kind == SEPARATOR:
        begin, end = (mark, stop) if ops[op, 8] else (path, mark)
        return has_text(data, begin, end, pool, ops[op, 4], ops[op, 5])
    if kind == CASE:
        return flags & CAPITALS != 0
    if kind == PATH_PARAMETER:
        return flags & HIDDEN != 0
    if kind == QUERY_CASE:
        return flags & QUERY_CAPITALS != 0
    if kind == SCHEME:
        return flags & SECURE != 0
    return True


@kernel(types.boolean(BYTES, types.int64, MATRIX, types.int64, TABLES, types.int64), _nrt=False)
def can_change(data, stop, parts, row, tables, op):  # type: ignore[no-untyped-def]
    """The same of any operation. A bundle changes what one of its operations changes; where all forms have the first, that one.

    The first is asked of the URL as it stands; what another can change, it may only after the first did.
    """
    ops, lists = tables[0], tables[1]
    if ops[op, 0] != BUNDLE:
        return one_can_change(data, stop, parts, row, tables, op)
    for i in range(1 if ops[op, 8] else ops[op, 3]):
        if one_can_change(data, stop, parts, row, tables, lists[ops[op, 2] + i]):
            return True
    return False


@kernel(PAIR(OUTU64, OUT64, types.int64, I64, OUTU64, OUT64, OUT8), allocates=True)
def tally(keys, members, count, clusters, base, slots, changed):  # type: ignore[no-untyped-def]
    """Of rows `members` whose keys became `keys`: clusters too many of one key, and rows that share both with another row."""
    denied = saved = 0
    order = np.argsort(keys[:count])
    group = np.empty(count + 1, np.int64)
    begin = 0
    while begin < count:
        key, size = keys[order[begin]], 0
        while begin < count and keys[order[begin]] == key:
            group[size] = clusters[members[order[begin]]]
            size += 1
            begin += 1
        slot = np.int64(key & np.uint64(slots.size - 1))
        while slots[slot] >= 0 and base[slots[slot]] != key:
            slot = (slot + 1) & (slots.size - 1)
        if slots[slot] >= 0 and not changed[slots[slot]]:
            group[size] = clusters[slots[slot]]
            size += 1
        if size > 1:
            inside = np.sort(group[:size])
            for i in range(1, size):
                if inside[i] == inside[i - 1]:
                    saved += 1
                else:
                    denied += 1
    return denied, saved


@kernel(types.void(BYTES, I64, I64, I64, MATRIX, OUTU64, OUT64, TABLES, SCRATCH, OUT64, OUT64, OUT64), allocates=True)
def measure_each(  # type: ignore[no-untyped-def]
    data, offsets, rows, clusters, parts, base, slots, tables, scratch, marks, denied, saved
):
    """What each operation does when it is used alone; the tables have one list, of all in their order."""
    buffer, rule = np.empty(BUFFER * 3, np.uint8), np.empty(WORK, np.int64)
    keys, members, changed = np.empty(rows.size, np.uint64), np.empty(rows.size, np.int64), np.zeros(rows.size, np.uint8)
    for op in range(denied.size):
        count = 0
        for i in range(rows.size):
            start, stop = offsets[rows[i]], offsets[rows[i] + 1]
            if not can_change(data, stop, parts, i, tables, op):
                continue
            size = rewrite(data, start, stop, op + 1, op + 2, tables, scratch, rule, marks, buffer, False)
            if size == 0:
                continue
            key = xxh64(buffer, 0, size, np.uint64(0))
            if key != base[i]:
                keys[count], members[count], changed[i] = key, i, 1
                count += 1
        denied[op], saved[op] = tally(keys, members, count, clusters, base, slots, changed)
        for i in range(count):
            changed[members[i]] = 0


@kernel(
    PAIR(BYTES, I64, I64, I64, MATRIX, OUTU64, OUT64, TABLES, SCRATCH, OUT64, types.int64, types.int64, OUT8, OUTU64),
    allocates=True,
)
def measure_list(  # type: ignore[no-untyped-def]
    data, offsets, rows, clusters, parts, base, slots, tables, scratch, marks, first, last, touched, out
):
    """What the list first..last of operations does: clusters too many of one key, rows saved.

    Only rows with a mark in `touched` are looked at: those that some of the operations could change. `out` gets each row's key.
    """
    buffer, rule = np.empty(BUFFER * 3, np.uint8), np.empty(WORK, np.int64)
    keys, members, changed = np.empty(rows.size, np.uint64), np.empty(rows.size, np.int64), np.zeros(rows.size, np.uint8)
    count = 0
    for i in range(rows.size):
        out[i] = base[i]
        if not touched[i]:
            continue
        size = rewrite(data, offsets[rows[i]], offsets[rows[i] + 1], first, last, tables, scratch, rule, marks, buffer, False)
        if size == 0:
            continue
        out[i] = xxh64(buffer, 0, size, np.uint64(0))
        if out[i] != base[i]:
            keys[count], members[count], changed[i] = out[i], i, 1
            count += 1
    return tally(keys, members, count, clusters, base, slots, changed)


@kernel(types.void(BYTES, I64, I64, MATRIX, TABLES, types.int64, OUT8), _nrt=False)
def mark_touched(data, offsets, rows, parts, tables, op, touched):  # type: ignore[no-untyped-def]
    """Mark the rows that an operation could change."""
    for i in range(rows.size):
        if not touched[i] and can_change(data, offsets[rows[i] + 1], parts, i, tables, op):
            touched[i] = 1
