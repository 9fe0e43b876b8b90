"""Rules applied to a column of URLs: each host's operations, in order, on scheme, host, path and query.

An operation is a row of `ops`: kind, rule, scope (a path prefix: place and length in the pool), two more spans of the pool,
a flag, the first step of its machine, first row and number of rows of its template, the machine of its template's image, and
for both machines the literal text they begin and end with, the number of slashes they need (-1: any), and their form.
"""

import numpy as np
from numba import types

from garimpo.dust._kernels import I64, MATRIX, OUT8, OUT64, OUTU64
from garimpo.dust._kernels_match import STAMPS, match
from garimpo.engine._kernels import BYTES, xxh64
from garimpo.engine.jit import kernel

ALIGN, SCHEME, HOST, PATH_PARAMETER, CASE, PATTERN, QUERY_CASE, PARAMETER, ORDER = range(9)
UNTOUCHED, COVERED, CHANGED = range(3)
SEARCH, ENDS, MIDDLE = range(3)
LONGEST = 2048
BUFFER = 8192
MOST_PARAMETERS = 128
MOST_PASSES = 4
I32 = types.Array(types.int32, 1, "C")

TABLES = types.Tuple((MATRIX, MATRIX, MATRIX, OUT8))
"""ops, steps, templates (is it a capture, start or number, length), pool."""
SCRATCH = types.Tuple((OUT8, OUT8, OUT8, OUT64, STAMPS, OUT64, OUT64))
"""path, next path, query, saves, seen, stack, state (path length, query length, has query, stamp, changed parameters...)."""


@kernel(types.boolean(OUT8, types.int64, types.int64, OUT8, types.int64, types.int64), inline="always")
def span_is(text, start, stop, pool, begin, size):  # type: ignore[no-untyped-def]
    same = stop - start == size
    i = 0
    while same and i < size:
        same = text[start + i] == pool[begin + i]
        i += 1
    return same


@kernel(types.boolean(OUT8, types.int64, OUT8, types.int64, types.int64), inline="always")
def starts_with(text, length, pool, start, size):  # type: ignore[no-untyped-def]
    return size <= length and span_is(text, 0, size, pool, start, size)


@kernel(types.boolean(OUT8, types.int64, OUT8, types.int64, types.int64))
def in_scope(path, length, pool, start, size):  # type: ignore[no-untyped-def]
    """Whether the path lies at or under the scope: equal, or going on behind a slash."""
    if size == 0:
        return True
    if not starts_with(path, length, pool, start, size):
        return False
    return length == size or pool[start + size - 1] == 47 or path[size] == 47


@kernel(types.int64(OUT8, types.int64), inline="always")
def lower(text, length):  # type: ignore[no-untyped-def]
    changed = COVERED
    for i in range(length):
        if 65 <= text[i] <= 90 and not (i >= 1 and text[i - 1] == 37) and not (i >= 2 and text[i - 2] == 37):
            text[i] += np.uint8(32)
            changed = CHANGED
    return changed


@kernel(types.int64(OUT8, types.int64, OUT8, types.int64, types.int64))
def drop_path_parameter(path, length, pool, start, size):  # type: ignore[no-untyped-def]
    """Cut every ``;name=value`` out of the path; the new length."""
    read = write = 0
    while read < length:
        here = path[read] == 59 and read + 1 + size < length and path[read + 1 + size] == 61
        if here:
            for i in range(size):
                if path[read + 1 + i] != pool[start + i]:
                    here = False
                    break
        if here:
            read += 2 + size
            while read < length and path[read] != 47 and path[read] != 59:
                read += 1
        else:
            path[write] = path[read]
            write += 1
            read += 1
    return write


@kernel(types.int64(TABLES, types.int64, types.int64, OUT8, OUT64, OUT8))
def fill_template(tables, first, count, text, saves, out):  # type: ignore[no-untyped-def]
    """The template's text in `out`; its length, or -1 where it does not fit."""
    _ops, _steps, templates, pool = tables
    size = 0
    for part in range(first, first + count):
        if templates[part, 0] == 1:
            source, begin, end = text, saves[2 * templates[part, 1]], saves[2 * templates[part, 1] + 1]
        else:
            source, begin, end = pool, templates[part, 1], templates[part, 1] + templates[part, 2]
        if size + end - begin > BUFFER:
            return -1
        for i in range(begin, end):
            out[size] = source[i]
            size += 1
    return size


