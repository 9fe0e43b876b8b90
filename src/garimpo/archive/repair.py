"""Making a crawl folder whole after a kill, by the one rule that the state file is the truth."""

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from fastwarc.warc import response

from garimpo.archive import segments, state
from garimpo.archive.reading import read_records, record_end
from garimpo.archive.records import sha1_bytes
from garimpo.contract.reading import Counts

_OURS = {"warc", "pages", "links", "state", "learned", "crawl.log"}


def repair(folder: Path, database: sqlite3.Connection) -> list[str]:
    """Finish the renames that are listed, delete segments that are not, cut the WARC files; says what it did."""
    listed = [name for (name,) in database.execute("SELECT name FROM segments")]
    messages = [f"finished the rename of {name}" for name in segments.finish(folder, listed)]
    messages += [f"dropped {name}: it was never committed" for name in segments.drop_unlisted(folder, set(listed))]
    messages += [f"{name} is listed but missing: its rows are lost" for name in listed if not (folder / name).exists()]
    lengths = dict(database.execute("SELECT name, length FROM warcs"))
    return messages + _cut(folder / "warc", lengths)


def _cut(folder: Path, lengths: dict[str, int]) -> list[str]:
    messages = []
    for path in sorted(folder.iterdir()):
        size = path.stat().st_size
        if path.name not in lengths:
            path.unlink()
            messages.append(f"dropped warc/{path.name}: it was never committed")
        elif size > lengths[path.name]:
            os.truncate(path, lengths[path.name])
            extra = size - lengths[path.name]
            messages.append(f"cut warc/{path.name} at {lengths[path.name]:,} bytes: {extra:,} were never committed")
        elif size < lengths[path.name]:
            messages.append(f"warc/{path.name} has {size:,} bytes of {lengths[path.name]:,}: its last records are lost")
    return messages


def rebuild(folder: Path) -> list[str]:
    """Put a new state file in the place of a damaged one, listing every whole segment and WARC file; says what it did."""
    old = folder / state.FILE
    messages = []
    if old.exists():
        kept = old.with_name(f"crawl.sqlite.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}")
        old.replace(kept)
        messages.append(f"the state file was damaged: kept as state/{kept.name}, rebuilt from the tables")
    else:
        messages.append("the state file was missing: rebuilt from the tables")
    for left in old.parent.glob("crawl.sqlite-*"):
        left.unlink()
    database = state.connect(folder)
    with state.transaction(database):
        for kind in segments.SCHEMAS:
            _list_segments(folder, kind, database)
        for path in sorted((folder / "warc").iterdir()):
            _list_records(path, database)
    database.close()
    return messages


def _list_segments(folder: Path, kind: str, database: sqlite3.Connection) -> None:
    """List every segment that is whole, also those that stand aside: their records are in the WARC files."""
    now = datetime.now(UTC).isoformat()
    for path in sorted((folder / kind).iterdir()):
        name = f"{kind}/{path.name.removesuffix('.tmp')}"
        if name.endswith(".parquet") and segments.is_whole(path):
            row = (name, kind, segments.count_rows(path), now)
            database.execute("INSERT OR IGNORE INTO segments VALUES (?, ?, ?, ?)", row)


def _list_records(path: Path, database: sqlite3.Connection) -> None:
    """List a WARC file up to the end of its last whole record, and the bodies it holds."""
    end = 0
    for record, offset in read_records(path, Counts()):
        end = record_end(path, offset)
        digest = sha1_bytes(record.headers.get("WARC-Payload-Digest") or "")
        if digest and record.record_type == response and record.content_length:
            url, date = record.headers.get("WARC-Target-URI"), record.headers.get("WARC-Date")
            row = (digest, url, date, path.name, offset)
            database.execute("INSERT OR IGNORE INTO bodies VALUES (?, ?, ?, ?, ?)", row)
    database.execute("INSERT INTO warcs VALUES (?, ?)", (path.name, end))


def left_by_failed_create(folder: Path) -> bool:
    """Whether a folder holds nothing but what a creation that was killed leaves."""
    names = {path.name for path in folder.iterdir()}
    kept = [path for name in ("warc", "pages", "links") if (folder / name).is_dir() for path in (folder / name).iterdir()]
    return names <= _OURS and not kept
