"""The one SQLite file of a crawl folder. What it lists is committed; what it does not list never happened."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from garimpo.archive.folder import segments
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.versions import CRAWL_FORMAT

try:
    import fcntl
except ImportError:  # a system without it reads crawl folders, and writes none
    fcntl = None  # type: ignore[assignment]

FILE = "state/crawl.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS segments (name TEXT PRIMARY KEY, kind TEXT NOT NULL, rows INTEGER NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS warcs (name TEXT PRIMARY KEY, length INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS bodies (
  digest BLOB PRIMARY KEY, url TEXT NOT NULL, at TEXT NOT NULL, warc_file TEXT NOT NULL, warc_offset INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checksums (name TEXT PRIMARY KEY, size INTEGER NOT NULL, time INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS replaced (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS pending (what TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS removed (what TEXT NOT NULL, at TEXT NOT NULL, pages INTEGER NOT NULL, links INTEGER NOT NULL);
"""
_LOG_PAGES = 1 << 13
"""The log grows to 32 MB before it is worked into the file: of a large crawl each commit changes thousands of pages, mostly
the same ones; writing them back for several commits at once saves a third of the time of the transaction."""
_PATIENCE = 5
"""So often the lock is tried again, a hundredth of a second apart."""
_CHECKED_UP_TO = 1 << 28
"""A state file of up to this size (256 MB) is checked page by page at every opening; a larger one only as it is used."""


class Damaged(GarimpoError):
    """The state file cannot be read."""


def connect(folder: Path) -> sqlite3.Connection:
    """Open the state file to write, making its tables where they are missing; `Damaged` if it is not sound."""
    try:
        database = sqlite3.connect(folder / FILE, isolation_level=None, check_same_thread=False, timeout=60)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # a commit must survive a power cut, or the renames after it lie
        database.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        create_tables(database)
        _check(database, folder)
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "malformed" in str(error) or "no such column" in str(error):  # a schema that cannot be read, or is of another file
            raise Damaged(f"{folder / FILE}: {error}") from None
        raise GarimpoError(f"{folder / FILE}: {error}") from None
    except sqlite3.DatabaseError as error:
        raise Damaged(f"{folder / FILE}: {error}") from None
    if version not in (0, CRAWL_FORMAT):
        raise BadInput(wrong_version(folder, version))
    database.execute(f"PRAGMA user_version = {CRAWL_FORMAT}")
    return database


def create_tables(database: sqlite3.Connection) -> None:
    """Make the tables that are missing.

    Args:
        database: the open state file.
    """
    database.executescript(_TABLES)


def connect_to_read(folder: Path) -> sqlite3.Connection:
    """Open the state file beside a running crawl, or in a folder that may not be written; `Damaged` if it is not sound."""
    path = (folder / FILE).absolute().as_uri()
    for mode in ("mode=ro", "immutable=1"):  # a read-only folder cannot hold the shared-memory file that mode=ro needs
        try:
            database = sqlite3.connect(f"{path}?{mode}", uri=True, isolation_level=None, check_same_thread=False, timeout=60)
            _check(database, folder)
            return database
        except sqlite3.OperationalError as error:
            failure: sqlite3.Error = error
        except sqlite3.DatabaseError as error:
            failure = error
            break
    raise Damaged(f"{folder / FILE}: {failure}")


def _check(database: sqlite3.Connection, folder: Path) -> None:
    """The pages of a file that is not too large, and what is listed; `sqlite3.DatabaseError` if something is wrong."""
    if (folder / FILE).stat().st_size <= _CHECKED_UP_TO:
        verdict = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
    _check_listed(database)


def _check_listed(database: sqlite3.Connection) -> None:
    """What is listed must be names and counts; `sqlite3.DatabaseError` if not."""
    for name, kind, rows in database.execute("SELECT name, kind, rows FROM segments"):
        if not segments.is_name(name) or name.partition("/")[0] != kind or type(rows) is not int:
            raise sqlite3.DatabaseError(f"{name!r} is no segment")
    for name, length in database.execute("SELECT name, length FROM warcs"):
        if not isinstance(name, str) or "/" in name or type(length) is not int or length < 0:
            raise sqlite3.DatabaseError(f"{name!r} is no WARC file")


def checksums(database: sqlite3.Connection) -> dict[str, tuple[int, int, bytes]]:
    """Size, time of the last change and digest of each segment; a state file of the first release has none.

    Args:
        database: the open state file.
    """
    try:
        return {name: (size, time, digest) for name, size, time, digest in database.execute("SELECT * FROM checksums")}
    except sqlite3.OperationalError:
        return {}


