"""A crawl folder written out for other programs: JSON lines, CSV, or a CDXJ index of its WARC files."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import IO

import msgspec
import pyarrow as pa
import pyarrow.csv

from garimpo.archive.reading import read_places
from garimpo.archive.store import Store
from garimpo.contract.reading import Counts
from garimpo.contract.tables import PAGES

_CDXJ_BATCH = 8192


def export(store: Store, to: str, file: IO[bytes], counts: Counts | None = None) -> int:
    """Write the folder to `file` and return the number of lines.

    `jsonl`: one object for the newest good row of each URL, with its text; it is documents input for every command.
    `csv`: every row of the pages table but its text. `cdxj`: one line for every answer in the WARC files, sorted.

    >>> import io, tempfile
    >>> with Store.create(tempfile.mkdtemp()) as store:
    ...     export(store, "jsonl", io.BytesIO())
    0
    """
    counts = Counts() if counts is None else counts
    return _WRITERS[to](store, file, counts)


def _jsonl(store: Store, file: IO[bytes], counts: Counts) -> int:
    lines = 0
    for batch in store.latest():
        for row in batch.to_pylist():
            kept = {name: value for name, value in row.items() if value is not None}
            file.write(msgspec.json.encode({"id": row["url"], **kept}) + b"\n")
        lines += batch.num_rows
    return lines


def _csv(store: Store, file: IO[bytes], counts: Counts) -> int:
    names = [name for name in PAGES.names if name != "text"]
    schema = pa.schema([PAGES.field(name) for name in names])
    lines = 0
    with pyarrow.csv.CSVWriter(file, schema) as writer:
        for batch in store.pages(names):
            writer.write_batch(batch.select(names))
            lines += batch.num_rows
    return lines


def _cdxj(store: Store, file: IO[bytes], counts: Counts) -> int:
    import duckdb

    found = pa.RecordBatchReader.from_batches(pa.schema([("line", pa.string())]), _cdxj_batches(store, counts))
    lines = 0
    with duckdb.connect(config={"memory_limit": "512MB", "temp_directory": str(store.path / "state/duckdb.tmp")}) as sorter:
        sorter.register("found", found)
        for batch in sorter.sql("SELECT line FROM found ORDER BY line").to_arrow_reader(_CDXJ_BATCH):
            file.write("".join(line + "\n" for line in batch.column(0).to_pylist()).encode())
            lines += batch.num_rows
    return lines


def _cdxj_batches(store: Store, counts: Counts) -> Iterator[pa.RecordBatch]:
    lines: list[str] = []
    for path in sorted((store.path / "warc").iterdir()):
        for place in read_places(path, counts):
            when = datetime.fromisoformat(place.date).strftime("%Y%m%d%H%M%S")
            fields = {
                "url": place.url,
                "mime": "warc/revisit" if place.revisit else place.mime,
                "status": str(place.status),
                "digest": place.payload_digest,
                "length": str(place.length),
                "offset": str(place.offset),
                "filename": path.name,
            }
            lines.append(f"{sort_key(place.url)} {when} {msgspec.json.encode(fields).decode()}")
            if len(lines) == _CDXJ_BATCH:
                yield pa.record_batch([pa.array(lines)], names=["line"])
                lines = []
    yield pa.record_batch([pa.array(lines, pa.string())], names=["line"])


def sort_key(url: str) -> str:
    """A URL as CDXJ sorts it: host name from the right, then port, path and query, without scheme.

    >>> sort_key("https://www.example.org:8080/A?b")
    'org,example,www:8080)/A?b'
    """
    rest = url.partition("://")[2]
    authority, slash, path = rest.partition("/")
    name, colon, port = authority.rpartition("@")[2].partition(":")
    return ",".join(reversed(name.split("."))) + colon + port + ")" + (slash + path).replace(" ", "%20")


_WRITERS: dict[str, Callable[[Store, IO[bytes], Counts], int]] = {"jsonl": _jsonl, "csv": _csv, "cdxj": _cdxj}
