"""Recognise URLs that are in normal form already, find their hosts, and gather rows of two buffers into one.

A URL is *plain* when the WHATWG parser and `normalise` would give it back unchanged but for its fragment. The test is
strict: what it does not know is not plain, and goes through the parser.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8
from garimpo.engine.jit import kernel

OFFSETS = types.Array(types.int64, 1, "C", readonly=True)
POSITIONS = types.Array(types.int64, 1, "C")

_UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


def _table(*characters: bytes) -> np.ndarray:
    table = np.zeros(256, np.uint8)
    for value, group in enumerate(characters, start=1):
        table[np.frombuffer(group, np.uint8)] = value
    return table


HOST = _table(b"abcdefghijklmnopqrstuvwxyz", b"0123456789-", b".")
PATH = _table(_UNRESERVED + b"!$&()*+,;=:@", b"/", b"?", b"#", b"%")
UNRESERVED = _table(_UNRESERVED)
UPPER_HEX = np.full(256, 255, np.uint8)
UPPER_HEX[np.frombuffer(b"0123456789ABCDEF", np.uint8)] = np.arange(16)


@kernel(types.int64(BYTES, types.int64, types.int64))
def host_start(data, start, stop):  # type: ignore[no-untyped-def]
    """Where the host begins after `http://` or `https://`; -1 for any other beginning."""
    if stop - start < 8 or data[start] != 104 or data[start + 1] != 116 or data[start + 2] != 116 or data[start + 3] != 112:
        return -1
    at = start + 5 if data[start + 4] == 115 else start + 4
    if data[at] != 58 or data[at + 1] != 47 or data[at + 2] != 47:
        return -1
    return at + 3


@kernel(types.int64(BYTES, types.int64, types.int64))
def host_stop(data, start, stop):  # type: ignore[no-untyped-def]
    """Where a plain host name ends (at `/`, `?`, `#` or the end); -1 if it is not one."""
    label = start
    at = start
    while at < stop:
        kind = HOST[data[at]]
        if kind == 0:
            break
        if kind == 3:
            if at == label:
                return -1
            label = at + 1
        elif kind == 1 and at == label and data[at] == 120 and at + 1 < stop and data[at + 1] == 110:
            return -1  # may be "xn--": punycode is for the parser to check
        at += 1
    if at == label or HOST[data[label]] != 1:
        return -1  # a last label that begins with a digit may be an IPv4 address
    if at < stop and data[at] != 47 and data[at] != 63 and data[at] != 35:
        return -1
    return at


@kernel(types.boolean(BYTES, types.int64, types.int64), inline="always")
def _is_dots(data, start, stop):  # type: ignore[no-untyped-def]
    if stop - start == 1:
        return data[start] == 46
    return stop - start == 2 and data[start] == 46 and data[start + 1] == 46


@kernel(types.int64(BYTES, types.int64, types.int64))
def plain_stop(data, start, stop):  # type: ignore[no-untyped-def]
    """Where the normal form of a plain URL ends (before its fragment); -1 if the URL is not plain."""
    at = host_start(data, start, stop)
    if at < 0:
        return -1
    at = host_stop(data, at, stop)
    if at < 0 or at == stop or data[at] != 47:
        return -1
    in_path = True
    segment = at + 1
    at += 1
    while at < stop:
        kind = PATH[data[at]]
        if kind == 1:
            at += 1
            continue
        if kind == 0:
            return -1
        if kind == 4:
            break
        if kind == 5:
            if at + 2 >= stop:
                return -1
            high, low = UPPER_HEX[data[at + 1]], UPPER_HEX[data[at + 2]]
            if high == 255 or low == 255 or UNRESERVED[high * 16 + low]:
                return -1
            at += 3
            continue
        if in_path:
            if _is_dots(data, segment, at):
                return -1
            segment = at + 1
            in_path = kind == 2
        at += 1
    if in_path and _is_dots(data, segment, at):
        return -1
    return at


@kernel(types.void(BYTES, OFFSETS, POSITIONS, POSITIONS))
def plain_rows(data, offsets, starts, stops):  # type: ignore[no-untyped-def]
    """The normal form of each plain URL as a span of its buffer; stop -1 where it is not plain."""
    for i in range(starts.size):
        starts[i] = offsets[i]
        stops[i] = plain_stop(data, offsets[i], offsets[i + 1])


@kernel(types.void(BYTES, OFFSETS, POSITIONS, POSITIONS))
def host_rows(data, offsets, starts, stops):  # type: ignore[no-untyped-def]
    """The host of each URL that begins like a plain one; stop -1 elsewhere."""
    for i in range(starts.size):
        starts[i] = host_start(data, offsets[i], offsets[i + 1])
        stops[i] = -1 if starts[i] < 0 else host_stop(data, starts[i], offsets[i + 1])


@kernel(types.void(BYTES, OFFSETS, OFFSETS, BYTES, OFFSETS, OFFSETS, OUT8))
def gather(data, starts, stops, others, other_offsets, out_offsets, out):  # type: ignore[no-untyped-def]
    """Fill `out` with the spans of `data`, and the next row of `others` wherever a stop is -1."""
    other = 0
    for i in range(starts.size):
        to = out_offsets[i]
        if stops[i] < 0:
            for at in range(other_offsets[other], other_offsets[other + 1]):
                out[to] = others[at]
                to += 1
            other += 1
        else:
            for at in range(starts[i], stops[i]):
                out[to] = data[at]
                to += 1