def replaced(database: sqlite3.Connection) -> set[str]:
    """The files that others have taken the place of in a commit.

    Args:
        database: the open state file.
    """
    try:
        return {name for (name,) in database.execute("SELECT name FROM replaced")}
    except sqlite3.OperationalError:
        return set()


def pending(database: sqlite3.Connection) -> list[str]:
    """What an opening found and the crawl has not made good yet: `rebuilt`, and the names of lost files.

    Args:
        database: the open state file.
    """
    return [what for (what,) in database.execute("SELECT what FROM pending ORDER BY what")]


def note_pending(database: sqlite3.Connection, what: Iterable[str]) -> None:
    """Add to it.

    Args:
        database: the open state file.
        what: names of lost files, or `rebuilt`.
    """
    database.executemany("INSERT OR IGNORE INTO pending VALUES (?)", [(one,) for one in what])


def list_segments(database: sqlite3.Connection, folder: Path, rows: Mapping[str, int]) -> None:
    """List segments that were written aside, with their checksums; inside a transaction.

    Args:
        database: the open state file.
        folder: the crawl folder.
        rows: how many rows each segment has.
    """
    now = datetime.now(UTC).isoformat()
    for name, count in rows.items():
        path = segments.location(folder, name, patience=0)
        stat = path.stat()
        database.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", (name, name.partition("/")[0], count, now))
        checked = (name, stat.st_size, stat.st_mtime_ns, segments.checksum(path))
        database.execute("INSERT OR REPLACE INTO checksums VALUES (?, ?, ?, ?)", checked)


def unlist_segments(database: sqlite3.Connection, names: Iterable[str]) -> None:
    """Forget segments; inside a transaction.

    Args:
        database: the open state file.
        names: the segments.
    """
    for name in names:
        database.execute("DELETE FROM segments WHERE name = ?", (name,))
        database.execute("DELETE FROM checksums WHERE name = ?", (name,))


def warcs(database: sqlite3.Connection) -> dict[str, int]:
    """How many bytes of each WARC file are committed.

    Args:
        database: the open state file.
    """
    return dict(database.execute("SELECT name, length FROM warcs ORDER BY name"))


def list_warcs(database: sqlite3.Connection, folder: Path, lengths: Mapping[str, int]) -> None:
    """List WARC files up to a length, with the time of their last change; inside a transaction.

    Args:
        database: the open state file.
        folder: the crawl folder.
        lengths: how many bytes of each file are committed.
    """
    for name, length in lengths.items():
        time = (folder / "warc" / name).stat().st_mtime_ns
        database.execute("INSERT OR REPLACE INTO warcs VALUES (?, ?)", (name, length))
        database.execute("INSERT OR REPLACE INTO checksums VALUES (?, ?, ?, ?)", (f"warc/{name}", length, time, b""))


def stored_body(database: sqlite3.Connection, digest: bytes) -> tuple[str, str] | None:
    """URL and time of the answer whose body has this digest.

    Args:
        database: the state file.
        digest: SHA-1 of a body.
    """
    return database.execute("SELECT url, at FROM bodies WHERE digest = ?", (digest,)).fetchone()


def place_of_body(database: sqlite3.Connection, digest: bytes | None) -> tuple[str, int] | None:
    """File and offset of the record that holds the body with this digest.

    Args:
        database: the state file.
        digest: SHA-1 of a body, if it is known.
    """
    query = "SELECT warc_file, warc_offset FROM bodies WHERE digest = ?"
    return None if digest is None else database.execute(query, (digest,)).fetchone()


def wrong_version(folder: Path, version: object) -> str:
    """The line that refuses a folder of another format."""
    return (
        f"{folder}: crawl folder of format {version}, this program reads format {CRAWL_FORMAT}: "
        "use the version of garimpo that made it, or import its WARC files (garimpo archive import DIR/warc/FILE --out NEW)"
    )


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def lock(folder: Path) -> int:
    """Take the folder for writing; the system lets go of it when this process ends, however it ends."""
    if fcntl is None:
        raise BadInput(f"{folder}: this system cannot lock it, so nothing can be written to it")
    descriptor = os.open(folder / "state/lock", os.O_RDWR | os.O_CREAT, 0o644)
    for patience in range(_PATIENCE, -1, -1):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if patience:  # it may be one who asks whether the folder is in use
                time.sleep(0.01)
                continue
            holder = os.read(descriptor, 20).decode(errors="replace").strip()
            os.close(descriptor)
            raise BadInput(f"{folder}: in use by another process ({holder or 'unknown'})") from None
    os.truncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def is_locked(folder: Path) -> bool:
    """Whether a process has the folder for writing.

    Args:
        folder: the crawl folder.
    """
    try:
        descriptor = os.open(folder / "state/lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
