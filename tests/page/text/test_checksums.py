"""Digests are the first eight bytes of a BLAKE2b of that length, as one number."""

from hypothesis import given
from hypothesis import strategies as st

from garimpo.page import digest, read, text_digest


def test_digests_are_what_stored_tables_hold():
    assert digest(b"") == 0xE4A6A0577479B2B4
    assert digest(b"gold") == 10837187491037727384


@given(st.text())
def test_white_space_does_not_count_in_the_digest_of_a_text(text):
    assert text_digest(f"  {text}\n\n") == text_digest(" ".join(text.split()))


def test_a_page_has_both_digests():
    page = read(b"<p>pan\n<p>gold", "http://a.org/")
    assert (page.digest, page.text_digest) == (digest(b"<p>pan\n<p>gold"), digest(b"pan gold"))
