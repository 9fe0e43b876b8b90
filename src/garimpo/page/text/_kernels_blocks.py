"""Blocks of text as hashes, and how alike two pages are once the template of their host is set aside."""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, I64, OUT8, OUT64, OUTU64, U64, mix64, xxh64_padded
from garimpo.engine.jit import kernel
from garimpo.page.text._kernels_words import FOLDED, write_words

U32 = types.Array(types.uint32, 1, "C", readonly=True)
OUT32 = types.Array(types.uint32, 1, "C")
FLAGS = types.Array(types.uint8, 1, "C", readonly=True)

WORDS_TO_MASK, LETTERS_OF_A_WORD = 3, 2
SHINGLE = 5
PLAIN, VOLATILE, CHROME = 0, 1, 2
NEWLINE = np.uint8(10)


@kernel(types.boolean(types.uint8), inline="always")
def _is_digit(byte):  # type: ignore[no-untyped-def]
    return 48 <= byte <= 57


@kernel(types.Tuple((types.boolean, types.boolean, types.int64))(BYTES, types.int64))
def _makeup(line, length):  # type: ignore[no-untyped-def]
    """Whether a line of words has a digit and a letter, and how many of its words have at least two letters."""
    digit, letter, worded, letters = False, False, 0, 0
    for at in range(length):
        byte = line[at]
        if byte == 32:
            worded += letters >= LETTERS_OF_A_WORD
            letters = 0
        elif _is_digit(byte):
            digit = True
        elif byte != 95 and (byte & 0xC0) != 0x80:
            letter = True
            letters += 1
    return digit, letter, worded + (letters >= LETTERS_OF_A_WORD)


@kernel(types.int64(BYTES, types.int64, OUT8, OUT64))
def _mask(line, length, out, starts):  # type: ignore[no-untyped-def]
    """Write a line of words with each run of digits as one 0; `starts` gets where each word begins."""
    at, to, count = 0, 0, 1
    starts[0] = 0
    while at < length:
        if _is_digit(line[at]):
            out[to] = 48
            while at < length and _is_digit(line[at]):
                at += 1
        else:
            out[to] = line[at]
            if line[at] == 32:
                starts[count] = to + 1
                count += 1
            at += 1
        to += 1
    starts[count] = to + 1
    return to


@kernel(types.void(BYTES, OUT64, types.int64, OUT32, types.int64))
def _hash_words(line, starts, count, out, to):  # type: ignore[no-untyped-def]
    for i in range(count):
        out[to + i] = np.uint32(xxh64_padded(line, starts[i], starts[i + 1] - 1))


@kernel(
    types.Tuple((types.int64, types.int64))(
        BYTES, I64, FOLDED, OUT8, OUT8, OUT64, OUT64, OUTU64, OUTU64, OUT8, OUT64, OUT32, OUT32
    )
)
def read_rows(  # type: ignore[no-untyped-def]
    data, offsets, folded, line, masked_line, starts, ends, blocks, masked, lettered, word_ends, words, masked_words
):
    """The blocks of each row (lines that have a word): hashes as they are and with digits masked, 0 where they are not to be.

    Gives how many blocks and words there are; `ends` gets where the blocks of each row end, `word_ends` the words of a block.
    """
    block, word = 0, 0
    for row in range(ends.size):
        at, stop = offsets[row], offsets[row + 1]
        while at < stop:
            end = at
            while end < stop and data[end] != NEWLINE:
                end += 1
            count, length = write_words(data, at, end, folded, line, starts)
            at = end + 1
            if not count:
                continue
            starts[count] = length + 1
            _hash_words(line, starts, count, words, word)
            blocks[block] = xxh64_padded(line, 0, length)
            digit, letter, worded = _makeup(line, length)
            lettered[block] = letter
            masked[block] = 0
            if digit and worded >= WORDS_TO_MASK:
                length = _mask(line, length, masked_line, starts)
                _hash_words(masked_line, starts, count, masked_words, word)
                masked[block] = xxh64_padded(masked_line, 0, length)
            else:
                for i in range(word, word + count):
                    masked_words[i] = words[i]
            word += count
            word_ends[block] = word
            block += 1
        ends[row] = block
    return block, word


@kernel(types.boolean(U64, types.uint64), inline="always")
def _has(ordered, value):  # type: ignore[no-untyped-def]
    low, high = 0, ordered.size
    while low < high:
        middle = (low + high) >> 1
        if ordered[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low < ordered.size and ordered[low] == value


@kernel(types.void(U64, U64, FLAGS, U64, U64, OUT8))
def classify(blocks, masked, lettered, volatile, chrome, out):  # type: ignore[no-untyped-def]
    """What each block is to its host: volatile, chrome, or neither."""
    for i in range(blocks.size):
        out[i] = PLAIN
        if masked[i] and _has(volatile, masked[i]):
            out[i] = VOLATILE
        elif lettered[i] and _has(chrome, blocks[i]):
            out[i] = CHROME


@kernel(types.Tuple((types.int64, types.int64))(U32, U32, I64, FLAGS, types.int64, types.int64, types.boolean, OUT32, OUTU64))
def shingles(words, masked_words, word_offsets, kinds, first, last, content, scratch, out):  # type: ignore[no-untyped-def]
    """Hashes of the 5-word shingles of some blocks, volatile ones masked, or without them and without chrome (`content`).

    Gives how many words and shingles there are; fewer than five words are one shingle.
    """
    count = 0
    for block in range(first, last):
        if content and kinds[block] != PLAIN:
            continue
        for at in range(word_offsets[block], word_offsets[block + 1]):
            scratch[count] = masked_words[at] if kinds[block] == VOLATILE else words[at]
            count += 1
    if count == 0:
        return 0, 0
    made = max(1, count - SHINGLE + 1)
    for i in range(made):
        value = np.uint64(count if count < SHINGLE else SHINGLE)
        for j in range(i, min(i + SHINGLE, count)):
            value = mix64(value * np.uint64(0x9E3779B185EBCA87) + np.uint64(scratch[j]))
        out[i] = value
    return count, made


@kernel(types.float64(OUTU64, types.int64, OUTU64, types.int64), allocates=True)
def jaccard(first, first_size, second, second_size):  # type: ignore[no-untyped-def]
    """The Jaccard similarity of two lists of hashes as sets; both are sorted on the way. Two empty ones have 0."""
    a, b = first[:first_size], second[:second_size]
    a.sort()
    b.sort()
    i, j, common, union = 0, 0, 0, 0
    while i < first_size or j < second_size:
        if j >= second_size or (i < first_size and a[i] < b[j]):
            value = a[i]
        else:
            value = b[j]
        in_a = i < first_size and a[i] == value
        in_b = j < second_size and b[j] == value
        while i < first_size and a[i] == value:
            i += 1
        while j < second_size and b[j] == value:
            j += 1
        common += in_a and in_b
        union += 1
    return common / union if union else 0.0


@kernel(types.int64(OUTU64, types.int64, OUTU64))
def count_new(hashes, count, table):  # type: ignore[no-untyped-def]
    """How many of the hashes are not in a table of as many places as a power of two; they are put there, over what was there."""
    new, last = 0, np.uint64(table.size - 1)
    for i in range(count):
        value = hashes[i] | np.uint64(1)  # 0 is an empty place
        at = (value >> np.uint64(1)) & last
        if table[at] != value:
            new += 1
            table[at] = value
    return new
