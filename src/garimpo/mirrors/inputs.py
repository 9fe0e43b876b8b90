"""What a person may point at: a table of pages, or a crawl folder; and tables written."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import Store, is_crawl_folder
from garimpo.contract import BadInput, read_table
from garimpo.mirrors.scan import Pages


def read_inputs(pages: Path, links: Path | None) -> tuple[Pages, pa.Table | None]:
    """Where the pages are, and the links if there are any."""
    if is_crawl_folder(pages):
        with Store.open(pages, write=False) as store:
            files, edges = store.page_files(), list(store.links(["source", "target"]))
        if not files:
            raise BadInput(f"{pages}: this crawl has no pages yet")
        return files, read_links(links) if links is not None else pa.Table.from_batches(edges) if edges else None
    if pages.is_dir():
        raise BadInput(f"{pages}: a folder, but no crawl folder (give a Parquet table of pages)")
    return pages, read_links(links) if links is not None else None


def read_links(path: Path) -> pa.Table:
    """A table of links."""
    return read_table(path, ["source", "target"])


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """A table as a Parquet file."""
    pq.write_table(table, path, compression="zstd")
