"""Digests of many texts at once are those of hashlib, one by one."""

import hashlib
import random

from hypothesis import given
from hypothesis import strategies as st

from garimpo.page import digest, digests


def plain(text):
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def test_all_lengths_around_the_blocks():
    data = random.Random(1).randbytes(400)
    texts = [data[start : start + length] for length in range(300) for start in (0, 3)]
    assert digests(texts) == [plain(text) for text in texts]


def test_long_and_short_ones_mixed():
    source = random.Random(2)
    texts = [source.randbytes(source.choice((0, 1, 127, 128, 129, 6000, 65536, 65537, 300_000))) for _ in range(200)]
    assert digests(texts) == [plain(text) for text in texts]


def test_few_and_none():
    assert digests([]) == []
    assert digests([b"", b"gold"]) == [plain(b""), digest(b"gold")]


@given(st.lists(st.binary(max_size=700), min_size=8, max_size=60))
def test_any_texts(texts):
    assert digests(texts) == [plain(text) for text in texts]
