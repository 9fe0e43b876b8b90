"""Rules applied to the path of a URL: patterns, parameters hidden in it, case.

An operation is a row of `ops`: kind, rule, scope (a path prefix: place and length in the pool), two more spans of the pool,
a flag, the first step of its machine, first row and number of rows of its template, the machine of its template's image, and
for both machines the literal text they begin and end with, the number of slashes they need (-1: any), and their form; at last
the row of its condition, or -1. A condition is a row, too: first row and number of its clauses among the templates (two rows a
clause: kind and name, value), and the machine of its path (-1: any path). Of a bundle, the first columns are where the list of
its operations begins and how many there are, the text it adds to a key (none where a URL that none of them changes is one of its
forms), and whether all forms have the first; from the tenth on which forms it knows, a bit for each, sixteen in a column.

What is done on a host is a list of numbers of operations in the order of their kinds. It stands from `first` to before `last`
in `lists`, and before it its length.

Kernels that run once for each URL and operation allocate nothing and count no references to arrays (``_nrt=False``): those
counts are atomic and would cost more than the work.
"""

import numpy as np
from numba import types

from garimpo.dust.rules._kernels_match import (
    CHANGED,
    COVERED,
    STAMPS,
    UNTOUCHED,
    drop_path_parameter,
    lower,
    match,
    put_in_place,
)  # fmt: skip
from garimpo.engine._kernels import MATRIX, OUT8, OUT64
from garimpo.engine.jit import kernel

(
    ALIGN, BUNDLE, SCHEME, PORT, HOST, PATH_PARAMETER, CASE, SEPARATOR, TEMPLATE, PATTERN, QUERY_CASE, PARAMETER, ORDER,
    CONDITION,
) = range(14)  # fmt: skip
SEARCH, ENDS, MIDDLE = range(3)
MOVES, STAYS, LOSES_WWW = range(3)
"""The flag of a HOST operation: to another name, to none as this is the one kept, or to the name without www."""
PRESENT, ABSENT, VALUE = range(3)
ALWAYS = 25
"""The column of the condition; -1 where an operation has none."""
LONGEST = 2048
BUFFER = 8192
SECTION = 3 * BUFFER
"""Of the spare buffer there are three: what a template makes, and the path and query as they were before a bundle."""
I32 = types.Array(types.int32, 1, "C")

OPERATIONS = types.Array(types.int32, 2, "C")
TABLES = types.Tuple((OPERATIONS, I32, MATRIX, MATRIX, OUT8))
"""ops, lists of them one behind the other, steps, templates (is it a capture, start or number, length), pool."""
SCRATCH = types.Tuple((OUT8, OUT8, OUT8, OUT64, STAMPS, OUT64, OUT64, OUT8))
"""path, next path, query, saves, seen, stack, state, spare.

state: path length, query length, has query, stamp, whether what covers is known, https, operation that moved the host (-1), where
the host's name begins, bundle whose text goes to the end of the key (-1), where the host with its port ends."""


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


@kernel(types.boolean(TABLES, types.int64, types.int64, types.int64, OUT8, types.int64, SCRATCH), _nrt=False)
def text_matches(tables, op, first, at, text, length, scratch):  # type: ignore[no-untyped-def]
    """Whether a machine (its first step in column `first`, its ends from column `at` on) accepts a text.

    Machines of one literal and one or two captures of anything need no search, or a plain one.
    """
    ops, _lists, steps, _templates, pool = tables
    _path, _other, _query, saves, seen, stack, state, _spare = scratch
    if not can_match(text, length, pool, ops, op, at):
        return False
    form = ops[op, at + 5]
    if form == ENDS:
        saves[0], saves[1] = ops[op, at + 1], length - ops[op, at + 3]
        return True
    if form == MIDDLE:
        start, size = ops[op, at], ops[op, at + 1]
        for place in range(length - size, -1, -1):
            if span_is(text, place, place + size, pool, start, size):
                saves[0], saves[1], saves[2], saves[3] = 0, place, place + size, length
                return True
        return False
    state[3] += 1
    return match(steps, ops[op, first], pool, text, 0, length, saves, seen, np.uint32(state[3]), stack)


@kernel(types.int64(OUT8, types.int64), inline="always", _nrt=False)
def separator(query, length):  # type: ignore[no-untyped-def]
    """What stands between parameters: an ampersand; in a query that has none, a semicolon."""
    for i in range(length):
        if query[i] == 38:
            return 38
    return 59


@kernel(types.boolean(OUT8, types.int64, OUT8, MATRIX, types.int64), _nrt=False)
def clause_holds(query, length, pool, clauses, row):  # type: ignore[no-untyped-def]
    """Whether the query has the parameter that the clause in rows `row` and `row + 1` names, or lacks it, as the clause asks."""
    kind, name, name_size = clauses[row, 0], clauses[row, 1], clauses[row, 2]
    value, value_size = clauses[row + 1, 1], clauses[row + 1, 2]
    at, between = 0, separator(query, length)
    while at < length:
        end, equal = at, -1
        while end < length and query[end] != between:
            if query[end] == 61 and equal < 0:
                equal = end
            end += 1
        equal = end if equal < 0 else equal
        if span_is(query, at, equal, pool, name, name_size):
            if kind == ABSENT:
                return False
            if kind == PRESENT or span_is(query, min(equal + 1, end), end, pool, value, value_size):
                return True
        at = end + 1
    return kind == ABSENT


