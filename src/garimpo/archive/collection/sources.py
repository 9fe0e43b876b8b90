"""One reader for each kind of file that documents come in. Each yields rough tables; `documents` makes them even."""

import gzip
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive.folder.store import Store
from garimpo.archive.warc.reader import Stored, read_warc
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts

BATCH_BYTES = 8 << 20
BATCH_ROWS = 8192
LONGEST_LINE = 64 << 20
LONGEST = 15 << 20
"""Bytes of one document that are read; the rest is cut off and counted."""

CUT = "document cut at 15 MB"
BOM = b"\xef\xbb\xbf"
_TEXTS = {".txt", ".md"}
_PAGES = {".html", ".htm", ".xhtml"}
_KNOWN = ("id", "url", "text", "html")

SINGLE = tuple(_TEXTS | _PAGES)
"""Files that are one document each."""

Rows = list[dict[str, Any]]


def read_parquet(path: Path, columns: Sequence[str], counts: Counts, text: str = "text") -> Iterator[pa.Table]:
    """The known columns of a Parquet file and those of `columns` it has, a few rows at a time; `text` is its text column."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            names = file.schema_arrow.names
            known = [*(name for name in _KNOWN if name != "text" or text == "text"), text]
            wanted = [name for name in names if name in known or name in columns]
            if text not in names and (text != "text" or "html" not in names):
                raise BadInput(f"{path}: no column {_text_column(text)} (it has: {', '.join(names) or 'none'})")
            for batch in file.iter_batches(_rows_at_a_time(file.metadata), columns=wanted):
                yield pa.table(batch).rename_columns(["text" if name == text else name for name in batch.schema.names])
    except (pa.ArrowInvalid, OSError) as error:
        if isinstance(error, PermissionError):
            raise
        raise BadInput(f"{path}: not a Parquet file ({str(error).splitlines()[0]})") from None


def _text_column(name: str) -> str:
    return name if name != "text" else "text or html"


def _rows_at_a_time(metadata: pq.FileMetaData) -> int:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    widest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=1.0)
    return int(min(max(BATCH_BYTES / max(widest, 1.0), 1), BATCH_ROWS))


def read_jsonl(path: Path, columns: Sequence[str], counts: Counts, text: str = "text") -> Iterator[pa.Table]:
    """One JSON object a line; a line that is none, or holds a wrong type, is `BadInput` with its number."""
    for lines in line_batches(path):
        yield table([parse_line(str(path), number, line, text) for number, line in lines], columns, decoded=True)


def line_batches(path: Path) -> Iterator[list[tuple[int, bytes]]]:
    """The lines of a file that are not blank, with their numbers, a few megabytes at a time."""
    held: list[tuple[int, bytes]] = []
    size = 0
    for number, line in _lines(path):
        held.append((number, line))
        size += len(line)
        if size >= BATCH_BYTES or len(held) >= BATCH_ROWS:
            yield held
            held, size = [], 0
    if held:
        yield held


def parse_line(path: str, number: int, line: bytes, text: str = "text") -> dict[str, Any]:
    """One line of a JSONL file, with its number as `row`."""
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}:{number}: not JSON ({error})") from None
    if not isinstance(row, dict):
        raise BadInput(f"{path}:{number}: not a JSON object")
    if text != "text":
        if text not in row:
            raise BadInput(f"{path}:{number}: no {text}")
        row["text"], row["html"] = row[text], None
    for name in ("url", "text", "html"):
        if not isinstance(row.get(name), str | None):
            raise BadInput(f"{path}:{number}: {name} is no string")
    if not isinstance(row.get("id"), str | int | None):
        raise BadInput(f"{path}:{number}: id is neither a string nor an integer")
    if text == "text" and "text" not in row and "html" not in row:
        raise BadInput(f"{path}:{number}: neither text nor html")
    row["row"] = number
    return row


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    with _open(path) as file:
        while True:
            try:
                line = file.readline(LONGEST_LINE)
            except (EOFError, zlib.error, gzip.BadGzipFile, pa.ArrowInvalid, OSError) as error:
                raise BadInput(f"{path}:{number + 1}: damaged ({error})") from None
            if not line:
                return
            number += 1
            if len(line) == LONGEST_LINE:
                raise BadInput(f"{path}:{number}: a line over 64 MB")
            if number == 1:
                line = line.removeprefix(BOM)
            if not line.isspace():
                yield number, line


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        from isal import igzip  # which loads the parser of its own command line

        return igzip.open(path, "rb")  # type: ignore[no-untyped-call]
    if path.suffix == ".zst":
        return io.BufferedReader(_Raw(pa.input_stream(str(path), compression="zstd")), 1 << 20)
    return path.open("rb")


class _Raw(io.RawIOBase):
    """An Arrow stream as Python's buffered reader wants it."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def read_warc_file(path: Path, columns: Sequence[str], counts: Counts) -> Iterator[pa.Table]:
    """The pages of a WARC file: answers with status 200 that are HTML or plain text; the rest is counted."""
    rows: Rows = []
    size = 0
    for stored in read_warc(path, counts):
        reason = _passed_over(stored)
        if reason:
            counts[reason] += 1
            continue
        rows.append(answer_row(stored))
        size += len(stored.fetched.body)
        if size >= BATCH_BYTES or len(rows) >= BATCH_ROWS:
            yield table(rows, columns)
            rows, size = [], 0
    if rows:
        yield table(rows, columns)


