"""Rules applied to the path of a URL: patterns, parameters hidden in it, case.

An operation is a row of `ops`: kind, rule, scope (a path prefix: place and length in the pool), two more spans of the pool,
a flag, the first step of its machine, first row and number of rows of its template, the machine of its template's image, and
for both machines the literal text they begin and end with, the number of slashes they need (-1: any), and their form.

What is done on a host is a list of numbers of operations in the order of their kinds. It stands from `first` to before `last`
in `lists`, and before it its length.

Kernels that run once for each URL and operation allocate nothing and count no references to arrays (``_nrt=False``): those
counts are atomic and would cost more than the work.
"""

import numpy as np
from numba import types

from garimpo.dust._kernels import MATRIX, OUT8, OUT64
from garimpo.dust._kernels_match import STAMPS, match
from garimpo.engine.jit import kernel

ALIGN, SCHEME, HOST, PATH_PARAMETER, CASE, PATTERN, QUERY_CASE, PARAMETER, ORDER = range(9)
UNTOUCHED, COVERED, CHANGED = range(3)
SEARCH, ENDS, MIDDLE = range(3)
MOVES, STAYS, LOSES_WWW = range(3)
"""The flag of a HOST operation: to another name, to none as this is the one kept, or to the name without www."""
LONGEST = 2048
BUFFER = 8192
I32 = types.Array(types.int32, 1, "C")

OPERATIONS = types.Array(types.int32, 2, "C")
TABLES = types.Tuple((OPERATIONS, I32, MATRIX, MATRIX, OUT8))
"""ops, lists of them one behind the other, steps, templates (is it a capture, start or number, length), pool."""
SCRATCH = types.Tuple((OUT8, OUT8, OUT8, OUT64, STAMPS, OUT64, OUT64))
"""path, next path, query, saves, seen, stack, state (path length, query length, has query, stamp, changed parameters...)."""


@kernel(types.boolean(OUT8, types.int64, types.int64, OUT8, types.int64, types.int64), inline="always", _nrt=False)
def span_is(text, start, stop, pool, begin, size):  # type: ignore[no-untyped-def]
    same = stop - start == size
    i = 0
    while same and i < size:
        same = text[start + i] == pool[begin + i]
        i += 1
    return same


@kernel(types.boolean(OUT8, types.int64, OUT8, types.int64, types.int64), inline="always", _nrt=False)
def starts_with(text, length, pool, start, size):  # type: ignore[no-untyped-def]
    return size <= length and span_is(text, 0, size, pool, start, size)


@kernel(types.boolean(OUT8, types.int64, OUT8, types.int64, types.int64), _nrt=False)
def in_scope(path, length, pool, start, size):  # type: ignore[no-untyped-def]
    """Whether the path lies at or under the scope: equal, or going on behind a slash."""
    if size == 0:
        return True
    if not starts_with(path, length, pool, start, size):
        return False
    return length == size or pool[start + size - 1] == 47 or path[size] == 47


@kernel(types.int64(OUT8, types.int64), inline="always", _nrt=False)
def lower(text, length):  # type: ignore[no-untyped-def]
    changed = COVERED
    for i in range(length):
        if 65 <= text[i] <= 90 and not (i >= 1 and text[i - 1] == 37) and not (i >= 2 and text[i - 2] == 37):
            text[i] += np.uint8(32)
            changed = CHANGED
    return changed


@kernel(types.int64(OUT8, types.int64, OUT8, types.int64, types.int64), _nrt=False)
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


@kernel(types.int64(TABLES, types.int64, types.int64, OUT8, OUT64, OUT8), _nrt=False)
def fill_template(tables, first, count, text, saves, out):  # type: ignore[no-untyped-def]
    """The template's text in `out`; its length, or -1 where it does not fit."""
    _ops, _lists, _steps, templates, pool = tables
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


@kernel(types.boolean(OUT8, types.int64, OUT8, OPERATIONS, types.int64, types.int64), inline="always", _nrt=False)
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


@kernel(types.boolean(TABLES, types.int64, types.int64, types.int64, SCRATCH), _nrt=False)
def path_matches(tables, op, first, at, scratch):  # type: ignore[no-untyped-def]
    """Whether a machine (its first step in column `first`, its ends from column `at` on) accepts the path.

    Machines of one literal and one or two captures of anything need no search, or a plain one.
    """
    ops, _lists, steps, _templates, pool = tables
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


@kernel(types.int64(TABLES, types.int64, SCRATCH), _nrt=False)
def rewrite_path(tables, op, scratch):  # type: ignore[no-untyped-def]
    """One path pattern: UNTOUCHED, COVERED where the path is what the rule makes, or CHANGED."""
    ops, _lists, _steps, _templates, _pool = tables
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


@kernel(types.void(OUT64, types.int64, types.int64), inline="always", _nrt=False)
def note(rule, effect, number):  # type: ignore[no-untyped-def]
    """Remember the last rule that changed the URL and the first that covers it."""
    if effect != UNTOUCHED and rule[1] < 0:
        rule[1] = number
    if effect == CHANGED:
        rule[0] = number


@kernel(types.void(OUT8, OUT8, OUT64, OUT8, types.int64, types.int64, types.int64), _nrt=False)
def change_prefix(path, other, state, pool, cut, start, size):  # type: ignore[no-untyped-def]
    """Put another text in the place of the first `cut` bytes of the path."""
    for i in range(cut, state[0]):
        other[i] = path[i]
    for i in range(size):
        path[i] = pool[start + i]
    for i in range(cut, state[0]):
        path[size + i - cut] = other[i]
    state[0] += size - cut


@kernel(types.boolean(TABLES, types.int64, types.int64, SCRATCH, OUT64), _nrt=False)
def path_pass(tables, first, last, scratch, rule):  # type: ignore[no-untyped-def]
    """Each path operation once; whether any changed the path. state[4] tells that what covers the URL is known."""
    ops, lists, _steps, _templates, pool = tables
    path, _other, _query, _saves, _seen, _stack, state = scratch
    changed = False
    for at in range(first, last):
        op, effect = lists[at], UNTOUCHED
        state[4] = rule[1] >= 0
        if ops[op, 0] == PATTERN:
            if can_match(path, state[0], pool, ops, op, 13) or (not state[4] and can_match(path, state[0], pool, ops, op, 19)):
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
