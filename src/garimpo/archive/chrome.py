"""The chrome of each host of a crawl folder: the blocks that it repeats over its pages, learned from the pages that are there.

A host's chrome is learned from a sample of its pages (those whose URLs hash lowest), each body once.
"""

import contextlib
import heapq
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.archive.folder.store import Store
from garimpo.page.text.blocks import Blocks, read_blocks
from garimpo.page.text.sameness import ENOUGH, Chrome, learn_chrome

SAMPLE = 500
"""Pages of a host that its chrome is learned from."""
TABLE = pa.schema([("host", pa.string()), ("block", pa.uint64()), ("kind", pa.string()), ("pages", pa.int32())])
"""`learned/chrome/N.parquet`: the hash of a block, `chrome` or `volatile`, and how many pages it was learned from."""

_Page = tuple[int, int, Blocks]


class _Host:
    """The sample of one host: a heap with the highest hash on top."""

    def __init__(self) -> None:
        self.heap: list[_Page] = []
        self.bodies: set[int] = set()

    def add(self, rank: int, body: int, blocks: Blocks) -> None:
        if body in self.bodies or (len(self.heap) == SAMPLE and -self.heap[0][0] <= rank):
            return
        self.bodies.add(body)
        if len(self.heap) < SAMPLE:
            heapq.heappush(self.heap, (-rank, body, blocks))
        else:
            self.bodies.discard(heapq.heapreplace(self.heap, (-rank, body, blocks))[1])


def learn_host_chrome(store: Store) -> dict[str, Chrome]:
    """The chrome of each host that has enough pages.

    Args:
        store: the crawl folder.
    """
    hosts: dict[str, _Host] = {}
    for batch in store.latest(["url", "host", "digest", "text"]):
        blocks = read_blocks(batch.column("text").fill_null(""))
        names = zip(*(batch.column(name).to_pylist() for name in ("url", "host", "digest")))
        for number, (url, host, digest) in enumerate(names):
            rank = xxhash.xxh64_intdigest(url.encode())
            hosts.setdefault(host, _Host()).add(rank, rank if digest is None else digest, _of_page(blocks, number))
    found = {name: [one[2] for one in host.heap] for name, host in hosts.items() if len(host.heap) >= ENOUGH}
    return {name: learn_chrome(_joined(pages)) for name, pages in found.items()}


def _of_page(blocks: Blocks, number: int) -> Blocks:
    """The hashes of one page's blocks, copied; words are not needed."""
    span = slice(blocks.offsets[number], blocks.offsets[number + 1])
    parts = (blocks.as_is[span].copy(), blocks.masked[span].copy(), blocks.lettered[span].copy())
    return _without_words(np.array([0, len(parts[0])]), *parts)


def _joined(pages: Iterable[Blocks]) -> Blocks:
    pages = list(pages)
    offsets = np.cumsum([0, *(len(page.as_is) for page in pages)])
    columns = ([page.as_is for page in pages], [page.masked for page in pages], [page.lettered for page in pages])
    return _without_words(offsets, *(np.concatenate(parts) for parts in columns))


def _without_words(offsets: np.ndarray, as_is: np.ndarray, masked: np.ndarray, lettered: np.ndarray) -> Blocks:
    none = np.zeros(0, np.uint32)
    return Blocks(offsets.astype(np.int64), as_is, masked, lettered, np.zeros(len(as_is) + 1, np.int64), none, none)


def write_host_chrome(found: dict[str, Chrome], path: Path) -> None:
    """Write what was learned as one table, sorted by host.

    Args:
        found: the chrome of each host.
        path: the Parquet file.
    """
    rows = [
        {"host": host, "block": int(block), "kind": kind, "pages": chrome.pages}
        for host, chrome in sorted(found.items())
        for kind, blocks in (("chrome", chrome.chrome), ("volatile", chrome.volatile))
        for block in blocks
    ]
    pq.write_table(pa.Table.from_pylist(rows, TABLE), path, compression="zstd")


def read_host_chrome(path: Path) -> dict[str, Chrome]:
    """What `write_host_chrome` wrote.

    Args:
        path: the Parquet file.
    """
    parts: dict[str, dict[str, list[int]]] = {}
    pages: dict[str, int] = {}
    for row in pq.read_table(path, schema=TABLE).to_pylist():
        parts.setdefault(row["host"], {"chrome": [], "volatile": []})[row["kind"]].append(row["block"])
        pages[row["host"]] = row["pages"]
    return {
        host: Chrome(np.array(kinds["volatile"], np.uint64), np.array(kinds["chrome"], np.uint64), pages[host])
        for host, kinds in parts.items()
    }


def host_chrome(store: Store) -> dict[str, Chrome]:
    """The chrome of each host: the version in force if it was learned from all that is stored now, else learned anew.

    A folder that is open to be written to keeps what was learned.

    Args:
        store: the crawl folder.
    """
    rows = store.count()
    path = store.learned.path("chrome")
    if path is not None and store.learned.evidence("chrome").get("rows") == rows:
        with contextlib.suppress(OSError, ValueError, KeyError, pa.ArrowException):  # a damaged one is learned anew
            return read_host_chrome(path)
    found = learn_host_chrome(store)
    if store.writable:
        store.learned.publish("chrome", "parquet", lambda file: write_host_chrome(found, file), {"rows": rows})
    return found
