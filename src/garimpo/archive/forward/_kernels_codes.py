"""Jitted bit streams: unary, minimal binary, gamma, zeta and Golomb codes, and documents written in them.

A stream is an array of 64-bit words filled from the highest bit; a place in it is a number of bits. A *code* is a small
number: 1 to 15 is zeta of that k (zeta of 1 is gamma), 16 + i is Golomb with the i-th of `MODULI`.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from garimpo.engine.jit import kernel

MODULI = np.array([2**i if half == 0 else 3 * 2 ** (i - 1) for i in range(26) for half in (0, 1) if i or not half], np.int64)
SIZES = np.array([(int(modulus) - 1).bit_length() for modulus in MODULI], np.int64)
CODES = 16 + MODULI.size
ONE, LAST = np.uint64(1), np.uint64(63)
RANKS, ROOMS = 28, 12
"""Contexts of a gap: how large the term before is (by powers of two), and how many terms are left (the same)."""

STREAM = types.Array(types.uint64, 1, "C")
BITS = types.Array(types.uint64, 1, "C", readonly=True)
LONGS = types.Array(types.int64, 1, "C")
IN_LONGS = types.Array(types.int64, 1, "C", readonly=True)
IN_TERMS = types.Array(types.int32, 1, "C", readonly=True)
OUT_TERMS = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.uint8, 2, "C", readonly=True)
SUMS = types.Array(types.float64, 3, "C")


@intrinsic
def leading_zeros(context, value):  # type: ignore[no-untyped-def]
    """The zeros before the highest bit of a 64-bit word that is not zero: one instruction of the machine."""

    def build(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@kernel(types.int64(types.int64))
def log2(value):  # type: ignore[no-untyped-def]
    """The place of the highest bit of a positive number."""
    return 63 - leading_zeros(np.uint64(value))


@kernel(types.int64(STREAM, types.int64, types.uint64, types.int64))
def put(stream, at, value, size):  # type: ignore[no-untyped-def]
    """Write the low `size` bits of a value (at most 63); the place after them."""
    if size == 0:
        return at
    word, free = at >> 6, 64 - (at & 63)
    if size <= free:
        stream[word] |= value << np.uint64(free - size)
    else:
        stream[word] |= value >> np.uint64(size - free)
        stream[word + 1] |= value << np.uint64(64 - (size - free))
    return at + size


@kernel(types.uint64(BITS, types.int64, types.int64))
def get(stream, at, size):  # type: ignore[no-untyped-def]
    """`size` bits (at most 63) from a place."""
    if size == 0:
        return np.uint64(0)
    word, used = at >> 6, at & 63
    value = stream[word] << np.uint64(used)
    if used + size > 64:
        value |= stream[word + 1] >> np.uint64(64 - used)
    return value >> np.uint64(64 - size)


@kernel(types.int64(STREAM, types.int64, types.int64))
def put_unary(stream, at, count):  # type: ignore[no-untyped-def]
    """`count` zeros and a one."""
    at += count
    return put(stream, at, np.uint64(1), 1)


@kernel(types.UniTuple(types.int64, 2)(BITS, types.int64))
def get_unary(stream, at):  # type: ignore[no-untyped-def]
    """The zeros up to the next one, and the place after it."""
    count = 0
    while True:
        rest = stream[at >> 6] << np.uint64(at & 63)
        if rest == 0:
            step = 64 - (at & 63)
            count += step
            at += step
            continue
        step = leading_zeros(rest)
        return count + step, at + step + 1


@kernel(types.int64(STREAM, types.int64, types.int64, types.int64))
def put_minimal(stream, at, value, room):  # type: ignore[no-untyped-def]
    """A value of 0 .. room - 1 in as few bits as go."""
    if room <= 1:
        return at
    size = log2(room - 1) + 1
    short = (1 << size) - room
    if value < short:
        return put(stream, at, np.uint64(value), size - 1)
    return put(stream, at, np.uint64(value + short), size)


@kernel(types.UniTuple(types.int64, 2)(BITS, types.int64, types.int64))
def get_minimal(stream, at, room):  # type: ignore[no-untyped-def]
    if room <= 1:
        return 0, at
    size = log2(room - 1) + 1
    short = (1 << size) - room
    value = np.int64(get(stream, at, size - 1))
    if value < short:
        return value, at + size - 1
    value = np.int64(get(stream, at, size))
    return value - short, at + size


@kernel(types.int64(STREAM, types.int64, types.int64, types.int64))
def put_code(stream, at, code, value):  # type: ignore[no-untyped-def]
    """A positive number in a code; the place after it."""
    if code < 16:
        h = log2(value) // code
        low = 1 << (h * code)
        at = put_unary(stream, at, h)
        return put_minimal(stream, at, value - low, (1 << ((h + 1) * code)) - low)
    modulus = MODULI[code - 16]
    at = put_unary(stream, at, (value - 1) // modulus)
    return put_minimal(stream, at, (value - 1) % modulus, modulus)


@kernel(types.UniTuple(types.int64, 2)(BITS, types.int64, types.int64))
def get_code(stream, at, code):  # type: ignore[no-untyped-def]
    """A number in a code, and the place after it; nearly always found in the 64 bits from the place on."""
    word, used = at >> 6, np.uint64(at & 63)
    bits = stream[word] << used | stream[min(word + 1, stream.size - 1)] >> ONE >> (LAST - used)
    whole = bits != 0
    if whole:
        count = leading_zeros(bits)
        at += count + 1
    else:
        count, at = get_unary(stream, at)
    if code < 16:
        low = 1 << (count * code)
        room = (1 << ((count + 1) * code)) - low
        size = count if code == 1 else (count + 1) * code
    else:
        room = MODULI[code - 16]
        low = count * room + 1
        size = SIZES[code - 16]
    if size == 0:
        return low, at
    short = (1 << size) - room
    if whole and count + size < 64:
        value = np.int64(bits << np.uint64(count + 1) >> np.uint64(64 - size))
    else:
        value = np.int64(get(stream, at, size))
    if value >> 1 < short:
        return low + (value >> 1), at + size - 1
    return low + value - short, at + size


@kernel(types.int64(types.int64, types.int64))
def size_of(code, value):  # type: ignore[no-untyped-def]
    """How many bits a number takes in a code."""
    if code < 16:
        h = log2(value) // code
        low = 1 << (h * code)
        head, value, room = h + 1, value - low, (1 << ((h + 1) * code)) - low
    else:
        room = MODULI[code - 16]
        head, value = (value - 1) // room + 1, (value - 1) % room
    if room <= 1:
        return head
    size = log2(room - 1) + 1
    return head + (size - 1 if value < (1 << size) - room else size)


@kernel(types.int64(types.int64, types.int64))
def context_of(before, left):  # type: ignore[no-untyped-def]
    """The context of a gap or a frequency as one number."""
    return min(log2(before + 1), RANKS - 1) * ROOMS + min(log2(left), ROOMS - 1)


@kernel(types.void(IN_LONGS, IN_TERMS, IN_TERMS, SUMS))
def add_sizes(starts, terms, counts, sums):  # type: ignore[no-untyped-def]
    """Add up, for gaps (0) and frequencies (1), what every code would take in every context."""
    for row in range(starts.size - 1):
        before = np.int64(-1)
        for i in range(starts[row], starts[row + 1]):
            gap = terms[i] - before
            near = context_of(before + 1, starts[row + 1] - i)
            own = context_of(terms[i] + 1, starts[row + 1] - starts[row])
            for code in range(1, CODES):
                if code < 16 or gap // MODULI[code - 16] < 64:
                    sums[0, near, code] += size_of(code, gap)
                else:
                    sums[0, near, code] += 64 + gap // MODULI[code - 16]
                if code < 26:
                    sums[1, own, code] += size_of(code, counts[i])
                else:
                    sums[1, own, code] = np.inf
            before = terms[i]


@kernel(
    types.int64(
        IN_LONGS, IN_LONGS, IN_TERMS, IN_TERMS, types.int64, types.boolean, types.int64, types.int64, TABLE,
        STREAM, types.int64, LONGS, LONGS,
    )
)  # fmt: skip
def write_documents(  # type: ignore[no-untyped-def]
    ids, starts, terms, counts, last, gaps, id_code, size_code, table, stream, at, places, fields
):
    """Write documents one after the other; fills their places, adds the bits of each field, returns the place after all."""
    for row in range(ids.size):
        places[row] = at
        at = put_code(stream, at, id_code, ids[row] - last if gaps else ids[row] + 1)
        last = ids[row]
        fields[0] += at - places[row]
        here = at
        at = put_code(stream, at, size_code, starts[row + 1] - starts[row] + 1)
        fields[1] += at - here
        before = np.int64(-1)
        for i in range(starts[row], starts[row + 1]):
            here = at
            at = put_code(stream, at, table[0, context_of(before + 1, starts[row + 1] - i)], terms[i] - before)
            fields[2] += at - here
            here = at
            at = put_code(stream, at, table[1, context_of(terms[i] + 1, starts[row + 1] - starts[row])], counts[i])
            fields[3] += at - here
            before = terms[i]
    return at


@kernel(types.UniTuple(types.int64, 3)(BITS, types.int64, types.int64, types.int64))
def read_head(stream, at, id_code, size_code):  # type: ignore[no-untyped-def]
    """The coded id and the number of terms of a document, and the place of the first."""
    number, at = get_code(stream, at, id_code)
    size, at = get_code(stream, at, size_code)
    return number, size - 1, at


@kernel(types.int64(BITS, types.int64, types.int64, TABLE, OUT_TERMS, OUT_TERMS))
def read_terms(stream, at, size, table, terms, counts):  # type: ignore[no-untyped-def]
    """The terms and frequencies of a document; the place after it."""
    before = np.int64(-1)
    room = min(log2(max(size, 1)), ROOMS - 1)
    rank = 0
    for i in range(size):
        gap, at = get_code(stream, at, table[0, rank * ROOMS + min(log2(size - i), ROOMS - 1)])
        before += gap
        terms[i] = before
        rank = min(log2(before + 2), RANKS - 1)
        value, at = get_code(stream, at, table[1, rank * ROOMS + room])
        counts[i] = value
    return at


@kernel(types.int64(BITS, types.int64, types.int64, types.int64, TABLE, OUT_TERMS, OUT_TERMS))
def read_document(stream, at, id_code, size_code, table, terms, counts):  # type: ignore[no-untyped-def]
    """The terms and frequencies of the document at a place, into arrays large enough; how many there are."""
    _, size, at = read_head(stream, at, id_code, size_code)
    read_terms(stream, at, size, table, terms, counts)
    return size


@kernel(types.int64(STREAM, types.int64, types.int64, IN_LONGS))
def write_numbers(stream, at, code, values):  # type: ignore[no-untyped-def]
    """Positive numbers in one code."""
    for value in values:
        at = put_code(stream, at, code, value)
    return at


@kernel(types.int64(BITS, types.int64, types.int64, LONGS))
def read_numbers(stream, at, code, values):  # type: ignore[no-untyped-def]
    """As many numbers in one code as `values` has room for."""
    for i in range(values.size):
        values[i], at = get_code(stream, at, code)
    return at


@kernel(
    types.int64(
        IN_LONGS, IN_LONGS, IN_TERMS, IN_TERMS, types.int64, types.boolean, types.int64, types.int64, TABLE,
    )
)  # fmt: skip
def measure(ids, starts, terms, counts, last, gaps, id_code, size_code, table):  # type: ignore[no-untyped-def]
    """The bits that documents take, as `write_documents` writes them."""
    bits = 64
    for row in range(ids.size):
        bits += size_of(id_code, ids[row] - last if gaps else ids[row] + 1)
        last = ids[row]
        bits += size_of(size_code, starts[row + 1] - starts[row] + 1)
        before = np.int64(-1)
        for i in range(starts[row], starts[row + 1]):
            bits += size_of(table[0, context_of(before + 1, starts[row + 1] - i)], terms[i] - before)
            bits += size_of(table[1, context_of(terms[i] + 1, starts[row + 1] - starts[row])], counts[i])
            before = terms[i]
    return bits


@kernel(types.int64(types.int64, IN_LONGS))
def measure_numbers(code, values):  # type: ignore[no-untyped-def]
    """The bits that positive numbers take in one code."""
    bits = 0
    for value in values:
        bits += size_of(code, value)
    return bits
