"""Words and shingles of whole columns, from UTF-8 bytes to 64-bit hashes.

A row is first rewritten as its words in lower case with one space between: then w words that follow each other stand
in one piece, and a shingle's hash is xxh64 of that piece. Runs of ASCII take no branch that depends on the text.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8, read_u64, xxh64_padded
from garimpo.engine.jit import kernel

OFFSETS = types.Array(types.int64, 1, "C", readonly=True)
POSITIONS = types.Array(types.int64, 1, "C")
HASHES = types.Array(types.uint64, 1, "C")
FOLDED = types.Array(types.uint32, 1, "C", readonly=True)
FLAGS = types.Array(types.boolean, 1, "C", readonly=True)

ALONE = np.uint32(1 << 24)
CODE = np.uint32(ALONE - 1)

_LETTERS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", np.uint8)
ASCII = np.zeros(256, np.uint8)
ASCII[np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789_", np.uint8)] = np.frombuffer(
    b"abcdefghijklmnopqrstuvwxyz0123456789_", np.uint8
)
ASCII[_LETTERS] = _LETTERS + 32
SPACE_IF_NONE = np.zeros(256, np.uint8)
SPACE_IF_NONE[0] = 32

HIGH_BITS = np.uint64(0x8080808080808080)
ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel(types.int64(BYTES, types.int64, types.int64))
def _ascii_stop(data, at, stop):  # type: ignore[no-untyped-def]
    """Where the ASCII that begins here ends."""
    while at + 8 <= stop and read_u64(data, at) & HIGH_BITS == np.uint64(0):
        at += 8
    while at < stop and data[at] < 128:
        at += 1
    return at


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64), inline="always")
def decode_at(data, at, stop):  # type: ignore[no-untyped-def]
    """The code point that begins here and its width; bytes past the end read as zero."""
    first = np.int64(data[at])
    second = np.int64(data[at + 1]) & 0x3F if at + 1 < stop else 0
    if first < 0xE0:
        return (first & 0x1F) << 6 | second, 2
    third = np.int64(data[at + 2]) & 0x3F if at + 2 < stop else 0
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third, 3
    fourth = np.int64(data[at + 3]) & 0x3F if at + 3 < stop else 0
    return (first & 0x07) << 18 | second << 12 | third << 6 | fourth, 4


@kernel(types.uint64(OUT8, types.uint64, types.uint32), inline="always")
def _encode_at(out, at, code):  # type: ignore[no-untyped-def]
    """Write a code point; gives its width."""
    if code < 0x80:
        out[at] = code
        return np.uint64(1)
    if code < 0x800:
        out[at] = 0xC0 | code >> 6
        out[at + np.uint64(1)] = 0x80 | code & 0x3F
        return np.uint64(2)
    if code < 0x10000:
        out[at] = 0xE0 | code >> 12
        out[at + np.uint64(1)] = 0x80 | code >> 6 & 0x3F
        out[at + np.uint64(2)] = 0x80 | code & 0x3F
        return np.uint64(3)
    out[at] = 0xF0 | code >> 18
    out[at + np.uint64(1)] = 0x80 | code >> 12 & 0x3F
    out[at + np.uint64(2)] = 0x80 | code >> 6 & 0x3F
    out[at + np.uint64(3)] = 0x80 | code & 0x3F
    return np.uint64(4)


@kernel(types.void(BYTES, OFFSETS, FLAGS, types.Array(types.boolean, 1, "C")))
def unsettled_rows(data, offsets, flags, out):  # type: ignore[no-untyped-def]
    """Which rows hold a character that NFC may change."""
    for row in range(out.size):
        at, stop = offsets[row], offsets[row + 1]
        out[row] = False
        at = _ascii_stop(data, at, stop)
        while at < stop:
            if data[at] < 0xCC:  # below U+0300 all is settled
                at += 1
                continue
            code, width = decode_at(data, at, stop)
            if code < flags.size and flags[code]:
                out[row] = True
                break
            at += width


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64, FOLDED, OUT8, POSITIONS))
def write_words(data, start, stop, folded, out, starts):  # type: ignore[no-untyped-def]
    """Write a row's words, one space between; gives how many and how long. `starts` gets where each begins."""
    # Places are unsigned: for signed ones Numba adds a test for negative indices.
    to, count, inside = ZERO, ZERO, ZERO
    at = start
    while at < stop:
        ascii_stop = _ascii_stop(data, at, stop)
        for i in range(np.uint64(at), np.uint64(ascii_stop)):
            letter = ASCII[data[i]]
            now = np.uint64(letter != 0)
            out[to] = letter | SPACE_IF_NONE[letter]
            starts[count] = to
            count += now & ~inside
            to += now | inside
            inside = now
        at = ascii_stop
        while at < stop and data[at] >= 128:
            code, width = decode_at(data, at, stop)
            at += width
            entry = folded[code] if code < folded.size else np.uint32(0)
            if inside and (entry == 0 or entry & ALONE):
                out[to] = 32
                to += ONE
                inside = ZERO
            if entry:
                if not inside:
                    starts[count] = to
                    count += ONE
                to += _encode_at(out, to, entry & CODE)
                inside = ONE
                if entry & ALONE:
                    out[to] = 32
                    to += ONE
                    inside = ZERO
    if count and not inside:
        to -= ONE
    return np.int64(count), np.int64(to)


@kernel(types.int64(BYTES, OFFSETS, FOLDED, types.int64, OUT8, POSITIONS, HASHES, POSITIONS))
def shingle_rows(data, offsets, folded, width, words, starts, hashes, ends):  # type: ignore[no-untyped-def]
    """xxh64 of every shingle of every row, one row after another; `ends` gets where each row's hashes end."""
    total = 0
    for row in range(ends.size):
        count, length = write_words(data, offsets[row], offsets[row + 1], folded, words, starts)
        if 0 < count <= width:
            hashes[total] = xxh64_padded(words, 0, length)
            total += 1
        elif count:
            starts[count] = length + 1
            for i in range(count - width + 1):
                hashes[total] = xxh64_padded(words, starts[i], starts[i + width] - 1)
                total += 1
        ends[row] = total
    return total
