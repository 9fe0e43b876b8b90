"""Who owns a learned key, and who is fetched in place of a skipped URL."""

import sqlite3

import numpy as np
import pyarrow as pa

from garimpo.crawl.state import rule_rows, skipped
from garimpo.crawl.state.seen import NEW, SeenSet
from garimpo.engine.columns import hash_strings

LONGEST_CHAIN = 6
"""A URL may stand for one that stands for one, and so on: longer chains are not begun."""


class Owners:
    """The first URL with a key owns it. Keys live in the seen set, beside the URLs' own; owners in the database."""

    def __init__(self, db: sqlite3.Connection, seen: SeenSet) -> None:
        self._db, self._seen = db, seen
        self._new: dict[int, str] = {}
        """The owners since the last commit."""
        self._replaced: dict[str, str] = {}
        """The URLs skipped since the last commit, and who is fetched in their place."""

    def claim(self, keys: list[str], urls: list[str]) -> list[str | None]:
        """For each URL the one that owns its key; None when it does itself, from now on or already."""
        if not keys:
            return []
        numbers = hash_strings(pa.array(keys, pa.string()))
        codes = self._seen.add(numbers)
        owners: list[str | None] = []
        for url, number, code in zip(urls, numbers.view(np.int64).tolist(), codes.tolist()):
            owner: str | None = url
            if code == NEW:
                self._new[number] = url
            else:
                owner = self._new.get(number) or rule_rows.owner(self._db, number)
            owners.append(None if owner == url else owner)
        return owners

    def replace(self, url: str, owner: str) -> None:
        """A URL is skipped: `owner` is fetched in its place."""
        self._replaced[url] = owner

    def would_loop(self, url: str, owner: str) -> bool:
        """Whether in the end `url` itself is fetched in place of `owner`: then neither would be."""
        at: str | None = owner
        for _ in range(LONGEST_CHAIN):
            if at is None:
                return False
            if at == url:
                return True
            at = self._replaced.get(at) or skipped.replacement_of(self._db, at)
        return True

    def commit(self, db: sqlite3.Connection) -> None:
        """Write the new owners; called inside the commit's transaction, followed by `committed`."""
        rule_rows.insert_owners(db, self._new.items())

    def committed(self) -> None:
        self._new.clear()
        self._replaced.clear()
