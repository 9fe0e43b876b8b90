"""Reading WARC files of any origin: one at a time by its place, or all of a file, passing over what is damaged."""

import io
import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord, any_type, request, resource, response, revisit

from garimpo.archive.warc import members
from garimpo.archive.warc.members import CORRUPT, LARGEST, TOO_LONG
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.contract.records import Fetched

_STEP = 1 << 16
_ENCODED = re.compile(rb"\n(?:content|transfer)-encoding:", re.IGNORECASE)


@dataclass(slots=True)
class Stored:
    """An answer as it stands in a WARC file: a revisit has no body but says whose body it repeats (`payload_digest`).

    Args:
        fetched: the answer.
        date: when it was given, as WARC writes it.
        offset: where its record begins in the file.
        revisit: whether the body stands elsewhere.
    """

    fetched: Fetched
    date: str
    offset: int
    revisit: bool
    payload_digest: str | None


@dataclass(slots=True)
class Place:
    """Where an answer stands in a WARC file, without its body."""

    url: str
    date: str
    status: int
    mime: str
    revisit: bool
    payload_digest: str
    offset: int
    length: int


def read_at(path: Path, offset: int) -> Stored | None:
    """The answer whose record begins at `offset`, or None if none can be read there."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            found = next(iter(ArchiveIterator(file, record_types=response | revisit)), None)
            return None if found is None else _stored(found, offset)
    except (OSError, ValueError):
        return None


def read_warc(path: str | os.PathLike[str], counts: Counts | None = None) -> Iterator[Stored]:
    """Every HTTP answer and resource in a WARC file (plain, gzip or zstd), in order; damaged records are skipped and counted.

    Args:
        path: a .warc or .warc.gz file.
        counts: what is passed over is counted here.

    >>> list(read_warc("none.warc.gz"))
    Traceback (most recent call last):
    ...
    garimpo.contract.errors.BadInput: none.warc.gz: no such file
    """
    counts = Counts() if counts is None else counts
    for record, offset in read_records(Path(path), counts):
        if record.record_type not in (response, revisit, resource):
            continue
        if record.content_length > LARGEST:
            counts[TOO_LONG] += 1
            continue
        try:
            stored = _stored(record, offset)
        except (OSError, ValueError):
            counts[CORRUPT] += 1
            continue
        yield stored


def read_places(path: Path, counts: Counts, length: int = 0) -> Iterator[Place]:
    """Where every HTTP answer of a file stands, or of so many bytes of it."""
    last: Place | None = None
    for record, offset in read_records(path, counts, length):
        if last is not None:
            last.length = offset - last.offset
            yield last
            last = None
        if record.record_type in (response, revisit) and record.is_http_parsed:
            last = _place(record, offset)
    if last is not None:
        last.length = record_end(path, last.offset) - last.offset
        yield last


def read_members(path: Path, counts: Counts) -> Iterator[tuple[Place, bytes]]:
    """Every whole record of a file, of any type, as it stands there packed, and what it is about."""
    last: Place | None = None
    with path.open("rb") as file:
        for record, offset in read_records(path, counts):
            if last is not None:
                yield _member(file, path, last, offset)
            last = _place(record, offset)
        if last is not None:
            yield _member(file, path, last, path.stat().st_size)


def _member(file: BinaryIO, path: Path, place: Place, stop: int) -> tuple[Place, bytes]:
    """One record; damaged bytes between it and the next, where gzip lets us see them, are left out."""
    place.length = min(record_end(path, place.offset), stop) - place.offset
    file.seek(place.offset)
    return place, file.read(place.length)


def _place(record: WarcRecord, offset: int) -> Place:
    headers = record.headers
    return Place(
        url=(headers.get("WARC-Target-URI") or "").strip("<>"),
        date=headers.get("WARC-Date") or "",
        status=(record.http_headers.status_code or 0) if record.is_http_parsed else 0,
        mime=record.http_content_type or "unk",
        revisit=record.record_type == revisit,
        payload_digest=headers.get("WARC-Payload-Digest") or "-",
        offset=offset,
        length=0,
    )


def read_records(path: Path, counts: Counts, length: int = 0) -> Iterator[tuple[WarcRecord, int]]:
    """Every record of a file with its offset; after a damaged one, goes on at the next place where a record can begin.

    Args:
        path: the file.
        counts: gets the damaged records.
        length: how many bytes of it count; 0: all of them.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    with file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:
            return
        with mmap.mmap(file.fileno(), min(size, length), access=mmap.ACCESS_READ) as data:
            if data.find(members.mark_of(path.suffix), 0, 16) < 0 and not _has_record(data, path.suffix):
                raise BadInput(f"{path}: not a WARC file")
            if not _one_by_one(data, path.suffix):
                yield from _streamed(file, data, counts)
                return
            for place, _, record in members.spans(data, path.suffix, counts):
                if record is None:
                    counts[TOO_LONG] += 1
                else:
                    yield from _parsed(record, place, counts)