@kernel(types.boolean(TABLES, types.int64, SCRATCH), _nrt=False)
def holds(tables, op, scratch):  # type: ignore[no-untyped-def]
    """Whether the condition of an operation, if it has one, holds for the URL as it now is.

    What a rule makes need not fulfil its condition. So where that does not hold, the URL counts as one the rule covers.
    """
    ops, _lists, _steps, templates, pool = tables
    path, _other, query, _saves, _seen, _stack, state, _spare = scratch
    row = ops[op, ALWAYS]
    if row < 0:
        return True
    if ops[row, 9] >= 0 and (state[0] > LONGEST or not text_matches(tables, row, 9, 13, path, state[0], scratch)):
        return False
    held = True
    for clause in range(ops[row, 3]):
        held = held and clause_holds(query, state[1], pool, templates, ops[row, 2] + 2 * clause)
    return held


@kernel(types.int64(TABLES, types.int64, SCRATCH), _nrt=False)
def rewrite_whole(tables, op, scratch):  # type: ignore[no-untyped-def]
    """One template of path and query: UNTOUCHED, COVERED where the URL is what the rule makes, or CHANGED."""
    ops, _lists, _steps, _templates, _pool = tables
    path, other, query, saves, _seen, _stack, state, spare = scratch
    length = state[0] + state[1] + state[2]
    if length > LONGEST:
        return UNTOUCHED
    for i in range(state[0]):
        other[i] = path[i]
    if state[2]:
        other[state[0]] = 63
        for i in range(state[1]):
            other[state[0] + 1 + i] = query[i]
    if not text_matches(tables, op, 9, 13, other, length, scratch):
        return COVERED if not state[4] and text_matches(tables, op, 12, 19, other, length, scratch) else UNTOUCHED
    size = fill_template(tables, ops[op, 10], ops[op, 11], other, saves, spare)
    if size < 0:
        return UNTOUCHED
    changed = size != length
    mark = size
    for i in range(size):
        changed = changed or spare[i] != other[i]
        if mark == size and spare[i] == 63:
            mark = i
    for i in range(mark):
        path[i] = spare[i]
    for i in range(mark + 1, size):
        query[i - mark - 1] = spare[i]
    state[0], state[1], state[2] = mark, max(size - mark - 1, 0), 1 if mark < size else 0
    return CHANGED if changed else COVERED


@kernel(types.int64(TABLES, types.int64, SCRATCH), _nrt=False)
def rewrite_path(tables, op, scratch):  # type: ignore[no-untyped-def]
    """One path pattern: UNTOUCHED, COVERED where the path is what the rule makes, or CHANGED."""
    ops, _lists, _steps, _templates, _pool = tables
    path, other, query, saves, _seen, _stack, state, _spare = scratch
    length = state[0]
    if length > LONGEST:
        return UNTOUCHED
    if not text_matches(tables, op, 9, 13, path, length, scratch):
        return COVERED if not state[4] and text_matches(tables, op, 12, 19, path, length, scratch) else UNTOUCHED
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


@kernel(types.int64(TABLES, types.int64, SCRATCH), _nrt=False)
def exchange(tables, op, scratch):  # type: ignore[no-untyped-def]
    """One text put in the place of another, wherever that stands in the path or the query: COVERED or CHANGED."""
    ops, _lists, _steps, _templates, pool = tables
    path, other, query, _saves, _seen, _stack, state, _spare = scratch
    where = 1 if ops[op, 8] else 0
    text = query if where else path
    size = put_in_place(text, state[where], other, pool, ops[op, 4], ops[op, 5], ops[op, 6], ops[op, 7])
    if size < 0:
        return COVERED
    state[where] = size
    return CHANGED


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
    path, _other, _query, _saves, _seen, _stack, state, _spare = scratch
    changed = False
    for at in range(first, last):
        op, effect = lists[at], UNTOUCHED
        state[4] = rule[1] >= 0
        kind = ops[op, 0]
        if kind == PATTERN:
            near = can_match(path, state[0], pool, ops, op, 13) or (not state[4] and can_match(path, state[0], pool, ops, op, 19))
            if not holds(tables, op, scratch):
                effect = COVERED
            elif near:
                effect = rewrite_path(tables, op, scratch)
        elif not holds(tables, op, scratch):
            effect = COVERED
        elif kind == PATH_PARAMETER:
            size = drop_path_parameter(path, state[0], pool, ops[op, 4], ops[op, 5])
            effect = CHANGED if size != state[0] else COVERED
            state[0] = size
        elif kind == TEMPLATE:
            effect = rewrite_whole(tables, op, scratch)
        elif kind == SEPARATOR:
            effect = exchange(tables, op, scratch)
        elif kind == CASE and in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
            effect = lower(path, state[0])
        changed = changed or effect == CHANGED
        note(rule, effect, ops[op, 1])
    return changed
