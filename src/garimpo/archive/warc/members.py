"""A WARC file cut into its records, each unpacked on its own, so that a damaged one cannot take its neighbours along."""

import mmap
import re
from collections.abc import Iterator

from isal import igzip_lib

from garimpo.contract.reading import Counts

LARGEST = 64 << 20
CORRUPT = "corrupt WARC record"
TOO_LONG = "WARC record over 64 MB"

Span = tuple[int, int, bytes | None]
"""Where a record begins and ends in the file, and its bytes; None if they are over 64 MB."""

MARKS = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd"}
PLAIN_MARK = b"WARC/1."
_DAMAGE: tuple[type[Exception], ...] = (EOFError, ValueError, igzip_lib.error)  # type: ignore[assignment]
_LENGTH = re.compile(rb"\r?\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)
_LONGEST_HEAD = 1 << 16


def mark_of(suffix: str) -> bytes:
    """The bytes that every record of a file with this suffix begins with."""
    return MARKS.get(suffix, PLAIN_MARK)


def next_mark(data: mmap.mmap, suffix: str, start: int) -> int:
    """The next place where a record may begin, or the end of the file."""
    found = data.find(mark_of(suffix), start)
    return len(data) if found < 0 else found


def spans(data: mmap.mmap, suffix: str, counts: Counts) -> Iterator[Span]:
    """The records of a gzip or plain file; what lies between them and is none is counted."""
    cut = _gzip_span if suffix == ".gz" else _plain_span
    place = 0
    while place < len(data):
        try:
            span = cut(data, place)
        except _DAMAGE:
            counts[CORRUPT] += 1
            place = next_mark(data, suffix, place + 1)
            continue
        yield span
        place = span[1] if span[2] is not None else next_mark(data, suffix, place + 1)


def gzip_stop(data: mmap.mmap, place: int) -> int:
    """Where the gzip member that begins at `place` ends; the end of the file if that cannot be told."""
    try:
        return _gzip_span(data, place)[1]
    except _DAMAGE:
        return len(data)


def rest(record: bytes) -> int:
    """How many bytes follow the block of a record; `ValueError` if it has no length or is shorter than it says."""
    head_stop = record.find(b"\r\n\r\n")
    length = _LENGTH.search(record, 0, head_stop + 2)
    left = -1 if length is None else len(record) - head_stop - 4 - int(length[1])
    if left < 0:
        raise ValueError("the length is wrong")
    return left


def _gzip_span(data: mmap.mmap, place: int) -> Span:
    unpacker = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    parts: list[bytes] = []
    left, at, step = LARGEST + _LONGEST_HEAD, place, 1 << 13
    while not unpacker.eof:
        chunk = data[at : at + step] if unpacker.needs_input else b""
        if unpacker.needs_input and not chunk:
            raise EOFError
        at, step = at + len(chunk), min(step * 2, 1 << 20)
        parts.append(unpacker.decompress(chunk, left))
        left -= len(parts[-1])
        if left <= 0 and not unpacker.eof:
            return place, len(data), None
    return place, at - len(unpacker.unused_data), parts[0] if len(parts) == 1 else b"".join(parts)


def _plain_span(data: mmap.mmap, place: int) -> Span:
    """A plain record must be followed by another or by the end: else its length lies and nothing after it can be trusted."""
    head_stop = data.find(b"\r\n\r\n", place, place + _LONGEST_HEAD)
    length = _LENGTH.search(data[place : head_stop + 2]) if head_stop > 0 else None
    if length is None or data[place : place + len(PLAIN_MARK)] != PLAIN_MARK:
        raise ValueError("no record head")
    stop = head_stop + 4 + int(length[1])
    if stop > len(data):
        raise EOFError
    after = stop
    while data[after : after + 1] in (b"\r", b"\n"):
        after += 1
    if after < len(data) and data[after : after + len(PLAIN_MARK)] != PLAIN_MARK:
        raise ValueError("the length is wrong")
    return place, after, data[place:stop] + b"\r\n\r\n" if stop - place <= LARGEST + _LONGEST_HEAD else None