@kernel(types.boolean(OUT8, types.int64, OUT8, MATRIX, types.int64, types.int64), inline="always")
def can_match(path, length, pool, ops, op, at):  # type: ignore[no-untyped-def]
    """Whether the literal ends of a machine (columns `at` on: first, its length, last, its length, slashes) allow a match."""
    if ops[op, at + 5] == MIDDLE:
        size = ops[op, at + 1]
        for place in range(length - size + 1):
            if path[place] == pool[ops[op, at]] and span_is(path, place, place + size, pool, ops[op, at], size):
                return True
        return False
    head, tail = ops[op, at + 1], ops[op, at + 3]
    if head + tail > length or not span_is(path, 0, head, pool, ops[op, at], head):
        return False
    if not span_is(path, length - tail, length, pool, ops[op, at + 2], tail):
        return False
    slashes = ops[op, at + 4]
    if slashes >= 0:
        for i in range(length):
            if path[i] == 47:
                slashes -= 1
    return slashes == 0 or ops[op, at + 4] < 0


@kernel(types.boolean(TABLES, types.int64, types.int64, types.int64, SCRATCH))
def path_matches(tables, op, first, at, scratch):  # type: ignore[no-untyped-def]
    """Whether a machine (its first step in column `first`, its ends from column `at` on) accepts the path.

    Machines of one literal and one or two captures of anything need no search, or a plain one.
    """
    ops, steps, _templates, pool = tables
    path, _other, _query, saves, seen, stack, state = scratch
    length = state[0]
    if not can_match(path, length, pool, ops, op, at):
        return False
    form = ops[op, at + 5]
    if form == ENDS:
        saves[0], saves[1] = ops[op, at + 1], length - ops[op, at + 3]
        return True
    if form == MIDDLE:
        start, size = ops[op, at], ops[op, at + 1]
        for place in range(length - size, -1, -1):
            if span_is(path, place, place + size, pool, start, size):
                saves[0], saves[1], saves[2], saves[3] = 0, place, place + size, length
                return True
        return False
    state[3] += 1
    return match(steps, ops[op, first], pool, path, 0, length, saves, seen, np.uint32(state[3]), stack)


@kernel(types.int64(TABLES, types.int64, SCRATCH))
def rewrite_path(tables, op, scratch):  # type: ignore[no-untyped-def]
    """One path pattern: UNTOUCHED, COVERED where the path is what the rule makes, or CHANGED."""
    ops, _steps, _templates, _pool = tables
    path, other, query, saves, _seen, _stack, state = scratch
    length = state[0]
    if length > LONGEST:
        return UNTOUCHED
    if not path_matches(tables, op, 9, 13, scratch):
        return COVERED if not state[4] and path_matches(tables, op, 12, 19, scratch) else UNTOUCHED
    size = fill_template(tables, ops[op, 10], ops[op, 11], path, saves, other)
    if size < 0:
        return UNTOUCHED
    mark = size
    for i in range(size):
        if other[i] == 63:
            mark = i
            break
    extra = size - mark - 1
    if extra > 0:  # the template made parameters: they come before those that were there
        if state[1] + extra + 1 > BUFFER:
            return UNTOUCHED
        shift = extra + 1 if state[1] > 0 else extra
        for i in range(state[1] - 1, -1, -1):
            query[i + shift] = query[i]
        for i in range(extra):
            query[i] = other[mark + 1 + i]
        if state[1] > 0:
            query[extra] = 38
        state[1] += shift
        state[2] = 1
    changed = mark != length or extra > 0
    for i in range(mark):
        if not changed and path[i] != other[i]:
            changed = True
        path[i] = other[i]
    state[0] = mark
    return CHANGED if changed else COVERED


@kernel(types.int64(OUT8, types.int64, OUT64, OUT64, OUT64))
def split_query(query, length, starts, equals, stops):  # type: ignore[no-untyped-def]
    """Where each parameter, its equals sign (or end) and its end stand; -1 where there are too many."""
    count, at = 0, 0
    while at <= length:
        if count == MOST_PARAMETERS:
            return -1
        starts[count] = at
        equal = -1
        while at < length and query[at] != 38:
            if query[at] == 61 and equal < 0:
                equal = at
            at += 1
        equals[count] = at if equal < 0 else equal
        stops[count] = at
        count += 1
        at += 1
    return count


@kernel(types.boolean(OUT8, types.int64, types.int64, types.int64, types.int64), inline="always")
def span_before(text, a, a_stop, b, b_stop):  # type: ignore[no-untyped-def]
    while a < a_stop and b < b_stop:
        if text[a] != text[b]:
            return text[a] < text[b]
        a += 1
        b += 1
    return a_stop - a < b_stop - b