def _has_record(data: mmap.mmap, suffix: str) -> bool:
    """Whether a file whose beginning is damaged holds a record all the same."""
    spans = members.spans(data, suffix, Counts()) if suffix != ".zst" else ()
    return any(record is not None and any(_parsed(record, place, Counts())) for place, _, record in spans)


def _one_by_one(data: mmap.mmap, suffix: str) -> bool:
    """Whether every record can be unpacked alone: not so with zstd, nor where a program packed the file as it liked."""
    if suffix == ".zst":
        return False
    _, _, first = next(members.spans(data, suffix, Counts()), (0, 0, b""))
    counts = Counts()
    return first is not None and any(True for _ in _parsed(first, 0, counts)) and not counts


def _parsed(data: bytes, place: int, counts: Counts) -> Iterator[tuple[WarcRecord, int]]:
    """The record in some unpacked bytes, or the records, where a program packed several together."""
    try:
        rest = members.rest(data)
        record = WarcRecord.from_bytes(data)
        if record.is_http and record.record_type != request:
            record.parse_http()
        if rest > 4 or (record.is_http_parsed and _is_encoded(data)):  # decoded as a stream, so that no bomb goes off
            for one in ArchiveIterator(io.BytesIO(data), auto_decode="all", stream_detect=False):
                yield one, place
            return
    except (OSError, ValueError):
        counts[CORRUPT] += 1
        return
    yield record, place


def _is_encoded(record: bytes) -> bool:
    """Whether the HTTP head in a record says that the body is encoded."""
    http = record.find(b"\r\n\r\n") + 2
    return _ENCODED.search(record, http, max(record.find(b"\r\n\r\n", http + 2), 0)) is not None


def _streamed(file: BinaryIO, data: mmap.mmap, counts: Counts) -> Iterator[tuple[WarcRecord, int]]:
    """The records of a file that cannot be cut beforehand; damage is noticed less surely here."""
    suffix, place = Path(file.name).suffix, 0
    while place < len(data):
        last = place
        file.seek(place)
        try:
            for record in ArchiveIterator(file, record_types=any_type, auto_decode="all"):
                last = place + record.stream_pos
                yield record, last
            return
        except (OSError, ValueError):
            counts[CORRUPT] += 1
            place = members.next_mark(data, suffix, last + 1)


def record_end(path: Path, offset: int) -> int:
    """Where the gzip member that begins at `offset` ends; for other packings the end of the file."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return members.gzip_stop(data, offset) if path.suffix == ".gz" else len(data)


def whole_records(path: Path, counts: Counts) -> dict[int, int]:
    """Where the records of a file that can be read begin and end; none of a file that is not there or is no WARC file.

    Args:
        path: a WARC file, maybe damaged.
        counts: gets the damaged records.
    """
    try:
        return {offset: record_end(path, offset) for _, offset in read_records(path, counts)}
    except BadInput:
        return {}


def _body(record: WarcRecord) -> bytes:
    """The body, decoded, up to a byte more than is kept; in steps, as a reader makes room for all it is asked for."""
    parts = []
    left = LARGEST + 1
    while left > 0 and (part := record.reader.read(min(left, _STEP))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _stored(record: WarcRecord, offset: int) -> Stored:
    headers = {name.lower(): value for name, value in record.headers.items()}
    body = _body(record)
    if record.is_http_parsed:
        status, lines = record.http_headers.status_code or 0, list(record.http_headers.items())
    else:  # a resource is the body alone
        status, lines = 200, [("Content-Type", headers.get("content-type", ""))]
    fetched = Fetched(
        url=headers.get("warc-target-uri", "").strip("<>"),
        status=status,
        body=body[:LARGEST],
        headers=lines,
        ip=headers.get("warc-ip-address"),
        truncated="warc-truncated" in headers or len(body) > LARGEST,
    )
    is_revisit = record.record_type == revisit
    return Stored(fetched, headers.get("warc-date", ""), offset, is_revisit, headers.get("warc-payload-digest"))
