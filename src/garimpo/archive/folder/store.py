"""The crawl folder: opened, read, and added to in commits that are there whole or not at all."""

import contextlib
import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from garimpo.archive.folder import dropped, repairing, segments, state
from garimpo.archive.folder.configuration import is_crawl_folder, read_settings, write_settings
from garimpo.archive.folder.learned import Learned
from garimpo.archive.folder.lookup import UrlIndex, newest
from garimpo.archive.folder.merging import Merger
from garimpo.archive.folder.rebuilding import rebuild, rebuild_in_memory
from garimpo.archive.warc.reader import read_at
from garimpo.archive.warc.records import sha1_bytes
from garimpo.archive.warc.writer import ROLL_AT, WarcWriter
from garimpo.contract.errors import LeftOut
from garimpo.contract.records import Fetched

_FOLDERS = ("warc", "pages", "links", "state", "learned")
Fault = Callable[[sqlite3.Connection], str | None]
"""What is wrong with the tables that a caller keeps in the state file, or None."""

__all__ = ["Store", "is_crawl_folder"]


class Store:
    """One crawl folder. Made by `Store.create`, opened by `Store.open`; one process at a time may write to it.

    `settings` is what `crawl.toml` holds, `messages` what opening had to repair, `rebuilt` whether the state file had to
    be made anew from the tables, `lost` the listed files that could not be read whole (both until a crawl has asked for what
    they held again: it sets `settled`, and its next commit keeps that),
    `database` the SQLite connection (callers keep tables of their own there, and change them only inside `commit`), `warc`
    the writer of records, `learned` the versions of what was learned. One who only reads gets a `LeftOut` warning for each
    file that is damaged, and what the others hold.

    Args:
        path: the crawl folder.
        write: whether to repair it and to write to it.
        roll_at: the size in bytes at which a new WARC file is begun.
        fault: what says what is wrong with the state file, or None. `quick`: trust the listed files without a look into them.

    >>> import tempfile
    >>> from garimpo.contract.tables import PAGES, empty
    >>> with Store.create(Path(tempfile.mkdtemp()) / "crawl", {"max_pages": 10}) as store:
    ...     with store.commit(empty(PAGES)) as database:
    ...         _ = database.execute("CREATE TABLE queue (url TEXT)")
    ...     store.settings
    {'max_pages': 10}
    """

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        write: bool = True,
        roll_at: int = ROLL_AT,
        fault: Fault | None = None,
        quick: bool = False,
    ) -> None:
        self.path, self._quick = Path(path), quick
        self.settings, amiss = read_settings(self.path)
        self.messages: list[str] = []
        self.lost: list[str] = []
        self.rebuilt = self.settled = False
        self._checked: dict[str, bool] = {}
        self._pending: list[str] = []
        self._index: UrlIndex | None = None
        if write:
            for name in _FOLDERS:
                (self.path / name).mkdir(exist_ok=True)
        self._lock = state.lock(self.path) if write else -1
        try:
            self.database = self._connect(write, fault)
            if write:
                self._repair(amiss, roll_at)
                self._merger = Merger(self.path, self.database)
            elif amiss is not None:
                warnings.warn(amiss, LeftOut, stacklevel=3)
            self._next = segments.next_number(name for (name,) in self.database.execute("SELECT name FROM segments"))
            self.learned = Learned(self.path / "learned")
        except BaseException:
            self._unlock()
            raise
        for message in [*self.messages, *self.learned.messages] if write else []:
            self.log("repair", message=message)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        settings: dict[str, Any] | None = None,
        comments: Mapping[str, str] | None = None,
        **options: Any,
    ) -> "Store":
        """Make a crawl folder and open it; a folder that holds anything is refused.

        Args:
            path: the folder to make.
            settings: what `crawl.toml` will hold.
            comments: what each setting is for, by its name.
            options: as for opening it.
        """
        folder = Path(path)
        repairing.refuse_used(folder)
        for name in _FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
        for left in (folder / "state").iterdir():
            if left.is_file():
                left.unlink()
        state.connect(folder).close()
        write_settings(folder, settings or {}, comments)
        return cls(folder, **options)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, write: bool = True, **options: Any) -> "Store":
        """Open a crawl folder, repairing what a kill left. With `write` False nothing is changed; `quick` trusts its files."""
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
                segments.write_aside(self.path, name, [table])
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

    def merge(self) -> int:
        """Merge small segments, if enough have come together; how many fewer there are. On a full disk it waits for next time."""
        try:
            merged = self._merger.merge()
        except OSError as error:
            self.log("merging put off", message=str(error))
            return 0
        if merged:
            self.log("merged", segments=merged)
        return merged

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

    def check(self) -> None:
        """Warn of every listed file that is missing or damaged, as far as that can be told without reading all of them."""
        self._check([name for (name,) in self.database.execute("SELECT name FROM segments ORDER BY name")], quick=True)
        for name, length in state.warcs(self.database).items():
            path = self.path / "warc" / name
            if not path.exists() or path.stat().st_size < length:
                warnings.warn(f"{path}: {'cut' if path.exists() else 'missing'}", LeftOut, stacklevel=3)

    @property
    def database_is_made_up(self) -> bool:
        """Whether `database` was made in memory from the tables, and holds nothing of a crawl."""
        return self.rebuilt and self._lock < 0

    @property
    def writable(self) -> bool:
        """Whether it was opened to be written to."""
        return self._lock >= 0

    def dropped_bytes(self) -> int:
        """How much lies in `state/dropped/`."""
        return dropped.size(self.path)

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
        place = state.place_of_body(self.database, sha1_bytes(stored.payload_digest or ""))
        original = None if place is None else read_at(self.path / "warc" / place[0], place[1])
        if original is not None:
            stored.fetched.body = original.fetched.body
        return stored.fetched

    def log(self, event: str, **fields: Any) -> None:
        """Append one JSON line to `crawl.log`."""
        line = msgspec.json.encode({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields})
        with (self.path / "crawl.log").open("ab") as file:
            file.write(line + b"\n")

    def save_settings(self, settings: dict[str, Any], comments: Mapping[str, str] | None = None) -> None:
        """Replace what `crawl.toml` holds.

        Args:
            settings: all settings, by their names there.
            comments: what each setting is for, by its name.
        """
        write_settings(self.path, settings, comments)
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

    def _connect(self, write: bool, fault: Fault | None) -> sqlite3.Connection:
        """The state file, sound and as new as the tables; else one made anew."""
        database, why = None, "missing"
        if (self.path / state.FILE).exists():
            try:
                database = state.connect(self.path) if write else state.connect_to_read(self.path)
                why = "older than the tables" if repairing.is_older(self.path, database) else ""
                why = why or (fault(database) if fault is not None else None) or ""
            except (state.Damaged, sqlite3.DatabaseError) as damage:
                why = f"damaged ({damage})"
        if database is not None and not why:
            return database
        if database is not None:
            database.close()
        self.rebuilt = True
        if write:
            self.messages += rebuild(self.path, why)
            return state.connect(self.path)
        told = f"{self.path / state.FILE}: {why}; going by the tables (garimpo crawl --resume {self.path} rebuilds it)"
        warnings.warn(told, LeftOut, stacklevel=4)
        return rebuild_in_memory(self.path)

    def _repair(self, amiss: str | None, roll_at: int) -> None:
        if amiss is not None:
            write_settings(self.path, self.settings)
            self.messages.append(amiss)
        anew = self.rebuilt
        repaired = repairing.repair(self.path, self.database)
        self.messages += repaired.messages
        found = [*(["rebuilt"] if self.rebuilt else []), *repaired.lost]
        if found:
            state.note_pending(self.database, found)
        pending = state.pending(self.database)
        self.rebuilt = "rebuilt" in pending
        self.lost = [name for name in pending if name != "rebuilt"]
        self.warc = self._warc_writer(roll_at)
        if anew and self.removed():
            from garimpo.archive.folder.removal import take_out

            take_out(self, self.removed())  # a kill may have come between the take-down and the deleting of the old files

    def _warc_writer(self, roll_at: int) -> WarcWriter:
        lengths = state.warcs(self.database)
        packing = self.settings.get("warc_packing", "gzip")
        past = [name.removeprefix("warc/") for name in state.checksums(self.database) if name.startswith("warc/")]
        known = partial(state.stored_body, self.database)
        return WarcWriter(self.path / "warc", lengths, known, packing=packing, roll_at=roll_at, past=past)

    def _list(self, named: dict[str, pa.Table], lengths: dict[str, int]) -> None:
        if self.settled:
            self.database.execute("DELETE FROM pending")
        state.list_segments(self.database, self.path, {name: table.num_rows for name, table in named.items()})
        changed = lengths.items() - state.warcs(self.database).items()
        state.list_warcs(self.database, self.path, dict(changed))
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

    def _files(self, kind: str) -> list[Path]:
        query = "SELECT name FROM segments WHERE kind = ? ORDER BY name"
        names = [name for (name,) in self.database.execute(query, (kind,))]
        if self._lock < 0:
            self._check(names, self._quick)
        return [segments.location(self.path, name) for name in names if self._checked.get(name, True)]

    def _check(self, names: Sequence[str], quick: bool) -> None:
        """Look at segments not seen before; of those that are damaged a reader is told, and they are left out."""
        fresh = [name for name in names if name not in self._checked]
        found = repairing.faults(self.path, self.database, fresh, quick)
        listed = {name for (name,) in self.database.execute("SELECT name FROM segments")} if found else set()
        for name in fresh:
            self._checked[name] = name not in found
        for name in found.keys() & listed:  # one that a running crawl has merged by now is not missed
            told = f"{self.path / name}: {found[name]}, left out (garimpo crawl --resume {self.path} fetches its pages again)"
            warnings.warn(told, LeftOut, stacklevel=5)

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