@kernel(types.void(TABLES, types.int64, types.int64, SCRATCH, OUT64, OUT64))
def rewrite_query(tables, first, last, scratch, rule, marks):  # type: ignore[no-untyped-def]
    """Drop parameters and put the rest in order. rule[0]: last rule that changed something; rule[1]: first that covers."""
    ops, _steps, _templates, pool = tables
    path, other, query, _saves, _seen, _stack, state = scratch
    starts, equals, stops = marks[:MOST_PARAMETERS], marks[MOST_PARAMETERS : 2 * MOST_PARAMETERS], marks[2 * MOST_PARAMETERS :]
    count = 0
    if state[2]:
        count = split_query(query, state[1], starts, equals, stops)
        if count < 0:
            return
    dropped = False
    for op in range(first, last):
        kind = ops[op, 0]
        if kind == PARAMETER:
            if not in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
                continue
            if rule[1] < 0:
                rule[1] = ops[op, 1]
            kept = 0
            for i in range(count):
                drop = span_is(query, starts[i], equals[i], pool, ops[op, 4], ops[op, 5])
                if drop and ops[op, 8]:
                    drop = span_is(query, min(equals[i] + 1, stops[i]), stops[i], pool, ops[op, 6], ops[op, 7])
                if drop:
                    rule[0] = ops[op, 1]
                    dropped = True
                else:
                    starts[kept], equals[kept], stops[kept] = starts[i], equals[i], stops[i]
                    kept += 1
            count = kept
        elif kind == ORDER:
            if rule[1] < 0:
                rule[1] = ops[op, 1]
            for i in range(1, count):
                j = i
                while j > 0 and span_before(query, starts[j], stops[j], starts[j - 1], stops[j - 1]):
                    starts[j], starts[j - 1] = starts[j - 1], starts[j]
                    equals[j], equals[j - 1] = equals[j - 1], equals[j]
                    stops[j], stops[j - 1] = stops[j - 1], stops[j]
                    rule[0] = ops[op, 1]
                    j -= 1
    size = 0
    for i in range(count):
        if i > 0:
            other[size] = 38
            size += 1
        for j in range(starts[i], stops[i]):
            other[size] = query[j]
            size += 1
    for i in range(size):
        query[i] = other[i]
    state[1] = size
    if dropped and count == 0:
        state[2] = 0


@kernel(types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT8))
def first_alignment(data, start, stop, first, last, tables, scratch, rule, out):  # type: ignore[no-untyped-def]
    """The canonical form by the first rule of kind `alignment` that matches the whole URL, or -1."""
    ops, steps, _templates, pool = tables
    _path, text, _query, saves, seen, stack, state = scratch
    for i in range(start, stop):
        text[i - start] = data[i]
    for op in range(first, last):
        if ops[op, 0] != ALIGN:
            break
        state[3] += 1
        if match(steps, ops[op, 9], pool, text, 0, stop - start, saves, seen, np.uint32(state[3]), stack):
            size = fill_template(tables, ops[op, 10], ops[op, 11], text, saves, out)
            if size >= 0:
                rule[0] = ops[op, 1]
                return size
    return -1


@kernel(types.void(OUT64, types.int64, types.int64), inline="always")
def note(rule, effect, number):  # type: ignore[no-untyped-def]
    """Remember the last rule that changed the URL and the first that covers it."""
    if effect != UNTOUCHED and rule[1] < 0:
        rule[1] = number
    if effect == CHANGED:
        rule[0] = number


@kernel(types.void(OUT8, OUT8, OUT64, OUT8, types.int64, types.int64, types.int64))
def change_prefix(path, other, state, pool, cut, start, size):  # type: ignore[no-untyped-def]
    """Put another text in the place of the first `cut` bytes of the path."""
    for i in range(cut, state[0]):
        other[i] = path[i]
    for i in range(size):
        path[i] = pool[start + i]
    for i in range(cut, state[0]):
        path[size + i - cut] = other[i]
    state[0] += size - cut


@kernel(types.boolean(TABLES, types.int64, types.int64, SCRATCH, OUT64))
def path_pass(tables, first, last, scratch, rule):  # type: ignore[no-untyped-def]
    """Each path operation once; whether any changed the path. state[4] tells that what covers the URL is known."""
    ops, _steps, _templates, pool = tables
    path, _other, _query, _saves, _seen, _stack, state = scratch
    changed = False
    for op in range(first, last):
        effect = UNTOUCHED
        state[4] = rule[1] >= 0
        if ops[op, 0] == PATTERN:
            if can_match(path, state[0], pool, ops, op, 13) or (
                not state[4] and can_match(path, state[0], pool, ops, op, 19)
            ):
                effect = rewrite_path(tables, op, scratch)
        elif ops[op, 0] == PATH_PARAMETER:
            size = drop_path_parameter(path, state[0], pool, ops[op, 4], ops[op, 5])
            effect = CHANGED if size != state[0] else COVERED
            state[0] = size
        elif ops[op, 0] == CASE and in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
            effect = lower(path, state[0])
        changed = changed or effect == CHANGED
        note(rule, effect, ops[op, 1])
    return changed


