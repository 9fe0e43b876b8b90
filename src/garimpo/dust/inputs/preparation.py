"""Clusters made ready for learning: URLs in normal form, each in one cluster only, and a share set apart."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.contract.reading import Counts
from garimpo.contract.tables import require
from garimpo.url import normalise_column

TABLE = pa.schema([pa.field("cluster", pa.int64(), nullable=False), pa.field("url", pa.string(), nullable=False)])


def prepare(clusters: pa.Table, counts: Counts | None = None, normalise: bool = True) -> pa.Table:
    """Columns `cluster` and `url`, sorted by both. A URL in two clusters joins them; what is passed over is counted.

    Args:
        clusters: columns `cluster` and `url`
        counts: gets what was passed over
        normalise: whether the URLs are to be normalised first

    >>> counts = Counts()
    >>> urls = ["http://a.org", "http://a.org/b", "http://a.org/b", "http://a.org/c", "-"]
    >>> rows = pa.table({"cluster": [7, 7, 9, 9, 3], "url": urls})
    >>> prepare(rows, counts).to_pydict()["cluster"], str(counts)
    ([7, 7, 7], 'joined clusters: 1, no http(s) URL: 1')
    """
    counts = counts if counts is not None else Counts()
    require(clusters.column_names, ["cluster", "url"], "clusters")
    urls = clusters.column("url").combine_chunks()
    urls = pa.concat_arrays(urls.chunks) if isinstance(urls, pa.ChunkedArray) else urls
    if normalise:
        urls = normalise_column(urls)
    table = pa.table({"cluster": clusters.column("cluster").cast(pa.int64()), "url": urls})
    known = table.filter(pc.and_(pc.is_valid(table.column("url")), pc.is_valid(table.column("cluster"))))
    counts["no http(s) URL"] += table.num_rows - known.num_rows
    table = known.group_by(["cluster", "url"]).aggregate([]).select(["cluster", "url"])
    counts["repeated in its cluster"] += known.num_rows - table.num_rows
    table = _disjoint(table, counts)
    return table.sort_by([("cluster", "ascending"), ("url", "ascending")]).cast(TABLE)


def _disjoint(table: pa.Table, counts: Counts) -> pa.Table:
    """Join clusters that share a URL, under the smallest of their numbers."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    codes = table.column("url").combine_chunks().dictionary_encode()
    codes = codes.chunk(0) if isinstance(codes, pa.ChunkedArray) else codes
    url = codes.indices.to_numpy()
    if len(codes.dictionary) == table.num_rows:
        return table
    numbers, cluster = np.unique(table.column("cluster").to_numpy(), return_inverse=True)
    nodes = len(numbers) + len(codes.dictionary)
    edges = coo_array((np.ones(len(url), np.int8), (cluster, url + len(numbers))), shape=(nodes, nodes))
    _, component = connected_components(edges, directed=False)
    smallest = np.full(component.max() + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, component[: len(numbers)], numbers)
    counts["joined clusters"] += len(numbers) - len(np.unique(component[: len(numbers)]))
    joined = pa.table({"cluster": smallest[component[cluster]], "url": table.column("url")})
    return joined.group_by(["cluster", "url"]).aggregate([]).select(["cluster", "url"])


def cluster_hash(clusters: NDArray[np.int64], seed: int = 0) -> NDArray[np.uint64]:
    """A hash of each cluster number, to split and to sample by (the splitmix64 finaliser).

    >>> cluster_hash(np.array([1, 1, 2]))[:2].tolist() == cluster_hash(np.array([1, 1])).tolist()
    True
    """
    value = clusters.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & (2**64 - 1))
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def runs(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where runs of equal values begin in a sorted array, and its length at the end.

    >>> runs(np.array([4, 4, 7])).tolist()
    [0, 2, 3]
    """
    if not len(values):
        return np.zeros(1, np.int64)
    return np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [len(values)]]).astype(np.int64)
