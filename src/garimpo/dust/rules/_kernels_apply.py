"""Rules applied to a column of URLs: each host's operations, in order, on scheme, host, path and query."""

import numpy as np
from numba import types

from garimpo.dust._kernels import I64, OUT8, OUT64, OUTU64
from garimpo.dust._kernels_match import match
from garimpo.dust._kernels_path import (
    ALIGN,
    BUFFER,
    CHANGED,
    COVERED,
    HOST,
    I32,
    LONGEST,
    LOSES_WWW,
    MOVES,
    PATTERN,
    QUERY_CASE,
    SCHEME,
    SCRATCH,
    TABLES,
    UNTOUCHED,
    change_prefix,
    fill_template,
    in_scope,
    lower,
    note,
    path_pass,
)  # fmt: skip
from garimpo.dust._kernels_query import rewrite_query
from garimpo.engine._kernels import BYTES, xxh64
from garimpo.engine.jit import kernel

MOST_PASSES = 4
BLOCK, MOST_LOOKED = 64, 16
CACHE_LINE = 16
"""Numbers of 32 bits in it."""


@kernel(types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT8), _nrt=False)
def first_alignment(data, start, stop, first, last, tables, scratch, rule, out):  # type: ignore[no-untyped-def]
    """The canonical form by the first rule of kind `alignment` that matches the whole URL, or -1."""
    ops, lists, steps, _templates, pool = tables
    _path, text, _query, saves, seen, stack, state = scratch
    for i in range(start, stop):
        text[i - start] = data[i]
    for at in range(first, last):
        op = lists[at]
        if ops[op, 0] != ALIGN:
            break
        state[3] += 1
        if match(steps, ops[op, 9], pool, text, 0, stop - start, saves, seen, np.uint32(state[3]), stack):
            size = fill_template(tables, ops[op, 10], ops[op, 11], text, saves, out)
            if size >= 0:
                rule[0] = ops[op, 1]
                return size
    return -1


@kernel(types.boolean(BYTES, types.int64, types.int64), inline="always", _nrt=False)
def has_www(data, start, stop):  # type: ignore[no-untyped-def]
    """Whether a name begins with www. and goes on."""
    if stop - start <= 4 or data[start + 3] != 46:
        return False
    return data[start] == 119 and data[start + 1] == 119 and data[start + 2] == 119


@kernel(
    types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT64, OUT8, types.boolean),
    _nrt=False,
)
def rewrite(data, start, stop, first, last, tables, scratch, rule, marks, out, covers):  # type: ignore[no-untyped-def]
    """The key of one normalised URL by the list of operations first..last, in `out`; its length, or 0 where no rule reaches it.

    `rule[0]` becomes the rule that made the key. Unless `covers`, only a rule that changes the URL reaches it.
    """
    ops, lists, _steps, _templates, pool = tables
    path, other, query, _saves, _seen, _stack, state = scratch
    rule[0], rule[1] = -1, -1 if covers else 0
    if stop - start > LONGEST:
        return 0
    if last > first and ops[lists[first], 0] == ALIGN:  # these come first
        size = first_alignment(data, start, stop, first, last, tables, scratch, rule, out)
        if size >= 0:
            return size
    colon = start
    while colon < stop and data[colon] != 58:
        colon += 1
    host = colon + 3
    if host > stop:
        return 0
    slash = host
    while slash < stop and data[slash] != 47 and data[slash] != 63:
        slash += 1
    mark = slash
    while mark < stop and data[mark] != 63:
        mark += 1
    port = False
    for i in range(host, slash):
        if data[i] == 58:
            port = True
    for i in range(slash, mark):
        path[i - slash] = data[i]
    state[0], state[1], state[2] = mark - slash, max(stop - mark - 1, 0), 1 if mark < stop else 0
    for i in range(state[1]):
        query[i] = data[mark + 1 + i]
    secure, moved, name = colon - start == 5, -1, host
    at = first
    while at < last and ops[lists[at], 0] <= HOST:
        op, effect = lists[at], UNTOUCHED
        if ops[op, 0] == SCHEME:
            effect = CHANGED if secure else COVERED
            secure = False
        elif ops[op, 0] == HOST and moved < 0 and not port and in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
            effect = COVERED
            if ops[op, 8] == LOSES_WWW and has_www(data, host, slash):
                effect, moved, name = CHANGED, op, host + 4
            elif ops[op, 8] == MOVES:
                effect, moved = CHANGED, op
                change_prefix(path, other, state, pool, ops[op, 3], ops[op, 6], ops[op, 7])
        note(rule, effect, ops[op, 1])
        at += 1
    path_first = at
    while at < last and ops[lists[at], 0] <= PATTERN:
        at += 1
    path_last = at
    while at < last and ops[lists[at], 0] == QUERY_CASE:
        note(rule, lower(query, state[1]), ops[lists[at], 1])
        at += 1
    for _ in range(MOST_PASSES):
        if not path_pass(tables, path_first, path_last, scratch, rule):
            break
    rewrite_query(tables, at, last, scratch, rule, marks)
    if rule[0] < 0 and not covers:
        return 0
    if rule[0] < 0:
        rule[0] = rule[1]
    if rule[0] < 0:
        return 0
    size = 0
    for i in range(4):
        out[size] = data[start + i]
        size += 1
    if secure:
        out[size] = 115
        size += 1
    for i in range(3):
        out[size] = data[colon + i]
        size += 1
    if moved >= 0 and ops[moved, 8] == MOVES:
        for i in range(ops[moved, 5]):
            out[size] = pool[ops[moved, 4] + i]
            size += 1
    else:
        for i in range(name, slash):
            out[size] = data[i]
            size += 1
    for i in range(state[0]):
        out[size] = path[i]
        size += 1
    if state[2]:
        out[size] = 63
        size += 1
        for i in range(state[1]):
            out[size] = query[i]
            size += 1
    return size


