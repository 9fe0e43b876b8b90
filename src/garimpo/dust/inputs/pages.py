"""Pages to cluster, from a crawl folder, a table of pages, or documents."""

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo.archive import Store, documents
from garimpo.archive.store import is_crawl_folder
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
    batches = list(_document_pages(Path(path), counts))
    return pa.Table.from_batches(batches, SCHEMA)


def crawl_pages(path: str | os.PathLike[str]) -> pa.Table:
    """The newest answer of each URL of a crawl, and its redirect hops."""
    names = ["url", "digest", "text_digest", "canonical", "redirect"]
    with Store.open(path, write=False) as store:
        latest = [pa.Table.from_batches([batch]).select(names).cast(SCHEMA) for batch in store.latest(names)]
        hops = []
        for batch in store.pages([*names, "status"]):
            table = pa.Table.from_batches([batch])
            hop = table.filter(pc.is_valid(table.column("redirect")))
            hops.append(hop.select(names).cast(SCHEMA))
    return pa.concat_tables([*latest, *hops, SCHEMA.empty_table()])


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
