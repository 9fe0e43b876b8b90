"""Small jitted tools for bytes of markup and text: names as 64-bit words, tables of them, searches and counts."""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, read_u64
from garimpo.engine.jit import kernel

WORD = types.uint64
NAMES = types.Array(types.uint64, 1, "C", readonly=True)

_SLOTS = 512
EACH, HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


def pack(name: bytes) -> int:
    """A name of at most eight bytes as one word; of longer names the first eight count."""
    return int.from_bytes(name[:8], "little")


def hashed(meanings: dict[int, str]) -> tuple[np.ndarray, np.ndarray]:
    """A table from names to what they mean, for `meaning`."""
    names, values = [0] * _SLOTS, [0] * _SLOTS
    for value, words in meanings.items():
        for word in words.split():
            packed = pack(word.encode())
            slot = (packed * 0x9E3779B185EBCA87 & (2**64 - 1)) >> 55
            while names[slot]:
                slot = (slot + 1) % _SLOTS
            names[slot], values[slot] = packed, value
    return np.array(names, np.uint64), np.array(values, np.uint8)


@kernel(types.uint8(WORD, NAMES, BYTES), inline="always")
def meaning(name, names, meanings):  # type: ignore[no-untyped-def]
    """What a packed name means in a table; 0 for one that is not in it."""
    slot = np.int64((name * np.uint64(0x9E3779B185EBCA87)) >> np.uint64(55))
    while names[slot] != np.uint64(0):
        if names[slot] == name:
            return meanings[slot]
        slot = (slot + 1) % _SLOTS
    return np.uint8(0)


@kernel(types.boolean(types.uint8), inline="always")
def is_space(byte):  # type: ignore[no-untyped-def]
    """Whether a byte is white space between tags and attributes."""
    return byte == 32 or byte == 10 or byte == 9 or byte == 13 or byte == 12


@kernel(types.int64(BYTES, types.int64, types.int64, types.uint8))
def find(data, at, stop, byte):  # type: ignore[no-untyped-def]
    """Where the byte first stands, or the stop; eight bytes at a time."""
    pattern = np.uint64(byte) * EACH
    while at + 8 <= stop:
        difference = read_u64(data, at) ^ pattern
        hits = (difference - EACH) & ~difference & HIGH_BITS
        if hits:
            below = (hits & (~hits + np.uint64(1))) - np.uint64(1)  # the bits under the first hit: count the bytes they reach
            return at + np.int64(((below & EACH) * EACH) >> np.uint64(56)) - 1
        at += 8
    while at < stop and data[np.uint64(at)] != byte:
        at += 1
    return at


@kernel(types.Tuple((WORD, types.int64))(BYTES, types.int64, types.int64), inline="always")
def name_at(data, at, stop):  # type: ignore[no-untyped-def]
    """The packed name of a tag (letters folded to lower case) and where it ends."""
    name, bits = np.uint64(0), np.uint64(0)
    while at < stop:
        byte = data[np.uint64(at)]
        if byte <= 32 or byte == 62 or byte == 47:
            break
        if bits < np.uint64(64):
            if 65 <= byte <= 90:
                byte += np.uint8(32)
            name |= np.uint64(byte) << bits
            bits += np.uint64(8)
        at += 1
    return name, at


@kernel(types.int64(BYTES, types.int64, types.int64))
def space_width(data, at, stop):  # type: ignore[no-untyped-def]
    """How many bytes of white space (as `str.isspace` has it) stand at this place, of one character; 0: none."""
    byte = data[at]
    if byte <= 32:
        return 1 if byte == 32 or (9 <= byte <= 13) or (28 <= byte <= 31) else 0
    if byte == 0xC2 and at + 1 < stop:
        return 2 if data[at + 1] == 0x85 or data[at + 1] == 0xA0 else 0
    if at + 2 >= stop or not (0xE1 <= byte <= 0xE3):
        return 0
    second, third = data[at + 1], data[at + 2]
    if byte == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if byte == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80:
        return 3 if third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
    return 3 if second == 0x81 and third == 0x9F else 0


@kernel(types.boolean(WORD), inline="always")
def _may_price(word):  # type: ignore[no-untyped-def]
    """Whether eight bytes hold a dollar sign, or anything beyond ASCII."""
    difference = word ^ (np.uint64(0x24) * EACH)
    return (((difference - EACH) | word) & HIGH_BITS) != 0


@kernel(types.int64(BYTES, types.int64))
def count_prices(text, length):  # type: ignore[no-untyped-def]
    """Currency signs with a digit beside them, one space between allowed."""
    count, i = 0, -1
    while i + 1 < length:
        i += 1
        while i + 8 <= length and not _may_price(read_u64(text, i)):
            i += 8
        if i >= length:
            break
        byte = text[i]
        if byte == 0x24:
            width = 1
        elif byte == 0xC2 and i + 1 < length and (text[i + 1] == 0xA3 or text[i + 1] == 0xA5):
            width = 2
        elif byte == 0xE2 and i + 2 < length and (text[i + 1] == 0x82 and text[i + 2] >= 0xA0):
            width = 3
        else:
            continue
        after = i + width
        if after < length and text[after] <= 32:
            after += 1
        before = i - 1
        if before >= 0 and text[before] <= 32:
            before -= 1
        if (after < length and 48 <= text[after] <= 57) or (before >= 0 and 48 <= text[before] <= 57):
            count += 1
    return count