@kernel(types.int64(BYTES, types.int64, types.int64, OUTU64, OUT64), _nrt=False)
def find_host(data, start, stop, slots, begins):  # type: ignore[no-untyped-def]
    """Where the list of the URL's host begins, by an open-addressing table of xxh64 hashes, or -1."""
    at = start
    while at < stop and data[at] != 58:
        at += 1
    begin = at + 3
    end = begin
    while end < stop and data[end] != 47 and data[end] != 63 and data[end] != 58:
        end += 1
    if begin >= stop:
        return -1
    value = xxh64(data, begin, end, np.uint64(0))
    slot = np.int64(value & np.uint64(slots.size - 1))
    while begins[slot] >= 0:
        if slots[slot] == value:
            return begins[slot]
        slot = (slot + 1) & (slots.size - 1)
    return -1


@kernel(types.int64(BYTES, I64, types.int64, OUTU64, OUT64, types.int64, TABLES, OUT64), _nrt=False)
def find_hosts(data, offsets, row, slots, begins, anywhere, tables, found):  # type: ignore[no-untyped-def]
    """The lists of the hosts of the next rows, one block of them, and a look at their operations.

    With many hosts each look waits for memory. Here the waits overlap, and what is needed next is in the cache. Operations that
    one host alone has stand behind each other; those that many share are in the cache anyway.
    """
    ops, lists = tables[0], tables[1]
    count = min(found.size, offsets.size - 1 - row)
    for i in range(count):
        start, stop = offsets[row + i], offsets[row + i + 1]
        begin = find_host(data, start, stop, slots, begins) if stop > start else -1
        found[i] = begin if begin >= 0 or stop == start else anywhere
    looked = 0
    for i in range(count):
        if found[i] >= 0 and lists[found[i]] > 0:
            op = lists[found[i] + 1]
            for near in range(op, min(op + min(lists[found[i]], MOST_LOOKED), ops.shape[0])):
                looked += ops[near, 0] + ops[near, CACHE_LINE]
    return looked


@kernel(types.Tuple((OUT8, OUT64))(BYTES, I64, OUTU64, OUT64, types.int64, TABLES, SCRATCH, OUT64, BYTES, I32), allocates=True)
def key_rows(  # type: ignore[no-untyped-def]
    data, offsets, slots, begins, anywhere, tables, scratch, marks, prefix, rules
):
    """The key of each URL as one buffer with offsets: `prefix` and the rewritten URL where a rule reaches it, else the URL.

    `anywhere` is where the list for hosts that have none of their own begins, or -1.
    """
    count = offsets.size - 1
    out = np.empty(offsets[count] - offsets[0] + 64 * count + BUFFER * 3, np.uint8)
    at_rows = np.zeros(count + 1, np.int64)
    buffer = np.empty(BUFFER * 3, np.uint8)
    rule, found = np.empty(2, np.int64), np.empty(BLOCK, np.int64)
    at = looked = 0
    for row in range(count):
        if row % BLOCK == 0:
            looked += find_hosts(data, offsets, row, slots, begins, anywhere, tables, found)
        start, stop, begin = offsets[row], offsets[row + 1], found[row % BLOCK]
        size = 0
        rules[row] = -1
        if begin >= 0:
            last = begin + 1 + tables[1][begin]
            size = rewrite(data, start, stop, begin + 1, last, tables, scratch, rule, marks, buffer, True)
        need = size + prefix.size if size else stop - start
        if at + need > out.size:
            larger = np.empty(2 * (at + need), np.uint8)
            larger[:at] = out[:at]
            out = larger
        if size:
            rules[row] = rule[0]
            for i in range(prefix.size):
                out[at + i] = prefix[i]
            at += prefix.size
            for i in range(size):
                out[at + i] = buffer[i]
            at += size
        else:
            for i in range(start, stop):
                out[at + i - start] = data[i]
            at += stop - start
        at_rows[row + 1] = at
    marks[0] = looked  # or the compiler would leave the looking out
    return out, at_rows


@kernel(types.void(BYTES, I64, I64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUTU64, I32), allocates=True)
def hash_rows(data, offsets, rows, first, last, tables, scratch, marks, out, rules):  # type: ignore[no-untyped-def]
    """xxh64 of what the list first..last makes of some rows, and the rule; of the URL itself, and -1, where none reaches."""
    buffer = np.empty(BUFFER * 3, np.uint8)
    rule = np.empty(2, np.int64)
    for i in range(rows.size):
        start, stop = offsets[rows[i]], offsets[rows[i] + 1]
        size = rewrite(data, start, stop, first, last, tables, scratch, rule, marks, buffer, True) if stop > start else 0
        if size:
            out[i], rules[i] = xxh64(buffer, 0, size, np.uint64(0)), rule[0]
        else:
            out[i], rules[i] = xxh64(data, start, stop, np.uint64(0)), -1
