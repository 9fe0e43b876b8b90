"""Pages to cluster, from a crawl folder, a table of pages, or documents."""

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from garimpo.archive import Store, documents
from garimpo.archive.folder.store import is_crawl_folder
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts, read_table

COLUMNS = ("digest", "text_digest", "canonical", "redirect", "status")
SCHEMA = pa.schema(
    [
        ("url", pa.string()),
        ("digest", pa.uint64()),
        ("text_digest", pa.uint64()),
        ("canonical", pa.string()),
        ("redirect", pa.string()),
    ]
)


def read_pages(path: str | os.PathLike[str], counts: Counts) -> pa.Table:
    """The columns that tell which URLs show one page; of documents with a body, read from the body."""
    if is_crawl_folder(path):
        return crawl_pages(path)
    if str(path).endswith(".parquet") and _tells_content(path):
        return read_table(path, ["url"], COLUMNS)
    if str(path).removesuffix(".gz").endswith((".csv", ".tsv")):
        return read_hashes(path)
    batches = list(_document_pages(Path(path), counts))
    return pa.Table.from_batches(batches, SCHEMA)


def read_hashes(path: str | os.PathLike[str]) -> pa.Table:
    """A table of URLs and hashes as CSV or TSV: with a heading, which names `url` and any of `COLUMNS` (`hash` is `digest`); or
    without, then the column of URLs is found, and the other is the hash."""
    name = str(path)
    mark = b"," if name.removesuffix(".gz").endswith(".csv") else b"\t"
    try:
        raw = Path(path).read_bytes()
        data = gzip.decompress(raw) if name.endswith(".gz") else raw
    except (FileNotFoundError, IsADirectoryError):
        raise BadInput(f"{name}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{name}: damaged gzip file ({error})") from None
    head = [part.strip().strip(b'"').lower() for part in data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].split(mark)]
    named = b"url" in head
    options = csv.ReadOptions(autogenerate_column_names=not named)
    parsing = csv.ParseOptions(delimiter=mark.decode(), invalid_row_handler=lambda row: "skip")
    try:
        table = csv.read_csv(pa.BufferReader(data), options, parsing)
    except pa.ArrowInvalid as error:
        raise BadInput(f"{name}: no table of URLs and hashes ({str(error).splitlines()[0]})") from None
    table = table.rename_columns([{"hash": "digest"}.get(c.strip().lower(), c.strip().lower()) for c in table.column_names])
    if not named:
        table = _by_content(table, name)
    if not any(column in table.column_names for column in COLUMNS[:4]):
        raise BadInput(f"{name}: a table of pages needs url and one of hash, {', '.join(COLUMNS[:4])}")
    return table.select([column for column in ("url", *COLUMNS) if column in table.column_names])


def _by_content(table: pa.Table, name: str) -> pa.Table:
    """Of two columns without names, the one with URLs and the other."""
    if table.num_columns == 2:
        for place in (0, 1):
            first = table.column(place).drop_null().slice(0, 100).to_pylist()
            if first and sum(str(text).startswith(("http://", "https://")) for text in first) > len(first) / 2:
                return pa.table({"url": table.column(place), "digest": table.column(1 - place)})
    raise BadInput(f"{name}: no heading that names url, and not two columns of which one holds URLs")


def crawl_pages(path: str | os.PathLike[str]) -> pa.Table:
    """The newest answer of each URL of a crawl, with the page that it repeats, and its redirect hops."""
    schema = SCHEMA.append(pa.field("duplicate_of", pa.string()))
    names = schema.names
    with Store.open(path, write=False) as store:
        latest = [pa.Table.from_batches([batch]).select(names).cast(schema) for batch in store.latest(names)]
        hops = []
        for batch in store.pages([*names, "status"]):
            table = pa.Table.from_batches([batch])
            hop = table.filter(pc.is_valid(table.column("redirect")))
            hops.append(hop.select(names).cast(schema))
    return pa.concat_tables([*latest, *hops, schema.empty_table()])


def _tells_content(path: str | os.PathLike[str]) -> bool:
    try:
        names = pq.read_schema(Path(path)).names
    except (OSError, pa.ArrowInvalid):
        return True  # `read_table` says what is wrong with it
    return any(name in names for name in COLUMNS[:4])


def _document_pages(path: Path, counts: Counts) -> Iterator[pa.RecordBatch]:
    from garimpo.page import read, text_digest

    for batch in documents(path, bodies=True, counts=counts):
        rows: dict[str, list[object]] = {name: [] for name in SCHEMA.names}
        for row in batch.to_pylist():
            page = read(row["html"], row["url"] or "") if row["html"] is not None and row["text"] is None else None
            rows["url"].append(row["url"])
            rows["digest"].append(page.digest if page else None)
            rows["text_digest"].append(page.text_digest if page else text_digest(row["text"]) if row["text"] else None)
            rows["canonical"].append(page.canonical if page else None)
            rows["redirect"].append(None)
        yield pa.RecordBatch.from_pydict(rows, SCHEMA)
