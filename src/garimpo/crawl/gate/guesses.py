"""URLs that may well repeat a page: not skipped, but left for the end.

Rules that little speaks for, or nothing on this host, are *guesses*. When a URL's turn comes and the guesses give it the key of
a page that was asked for before, its turn passes: it goes behind everything that is not doubted, and is fetched when
nothing else is left. A wrong guess costs nothing but time, so it may be bold. One in `LET_THROUGH` is fetched in its
turn anyway: what it shows is what the learner makes rules of.
"""

import sqlite3

import numpy as np
import pyarrow as pa

from garimpo.crawl.components import Identity, KeyMap
from garimpo.crawl.state import fetched, schema
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.seen import KNOWN, KeyTable
from garimpo.engine.columns import hash_strings
from garimpo.url import key64

LET_THROUGH = 20


class Guesses:
    """The guesses in force, and the keys they give to the pages asked for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._keys: KeyMap = Identity()
        self._shown = KeyTable()
        self.postponed = 0
        """How many turns were passed in this run."""

    def take_up(self, keys: KeyMap) -> None:
        """New guesses: what was fetched gets its keys by them."""
        self._keys, self._shown = keys, KeyTable()
        if keys.version:
            for urls in fetched.pages(self._db):
                self._shown.add(hash_strings(pa.array(keys.keys(urls)[0], pa.string())))

    def doubts(self, entry: Entry) -> bool:
        """Whether an entry whose turn has come should wait: a page that it probably repeats was asked for."""
        if entry.kind != PAGE or entry.asked or not self._keys.applies(entry.host.name):
            return False
        entry.asked = True
        known = bool(self._shown.add(np.array([key64(self._keys.key(entry.url))], np.uint64))[0] == KNOWN)
        doubted = known and not entry.postponed and schema.unsigned(entry.key) % LET_THROUGH != 0
        self.postponed += doubted
        return doubted
