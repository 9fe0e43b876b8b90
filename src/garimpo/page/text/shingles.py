"""Words of a text, and hashes of the words and shingles of whole columns."""

import unicodedata

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.engine.columns import flat
from garimpo.page.text.alphabet import folded, unsettled, word_pattern

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]


def words(text: str) -> list[str]:
    """The words of a text: runs of alphanumeric characters and `_` after NFC and lower case, character by character.

    Args:
        text: any text.

    >>> words("O garimpo de São_João, 2ª vez: 砂金")
    ['o', 'garimpo', 'de', 'são_joão', '2ª', 'vez', '砂', '金']
    """
    if not text.isascii():
        # `str.lower` differs from lower case character by character only in these two.
        text = unicodedata.normalize("NFC", text).replace("İ", "i").replace("Σ", "σ")
    return word_pattern().findall(text.lower())


def shingle_hashes(texts: pa.Array | pa.ChunkedArray, width: int = 5) -> tuple[Hashes, Offsets]:
    """xxh64 of each shingle (`width` words joined by one space) of each row, in order, repeats kept.

    The hashes of row i are `hashes[offsets[i]:offsets[i + 1]]`. A row of fewer words is one shingle; one without words,
    or a null, has none.

    Args:
        texts: a column of texts.
        width: words in a shingle.

    >>> import xxhash
    >>> hashes, offsets = shingle_hashes(pa.array(["Pan for gold!", ""]), width=2)
    >>> hashes.tolist() == [xxhash.xxh64_intdigest(b"pan for"), xxhash.xxh64_intdigest(b"for gold")], offsets.tolist()
    (True, [0, 2, 2])
    """
    from garimpo.page.text._kernels_words import shingle_rows

    if width < 1:
        raise ValueError("a shingle has at least one word")
    data, offsets = settled(texts)
    count = offsets.size - 1
    ends = np.zeros(count + 1, np.int64)
    if count == 0:
        return np.empty(0, np.uint64), ends
    longest, size = int(np.diff(offsets).max()), int(offsets[-1] - offsets[0])
    # A word takes two bytes or more with its separator; what is not filled is never touched, so costs no memory.
    hashes = np.empty(size // 2 + count + 1, np.uint64)
    scratch, starts = np.empty(2 * longest + 40, np.uint8), np.empty(longest + 2, np.int64)
    total = shingle_rows(data, offsets, folded(), width, scratch, starts, hashes, ends[1:])
    return hashes[:total], ends


def word_hashes(texts: pa.Array | pa.ChunkedArray) -> tuple[Hashes, Offsets]:
    """xxh64 of each word of each row, in order, repeats kept: shingles of width 1.

    Args:
        texts: a column of texts.

    >>> word_hashes(pa.array(["gold, gold"]))[1].tolist()
    [0, 2]
    """
    return shingle_hashes(texts, width=1)


def settled(texts: pa.Array | pa.ChunkedArray) -> tuple[NDArray[np.uint8], Offsets]:
    """The column's bytes in NFC. Only rows that hold a character NFC may change go through Python."""
    from garimpo.page.text._kernels_words import unsettled_rows

    if texts.null_count:
        texts = texts.fill_null("")  # a null row may have bytes under it
    data, offsets = flat(texts)
    rows = np.empty(offsets.size - 1, bool)
    unsettled_rows(data, offsets, unsettled(), rows)
    if not rows.any():
        return data, offsets
    pieces = [data[offsets[i] : offsets[i + 1]].tobytes() for i in range(rows.size)]
    for i in np.flatnonzero(rows):
        pieces[i] = unicodedata.normalize("NFC", pieces[i].decode("utf-8", "replace")).encode()
    return flat(pa.array(pieces, pa.large_binary()))
