"""Rules applied to a column of URLs: each host's operations, in order, on scheme, host, path and query."""

import numpy as np
from numba import types

from garimpo.dust.rules._kernels_match import CHANGED, COVERED, UNTOUCHED, has_www, lower, match
from garimpo.dust.rules._kernels_path import (
    ALIGN,
    BUFFER,
    BUNDLE,
    HOST,
    I32,
    LONGEST,
    LOSES_WWW,
    MOVES,
    PATTERN,
    PORT,
    QUERY_CASE,
    SCHEME,
    SCRATCH,
    SECTION,
    TABLES,
    change_prefix,
    fill_template,
    holds,
    in_scope,
    note,
    path_pass,
    span_is,
)  # fmt: skip
from garimpo.dust.rules._kernels_query import rewrite_query
from garimpo.engine._kernels import BYTES, I64, OUT8, OUT64, OUTU64, xxh64
from garimpo.engine.jit import kernel

MOST_PASSES = 4
WORK = 7
"""Numbers `rewrite` works with: the rule that changed the URL, the one that covers it, the same two of a bundle, places in it."""
BLOCK, MOST_LOOKED = 64, 16
CACHE_LINE = 16  # numbers of 32 bits


@kernel(types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT8), _nrt=False)
def first_alignment(data, start, stop, first, last, tables, scratch, rule, out):  # type: ignore[no-untyped-def]
    """The canonical form by the first rule of kind `alignment` that matches the whole URL, or -1."""
    ops, lists, steps, _templates, pool = tables
    _path, text, _query, saves, seen, stack, state, _spare = scratch
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


@kernel(types.int64(BYTES, types.int64, types.int64, types.boolean, TABLES, types.int64, SCRATCH), _nrt=False)
def change_name(data, host, slash, port, tables, op, scratch):  # type: ignore[no-untyped-def]
    """One operation on scheme or host, kept in the state: UNTOUCHED, COVERED or CHANGED."""
    ops, _lists, _steps, _templates, pool = tables
    path, other, _query, _saves, _seen, _stack, state, _spare = scratch
    if not holds(tables, op, scratch):
        return COVERED
    if ops[op, 0] == SCHEME:
        effect = CHANGED if state[5] else COVERED
        state[5] = 0
        return effect
    if ops[op, 0] == PORT:
        size = ops[op, 5]
        if not port or state[9] < slash or not span_is(data, slash - size, slash, pool, ops[op, 4], size):
            return UNTOUCHED if port and state[9] == slash else COVERED
        state[9] = slash - size
        return CHANGED
    if state[6] >= 0 or (port and state[9] == slash) or not in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
        return UNTOUCHED
    if ops[op, 8] == LOSES_WWW and has_www(data, host, slash):
        state[6], state[7] = op, host + 4
        return CHANGED
    if ops[op, 8] == MOVES:
        state[6] = op
        change_prefix(path, other, state, pool, ops[op, 3], ops[op, 6], ops[op, 7])
        return CHANGED
    return COVERED


@kernel(types.void(OUT8, OUT8, types.int64, types.int64, types.int64), inline="always", _nrt=False)
def copy(source, target, begin, at, size):  # type: ignore[no-untyped-def]
    for i in range(size):
        target[at + i] = source[begin + i]


@kernel(types.int64(BYTES, types.int64, types.int64, types.boolean, TABLES, types.int64, SCRATCH, OUT64, OUT64), _nrt=False)
def apply_bundle(data, host, slash, port, tables, bundle, scratch, own, marks):  # type: ignore[no-untyped-def]
    """A bundle's operations together, if those that change the URL are one of its forms; else none of them.

    UNTOUCHED, COVERED where the form is one that no operation changes, or CHANGED. `own` is two numbers to work with.
    """
    ops, lists, _steps, _templates, _pool = tables
    path, _other, query, _saves, _seen, _stack, state, spare = scratch
    if not holds(tables, bundle, scratch):
        return COVERED
    copy(path, spare, 0, SECTION, state[0])
    copy(query, spare, 0, 2 * SECTION, state[1])
    sizes = (state[0], state[1], state[2], state[5], state[6], state[7], state[9])
    form = 0
    for i in range(ops[bundle, 3]):
        at = ops[bundle, 2] + i
        op = lists[at]
        own[0], own[1] = -1, 0
        if ops[op, 0] <= HOST:
            changed = change_name(data, host, slash, port, tables, op, scratch) == CHANGED
        elif ops[op, 0] <= PATTERN:
            changed = path_pass(tables, at, at + 1, scratch, own)
        elif ops[op, 0] == QUERY_CASE:
            changed = holds(tables, op, scratch) and lower(query, state[1]) == CHANGED
        else:
            rewrite_query(tables, at, at + 1, scratch, own, marks)
            changed = own[0] >= 0
        if changed:
            form |= 1 << i
    if (ops[bundle, 9 + (form >> 4)] >> (form & 15)) & 1:
        if ops[bundle, 5]:
            state[8] = bundle
            return CHANGED
        return CHANGED if form else COVERED
    copy(spare, path, SECTION, 0, sizes[0])
    copy(spare, query, 2 * SECTION, 0, sizes[1])
    state[0], state[1], state[2], state[5], state[6], state[7], state[9] = sizes
    return UNTOUCHED


