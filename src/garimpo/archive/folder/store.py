"""The crawl folder: opened, read, and added to in commits that are there whole or not at all."""

import contextlib
import os
import sqlite3
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import tomli_w

from garimpo.archive import repair, segments, state
from garimpo.archive.learned import Learned
from garimpo.archive.lookup import UrlIndex, newest
from garimpo.archive.reading import Stored, read_at
from garimpo.archive.records import sha1_bytes
from garimpo.archive.warc import ROLL_AT, WarcWriter
from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish_bytes
from garimpo.contract.records import Fetched
from garimpo.contract.versions import CRAWL_FORMAT

_FOLDERS = ("warc", "pages", "links", "state", "learned")


class Store:
    """One crawl folder. Made by `Store.create`, opened by `Store.open`; one process at a time may write to it.

    `settings` is what `crawl.toml` holds, `messages` what opening had to repair, `rebuilt` whether the state file had to
    be made anew from the tables, `database` the SQLite connection (callers keep tables of their own there, and change
    them only inside `commit`), `warc` the writer of records, `learned` the versions of what was learned.

    >>> import tempfile
    >>> from garimpo.contract.tables import PAGES, empty
    >>> with Store.create(Path(tempfile.mkdtemp()) / "crawl", {"max_pages": 10}) as store:
    ...     with store.commit(empty(PAGES)) as database:
    ...         _ = database.execute("CREATE TABLE queue (url TEXT)")
    ...     store.settings
    {'max_pages': 10}
    """

    def __init__(self, path: str | os.PathLike[str], *, write: bool = True, roll_at: int = ROLL_AT) -> None:
        self.path = Path(path)
        self.settings = read_settings(self.path)
        self.messages: list[str] = []
        self.rebuilt = False
        self._lock = state.lock(self.path) if write else -1
        try:
            self.database = self._connect(write)
            if write:
                self.messages += repair.repair(self.path, self.database)
                self.warc = self._warc_writer(roll_at)
        except BaseException:
            self._unlock()
            raise
        self._next = self._next_number()
        self._pending: list[str] = []
        self._index: UrlIndex | None = None
        self.learned = Learned(self.path / "learned")
        for message in [*self.messages, *self.learned.messages] if write else []:
            self.log("repair", message=message)

    @classmethod
    def create(cls, path: str | os.PathLike[str], settings: dict[str, Any] | None = None, **options: Any) -> "Store":
        """Make a crawl folder and open it; a folder that holds anything is refused."""
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"{folder}: is a file")
        if (folder / "crawl.toml").exists():
            raise BadInput(f"{folder}: holds a crawl already (choose another --out)")
        if folder.exists() and not repair.left_by_failed_create(folder):
            raise BadInput(f"{folder}: is not empty (choose another --out)")
        for name in _FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
        for left in (folder / "state").iterdir():
            left.unlink()
        state.connect(folder).close()
        write_settings(folder, settings or {})
        return cls(folder, **options)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, write: bool = True, **options: Any) -> "Store":
        """Open a crawl folder, repairing what a kill left. With `write` False nothing is changed and no lock is taken."""
        return cls(path, write=write, **options)

    @contextlib.contextmanager
    def commit(self, pages: pa.Table | None = None, links: pa.Table | None = None) -> Iterator[sqlite3.Connection]:
        """Commit rows, the WARC records written so far, and whatever the block does to the database: all or nothing.

        An error, in the block or of the disk, leaves the folder as it was; records written to `warc` stay for the next try.
        """
        lengths = self.warc.sync()
        tables = {f"{kind}/{self._next:08d}.parquet": table for kind, table in (("pages", pages), ("links", links))}
        named = {name: table for name, table in tables.items() if table is not None and table.num_rows}
        try:
            for name, table in named.items():
                segments.write_aside(self.path, name, table)
            with state.transaction(self.database) as database:
                self._list(named, lengths)
                yield database
        except BaseException:
            for name in named:
                segments.aside(self.path, name).unlink(missing_ok=True)
            raise
        self._next += 1
        self.warc.fresh.clear()
        self._rename([*self._pending, *named])

    def pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Every committed row of the pages table, oldest segment first."""
        return segments.batches(self.page_files(), columns)

    def links(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Every committed row of the links table, oldest segment first."""
        return segments.batches(self.link_files(), columns)

    def latest(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The newest row with status 200 of each URL."""
        return newest(self.page_files(), columns, self.path / "state")

    def page_files(self) -> list[Path]:
        """The committed segments of the pages table."""
        return self._files("pages")

    def link_files(self) -> list[Path]:
        """The committed segments of the links table."""
        return self._files("links")

    def count(self, kind: str = "pages") -> int:
        """How many rows of `pages` or `links` are committed."""
        return self.database.execute("SELECT coalesce(sum(rows), 0) FROM segments WHERE kind = ?", (kind,)).fetchone()[0]

    def removed(self) -> list[str]:
        """The URLs and hosts that were taken out of this folder for good, as they were named: not to be fetched again."""
        return [what for (what,) in self.database.execute("SELECT DISTINCT what FROM removed ORDER BY what")]

    def record(self, url: str) -> Fetched | None:
        """The stored answer for a URL: the newest with status 200, else the newest; None if there is none to be read."""
        if self._index is None:
            self._index = UrlIndex()
        self._index.update(self.page_files())
        place = self._index.find(url)
        return None if place is None else self.record_at(*place)

    def record_at(self, warc_file: str, warc_offset: int) -> Fetched | None:
        """The stored answer at a place named by a pages row; a revisit comes with the body it repeats."""
        stored = read_at(self.path / "warc" / warc_file, warc_offset)
        if stored is None or not stored.revisit:
            return None if stored is None else stored.fetched
        original = self._original(stored)
        if original is not None:
            stored.fetched.body = original.fetched.body
        return stored.fetched

    def log(self, event: str, **fields: Any) -> None:
        """Append one JSON line to `crawl.log`."""
        line = msgspec.json.encode({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields})
        with (self.path / "crawl.log").open("ab") as file:
            file.write(line + b"\n")

    def save_settings(self, settings: dict[str, Any]) -> None:
        """Replace what `crawl.toml` holds."""
        write_settings(self.path, settings)
        self.settings = dict(settings)

    def close(self) -> None:
        """Let go of the folder. What was not committed is gone, as after a kill."""
        self.database.close()
        if self._lock >= 0:
            self.warc.close()
            self._unlock()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _connect(self, write: bool) -> sqlite3.Connection:
        if not write:
            try:
                return state.connect_to_read(self.path)
            except state.Damaged as damage:
                raise BadInput(f"{damage} (garimpo crawl --resume {self.path} rebuilds it)") from None
        try:
            if not (self.path / state.FILE).exists():
                raise state.Damaged("missing")
            return state.connect(self.path)
        except state.Damaged:
            self.messages += repair.rebuild(self.path)
            self.rebuilt = True
            return state.connect(self.path)

    def _warc_writer(self, roll_at: int) -> WarcWriter:
        lengths = dict(self.database.execute("SELECT name, length FROM warcs"))
        packing = self.settings.get("warc_packing", "gzip")
        return WarcWriter(self.path / "warc", lengths, self._stored_body, packing=packing, roll_at=roll_at)

    def _stored_body(self, digest: bytes) -> tuple[str, str] | None:
        return self.database.execute("SELECT url, at FROM bodies WHERE digest = ?", (digest,)).fetchone()

    def _original(self, stored: Stored) -> Stored | None:
        digest = sha1_bytes(stored.payload_digest or "")
        query = "SELECT warc_file, warc_offset FROM bodies WHERE digest = ?"
        place = self.database.execute(query, (digest,)).fetchone() if digest else None
        return None if place is None else read_at(self.path / "warc" / place[0], place[1])

    def _list(self, named: dict[str, pa.Table], lengths: dict[str, int]) -> None:
        now = datetime.now(UTC).isoformat()
        rows = [(name, name.partition("/")[0], table.num_rows, now) for name, table in named.items()]
        self.database.executemany("INSERT INTO segments VALUES (?, ?, ?, ?)", rows)
        self.database.executemany("INSERT OR REPLACE INTO warcs VALUES (?, ?)", lengths.items())
        bodies = [(digest, *place) for digest, place in self.warc.fresh.items()]
        self.database.executemany("INSERT OR IGNORE INTO bodies VALUES (?, ?, ?, ?, ?)", bodies)

    def _rename(self, names: list[str]) -> None:
        """The commit has happened: a rename that fails now (a full disk) is only put off, readers find the file aside."""
        try:
            segments.finish(self.path, names)
            self._pending = []
        except OSError as error:
            self._pending = names
            self.log("rename put off", message=str(error))

    def _next_number(self) -> int:
        names = self.database.execute("SELECT name FROM segments")
        return 1 + max((int(Path(name).stem.partition("-")[0]) for (name,) in names), default=0)

    def _files(self, kind: str) -> list[Path]:
        names = self.database.execute("SELECT name FROM segments WHERE kind = ? ORDER BY name", (kind,))
        return [segments.location(self.path, name) for (name,) in names]

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def is_crawl_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a crawl folder."""
    return (Path(path) / "crawl.toml").is_file()


def read_settings(folder: Path) -> dict[str, Any]:
    """What `crawl.toml` holds, without the format version, which is checked here."""
    file = folder / "crawl.toml"
    try:
        settings = tomllib.loads(file.read_text())
    except FileNotFoundError:
        raise BadInput(f"{folder}: no crawl folder (no crawl.toml in it)") from None
    except NotADirectoryError:
        raise BadInput(f"{folder}: a file, not a crawl folder") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from None
    version = settings.pop("format", None)
    if version != CRAWL_FORMAT:
        raise BadInput(state.wrong_version(folder, version))
    return settings


def write_settings(folder: Path, settings: dict[str, Any]) -> None:
    """Replace `crawl.toml`; settings that are None are left out."""
    given = {name: value for name, value in settings.items() if value is not None}
    publish_bytes(folder / "crawl.toml", tomli_w.dumps({"format": CRAWL_FORMAT, **given}).encode())
