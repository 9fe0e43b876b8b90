"""What is known of each host's pages, kept so that it can be added to and taken back.

All evidence is in the rows: which URL showed which page. A `HostPages` holds them for one host; a page fetched again, a cluster
joined with another, a label withdrawn change some rows of some hosts. Learning again then touches the sites of these hosts only
(`Learner` remembers what the others said), and gives what learning from the start would give.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from garimpo.dust.inputs.preparation import TABLE
from garimpo.url import host_column


class HostPages:
    """The URLs of one host and the cluster of each.

    Args:
        pages: clusters by URL
    """

    def __init__(self, pages: Mapping[str, int] | None = None) -> None:
        self.pages: dict[str, int] = dict(pages or {})

    def __len__(self) -> int:
        return len(self.pages)

    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        """Add rows, or change the cluster of URLs that are there.

        Args:
            rows: cluster and URL
        """
        for cluster, url in rows:
            self.pages[url] = cluster

    def remove(self, urls: Iterable[str]) -> None:
        """Take URLs back; those that are not there are passed over.

        Args:
            urls: what is no longer known
        """
        for url in urls:
            self.pages.pop(url, None)

    def merge(self, other: "HostPages") -> None:
        """Add all of another; where both know a URL, the other's cluster stands.

        Args:
            other: what another process gathered
        """
        self.pages.update(other.pages)


class Accumulator:
    """The pages of all hosts.

    >>> known = Accumulator()
    >>> known.add(pa.table({"cluster": [1, 1, 2], "url": ["http://a.org/", "http://a.org/?x", "http://b.org/"]}))
    >>> known.remove(["http://a.org/?x"])
    >>> {host: len(pages) for host, pages in known.hosts.items()}, known.table().num_rows
    ({'a.org': 1, 'b.org': 1}, 2)
    """

    def __init__(self) -> None:
        self.hosts: dict[str, HostPages] = {}

    def add(self, clusters: pa.Table) -> None:
        """Add rows.

        Args:
            clusters: columns `cluster` and `url`, the URLs normalised
        """
        rows = zip(clusters.column("cluster").to_pylist(), clusters.column("url").to_pylist(), _hosts(clusters.column("url")))
        by_host: dict[str, list[tuple[int, str]]] = {}
        for cluster, url, host in rows:
            by_host.setdefault(host, []).append((cluster, url))
        for host, own in by_host.items():
            self.hosts.setdefault(host, HostPages()).add(own)

    def remove(self, urls: Iterable[str]) -> None:
        """Take URLs back.

        Args:
            urls: what is no longer known
        """
        given = pa.array(list(urls), pa.string())
        for url, host in zip(given.to_pylist(), _hosts(given)):
            if host in self.hosts:
                self.hosts[host].remove([url])
                if not len(self.hosts[host]):
                    del self.hosts[host]

    def merge(self, other: "Accumulator") -> None:
        """Add all of another.

        Args:
            other: what another process gathered
        """
        for host, pages in other.hosts.items():
            self.hosts.setdefault(host, HostPages()).merge(pages)

    def table(self) -> pa.Table:
        """All rows, as `prepare` makes them: what is stored, and what a `Learner` learns from."""
        rows = sorted((cluster, url) for pages in self.hosts.values() for url, cluster in pages.pages.items())
        return pa.table([pa.array([c for c, _ in rows], pa.int64()), pa.array([u for _, u in rows], pa.string())], schema=TABLE)

    @classmethod
    def of(cls, table: pa.Table) -> "Accumulator":
        """What a stored table holds.

        Args:
            table: as `table` gave it
        """
        made = cls()
        made.add(table)
        return made


def _hosts(urls: pa.Array | pa.ChunkedArray) -> list[str]:
    return [host or "" for host in host_column(urls).to_pylist()]
