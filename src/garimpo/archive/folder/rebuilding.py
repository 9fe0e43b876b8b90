"""The state file made anew from what lies in the folder: every whole segment, every whole WARC record, what was removed."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from fastwarc.warc import response

from garimpo.archive.folder import dropped, segments, state
from garimpo.archive.warc.reader import read_records, record_end
from garimpo.archive.warc.records import sha1_bytes
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts


def rebuild(folder: Path, why: str) -> list[str]:
    """Put a new state file in the place of one that is missing, damaged or older than the tables; says what it did.

    Args:
        folder: the crawl folder, locked.
        why: what is wrong with the old one, for the message.
    """
    messages = [f"the state file was {why}: rebuilt from the tables"]
    for old in sorted((folder / state.FILE).parent.glob("crawl.sqlite*")):
        messages.append(f"kept {old.name} as {dropped.drop(folder, old)}")
    database = state.connect(folder)
    _fill(folder, database)
    database.close()
    for name in segments.SCHEMAS:
        _bring_back(folder, name)
    return messages


def rebuild_in_memory(folder: Path) -> sqlite3.Connection:
    """The same for one who only reads.

    Args:
        folder: the crawl folder.
    """
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    state.create_tables(database)
    _fill(folder, database)
    return database


def _fill(folder: Path, database: sqlite3.Connection) -> None:
    with state.transaction(database):
        for kind in segments.SCHEMAS:
            state.list_segments(database, folder, {name: _rows(folder, name) for name in whole_segments(folder, kind)})
        for path in segments.files_in(folder / "warc"):
            with contextlib.suppress(BadInput):  # no WARC file at all: not listed, so dropped
                _list_records(path, database)
        removed = [(what, at, 0, 0) for what, at in _removed(folder)]
        database.executemany("INSERT INTO removed VALUES (?, ?, ?, ?)", removed)


def whole_segments(folder: Path, kind: str) -> list[str]:
    """The segments of a table that together hold each row once: of two that hold the same commits, the wider or newer.

    One that still stands aside counts if the other table's does too: then the commit was ready, and its records are in the
    WARC files.

    Args:
        folder: the crawl folder.
        kind: `pages` or `links`.
    """
    chosen: list[tuple[str, segments.Span | None]] = []
    for path, name, span in _candidates(folder, kind):
        overlaps = span is not None and any(
            other and span.first <= other.last and other.first <= span.last for _, other in chosen
        )
        if name in (known for known, _ in chosen) or overlaps:
            continue
        if path.suffix == ".tmp" and not _is_ready(folder, name):
            continue
        if segments.is_whole(path):
            chosen.append((name, span))
    return sorted(name for name, _ in chosen)


def _overlap(one: segments.Span | None, other: segments.Span | None) -> bool:
    return one is not None and other is not None and one.first <= other.last and other.first <= one.last


def _candidates(folder: Path, kind: str) -> list[tuple[Path, str, segments.Span | None]]:
    found = []
    for place in (folder / kind, folder / segments.REPLACED / kind):
        for path in segments.files_in(place):
            name = f"{kind}/{path.name.removesuffix('.tmp')}"
            if segments.is_name(name):
                found.append((path, name, segments.span_of(name)))
    return sorted(found, key=lambda one: (_width(one[2]), one[0].suffix == ".tmp", one[1]))


def _width(span: segments.Span | None) -> tuple[int, int]:
    return (0, 0) if span is None else (span.first - span.last, -span.generation)


def _is_ready(folder: Path, name: str) -> bool:
    """Whether the other table of a commit has its segment too."""
    kind, _, rest = name.partition("/")
    other = f"{'links' if kind == 'pages' else 'pages'}/{rest}"
    paths = (folder / other, segments.aside(folder, other))
    return any(path.exists() and segments.is_whole(path) for path in paths)


def _bring_back(folder: Path, kind: str) -> None:
    """Lay a segment that is listed again, and whose successor was lost, where it lay."""
    listed = set(whole_segments(folder, kind))
    for path in segments.files_in(folder / segments.REPLACED / kind):
        if f"{kind}/{path.name}" in listed and not (folder / kind / path.name).exists():
            path.replace(folder / kind / path.name)


def _rows(folder: Path, name: str) -> int:
    return segments.count_rows(segments.location(folder, name, patience=0))


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
    if end:
        state.list_warcs(database, path.parent.parent, {path.name: end})


def _removed(folder: Path) -> list[tuple[str, str]]:
    """(what, when) of every take-down that the log tells of."""
    found = []
    with contextlib.suppress(FileNotFoundError), (folder / "crawl.log").open("rb") as log:
        for line in log:
            if b'"event":"remov' not in line:
                continue
            with contextlib.suppress(msgspec.DecodeError, TypeError, KeyError):
                told = msgspec.json.decode(line)
                at = str(told.get("at", datetime.now(UTC).isoformat()))
                found += [(what, at) for what in told["what"] if isinstance(what, str)]
    return list(dict.fromkeys(found))
