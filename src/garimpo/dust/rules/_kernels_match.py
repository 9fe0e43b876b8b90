"""The machine that matches contexts: backtracking that never tries one instruction at one place twice; and changes of a text."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from garimpo.engine._kernels import BYTES, MATRIX, OUT8, OUT64
from garimpo.engine.jit import kernel

UNTOUCHED, COVERED, CHANGED = range(3)
LITERAL, CLASS, SPLIT, JUMP, SAVE, MATCH = range(6)
STAMPS = types.Array(types.uint32, 1, "C")


def _classes() -> NDArray[np.uint8]:
    table = np.ones((6, 256), np.uint8)
    for byte in b"/?=&#;:.":
        table[0, byte] = 0
    table[1:3] = 0
    for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ":
        table[1, byte] = 1
    for byte in b"0123456789":
        table[2, byte] = 1
    table[3, ord("/")] = 0
    for byte in b"&;":
        table[5, byte] = 0
    return table


CLASSES = _classes()


@kernel(types.boolean(BYTES, types.int64, types.int64), inline="always", _nrt=False)
def has_www(data, start, stop):  # type: ignore[no-untyped-def]
    """Whether a name begins with www. and goes on."""
    if stop - start <= 4 or data[start + 3] != 46:
        return False
    return data[start] == 119 and data[start + 1] == 119 and data[start + 2] == 119


@kernel(types.boolean(MATRIX, types.int64, OUT8, OUT8, types.int64, types.int64, OUT64, STAMPS, types.uint32, OUT64), _nrt=False)
def match(steps, first, pool, text, start, stop, saves, seen, stamp, stack):  # type: ignore[no-untyped-def]
    """Whether the machine that begins at step `first` accepts text[start:stop]; captures go to `saves`.

    `seen` has a cell for every (step, place), marked with this call's `stamp`; a stack entry is a step and a place, or a
    saved place to put back.
    """
    width = stop - start + 1
    depth = 0
    stack[0], stack[1] = first, start
    depth = 1
    while depth > 0:
        depth -= 1
        pc, at = stack[2 * depth], stack[2 * depth + 1]
        if pc < 0:
            saves[-pc - 1] = at
            continue
        while True:
            cell = (pc - first) * width + at - start
            if seen[cell] == stamp:
                break
            seen[cell] = stamp
            code, a = steps[pc, 0], steps[pc, 1]
            if code == LITERAL:
                length = steps[pc, 2]
                if at + length > stop:
                    break
                same = True
                for i in range(length):
                    if text[at + i] != pool[a + i]:
                        same = False
                        break
                if not same:
                    break
                at += length
                pc += 1
            elif code == CLASS:
                if at >= stop or CLASSES[a, text[at]] == 0:
                    break
                at += 1
                pc += 1
            elif code == SPLIT:
                stack[2 * depth], stack[2 * depth + 1] = steps[pc, 2], at
                depth += 1
                pc = a
            elif code == JUMP:
                pc = a
            elif code == SAVE:
                stack[2 * depth], stack[2 * depth + 1] = -a - 1, saves[a]
                depth += 1
                saves[a] = at
                pc += 1
            else:
                if at == stop:
                    return True
                break
    return False


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


@kernel(
    types.int64(OUT8, types.int64, OUT8, OUT8, types.int64, types.int64, types.int64, types.int64),
    _nrt=False,
)
def put_in_place(text, length, other, pool, begin, size, made, made_size):  # type: ignore[no-untyped-def]
    """Every pool[begin:] of `size` in the text becomes pool[made:]; the new length, -1 where there is none or it does not fit."""
    write = read = 0
    found, most = False, other.size // 3  # a path and a query together must leave room in the buffer of the whole URL
    while read < length:
        here = size > 0 and read + size <= length
        i = 0
        while here and i < size:
            here = text[read + i] == pool[begin + i]
            i += 1
        if write + made_size >= most:
            return -1
        if here:
            for i in range(made_size):
                other[write + i] = pool[made + i]
            write, read, found = write + made_size, read + size, True
        else:
            other[write] = text[read]
            write, read = write + 1, read + 1
    if not found:
        return -1
    for i in range(write):
        text[i] = other[i]
    return write
