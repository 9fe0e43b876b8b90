"""What a person may point at: a table of pages, or a crawl folder; and tables written."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Store, is_crawl_folder
from garimpo.contract import BadInput, read_table
from garimpo.mirrors.page_scan import Pages


class Inputs(NamedTuple):
    """Where the pages are, and the links and near-duplicates if any are known: tables, or files that an engine will read."""

    pages: Pages
    links: Pages | None
    near: Pages | None


def read_inputs(pages: Path, links: Path | None = None, near: Path | None = None, spread: bool = False) -> Inputs:
    """What to search; a crawl folder has links and near-duplicates of its own, in place of which others may be given.

    With `spread`, files are not read here but by the workers of an engine; only what a crawl found to be near is.
    """
    edges: Pages | None = links if spread or links is None else read_table(links, ["source", "target"])
    alike: Pages | None = near if spread or near is None else read_table(near, ["id", "cluster"])
    if not is_crawl_folder(pages):
        if pages.is_dir():
            raise BadInput(f"{pages}: a folder, but no crawl folder (give a Parquet table of pages)")
        return Inputs(pages, edges, alike)
    with Store.open(pages, write=False) as store:
        files = store.page_files()
        if not files:
            raise BadInput(f"{pages}: this crawl has no pages yet")
        if edges is None and spread:
            edges = store.link_files() or None
        elif edges is None:
            own = list(store.links(["source", "target"]))
            edges = pa.Table.from_batches(own) if own else None
        if alike is None:
            met = [batch.filter(batch.column("duplicate_of").is_valid()) for batch in store.pages(["url", "duplicate_of"])]
            alike = near_duplicates(pa.Table.from_batches(met))
    return Inputs(files, edges, alike)


def near_duplicates(pages: pa.Table) -> pa.Table:
    """The near-duplicates that a crawl's index found: `id`, and the `cluster` around the page that was met first.

    >>> near_duplicates(pa.table({"url": ["b", "c"], "duplicate_of": ["a", None]})).to_pylist()
    [{'id': 'b', 'cluster': 0}, {'id': 'a', 'cluster': 0}]
    """
    found = pages.filter(pc.is_valid(pages["duplicate_of"]))
    kept = found["duplicate_of"].combine_chunks().dictionary_encode()
    members = pa.concat_arrays([found["url"].combine_chunks(), kept.dictionary])
    clusters = np.concatenate([kept.indices.to_numpy(), np.arange(len(kept.dictionary))]).astype(np.int64)
    return pa.table({"id": members, "cluster": clusters})
