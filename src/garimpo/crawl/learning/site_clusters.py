"""From rows of pages to evidence by site, and from a site's rows to its clusters.

Sites are looked at apart, whatever pages are looked at together: what a page says about pages of other sites counts only where
another page of its own site says the same. So such pages are named by a hash that the site's name is part of, and digests are
mixed with a hash of that name.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import xxhash
from numpy.typing import NDArray

from garimpo import dust
from garimpo.crawl.learning.evidence import Row, SiteClusters
from garimpo.dust.method.learner import by_site
from garimpo.engine.groups import group_starts
from garimpo.mirrors.inputs import near_duplicates
from garimpo.page import digest
from garimpo.url import host_column, normalise_column, resolve, site

EMPTY = digest(b"")
"""Of a page without a byte, or without text: says nothing."""


def rows_by_site(pages: pa.Table) -> dict[str, list[Row]]:
    """The pages that were answered and say something, by site, in their order.

    Args:
        pages: columns `url`, `status`, `digest`, `text_digest`, `canonical`, `redirect`, `duplicate_of`.
    """
    status = pages["status"]
    answered = pc.or_kleene(pc.is_null(status), pc.and_(pc.greater_equal(status, 200), pc.less(status, 400)))
    urls = normalise_column(pages["url"].combine_chunks())
    chosen = pc.and_(answered, pc.is_valid(urls))
    pages, urls = pages.filter(chosen), urls.filter(chosen.combine_chunks())
    hosts = host_column(urls).dictionary_encode()
    sites = [site(name) or name for name in hosts.dictionary.to_pylist()]
    columns = [pages[name].to_pylist() for name in ("digest", "text_digest", "canonical", "redirect", "duplicate_of")]
    found: dict[str, list[Row]] = defaultdict(list)
    for number, url, body, text, *targets in zip(hosts.indices.to_pylist(), urls.to_pylist(), *columns):
        own = sites[number]
        row = Row(url, _unless_empty(body), _unless_empty(text), *(_target(url, target, own) for target in targets))
        if row.says_something:
            found[own].append(row)
    return found


def _unless_empty(value: int | None) -> int | None:
    return None if value == EMPTY else value


def _target(url: str, text: str | None, own: str) -> str | None:
    """The page that another says it is: None for itself, a hash for one of another site."""
    if text is None or text == url:
        return None
    target = resolve(url, text.strip())
    if target is None or target == url:
        return None
    return target if site(target) == own else f"http://{xxhash.xxh64_hexdigest(f'{own} {target}'.encode())}.invalid/"


def cluster_sites(sites: Sequence[tuple[str, Sequence[Row]]]) -> Iterator[tuple[str, SiteClusters]]:
    """The clusters of each site, whatever others are looked at with it.

    Args:
        sites: names, and the rows of each.
    """
    rows = [row for _, own in sites for row in own]
    salts = np.array([xxhash.xxh64_intdigest(name.encode()) for name, _ in sites], np.uint64)
    salt = np.repeat(salts, [len(own) for _, own in sites])
    pages = pa.table(
        {
            "url": pa.array([row.url for row in rows], pa.string()),
            "digest": _salted([row.digest for row in rows], salt),
            "text_digest": _salted([row.text_digest for row in rows], salt),
            "canonical": pa.array([row.canonical for row in rows], pa.string()),
            "redirect": pa.array([row.redirect for row in rows], pa.string()),
            "duplicate_of": pa.array([row.same_as for row in rows], pa.string()),
        }
    )
    clusters = dust.clusters(pages.drop_columns("duplicate_of"), near=near_duplicates(pages))
    prepared = by_site(dust.prepare(clusters, normalise=False))
    starts = group_starts(prepared, ["site"]).tolist() if prepared.num_rows else []
    found = {}
    for begin, end in zip(starts, [*starts[1:], prepared.num_rows]):
        own = prepared.slice(begin, end - begin)
        ranks = np.unique(own["cluster"].to_numpy(), return_inverse=True)[1]
        found[own["site"][0].as_py()] = SiteClusters(own["url"].to_pylist(), ranks.tolist())
    for name, _ in sites:
        yield name, found.get(name, SiteClusters([], []))


def _salted(values: list[int | None], salt: NDArray[np.uint64]) -> pa.Array:
    known = np.array([value is not None for value in values], bool)
    return pa.array(np.array([value or 0 for value in values], np.uint64) ^ salt, mask=~known)
