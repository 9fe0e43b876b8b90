"""Checks of learned rules: a URL that a rule would skip is fetched, and compared with the one that stands for it."""

import sqlite3
from typing import Literal, NamedTuple

from garimpo.crawl.state import fetched

Comparison = Literal["equal", "different", "unknown", "not yet"]
"""`unknown`: one of the two could not be fetched. `not yet`: one of the two was not fetched so far."""


class Check(NamedTuple):
    """A skipped URL that is fetched, to be compared with the owner of its key."""

    url: str
    url_key: int
    host_id: int
    host: str
    rule: str
    owner: str


def compare(db: sqlite3.Connection, url: str, other: str, must_exist: bool = False) -> Comparison:
    """Whether two URLs showed the same page: equal bytes, equal text, or near-duplicates of one page.

    Args:
        db: The state of the crawl.
        url: The URL that was fetched as a check.
        other: The URL that stands for it.
        must_exist: Whether they differ if the first is a page and the other does not exist.
    """
    first, second = fetched.landed(db, url), fetched.landed(db, other)
    if first is None or second is None:
        return "not yet"
    if must_exist and first.status == 200 and second.status in (404, 410):
        return "different"
    if first.status != 200 or second.status != 200:
        return "unknown"
    same_bytes = first.digest is not None and first.digest == second.digest
    same_text = first.text_digest is not None and first.text_digest == second.text_digest
    originals = {first.duplicate_of or first.url, second.duplicate_of or second.url}
    return "equal" if same_bytes or same_text or len(originals) == 1 else "different"
