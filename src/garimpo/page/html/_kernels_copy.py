"""Copy the text between two tags of a page, its white space collapsed, eight bytes at a time where that is all there is to do."""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8, read_u64, write_u64
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_markup import EACH, HIGH_BITS, WORD, space_width

# What stands between two words: nothing, white space, or the edge of a block.
JOINED, SPACED, PARTED = np.int8(0), np.int8(1), np.int8(2)

ONE, EIGHT = np.uint64(1), np.uint64(8)
SPACES, TAGS, ESCAPES = (np.uint64(byte) * EACH for byte in b" <&")

# What a byte of text is: by default, part of a word.
SPACE, TAG, ESCAPE, MAYBE_SPACE, PARTING = 1, 2, 3, 4, 5
EDGE = 0xFF
"""Stands for a tag that parts blocks, in what `_kernels_plain` writes; no UTF-8 text has this byte."""
BYTE_MEANING = np.zeros(256, np.uint8)
BYTE_MEANING[[*range(9, 14), *range(28, 33)]] = SPACE
BYTE_MEANING[[ord("<"), ord("&"), EDGE]] = TAG, ESCAPE, PARTING
BYTE_MEANING[[0xC2, 0xE1, 0xE2, 0xE3]] = MAYBE_SPACE  # how the white space beyond ASCII begins


@kernel(types.boolean(WORD), inline="always")
def _is_easy(word):  # type: ignore[no-untyped-def]
    """Whether eight bytes are ASCII text with single spaces: no tag, no escape, no control character, no two spaces in a row."""
    below = word - SPACES
    spaces = word ^ SPACES
    spaces = (spaces - EACH) & ~spaces & HIGH_BITS
    tag, escape = word ^ TAGS, word ^ ESCAPES
    return ((below | word | (tag - EACH) | (escape - EACH)) & HIGH_BITS) | (spaces & (spaces >> EIGHT)) == 0


@kernel(types.Tuple((WORD, WORD, types.int8))(BYTES, WORD, WORD, OUT8, WORD))
def _copy_easy(html, i, end, text, o):  # type: ignore[no-untyped-def]
    """Copy easy text eight bytes at a time from a place that follows a letter; a space at its end becomes a gap."""
    while i + EIGHT <= end:
        word = read_u64(html, i)
        if not _is_easy(word) or (text[o - ONE] == 32 and html[i] == 32):
            break
        write_u64(text, o, word)
        i += EIGHT
        o += EIGHT
    gap = text[o - ONE] == 32
    return i, o - np.uint64(gap), SPACED if gap else JOINED


@kernel(
    types.Tuple((types.int64, types.int64, types.int8))(
        BYTES, types.int64, types.int64, types.boolean, OUT8, types.int64, types.int8
    )
)
def copy_text(html, at, stop, escaped, text, out, gap):  # type: ignore[no-untyped-def]
    """Copy text up to the next tag, its white space collapsed; gives the places reached, and what parts it from what follows."""
    # Places are unsigned: for signed ones Numba adds a test for negative indices.
    i, o, end = np.uint64(at), np.uint64(out), np.uint64(stop)
    while i < end:
        byte = html[i]
        kind = BYTE_MEANING[byte]
        if kind in (SPACE, PARTING):
            gap = max(gap, SPACED if kind == SPACE else PARTED)
            i += ONE
            continue
        step = ONE
        if kind == TAG and escaped:
            break
        if kind == ESCAPE and escaped and i + np.uint64(3) < end:  # only amp; lt; gt; nbsp; follow
            second = html[i + ONE]
            if second == 110:
                gap = max(gap, SPACED)
                i += np.uint64(6)
                continue
            step = np.uint64(5 if second == 97 else 4)
            byte = np.uint8(38 if second == 97 else 60 if second == 108 else 62)
        elif kind == MAYBE_SPACE:
            width = space_width(html, np.int64(i), stop)
            if width:
                gap = max(gap, SPACED)
                i += np.uint64(width)
                continue
        if gap and o:
            text[o] = 10 if gap == PARTED else 32
            o += ONE
        gap = JOINED
        text[o] = byte
        o += ONE
        i += step
        while i < end and BYTE_MEANING[html[i]] == 0:
            text[o] = html[i]
            o += ONE
            i += ONE
        if i + EIGHT <= end and _is_easy(read_u64(html, i)):
            i, o, gap = _copy_easy(html, i, end, text, o)
    return np.int64(i), np.int64(o), gap
