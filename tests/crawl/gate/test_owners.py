"""Who owns a learned key, and who is fetched in place of whom."""

import sqlite3
from pathlib import Path

import pytest

from garimpo.crawl.gate.owners import LONGEST_CHAIN, Owners
from garimpo.crawl.state import schema
from garimpo.crawl.state.seen import SeenSet


@pytest.fixture
def owners(tmp_path: Path) -> Owners:
    db = sqlite3.connect(tmp_path / "state", isolation_level=None)
    schema.create(db)
    made = Owners(db, SeenSet(tmp_path))
    made.db = db
    return made


def test_the_first_url_with_a_key_owns_it_also_after_a_commit(owners: Owners) -> None:
    assert owners.claim(["k", "k", "l"], ["a", "b", "c"]) == [None, "a", None]
    assert owners.claim(["k"], ["a"]) == [None]
    owners.commit(owners.db)
    owners.committed()
    assert owners.claim(["k", "l"], ["d", "c"]) == ["a", None]


def test_no_two_urls_stand_for_each_other(owners: Owners) -> None:
    owners.replace("b", "a")
    owners.replace("c", "b")
    assert owners.would_loop("a", "c") and owners.would_loop("a", "b") and owners.would_loop("a", "a")
    assert not owners.would_loop("d", "c")


def test_chains_that_are_too_long_are_not_begun(owners: Owners) -> None:
    for number in range(LONGEST_CHAIN):
        owners.replace(f"u{number}", f"u{number + 1}")
    assert owners.would_loop("new", "u0") and not owners.would_loop("new", "u2")
