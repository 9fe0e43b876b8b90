"""Whether two URLs showed the same page, by what the database knows of them."""

import sqlite3

import pytest

from garimpo.crawl.gate.checks import compare
from garimpo.crawl.state import fetched, host_rows, schema
from garimpo.url import key64

A, B, C = (f"http://a.example/{name}" for name in "abc")


@pytest.fixture
def db() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    schema.create(made)
    host_rows.insert(made, [(1, "a.example", "a.example", 0.0, 0.0, 0, 0)])
    return made


def fetch(
    db: sqlite3.Connection,
    url: str,
    status: int = 200,
    digest: int | None = None,
    text: int | None = None,
    repeats: str | None = None,
    redirect: str | None = None,
) -> None:
    fetched.insert(db, [(1, schema.signed(key64(url)), url, 5.0, status, digest, text, None, repeats, redirect, None, None)])


def test_bytes_text_or_a_common_original_make_pages_equal(db: sqlite3.Connection) -> None:
    for one, other in (
        ({"digest": 7}, {"digest": 7}),
        ({"text": 7}, {"text": 7}),
        ({"repeats": C}, {"repeats": C}),
        ({}, {"repeats": A}),
    ):
        fetch(db, A, **one)
        fetch(db, B, **other)
        assert compare(db, A, B) == "equal", (one, other)
    fetch(db, A, digest=1, text=2)
    fetch(db, B, digest=3, text=4)
    assert compare(db, A, B) == "different"


def test_redirects_are_followed_to_where_they_land(db: sqlite3.Connection) -> None:
    fetch(db, A, status=301, redirect=C)
    fetch(db, B, digest=7)
    assert compare(db, A, B) == "not yet"
    fetch(db, C, digest=7)
    assert compare(db, A, B) == "equal"
    fetch(db, C, status=301, redirect=A)
    assert compare(db, A, B) == "not yet"  # they lead round in a circle


def test_a_page_that_is_missing_says_nothing_unless_it_must_exist(db: sqlite3.Connection) -> None:
    fetch(db, A, digest=7)
    fetch(db, B, status=404)
    assert compare(db, A, B) == "unknown" and compare(db, A, B, must_exist=True) == "different"
    assert compare(db, B, A, must_exist=True) == "unknown"
