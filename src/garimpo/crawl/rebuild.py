"""A crawl's state made anew from its tables, after the state file was lost or damaged.

What the pages table lists was fetched; what the links table names and was not fetched is queued again. Skipped rows,
scores and delays are not in the tables: URLs are skipped again when they come up, hosts are asked after one full delay.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from garimpo.crawl import queue
from garimpo.crawl.entries import Entry
from garimpo.url import host, key64, key_column

if TYPE_CHECKING:
    from garimpo.crawl.loop import Loop

COLUMNS = ("url", "fetched_at", "status", "digest", "text_digest", "depth", "score", "duplicate_of", "redirect", "length")


def rebuild(loop: "Loop") -> dict[str, int]:
    """Fill the state of a loop whose database is new; the next commit keeps it."""
    now = loop.clock()
    depths: dict[int, int] = {}
    redirects: list[tuple[str, int]] = []
    for batch in loop.store.pages(COLUMNS):
        for page in batch.to_pylist():
            _take_page(loop, page, depths, now)
            if page["redirect"] is not None:
                redirects.append((page["redirect"], page["depth"]))
    loop.frontier.seen.add(np.array(list(depths), np.int64).view(np.uint64))
    loop.frontier.add_urls(list(loop.settings.seeds), now=now, seeds=True)
    for target, depth in redirects:
        loop.frontier.add_urls([target], depth=depth, now=now)
    for batch in loop.store.links(["source", "target", "rel"]):
        _take_links(loop, batch, depths, now)
    return {"fetched": len(depths), "queued": loop.frontier.queued}


def _take_page(loop: "Loop", page: dict[str, Any], depths: dict[int, int], now: float) -> None:
    key = queue.signed(key64(page["url"]))
    depths[key] = page["depth"]
    site_host = loop.frontier.host(host(page["url"]) or "", now)
    digests = [None if page[name] is None else queue.signed(page[name]) for name in ("digest", "text_digest")]
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
        )
    )
    hop = 300 <= page["status"] < 400 and page["status"] != 304
    counts = loop.keeper.counts
    counts["redirects" if hop else "pages" if page["status"] in (200, 304) else "errors"] += 1
    counts["stored"] += page["status"] > 0 and not hop
    counts["bytes"] += page["length"] or 0
    site_host.fetched += page["status"] > 0 and not hop


def _take_links(loop: "Loop", batch: pa.RecordBatch, depths: dict[int, int], now: float) -> None:
    import pyarrow.compute as pc

    rel = pc.fill_null(batch.column("rel"), "")
    batch = batch.filter(pc.invert(pc.match_substring(rel, "nofollow")))
    sources = pc.dictionary_encode(batch.column("source"))
    entries = []
    for url in sources.dictionary.to_pylist():
        key = queue.signed(key64(url))
        entries.append(Entry(url, key, loop.frontier.host(host(url) or "", now), 1.0, 0, depths.get(key, 0)))
    links = pa.table(
        {
            "target": batch.column("target"),
            "key": pa.array(key_column(batch.column("target"))),
            "row": sources.indices,
        }
    )
    loop.frontier.add(links, np.ones(batch.num_rows, np.float32), entries, now)
