"""Blocks as the kernel reads them, against plain Python."""

import re

import pyarrow as pa
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from garimpo.page import words
from garimpo.page.text.blocks import read_blocks


def twin(text):
    """(hash as it is, hash masked or 0, has a letter, words, masked words) of each block."""
    found = []
    for line in text.split("\n"):
        if not (these := words(line)):
            continue
        joined = " ".join(these)
        worded = sum(len(re.sub("[0-9_]", "", word)) >= 2 for word in these)
        mask = re.search("[0-9]", joined) and worded >= 3
        masked = re.sub("[0-9]+", "0", joined)
        hashes = [xxhash.xxh64_intdigest(word.encode()) & 0xFFFFFFFF for word in these]
        soft = [xxhash.xxh64_intdigest(word.encode()) & 0xFFFFFFFF for word in masked.split(" ")] if mask else hashes
        lettered = bool(re.search("[^0-9_ ]", joined))
        found.append(
            (
                xxhash.xxh64_intdigest(joined.encode()),
                xxhash.xxh64_intdigest(masked.encode()) if mask else 0,
                lettered,
                hashes,
                soft,
            )
        )
    return found


def flat(blocks, page):
    out = []
    for block in range(blocks.offsets[page], blocks.offsets[page + 1]):
        span = slice(blocks.word_offsets[block], blocks.word_offsets[block + 1])
        row = (int(blocks.as_is[block]), int(blocks.masked[block]), bool(blocks.lettered[block]))
        out.append((*row, blocks.words[span].tolist(), blocks.masked_words[span].tolist()))
    return out


LINES = st.lists(
    st.sampled_from(["gold", "São", "12", "x9y", "2021-05-01", "一", "_", "!", "7", "read", "\n", "ÉTÉ", "a"]), max_size=20
)


@given(st.lists(LINES.map(" ".join), max_size=5))
def test_the_kernel_reads_blocks_as_python_does(texts):
    blocks = read_blocks(pa.array(texts, pa.large_string()))
    assert [flat(blocks, i) for i in range(len(texts))] == [twin(text) for text in texts]


@given(st.lists(LINES.map(" ".join), min_size=1, max_size=5), st.data())
def test_pages_can_be_taken_out(texts, data):
    blocks = read_blocks(pa.array(texts))
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6))
    taken = blocks.take(rows)
    assert [flat(taken, i) for i in range(len(taken))] == [flat(blocks, row) for row in rows]


def test_a_null_text_has_no_blocks():
    assert read_blocks(pa.array([None, "a"])).offsets.tolist() == [0, 0, 1]
