"""Which URLs showed one page: equal content, near-duplicates, canonical tags, redirects, joined into clusters."""

import hashlib
import re
from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.contract.reading import Counts, as_digests, as_strings, first_of_each
from garimpo.contract.results import Result
from garimpo.contract.tables import CLUSTERS, check, require
from garimpo.url import normalise_column, resolve

EVIDENCE = ("digest", "near", "canonical", "redirect")
"""From the strongest to the weakest."""
GIANT = 20
"""From this size on the URLs of a cluster must have something in common."""
COMMON = 0.5
"""The share of a URL's words that most URLs of a large cluster must share."""
_WORD = re.compile("[A-Za-z0-9]+")
_NOTHING = int.from_bytes(hashlib.blake2b(b"", digest_size=8).digest(), "big")

Edges = list[tuple[NDArray[np.int64], NDArray[np.int64], int]]


def clusters(
    pages: pa.Table,
    near: pa.Table | None = None,
    *,
    veto: Collection[str] = (),
    trust_canonical: bool = False,
    counts: Counts | None = None,
) -> pa.Table:
    """Clusters (`cluster`, `url`, `evidence`) of a table of pages; a page alone in its cluster is known to be unique.

    `pages` needs `url` and some of `digest`, `text_digest`, `canonical`, `redirect`, `status`; `near` (`id`, `cluster`) holds
    near-duplicates by URL. URLs of `veto` take no part. Large clusters whose URLs have nothing in common are error or login
    pages: they are set aside and counted, as is every canonical tag that the content contradicts.

    Args:
        pages: the pages, one a row
        near: near-duplicates, as `garimpo dedup` writes them
        veto: URLs that take no part
        trust_canonical: believe canonical tags whatever the content says: bytes that differ by a date or a name make two pages
        counts: gets what was passed over

    >>> pages = pa.table({"url": ["http://a.org/1", "http://a.org/1/", "http://a.org/2"], "digest": [7, 7, 8]})
    >>> clusters(pages).to_pylist()[1]
    {'cluster': 0, 'url': 'http://a.org/1/', 'evidence': 'digest'}
    """
    counts = counts if counts is not None else Counts()
    pages = _read(pages, veto, counts)
    nodes = _Nodes(pages.column("url"))
    content = _content(pages)
    edges: Edges = []
    near_codes = _near(near, nodes, edges, counts)
    for digest in content:
        edges.append((*_equal(digest), 0))
    contradicting = [] if trust_canonical else [*content, *([near_codes] if near_codes is not None else [])]
    _add_links(pages, nodes, contradicting, edges, counts)
    known = np.zeros(len(nodes.names), bool)
    for digest in content:
        known[: len(digest)] |= digest != 0
    table = _components(nodes, edges, known)
    counts["content not known"] += len(nodes.names) - table.num_rows
    return check(_without_giants(table, counts), CLUSTERS)


class _Nodes:
    """URLs by number; those of the pages first, in their order."""

    def __init__(self, urls: pa.ChunkedArray) -> None:
        self.names: list[str] = urls.to_pylist()
        self.number = {url: i for i, url in enumerate(self.names)}

    def of(self, urls: Sequence[str | None]) -> NDArray[np.int64]:
        """Numbers of URLs, new ones for new URLs, -1 for None."""
        out = np.full(len(urls), -1, np.int64)
        for i, url in enumerate(urls):
            if url is not None:
                number = self.number.setdefault(url, len(self.names))
                if number == len(self.names):
                    self.names.append(url)
                out[i] = number
        return out


def _read(pages: pa.Table, veto: Collection[str], counts: Counts) -> pa.Table:
    require(pages.column_names, ["url"], "pages")
    pages = pages.set_column(pages.column_names.index("url"), "url", normalise_column(as_strings(pages.column("url"))))
    known = pages.filter(pc.is_valid(pages.column("url")))
    counts["no http(s) URL"] += pages.num_rows - known.num_rows
    if "status" in known.column_names:
        status = known.column("status").cast(pa.int64())
        answered = known.filter(pc.or_kleene(pc.is_null(status), pc.and_(pc.greater_equal(status, 200), pc.less(status, 400))))
        counts["not answered"] += known.num_rows - answered.num_rows
        known = answered
    if veto:
        unwanted = normalise_column(pa.array(sorted(veto), pa.string()))
        kept = known.filter(pc.invert(pc.is_in(known.column("url"), value_set=unwanted)))
        counts["vetoed"] += known.num_rows - kept.num_rows
        known = kept
    return first_of_each(known, "url", counts, "repeated URL")


def _content(pages: pa.Table) -> list[NDArray[np.uint64]]:
    """Digests, 0 where there is none or the page is empty."""
    found = []
    for name in ("digest", "text_digest"):
        if name in pages.column_names:
            values = as_digests(pages.column(name)).fill_null(0).to_numpy().astype(np.uint64)
            found.append(np.where(values == np.uint64(_NOTHING), np.uint64(0), values))
    return found