@kernel(types.int64(BYTES, types.int64, types.int64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUT64, OUT8))
def rewrite(data, start, stop, first, last, tables, scratch, rule, marks, out):  # type: ignore[no-untyped-def]
    """The key of one normalised URL by the operations first..last, in `out`; its length, or 0 where no rule reaches it.

    `rule[0]` becomes the rule that made the key.
    """
    ops, _steps, _templates, pool = tables
    path, other, query, _saves, _seen, _stack, state = scratch
    rule[0] = rule[1] = -1
    if stop - start > LONGEST:
        return 0
    if last > first and ops[first, 0] == ALIGN:  # these come first
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
    secure, moved = colon - start == 5, -1
    for op in range(first, last):
        effect = UNTOUCHED
        if ops[op, 0] == SCHEME:
            effect = CHANGED if secure else COVERED
            secure = False
        elif ops[op, 0] == HOST and moved < 0 and not port and in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
            effect = COVERED
            if ops[op, 8] == 0:
                effect, moved = CHANGED, op
                change_prefix(path, other, state, pool, ops[op, 3], ops[op, 6], ops[op, 7])
        elif ops[op, 0] == QUERY_CASE:
            effect = lower(query, state[1])
        note(rule, effect, ops[op, 1])
    for _ in range(MOST_PASSES):
        if not path_pass(tables, first, last, scratch, rule):
            break
    rewrite_query(tables, first, last, scratch, rule, marks)
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
    if moved >= 0:
        for i in range(ops[moved, 5]):
            out[size] = pool[ops[moved, 4] + i]
            size += 1
    else:
        for i in range(host, slash):
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


@kernel(types.int64(BYTES, types.int64, types.int64, OUTU64, OUT64))
def find_host(data, start, stop, slots, numbers):  # type: ignore[no-untyped-def]
    """The number of the URL's host in an open-addressing table of xxh64 hashes, or -1."""
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
    while numbers[slot] >= 0:
        if slots[slot] == value:
            return numbers[slot]
        slot = (slot + 1) & (slots.size - 1)
    return -1


@kernel(
    types.Tuple((OUT8, OUT64))(
        BYTES, I64, OUTU64, OUT64, types.int64, OUT64, TABLES, SCRATCH, OUT64, BYTES, I32
    )
)
def key_rows(  # type: ignore[no-untyped-def]
    data, offsets, slots, numbers, anywhere, first_op, tables, scratch, marks, prefix, rules
):
    """The key of each URL as one buffer with offsets: `prefix` and the rewritten URL where a rule reaches it, else the URL.

    `anywhere` is the number of the operations for hosts that have none of their own, or -1.
    """
    count = offsets.size - 1
    out = np.empty(offsets[count] - offsets[0] + 64 * count + BUFFER * 3, np.uint8)
    at_rows = np.zeros(count + 1, np.int64)
    buffer = np.empty(BUFFER * 3, np.uint8)
    rule = np.empty(2, np.int64)
    at = 0
    for row in range(count):
        start, stop = offsets[row], offsets[row + 1]
        size = 0
        rules[row] = -1
        if stop > start:
            host = find_host(data, start, stop, slots, numbers)
            if host < 0:
                host = anywhere
            if host >= 0:
                size = rewrite(data, start, stop, first_op[host], first_op[host + 1], tables, scratch, rule, marks, buffer)
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
    return out, at_rows


@kernel(types.void(BYTES, I64, I64, types.int64, types.int64, TABLES, SCRATCH, OUT64, OUTU64, I32))
def hash_rows(data, offsets, rows, first, last, tables, scratch, marks, out, rules):  # type: ignore[no-untyped-def]
    """xxh64 of what the operations first..last make of some rows, and the rule; of the URL itself, and -1, where none reaches."""
    buffer = np.empty(BUFFER * 3, np.uint8)
    rule = np.empty(2, np.int64)
    for i in range(rows.size):
        start, stop = offsets[rows[i]], offsets[rows[i] + 1]
        size = rewrite(data, start, stop, first, last, tables, scratch, rule, marks, buffer) if stop > start else 0
        if size:
            out[i], rules[i] = xxh64(buffer, 0, size, np.uint64(0)), rule[0]
        else:
            out[i], rules[i] = xxh64(data, start, stop, np.uint64(0)), -1
