"""A crawl's state rebuilt from its tables, after the state file was lost or damaged.

What the pages table lists was fetched; what the links table names and was not fetched is queued again. Skipped rows,
scores and delays are not in the tables: URLs are skipped again when they come up, hosts are asked after one full delay.
Where the state is sound but a segment or a WARC file is lost, what it held is asked for again.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from garimpo.archive.warc.reader import whole_records
from garimpo.contract.reading import Counts
from garimpo.crawl.gate.gate import Found
from garimpo.crawl.keeping.counting import PageCounts, is_stored
from garimpo.crawl.state import fetched, schema
from garimpo.crawl.state.entry import Entry
from garimpo.url import host, key64, key_column

if TYPE_CHECKING:
    from garimpo.crawl.loop import Loop

RECOUNTED = ("stored", "pages", "redirects", "errors", "bytes")
COLUMNS = ("url", "fetched_at", "status", "digest", "text_digest", "depth", "score", "duplicate_of", "redirect", "length")


def rebuild(loop: "Loop") -> dict[str, int]:
    """Fill the state of a loop whose database is new; the next commit keeps it."""
    depths: dict[int, int] = {}
    redirects: list[tuple[str, int]] = []
    for batch in loop.store.pages(COLUMNS):
        for page in batch.to_pylist():
            _take_page(loop, page, depths)
            if page["redirect"] is not None:
                redirects.append((page["redirect"], page["depth"]))
    loop.frontier.mark_seen(depths)
    loop.frontier.add_urls(list(loop.settings.seeds), seeds=True)
    for target, depth in redirects:
        loop.frontier.add_urls([target], depth=depth)
    for batch in loop.store.links(["source", "target", "rel"]):
        _take_links(loop, batch, depths)
    return {"fetched": len(depths), "queued": loop.frontier.queued}


def ask_again(loop: "Loop") -> dict[str, int]:
    """Queue what a loop's state says was fetched, and the tables or WARC files no longer hold; the next commit keeps it.

    Where links are lost, the pages of the same commits that have none in the tables are asked for again.

    Args:
        loop: A crawl just opened, whose store has lost files.
    """
    depths: dict[int, int] = {}
    again: dict[int, str] = {}
    warcs = [name for name in loop.store.lost if name.startswith("warc/")]
    whole = {Path(name).name: whole_records(loop.store.path / name, Counts()) for name in warcs}
    counts = PageCounts()
    linking = _linking(loop) if any(name.startswith("links/") for name in loop.store.lost) else None
    for batch in loop.store.pages(["url", "status", "length", "depth", "warc_file", "warc_offset"]):
        for url, status, length, depth, file, offset in zip(*(column.to_pylist() for column in batch.columns)):
            key = schema.signed(key64(url))
            depths[key] = depth
            counts.add_answer(status, length or 0)
            unlinked = linking is not None and status == 200 and key not in linking
            if unlinked or (file in whole and offset not in whole[file]):
                again[key] = url
    again |= {key: url for key, url in fetched.keys(loop.store.database) if key not in depths}
    loop.keeper.counts.update({name: counts[name] - loop.keeper.counts[name] for name in RECOUNTED})
    deepest = loop.settings.max_depth or 0
    found = [Found(url, key, 1.0, depths.get(key, deepest), None) for key, url in again.items()]
    return {"queued again": loop.frontier.enter(found)}


def _linking(loop: "Loop") -> set[int]:
    """The keys of all pages with links in the tables."""
    sources = {url for batch in loop.store.links(["source"]) for url in batch.column("source").unique().to_pylist()}
    return {schema.signed(key64(url)) for url in sources}


def _take_page(loop: "Loop", page: dict[str, Any], depths: dict[int, int]) -> None:
    key = schema.signed(key64(page["url"]))
    depths[key] = page["depth"]
    site_host = loop.frontier.host(host(page["url"]) or "")
    digests = [None if page[name] is None else schema.signed(page[name]) for name in ("digest", "text_digest")]
    redirect = page["redirect"] if 300 <= page["status"] < 400 else None
    loop.keeper.rows.fetched.append(
        (
            site_host.id,
            key,
            page["url"],
            page["fetched_at"].timestamp(),
            page["status"],
            *digests,
            page["score"],
            page["duplicate_of"],
            redirect,
            None,
            None,
        )
    )
    loop.keeper.counts.add_answer(page["status"], page["length"] or 0)
    site_host.fetched += is_stored(page["status"])


def _take_links(loop: "Loop", batch: pa.RecordBatch, depths: dict[int, int]) -> None:
    import pyarrow.compute as pc

    rel = pc.fill_null(batch.column("rel"), "")
    batch = batch.filter(pc.invert(pc.match_substring(rel, "nofollow")))
    sources = pc.dictionary_encode(batch.column("source"))
    entries = []
    for url in sources.dictionary.to_pylist():
        key = schema.signed(key64(url))
        entries.append(Entry(url, key, loop.frontier.host(host(url) or ""), 1.0, 0, depths.get(key, 0)))
    links = pa.table(
        {
            "target": batch.column("target"),
            "key": pa.array(key_column(batch.column("target"))),
            "row": sources.indices,
        }
    )
    loop.frontier.add(links, np.ones(batch.num_rows, np.float32), entries)
