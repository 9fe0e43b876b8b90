"""A smaller crawl folder out of a large one, as a shallow crawl would have brought it."""

import os
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.archive.collection.importing import add_pages, whole_folder
from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.contract.results import Result
from garimpo.engine.columns import hash_strings
from garimpo.url import host_column, normalise

Ints = NDArray[np.int64]


def sample_folder(
    folder: str | os.PathLike[str], out: str | os.PathLike[str], *, per_host: int, max_depth: int,
    seeds: Sequence[str] = (), most: int | None = None, counts: Counts | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> Result:  # fmt: skip
    """Make the crawl folder `out` from pages of another: of each host so many, and so deep.

    Hosts are taken in the order in which they are met. Inside a host the links are followed depth first, from its home page
    (where that is stored, else from the page by which the host was met) as many links deep as `max_depth` says, until it has
    given `per_host` pages; a link to another host puts that one at the end of the row.

    Args:
        folder: the crawl folder.
        out: the crawl folder to make.
        per_host: pages of a host, at most.
        max_depth: links from the page a host begins with, at most.
        seeds: URLs to begin with; without them the first page of each host, in the order of the folder.
        most: pages in all, at most.
        counts: what is passed over is counted here.
        progress: called with the number of pages written since.
    """
    if per_host < 1 or max_depth < 0 or (most is not None and most < 1):
        raise BadInput("at least one page of a host and in all, and a depth of 0 or more")
    counts = Counts() if counts is None else counts
    with Store.open(folder, write=False) as store:
        chosen, hosts = _chosen(store, seeds, per_host, max_depth, most)
        settings = {"sampled": {"folder": Path(folder).name, "per-host": per_host, "max-depth": max_depth}}
        with whole_folder(Path(out)) as temporary, Store.create(temporary, settings) as made:
            add_pages(made, [Path(folder)], False, counts, progress, only=chosen)
            for batch in store.links():
                kept = pa.table(batch).filter(pc.is_in(batch.column("source"), chosen))
                with made.commit(links=kept):
                    pass
            return Result(pages=made.count("pages"), links=made.count("links"), hosts=hosts)


def _chosen(store: Store, seeds: Sequence[str], per_host: int, max_depth: int, most: int | None) -> tuple[pa.Array, int]:
    """The URLs of the pages to take, and how many hosts they are of."""
    parts = [batch.column("url").cast(pa.string()) for batch in store.latest(["url"])]
    if not sum(map(len, parts)):
        raise BadInput(f"{store.path}: no page in it")
    urls = pa.concat_arrays(parts)
    number = _Numbers(urls)
    offsets, targets = _arcs(store, number, len(urls))
    names, host = np.unique(hash_strings(host_column(urls)), return_inverse=True)
    home = _homes(urls, host, len(names))
    begun = number.of(pa.array([normalise(seed) or seed for seed in seeds], pa.string())) if seeds else _firsts(host)
    if not (begun >= 0).any():
        raise BadInput(f"none of the {len(seeds)} seed URLs is a page of the crawl folder")
    taken, row, met = np.zeros(len(urls), bool), deque[int](), np.zeros(len(names), bool)
    room = len(urls) if most is None else most

    def meet(page: int) -> None:
        if not met[host[page]]:
            met[host[page]] = True
            row.append(home[host[page]] if home[host[page]] >= 0 else page)

    for page in begun[begun >= 0].tolist():
        meet(page)
    hosts = 0
    while row and room > 0:
        start = row.popleft()
        hosts += 1
        left, stack = min(per_host, room), [(start, 0)]
        while stack and left > 0:
            page, depth = stack.pop()
            if taken[page]:
                continue
            taken[page] = True
            left, room = left - 1, room - 1
            ends = targets[offsets[page] : offsets[page + 1]].tolist()
            for end in ends:
                meet(end)
            if depth < max_depth:
                stack += [(end, depth + 1) for end in reversed(ends) if host[end] == host[start] and not taken[end]]
    return urls.filter(pa.array(taken)), hosts


class _Numbers:
    """The numbers of the pages by their URLs."""

    def __init__(self, urls: pa.Array) -> None:
        keys = hash_strings(urls)
        self._order = np.argsort(keys)
        self._keys = keys[self._order]

    def of(self, urls: pa.Array) -> Ints:
        keys = hash_strings(urls)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[place] == keys, self._order[place], -1)


def _arcs(store: Store, number: _Numbers, size: int) -> tuple[Ints, Ints]:
    """The links between stored pages, in the order of each page."""
    ends = [(number.of(batch.column("source")), number.of(batch.column("target"))) for batch in store.links(["source", "target"])]
    sources, targets = (np.concatenate([np.zeros(0, np.int64), *part]) for part in (zip(*ends) if ends else ((), ())))
    known = (sources >= 0) & (targets >= 0)
    sources, targets = sources[known], targets[known]
    order = np.argsort(sources, kind="stable")
    return np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=size))]), targets[order]


def _homes(urls: pa.Array, host: Ints, hosts: int) -> Ints:
    """The home page of each host, -1 where it is not stored."""
    home = np.full(hosts, -1)
    pages = np.flatnonzero(pc.match_substring_regex(urls, r"^https?://[^/?#]*/?$").to_numpy(zero_copy_only=False))
    home[host[pages[::-1]]] = pages[::-1]
    return home


def _firsts(host: Ints) -> Ints:
    """The first page of each host, in order."""
    return np.sort(np.unique(host, return_index=True)[1])