@kernel(types.boolean(BYTES, types.int64, types.int64, SCRATCH, OUT64), _nrt=False)
def take_apart(data, start, stop, scratch, places):  # type: ignore[no-untyped-def]
    """Path, query and state of one URL; where its host begins, ends and whether it has a port. False where it is none."""
    path, _other, query, _saves, _seen, _stack, state, _spare = scratch
    colon = start
    while colon < stop and data[colon] != 58:
        colon += 1
    host = colon + 3
    if host > stop:
        return False
    slash = host
    while slash < stop and data[slash] != 47 and data[slash] != 63:
        slash += 1
    mark = slash
    while mark < stop and data[mark] != 63:
        mark += 1
    places[0], places[1], places[2] = host, slash, 0
    for i in range(host, slash):
        if data[i] == 58:
            places[2] = 1
    for i in range(slash, mark):
        path[i - slash] = data[i]
    state[0], state[1], state[2] = mark - slash, max(stop - mark - 1, 0), 1 if mark < stop else 0
    for i in range(state[1]):
        query[i] = data[mark + 1 + i]
    state[5], state[6], state[7], state[8], state[9] = colon - start == 5, -1, host, -1, slash
    return True


@kernel(types.int64(BYTES, types.int64, OUT64, TABLES, SCRATCH, OUT8), _nrt=False)
def put_together(data, start, places, tables, scratch, out):  # type: ignore[no-untyped-def]
    """The URL that path, query and state now tell, in `out`; its length."""
    ops, _lists, _steps, _templates, pool = tables
    path, _other, query, _saves, _seen, _stack, state, _spare = scratch
    size = 4
    for i in range(size):
        out[i] = data[start + i]
    if state[5]:
        out[size] = 115
        size += 1
    out[size], out[size + 1], out[size + 2] = 58, 47, 47
    size += 3
    moved = state[6]
    if moved >= 0 and ops[moved, 8] == MOVES:
        copy(pool, out, ops[moved, 4], size, ops[moved, 5])
        size += ops[moved, 5]
    else:
        for i in range(state[7], state[9]):
            out[size] = data[i]
            size += 1
    copy(path, out, 0, size, state[0])
    size += state[0]
    if state[2]:
        out[size] = 63
        copy(query, out, 0, size + 1, state[1])
        size += 1 + state[1]
    if state[8] >= 0:
        copy(pool, out, ops[state[8], 4], size, ops[state[8], 5])
        size += ops[state[8], 5]
    return size


@kernel(
    types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT64, OUT8, types.boolean),
    _nrt=False,
)
def rewrite(data, start, stop, first, last, tables, scratch, rule, marks, out, covers):  # type: ignore[no-untyped-def]
    """The key of one normalised URL by the list of operations first..last, in `out`; its length, or 0 where no rule reaches it.

    `rule[0]` becomes the rule that made the key. Unless `covers`, only a rule that changes the URL reaches it.
    """
    ops, lists, _steps, _templates, _pool = tables
    _path, _other, query, _saves, _seen, _stack, state, _spare = scratch
    own, places = rule[2:4], rule[4:7]
    rule[0], rule[1] = -1, -1 if covers else 0
    if stop - start > LONGEST:
        return 0
    if last > first and ops[lists[first], 0] == ALIGN:  # these come first
        size = first_alignment(data, start, stop, first, last, tables, scratch, rule, out)
        if size >= 0:
            return size
    if not take_apart(data, start, stop, scratch, places):
        return 0
    host, slash, port = places[0], places[1], places[2] > 0
    at = first
    while at < last and ops[lists[at], 0] <= HOST:
        op = lists[at]
        if ops[op, 0] == BUNDLE:
            effect = apply_bundle(data, host, slash, port, tables, op, scratch, own, marks)
        elif ops[op, 0] != ALIGN:
            effect = change_name(data, host, slash, port, tables, op, scratch)
        else:
            effect = UNTOUCHED
        note(rule, effect, ops[op, 1])
        at += 1
    path_first = at
    while at < last and ops[lists[at], 0] <= PATTERN:
        at += 1
    path_last = at
    while at < last and ops[lists[at], 0] == QUERY_CASE:
        note(rule, lower(query, state[1]) if holds(tables, lists[at], scratch) else COVERED, ops[lists[at], 1])
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
    return put_together(data, start, places, tables, scratch, out)


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

    With many hosts each look waits for memory; here the waits overlap. Operations that many hosts share are in the cache anyway.
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
    rule, found = np.empty(WORK, np.int64), np.empty(BLOCK, np.int64)
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
    rule = np.empty(WORK, np.int64)
    for i in range(rows.size):
        start, stop = offsets[rows[i]], offsets[rows[i] + 1]
        size = rewrite(data, start, stop, first, last, tables, scratch, rule, marks, buffer, True) if stop > start else 0
        if size:
            out[i], rules[i] = xxh64(buffer, 0, size, np.uint64(0)), rule[0]
        else:
            out[i], rules[i] = xxh64(data, start, stop, np.uint64(0)), -1