def _equal(codes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Edges from each row to the first row with the same code; 0 is no code."""
    rows = np.flatnonzero(codes)
    _, first, inverse = np.unique(codes[rows], return_index=True, return_inverse=True)
    return rows.astype(np.int64), rows[first[inverse]].astype(np.int64)


def _near(near: pa.Table | None, nodes: _Nodes, edges: Edges, counts: Counts) -> NDArray[np.uint64] | None:
    if near is None:
        return None
    require(near.column_names, ["id", "cluster"], "near")
    names = normalise_column(as_strings(near.column("id"))).to_pylist()
    codes = np.zeros(len(nodes.names), np.uint64)
    for name, cluster in zip(names, near.column("cluster").to_pylist()):
        number = nodes.number.get(name)
        if number is None:
            counts["near-duplicate of no page"] += 1
        else:
            codes[number] = np.uint64(cluster) + np.uint64(1)
    edges.append((*_equal(codes), 1))
    return codes


def _add_links(pages: pa.Table, nodes: _Nodes, content: list[NDArray[np.uint64]], edges: Edges, counts: Counts) -> None:
    """Edges of canonical tags and redirects; without the tags that the content of both pages contradicts."""
    urls = pages.column("url").to_pylist()
    for name in ("canonical", "redirect"):
        if name not in pages.column_names:
            continue
        given = as_strings(pages.column(name)).to_pylist()
        targets = nodes.of([None if text is None else resolve(url, text.strip()) for url, text in zip(urls, given)])
        source = np.flatnonzero((targets >= 0) & (targets != np.arange(len(urls)))).astype(np.int64)
        target = targets[source]
        if name == "canonical":
            denied = _contradicted(source, target, len(urls), content)
            counts["canonical tag contradicted"] += int(denied.sum())
            source, target = source[~denied], target[~denied]
        edges.append((source, target, EVIDENCE.index(name)))


def _contradicted(
    source: NDArray[np.int64], target: NDArray[np.int64], fetched: int, codes: list[NDArray[np.uint64]]
) -> NDArray[np.bool_]:
    """Where both pages are known and nothing about their content agrees."""
    both = target < fetched
    known, agree = np.zeros(len(source), bool), np.zeros(len(source), bool)
    for code in codes:
        a, b = code[source], np.where(both, code[np.minimum(target, fetched - 1)], np.uint64(0))
        known |= (a != 0) & (b != 0)
        agree |= (a != 0) & (a == b)
    return both & known & ~agree


def _components(nodes: _Nodes, edges: Edges, known: NDArray[np.bool_]) -> pa.Table:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(nodes.names)
    a = np.concatenate([edge[0] for edge in edges]) if edges else np.zeros(0, np.int64)
    b = np.concatenate([edge[1] for edge in edges]) if edges else np.zeros(0, np.int64)
    _, label = connected_components(coo_array((np.ones(len(a), np.int8), (a, b)), shape=(count, count)), directed=False)
    strength = np.full(count, len(EVIDENCE), np.int64)
    for sources, targets, kind in edges:
        real = sources != targets
        np.minimum.at(strength, sources[real], kind)
        np.minimum.at(strength, targets[real], kind)
    first = np.full(label.max() + 1 if count else 0, count, np.int64)
    np.minimum.at(first, label, np.arange(count))
    names = pa.array([*EVIDENCE, None], pa.string())
    evidence = names.take(pa.array(strength))
    table = pa.table({"cluster": first[label], "url": pa.array(nodes.names, pa.string()), "evidence": evidence})
    table = table.filter(pa.array(known | (strength < len(EVIDENCE))))
    return table.sort_by([("cluster", "ascending"), ("url", "ascending")])


def _without_giants(table: pa.Table, counts: Counts) -> pa.Table:
    numbers = table.column("cluster").to_numpy()
    values, size = np.unique(numbers, return_counts=True)
    urls = table.column("url")
    gone = []
    for value in values[size >= GIANT].tolist():
        begin = int(np.searchsorted(numbers, value))
        end = int(np.searchsorted(numbers, value, side="right"))
        some = urls.slice(begin, end - begin).take(pa.array(np.linspace(0, end - begin - 1, 40).astype(np.int64))).to_pylist()
        if _in_common(some) < COMMON:
            gone.append(value)
            counts["giant clusters set aside"] += 1
            counts["URLs of giant clusters"] += end - begin
    return table.filter(pa.array(~np.isin(numbers, gone))) if gone else table


def _in_common(urls: Sequence[str]) -> float:
    """The share of a URL's words and numbers behind its host that most of the URLs have."""
    sets = [set(_WORD.findall(url.partition("://")[2].partition("/")[2])) for url in urls]
    every: dict[str, int] = {}
    for words in sets:
        for word in words:
            every[word] = every.get(word, 0) + 1
    common = sum(1 for count in every.values() if count >= 0.8 * len(sets))
    mean = sum(map(len, sets)) / len(sets)
    return common / mean if mean else 1.0


def statistics(table: pa.Table) -> Result:
    """Sizes of a set of clusters, as the thesis tells them: clusters, URLs, tokens a URL, sizes, hosts a cluster.

    Args:
        table: columns `cluster` and `url`
    """
    from garimpo.dust.inputs.tokens import Tokens
    from garimpo.url import host_column

    urls = table.column("url").combine_chunks()
    numbers = table.column("cluster").to_numpy()
    _, size = np.unique(numbers, return_counts=True)
    many = size[size >= 2]
    hosts = host_column(urls)
    pairs = pa.table({"cluster": numbers, "host": hosts}).group_by(["cluster", "host"]).aggregate([]).num_rows
    per_host = pc.value_counts(hosts).field("counts").to_numpy() if len(urls) else np.zeros(1)
    told = {
        "clusters": len(many),
        "urls": int(many.sum()),
        "unique": int((size == 1).sum()),
        "tokens_per_url": round(len(Tokens.of(urls).starts) / max(len(urls), 1), 2),
        "clusters_to_10": int((many <= 10).sum()),
        "clusters_over_10": int((many > 10).sum()),
        "mean_size": round(float(many.mean()), 2) if len(many) else 0.0,
        "max_size": int(many.max()) if len(many) else 0,
        "hosts": len(per_host),
        "urls_per_host_max": int(per_host.max()),
        "urls_per_host_mean": round(float(per_host.mean()), 2),
        "hosts_per_cluster": round(pairs / max(len(size), 1), 2),
    }
    return Result(told)
