"""Tokens of grammar G."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from garimpo.url import token_type, tokens


@given(st.text())
def test_tokens_lose_nothing(text):
    assert "".join(tokens(text)) == text


@given(st.text())
def test_neighbours_of_one_type_are_punctuation(text):
    types = [token_type(token) for token in tokens(text)]
    assert all(a != b or a == "p" for a, b in itertools.pairwise(types))


def test_letters_beyond_ascii_are_punctuation():
    assert tokens("é9\n٣a") == ["é", "9", "\n", "٣", "a"]
    assert [token_type(token) for token in ["é", "9", "\n", "٣", "a"]] == ["p", "n", "p", "p", "a"]
