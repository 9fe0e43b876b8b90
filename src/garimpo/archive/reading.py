"""Reading WARC files of any origin: one at a time by its place, or all of a file, passing over what is damaged."""

import mmap
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, any_type, response, revisit

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.contract.records import Fetched

LARGEST_BODY = 64 << 20
CORRUPT = "corrupt WARC record"
TOO_LONG = "WARC record over 64 MB"

_MARKS = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd"}
_PLAIN_MARK = b"WARC/1."


@dataclass(slots=True)
class Stored:
    """An answer as it stands in a WARC file: a revisit has no body but says whose body it repeats (`payload_digest`)."""

    fetched: Fetched
    date: str
    offset: int
    revisit: bool
    payload_digest: str | None


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
    """Every HTTP answer in a WARC file (plain, gzip or zstd), in order. Damaged records are skipped and counted.

    >>> list(read_warc("none.warc.gz"))
    Traceback (most recent call last):
    ...
    garimpo.contract.errors.BadInput: none.warc.gz: no such file
    """
    counts = Counts() if counts is None else counts
    for record, offset in read_records(Path(path), counts):
        if record.record_type not in (response, revisit) or not record.is_http_parsed:
            continue
        if record.content_length > LARGEST_BODY:
            counts[TOO_LONG] += 1
            continue
        try:
            stored = _stored(record, offset)
        except (OSError, ValueError):
            counts[CORRUPT] += 1
            continue
        yield stored


def read_records(path: Path, counts: Counts) -> Iterator[tuple[WarcRecord, int]]:
    """Every record of a file with its offset; after a damaged one, goes on at the next place where a record can begin."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    with file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            start, found = 0, False
            while start < size:
                last = None
                try:
                    for record, offset in _run(file, start):
                        found, last = True, (offset, record.content_length)
                        yield record, offset
                    damaged_at = size if last is None or path.suffix != ".gz" else _end(data, path.suffix, *last)
                except (OSError, ValueError):
                    damaged_at = start if last is None else _end(data, path.suffix, *last)
                if damaged_at < size:
                    counts[CORRUPT] += 1
                start = _next_mark(data, path.suffix, damaged_at + 1)
            if not found and data.find(_MARKS.get(path.suffix, _PLAIN_MARK), 0, 16) != 0:
                raise BadInput(f"{path}: not a WARC file")


def record_end(path: Path, offset: int) -> int:
    """Where the gzip member that begins at `offset` ends; for other packings the end of the file."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _end(data, path.suffix, offset, 0) if path.suffix == ".gz" else len(data)


def _run(file, start: int) -> Iterator[tuple[WarcRecord, int]]:  # type: ignore[no-untyped-def]
    file.seek(start)
    for record in ArchiveIterator(file, record_types=any_type, auto_decode="all"):
        yield record, start + record.stream_pos


def _stored(record: WarcRecord, offset: int) -> Stored:
    headers = record.headers
    body = record.reader.read(LARGEST_BODY + 1)
    http = record.http_headers
    fetched = Fetched(
        url=(headers.get("WARC-Target-URI") or "").strip("<>"),
        status=http.status_code or 0,
        body=body[:LARGEST_BODY],
        headers=[(name, value) for name, value in http.items()],
        ip=headers.get("WARC-IP-Address"),
        truncated="WARC-Truncated" in headers or len(body) > LARGEST_BODY,
    )
    is_revisit = record.record_type == revisit
    return Stored(fetched, headers.get("WARC-Date") or "", offset, is_revisit, headers.get("WARC-Payload-Digest"))


def _end(data: mmap.mmap, kind: str, offset: int, content_length: int) -> int:
    """Where the good record at `offset` ends. A zstd frame's end is not known: its first byte stands for it."""
    if kind != ".gz":
        return offset + content_length if kind != ".zst" else offset
    unpacker = zlib.decompressobj(31)
    place = offset
    while place < len(data) and not unpacker.eof:
        unpacker.decompress(data[place : place + 65536])
        place += 65536
    return min(place, len(data)) - len(unpacker.unused_data)


def _next_mark(data: mmap.mmap, kind: str, start: int) -> int:
    found = data.find(_MARKS.get(kind, _PLAIN_MARK), start)
    return len(data) if found < 0 else found