def _passed_over(stored: Stored) -> str | None:
    if stored.revisit:
        return "revisit record"
    if stored.fetched.status != 200:
        return "status not 200"
    kind = media_type(stored.fetched.header("content-type"))
    if kind in ("", "text/html", "application/xhtml+xml", "text/plain"):
        return None
    return "PDF document" if kind == "application/pdf" else "neither HTML nor plain text"


def media_type(content_type: str | None) -> str:
    """The media type alone, in lower case."""
    return (content_type or "").partition(";")[0].strip().lower()


def answer_row(stored: Stored) -> dict[str, Any]:
    """One answer as a document: plain text as `text`, all else as `html`, both decoded as headers and page say."""
    from garimpo.page.html.decoding import decode

    fetched = stored.fetched
    row: dict[str, Any] = {"id": fetched.url, "url": fetched.url, "ip": fetched.ip, "fetched_at": stored.date or None}
    content_type = fetched.header("content-type")
    decoded, _ = decode(fetched.body, content_type)
    if media_type(content_type) == "text/plain":
        row["text"] = decoded.decode("utf-8", "replace")
    else:
        row["html"] = BOM + decoded
    return row


def read_folder(path: Path, columns: Sequence[str], counts: Counts) -> Iterator[pa.Table]:
    """Every `.html`, `.txt` and `.md` file under a folder (or one such file), in order of their paths, which are their ids."""
    rows: Rows = []
    size = 0
    for file in _files(path, counts) if path.is_dir() else [path]:
        with file.open("rb") as opened:
            body = opened.read(LONGEST + 1)
        row: dict[str, Any] = {"id": file.relative_to(path).as_posix() if file != path else file.as_posix()}
        if file.suffix.lower() in _TEXTS:
            row["text"] = body.removeprefix(BOM).decode("utf-8", "replace")
        else:
            row["html"] = body
        rows.append(row)
        size += len(body)
        if size >= BATCH_BYTES or len(rows) >= BATCH_ROWS:
            yield table(rows, columns)
            rows, size = [], 0
    if rows:
        yield table(rows, columns)


def has_pages(path: Path) -> bool:
    """Whether there is a page or a text anywhere under a folder, but for what describes a data set."""
    return any(not file.stem.lower().startswith(("readme", "license")) for file in _files(path, Counts()))


def _files(path: Path, counts: Counts) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(path, onerror=fail):
        folders.sort()
        for name in sorted(names):
            if Path(name).suffix.lower() in _TEXTS | _PAGES:
                yield Path(folder) / name
            else:
                counts["file that is no page"] += 1


def read_crawl(path: Path, columns: Sequence[str], counts: Counts, bodies: bool = False) -> Iterator[pa.Table]:
    """The newest good row of each URL of a crawl folder; with `bodies`, `html` from its WARC files too."""
    places = ["warc_file", "warc_offset"] if bodies else []
    with Store.open(path, write=False) as store:
        for batch in store.latest(["url", "text", *places, *columns]):
            for start in range(0, batch.num_rows, 256 if bodies else BATCH_ROWS):
                part = pa.table(batch.slice(start, 256 if bodies else BATCH_ROWS))
                part = part.append_column("id", part["url"])
                if bodies:
                    part = part.append_column("html", _bodies(store, part)).drop_columns(places)
                yield part


def _bodies(store: Store, part: pa.Table) -> pa.Array:
    found: list[bytes | None] = []
    for file, offset in zip(part["warc_file"].to_pylist(), part["warc_offset"].to_pylist()):
        fetched = None if file is None else store.record_at(file, offset)
        found.append(None if fetched is None else fetched.body)
    return pa.array(found, pa.large_binary())


def table(rows: Rows, columns: Sequence[str], decoded: bool = False) -> pa.Table:
    """Rows as a table of the columns they have; `decoded` says that `html` is text already."""
    kinds = {"text": pa.large_string(), "html": pa.large_string() if decoded else pa.large_binary()}
    names = [name for name in (*_KNOWN, "row", *columns) if any(name in row for row in rows)]
    if "id" in names:
        for row in rows:
            row["id"] = None if row.get("id") is None else str(row["id"])
    return pa.table({name: pa.array([row.get(name) for row in rows], kinds.get(name)) for name in names})
