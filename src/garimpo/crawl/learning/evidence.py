"""Evidence for URL rules on disk: for each site the pages that were met, what they said, and the rules they gave.

::

    segment -> waiting rows -> rows of a site -> those studied -> clusters -> said, given

Rows wait until a round. Then they join the others of their site: a URL fetched again keeps its place and gets its new content.
Of a site only the first rows are studied, as many as `milestone` says: so a site is looked at again when it has grown by
some 2 to 3 %, or when a row changed that was studied; and what is studied depends on the rows alone, not on when rounds
came. Of a very large site a sample by hash is kept, in which the URLs of one page stay together.

All is one SQLite file that can be made again from the segments. One that cannot be read is deleted.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.crawl.learning.study import DamagedEvidence
from garimpo.dust.inputs.preparation import TABLE
from garimpo.dust.method.accumulator import Remembered
from garimpo.dust.method.site import SiteRows

FORMAT = 1
"""Another number than the file has: it is made again."""
MOST = 8192
"""Rows of a site that are kept; of one with more a half by hash, a quarter, and so on."""
PART = 50_000
"""Rows of sites that are read together."""
PAGE = 200
"""Sites that are recalled together."""
_SCHEMA = """
create table meta (name text primary key, value) without rowid;
create table sites (id integer primary key, name text not null unique, level integer not null, studied blob, rows blob);
create table waiting (id integer primary key, site integer not null, rows blob);
create table known (site integer primary key, known blob);
create table clusters (site integer primary key, rows blob);
"""


class Row(NamedTuple):
    """What a page says about which page it is; pages of other sites are named by a hash (`foreign`)."""

    url: str
    digest: int | None
    text_digest: int | None
    canonical: str | None
    redirect: str | None
    same_as: str | None

    @property
    def says_something(self) -> bool:
        """Whether anything is known of the page."""
        return any(said is not None for said in self[1:])

    @property
    def sampled_by(self) -> int:
        """The hash that decides whether the row is in a sample: the same for URLs known to lead to one page."""
        return xxhash.xxh64_intdigest((self.redirect or self.same_as or self.url).encode())


class SiteClusters(NamedTuple):
    """The URLs of a site that were studied, and the cluster of each, sorted by both."""

    urls: list[str]
    clusters: list[int]

    def rows(self) -> SiteRows:
        """The same as learners read it."""
        return SiteRows(pa.array(self.urls, pa.string()), np.array(self.clusters, np.int64))


_ROWS = msgspec.msgpack.Decoder(list[Row])
_CLUSTERS = msgspec.msgpack.Decoder(SiteClusters)
_KNOWN = msgspec.msgpack.Decoder(Remembered)
_encode = msgspec.msgpack.Encoder().encode


def milestone(rows: int) -> int:
    """How many of so many rows are studied: their number with all but its first six binary digits zero.

    >>> [milestone(rows) for rows in (7, 63, 65, 99, 1_000_000)]
    [7, 63, 64, 98, 999424]
    """
    spare = max(rows.bit_length() - 6, 0)
    return rows >> spare << spare


def merged(rows: list[Row], new: Iterable[Row], level: int, most: int = MOST) -> tuple[list[Row], int]:
    """Rows of a site with new ones, and how often the sample was halved: the same in however many steps they come.

    >>> a, b, again = (Row(url, digest, None, None, None, None) for url, digest in (("a", 1), ("b", 2), ("a", 3)))
    >>> [row.digest for row in merged([a], [b, again], 0)[0]]
    [3, 2]
    """
    place = {row.url: number for number, row in enumerate(rows)}
    rows = list(rows)
    for row in new:
        if row.sampled_by >> (64 - level):
            continue
        if place.setdefault(row.url, len(rows)) == len(rows):
            rows.append(row)
        else:
            rows[place[row.url]] = row
    while len(rows) > most:
        level += 1
        rows = [row for row in rows if not row.sampled_by >> (64 - level)]
    return rows, level


class SiteEvidence:
    """The file of one crawl; a `garimpo.dust.method.accumulator.Memory` of its sites."""

    def __init__(self, path: Path, most: int = MOST) -> None:
        """Open or make.

        Args:
            path: the file.
            most: rows of a site that are kept.
        """
        self._path, self._most = path, most
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self.guard():
                self._open()
        except DamagedEvidence:
            self._open()

    def _open(self) -> None:
        self._db = sqlite3.connect(self._path, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        found = self._db.execute("pragma user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise sqlite3.DatabaseError(f"format {found}")
        if not found:
            self._db.executescript(_SCHEMA)
            self._db.execute(f"pragma user_version = {FORMAT}")
        self._db.execute("begin")

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Around all that reads or writes: a file that cannot be read is deleted; opening it again begins with nothing."""
        try:
            yield
        except (sqlite3.DatabaseError, msgspec.DecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and not str(error).startswith("no such"):
                raise  # a full disk is no damage
            self._db.close()
            for end in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
            raise DamagedEvidence(f"{self._path}: {error}") from error

    def get(self, name: str, default: Any = None) -> Any:
        """A note."""
        row = self._db.execute("select value from meta where name = ?", (name,)).fetchone()
        return default if row is None else row[0]

    def put(self, name: str, value: Any) -> None:
        """Note something."""
        self._db.execute("insert or replace into meta values (?, ?)", (name, value))

    def save(self) -> None:
        """Commit all that was changed."""
        self._db.execute("commit")
        self._db.execute("begin")

    def close(self) -> None:
        """Let go of the file; what was not saved is as if it had not happened."""
        self._db.close()

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Let rows of some sites wait for the next round."""
        for site, own in rows.items():
            self._db.execute("insert into waiting (site, rows) values (?, ?)", (self._number(site), _encode(own)))

    def remove(self, site: str, is_gone: Callable[[str], bool]) -> None:
        """Take rows of a site back, and what others say about them."""
        number = self._number(site)
        rows, _ = self._join(number)
        left = (_without_targets(row, is_gone) for row in rows if not is_gone(row.url))
        kept = [row for row in left if row.says_something]
        if kept != rows:
            self._db.execute("update sites set rows = ? where id = ?", (_encode(kept), number))
            self._db.execute("insert into waiting (site, rows) values (?, ?)", (number, _encode([])))

    def names(self) -> list[str]:
        """All sites."""
        return [name for (name,) in self._db.execute("select name from sites order by id")]

    def count_known(self) -> int:
        """How many sites have said something: they show some page under two URLs."""
        return int(self._db.execute("select count(*) from known").fetchone()[0])

    def changed(self) -> Iterator[tuple[str, list[Row]]]:
        """Join what waits with the rows of its sites: the sites with other rows to study than before, and these."""
        for (number,) in self._db.execute("select distinct site from waiting order by site").fetchall():
            rows, level = self._join(number)
            studied = rows[: milestone(len(rows) << level) >> level]
            digest = xxhash.xxh64_digest(_encode(studied))
            name, before = self._one("select name, studied from sites where id = ?", number)
            if digest != before:
                self._db.execute("update sites set studied = ? where id = ?", (digest, number))
                yield name, studied

    def _join(self, number: int) -> tuple[list[Row], int]:
        level, packed = self._one("select level, rows from sites where id = ?", number)
        rows = _ROWS.decode(packed or b"\x90")
        waiting = self._db.execute("select rows from waiting where site = ? order by id", (number,)).fetchall()
        new = [row for (some,) in waiting for row in _ROWS.decode(some)]
        if new:
            rows, level = merged(rows, new, level, self._most)
            self._db.execute("update sites set level = ?, rows = ? where id = ?", (level, _encode(rows), number))
        self._db.execute("delete from waiting where site = ?", (number,))
        return rows, level

    def set_clusters(self, site: str, clusters: SiteClusters) -> None:
        """Keep the clusters of a site that was studied."""
        self._db.execute("insert or replace into clusters values (?, ?)", (self._number(site), _encode(clusters)))

    def parts(self) -> Iterator[pa.Table]:
        """The clusters of all sites, as `dust.prepare` makes them, in parts of whole sites."""
        urls: list[str] = []
        clusters: list[NDArray[np.int64]] = []
        highest = 0
        for _, packed in self._stepwise("select site, rows from clusters where site > ? order by site limit ?"):
            own = _CLUSTERS.decode(packed)
            if own.clusters:
                urls += own.urls
                clusters.append(np.array(own.clusters, np.int64) + highest)
                highest += own.clusters[-1] + 1
            if len(urls) >= PART:
                yield pa.table([pa.array(np.concatenate(clusters)), pa.array(urls, pa.string())], schema=TABLE)
                urls, clusters = [], []
        if urls:
            yield pa.table([pa.array(np.concatenate(clusters)), pa.array(urls, pa.string())], schema=TABLE)

    # -- a memory for learners --------------------------------------------------------------------------------------------

    def rows(self, site: str) -> SiteRows:
        (packed,) = self._one("select rows from clusters where site = ?", self._number(site))
        return _CLUSTERS.decode(packed).rows()

    def recall(self, site: str) -> Remembered | None:
        found = self._db.execute("select known from known where site = ?", (self._number(site),)).fetchone()
        return None if found is None else _KNOWN.decode(found[0])

    def sites(self) -> Iterator[tuple[str, Remembered]]:
        query = (
            "select k.site, k.known, s.name from known k join sites s on s.id = k.site where k.site > ? order by k.site limit ?"
        )
        for _, known, name in self._stepwise(query):
            yield name, _KNOWN.decode(known)

    def remember(self, site: str, what: Remembered | None) -> None:
        number = self._number(site)
        if what is None:
            self._db.execute("delete from known where site = ?", (number,))
        else:
            self._db.execute("insert or replace into known values (?, ?)", (number, _encode(what)))

    def _stepwise(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query by site, some at a time: what is written on the way disturbs nothing."""
        last = 0
        while rows := self._db.execute(query, (last, PAGE)).fetchall():
            yield from rows
            last = rows[-1][0]

    def _one(self, query: str, number: int) -> tuple[Any, ...]:
        row = self._db.execute(query, (number,)).fetchone()
        if row is None:
            raise sqlite3.DatabaseError(f"nothing about site {number}")
        return tuple(row)

    def _number(self, site: str) -> int:
        row = self._db.execute("select id from sites where name = ?", (site,)).fetchone()
        if row is None:
            return int(self._db.execute("insert into sites (name, level) values (?, 0)", (site,)).lastrowid or 0)
        return int(row[0])


def _without_targets(row: Row, is_gone: Callable[[str], bool]) -> Row:
    return Row(*row[:3], *(None if target is not None and is_gone(target) else target for target in row[3:]))
