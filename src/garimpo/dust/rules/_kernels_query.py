"""Rules applied to the query of a URL: parameters dropped, and the rest put in order."""

from numba import types

from garimpo.dust.rules._kernels_path import ORDER, PARAMETER, SCRATCH, TABLES, holds, in_scope, separator, span_is
from garimpo.engine._kernels import OUT8, OUT64
from garimpo.engine.jit import kernel

MOST_PARAMETERS = 128


@kernel(types.int64(OUT8, types.int64, types.int64, OUT64, OUT64, OUT64), _nrt=False)
def split_query(query, length, between, starts, equals, stops):  # type: ignore[no-untyped-def]
    """Where each parameter, its equals sign (or end) and its end stand; -1 where there are too many."""
    count, at = 0, 0
    while at <= length:
        if count == MOST_PARAMETERS:
            return -1
        starts[count] = at
        equal = -1
        while at < length and query[at] != between:
            if query[at] == 61 and equal < 0:
                equal = at
            at += 1
        equals[count] = at if equal < 0 else equal
        stops[count] = at
        count += 1
        at += 1
    return count


@kernel(types.boolean(OUT8, types.int64, types.int64, types.int64, types.int64), inline="always", _nrt=False)
def span_before(text, a, a_stop, b, b_stop):  # type: ignore[no-untyped-def]
    while a < a_stop and b < b_stop:
        if text[a] != text[b]:
            return text[a] < text[b]
        a += 1
        b += 1
    return a_stop - a < b_stop - b


@kernel(types.boolean(OUT8, types.int64, types.int64, OUT8, types.int64, types.int64), _nrt=False)
def is_one_of(query, start, stop, pool, begin, size):  # type: ignore[no-untyped-def]
    """Whether a value is one of those that stand in the pool with a byte 1 between them."""
    at, end = begin, begin + size
    while at <= end:
        last = at
        while last < end and pool[last] != 1:
            last += 1
        if span_is(query, start, stop, pool, at, last - at):
            return True
        at = last + 1
    return False


@kernel(types.void(TABLES, types.int64, types.int64, SCRATCH, OUT64, OUT64), _nrt=False)
def rewrite_query(tables, first, last, scratch, rule, marks):  # type: ignore[no-untyped-def]
    """Drop parameters and put the rest in order. rule[0]: last rule that changed something; rule[1]: first that covers.

    Conditions ask the query as it was before any parameter was dropped.
    """
    ops, lists, _steps, _templates, pool = tables
    path, other, query, _saves, _seen, _stack, state, _spare = scratch
    starts, equals, stops = marks[:MOST_PARAMETERS], marks[MOST_PARAMETERS : 2 * MOST_PARAMETERS], marks[2 * MOST_PARAMETERS :]
    count, between = 0, separator(query, state[1])
    if state[2]:
        count = split_query(query, state[1], between, starts, equals, stops)
        if count < 0:
            return
    dropped = False
    for at in range(first, last):
        op = lists[at]
        kind = ops[op, 0]
        if kind == PARAMETER:
            if not in_scope(path, state[0], pool, ops[op, 2], ops[op, 3]):
                continue
            if rule[1] < 0:
                rule[1] = ops[op, 1]
            if not holds(tables, op, scratch):
                continue
            kept = 0
            for i in range(count):
                drop = span_is(query, starts[i], equals[i], pool, ops[op, 4], ops[op, 5])
                if drop and ops[op, 8]:
                    drop = is_one_of(query, min(equals[i] + 1, stops[i]), stops[i], pool, ops[op, 6], ops[op, 7])
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
            if not holds(tables, op, scratch):
                continue
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
            other[size] = between
            size += 1
        for j in range(starts[i], stops[i]):
            other[size] = query[j]
            size += 1
    for i in range(size):
        query[i] = other[i]
    state[1] = size
    if dropped and count == 0:
        state[2] = 0
