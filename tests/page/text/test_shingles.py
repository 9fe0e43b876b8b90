"""Words and shingles: the kernel against plain Python, on any text."""

import unicodedata
from itertools import pairwise

import pyarrow as pa
import pytest
import xxhash
from hypothesis import example, given
from hypothesis import strategies as st

from garimpo.page import shingle_hashes, word_hashes, words
from garimpo.page.text.alphabet import END, stands_alone, unsettled

# Mostly characters at which tables and encoders go wrong, then all others.
TRICKY = st.sampled_from(
    "aZ_9 .,-\n\0\x7f\x80\xa0éÉßẞİıΣσςǅﬁⅫ²½ªº\u0300\u0301\u0327\u0345e\u0301각\u1100\u1161\u11a8\u212b\u2126\u1e9b\u0323"
    "漢字かカﾊﾞー々〇。ไทยกำ๑ລາວខ្មែរမြန်မာ\u0958\u0f73\u200b\u200d\u2028\u3000😀𝔘𐐀𐐨𠀀\U0002f800\U0003134f\ue000\ufeff\U0010ffff"
)
TEXT = st.text(TRICKY | st.characters(exclude_categories=["Cs"]), max_size=60)


def plain_words(text: str) -> list[str]:
    """The definition, word by word."""
    found, run = [], ""
    for character in unicodedata.normalize("NFC", text):
        lower = character.lower()[0]
        alone = stands_alone(lower)
        if run and (alone or not (lower.isalnum() or lower == "_")):
            found.append(run)
            run = ""
        if alone:
            found.append(lower)
        elif lower.isalnum() or lower == "_":
            run += lower
    return [*found, run] if run else found


def plain_shingles(text: str, width: int) -> list[int]:
    found = plain_words(text)
    shingles = [found[i : i + width] for i in range(max(1, len(found) - width + 1))] if found else []
    return [xxhash.xxh64_intdigest(" ".join(shingle).encode()) for shingle in shingles]


def by_row(hashes, offsets):
    return [hashes[a:b].tolist() for a, b in pairwise(offsets)]


@given(TEXT)
@example("ΑΣ ΑΣΑ İstanbul")
@example("e\u0301 \u0301e")
def test_words_are_as_defined(text):
    assert words(text) == plain_words(text)


@given(st.lists(st.none() | TEXT, max_size=8), st.integers(1, 6))
@example(["a b c d e", "", None, "one", "\u212b"], 5)
@example(["Ⱥ" * 50, "漢" * 50], 1)
def test_kernel_equals_plain_python(texts, width):
    for kind in (pa.string(), pa.large_string()):
        assert by_row(*shingle_hashes(pa.array(texts, kind), width)) == [plain_shingles(text or "", width) for text in texts]


@given(st.lists(st.text("ab \u00e9,", max_size=90), max_size=4))
def test_long_shingles_of_few_letters(texts):
    assert by_row(*shingle_hashes(pa.array(texts, pa.string()), 9)) == [plain_shingles(text, 9) for text in texts]


def test_every_character_by_itself_and_inside_a_word():
    characters = [chr(code) for code in range(END + 1000) if not 0xD800 <= code < 0xE000]
    texts = [f"x{character}y{character}" for character in characters]
    hashes, offsets = word_hashes(pa.array(texts))
    expected = [[xxhash.xxh64_intdigest(word.encode()) for word in words(text)] for text in texts]
    assert by_row(hashes, offsets) == expected


def test_nothing_of_interest_lies_past_the_tables():
    for code in range(END, 0x110000):
        character = chr(code)
        assert not character.isalnum() and character.lower() == character and not unicodedata.decomposition(character)


@given(TEXT)
def test_settled_text_is_in_nfc(text):
    table = unsettled()
    if not any(ord(character) < END and table[ord(character)] for character in text):
        assert unicodedata.is_normalized("NFC", text)


def test_slices_chunks_and_nothing():
    whole = pa.array(["one two", None, "three é four", "five"])
    expected = [plain_shingles(text or "", 1) for text in whole.to_pylist()]
    assert by_row(*word_hashes(whole.slice(1, 2))) == expected[1:3]
    assert by_row(*word_hashes(pa.chunked_array([whole, whole.slice(3)]))) == [*expected, expected[3]]
    assert by_row(*word_hashes(pa.array([], pa.string()))) == []
    assert by_row(*word_hashes(pa.chunked_array([], pa.string()))) == []
    with pytest.raises(ValueError):
        shingle_hashes(whole, 0)
