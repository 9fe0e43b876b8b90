"""Jitted code that several rooms call: xxh64 over bytes and over 64-bit words, and a 64-bit mixer."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from garimpo.engine.jit import kernel

P1 = np.uint64(0x9E3779B185EBCA87)
P2 = np.uint64(0xC2B2AE3D27D4EB4F)
P3 = np.uint64(0x165667B19E3779F9)
P4 = np.uint64(0x85EBCA77C2B2AE63)
P5 = np.uint64(0x27D4EB2F165667C5)

BYTES = types.Array(types.uint8, 1, "C", readonly=True)
I64 = types.Array(types.int64, 1, "C", readonly=True)
U64 = types.Array(types.uint64, 1, "C", readonly=True)
MATRIX = types.Array(types.int64, 2, "C")
OUT64 = types.Array(types.int64, 1, "C")
OUTU64 = types.Array(types.uint64, 1, "C")
OUT8 = types.Array(types.uint8, 1, "C")


@kernel(types.uint64(types.uint64, types.uint64), inline="always")
def rotate_left(value, bits):  # type: ignore[no-untyped-def]
    return (value << bits) | (value >> (np.uint64(64) - bits))


def _unaligned_load(bits: int) -> Any:
    """A little-endian load at any byte of an array. Put together from single bytes it would cost eight times as much."""

    @intrinsic
    def load(_context, data, at):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            word = ir.IntType(bits)
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), word.as_pointer())
            return builder.zext(builder.load(place, align=1), ir.IntType(64)) if bits < 64 else builder.load(place, align=1)

        return types.uint64(data, at), code

    return load


read_u64 = _unaligned_load(64)
read_u32 = _unaligned_load(32)


@intrinsic
def write_u64(_context, data, at, value):  # type: ignore[no-untyped-def]
    """A little-endian store of eight bytes at any byte of an array."""

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(data, at, value), code


@kernel(types.uint64(types.uint64, types.uint64), inline="always")
def _round(state, lane):  # type: ignore[no-untyped-def]
    return rotate_left(state + lane * P2, np.uint64(31)) * P1


@kernel(types.uint64(types.uint64, types.uint64), inline="always")
def _merge(state, lane):  # type: ignore[no-untyped-def]
    return (state ^ _round(np.uint64(0), lane)) * P1 + P4


@kernel(types.uint64(types.uint64), inline="always")
def _avalanche(state):  # type: ignore[no-untyped-def]
    state ^= state >> np.uint64(33)
    state *= P2
    state ^= state >> np.uint64(29)
    state *= P3
    return state ^ (state >> np.uint64(32))


@kernel(types.uint64(BYTES, types.int64, types.int64, types.uint64))
def xxh64(data, start, stop, seed):  # type: ignore[no-untyped-def]
    """xxh64 of data[start:stop]; equal to `xxhash.xxh64_intdigest`."""
    length = stop - start
    at = start
    if length >= 32:
        v1, v2, v3, v4 = seed + P1 + P2, seed + P2, seed, seed - P1
        while at + 32 <= stop:
            v1 = _round(v1, read_u64(data, at))
            v2 = _round(v2, read_u64(data, at + 8))
            v3 = _round(v3, read_u64(data, at + 16))
            v4 = _round(v4, read_u64(data, at + 24))
            at += 32
        state = (
            rotate_left(v1, np.uint64(1))
            + rotate_left(v2, np.uint64(7))
            + rotate_left(v3, np.uint64(12))
            + rotate_left(v4, np.uint64(18))
        )
        state = _merge(_merge(_merge(_merge(state, v1), v2), v3), v4)
    else:
        state = seed + P5
    state += np.uint64(length)
    while at + 8 <= stop:
        state = rotate_left(state ^ _round(np.uint64(0), read_u64(data, at)), np.uint64(27)) * P1 + P4
        at += 8
    if at + 4 <= stop:
        state = rotate_left(state ^ (read_u32(data, at) * P1), np.uint64(23)) * P2 + P3
        at += 4
    while at < stop:
        state = rotate_left(state ^ (np.uint64(data[at]) * P5), np.uint64(11)) * P1
        at += 1
    return _avalanche(state)


@kernel(types.uint64(types.uint64, types.uint64, types.boolean), inline="always")
def _choose(new, old, condition):  # type: ignore[no-untyped-def]
    mask = np.uint64(0) - np.uint64(condition)
    return (new & mask) | (old & ~mask)


@kernel(types.uint64(BYTES, types.int64, types.int64))
def xxh64_padded(data, start, stop):  # type: ignore[no-untyped-def]
    """xxh64 (seed 0) of a short span after which 32 more bytes can be read.

    Lengths of words and shingles are as good as random, so a branch on the length is mispredicted again and again: here
    every step that may follow the last whole 32 bytes is made, and kept or dropped by a mask. Twice as fast on shingles.
    """
    length = stop - start
    at = start
    state = P5
    if length >= 32:
        v1, v2, v3, v4 = P1 + P2, P2, np.uint64(0), np.uint64(0) - P1
        while at + 32 <= stop:
            v1 = _round(v1, read_u64(data, at))
            v2 = _round(v2, read_u64(data, at + 8))
            v3 = _round(v3, read_u64(data, at + 16))
            v4 = _round(v4, read_u64(data, at + 24))
            at += 32
        state = (
            rotate_left(v1, np.uint64(1))
            + rotate_left(v2, np.uint64(7))
            + rotate_left(v3, np.uint64(12))
            + rotate_left(v4, np.uint64(18))
        )
        state = _merge(_merge(_merge(_merge(state, v1), v2), v3), v4)
    state += np.uint64(length)
    eights = (length & 31) >> 3
    for i in range(3):
        lane = _round(np.uint64(0), read_u64(data, at + 8 * i))
        state = _choose(rotate_left(state ^ lane, np.uint64(27)) * P1 + P4, state, i < eights)
    at += 8 * eights
    four = rotate_left(state ^ (read_u32(data, at) * P1), np.uint64(23)) * P2 + P3
    state = _choose(four, state, (length & 4) != 0)
    at += length & 4
    tail = read_u32(data, at)
    for i in range(3):
        one = rotate_left(state ^ (((tail >> np.uint64(8 * i)) & np.uint64(255)) * P5), np.uint64(11)) * P1
        state = _choose(one, state, i < (length & 3))
    return _avalanche(state)


@kernel(types.uint64(types.uint64))
def mix64(value):  # type: ignore[no-untyped-def]
    """A bijection of 64-bit words whose output bits all depend on all input bits (the splitmix64 finaliser)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel(types.void(BYTES, types.Array(types.int64, 1, "C", readonly=True), types.uint64, types.Array(types.uint64, 1, "C")))
def xxh64_rows(data, offsets, seed, out):  # type: ignore[no-untyped-def]
    """xxh64 of each string of an Arrow buffer."""
    for i in range(out.size):
        out[i] = xxh64(data, offsets[i], offsets[i + 1], seed)
