"""What is known of each host's pages, kept so that it can be added to and taken back.

All evidence is in the rows: which URL showed which page. A `HostPages` holds them for one host; a page fetched again, a cluster
joined with another, a label withdrawn change some rows of some hosts. Learning again then touches the sites of these hosts only
(`Learner` remembers what the others said), and gives what learning from the start would give. A `Relearner` does so where no
memory holds all rows: what each site said and gave is in a `Memory`, and only sites that changed are handed in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import pyarrow as pa

from garimpo.dust.inputs.preparation import TABLE
from garimpo.dust.method.belief import Evidence, Trust
from garimpo.dust.method.learner import Learner, rule_set
from garimpo.dust.method.operation import Operation
from garimpo.dust.method.site import Found, SiteRows, site_evidence, site_rules
from garimpo.dust.rules.ruleset import RuleSet
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


class Given(NamedTuple):
    """The rules that a site gave, and what it was answered when it asked how far operations can be trusted."""

    asked: list[tuple[Operation, int, float, bool]]
    found: list[Found]


class Remembered(NamedTuple):
    """What a site's rows said, and what it then gave to each learner; None: it is to be asked again."""

    said: list[Evidence]
    given: list[Given | None]


class Memory(Protocol):
    """Where the sites are remembered."""

    def rows(self, site: str) -> SiteRows:
        """The rows of a site."""

    def recall(self, site: str) -> Remembered | None:
        """What is known of a site."""

    def sites(self) -> Iterator[tuple[str, Remembered]]:
        """All sites that said something; `remember` may be called on the way."""

    def remember(self, site: str, what: Remembered | None) -> None:
        """Keep what is known of a site; None forgets it."""


class Relearner:
    """Learners that learn again as sites change; each gives the rules that it would give for all rows at once.

    Args:
        learners: all with the same `sample`; what a site says is found once for all of them
        memory: what is known so far
    """

    def __init__(self, learners: Sequence[Learner], memory: Memory) -> None:
        self._learners, self._memory = learners, memory
        self._trusts = [Trust(one.fpr_max, one.allowed_error, one.min_support) for one in learners]
        self.sites_asked = 0
        """Sites whose rules the last `learn` made again."""
        for _, known in memory.sites():
            self._count(known.said, 1)

    def change(self, site: str, rows: SiteRows) -> None:
        """The rows of a site are other ones now.

        Args:
            site: its name
            rows: all its rows; none, where it is gone
        """
        known = self._memory.recall(site)
        if known is not None:
            self._count(known.said, -1)
        said = site_evidence(rows, self._learners[0].sample)
        self._count(said, 1)
        if said or known is not None:
            self._memory.remember(site, Remembered(said, [None] * len(self._learners)) if said else None)

    def learn(self) -> list[RuleSet]:
        """The rules of each learner."""
        found: list[list[Found]] = [[] for _ in self._learners]
        self.sites_asked = 0
        for site, known in self._memory.sites():
            given = [self._ask(number, site, known) for number in range(len(self._learners))]
            for own, new in zip(found, given):
                own += new.found
            if any(new is not old for new, old in zip(given, known.given)):
                self.sites_asked += 1
                self._memory.remember(site, Remembered(known.said, list(given)))
        return [rule_set(own) for own in found]

    def _ask(self, number: int, site: str, known: Remembered) -> Given:
        learner, trust, given = self._learners[number], self._trusts[number], known.given[number]
        with trust.without(known.said):
            if given is not None and trust.answers_still(
                {(way, tried): (doubt, widely) for way, tried, doubt, widely in given.asked}
            ):
                return given
            rules = site_rules(self._memory.rows(site), known.said, trust, learner.sample, learner.bold)
            return Given([(*question, *answer) for question, answer in trust.asked.items()], rules)

    def _count(self, said: Iterable[Evidence], hosts: int) -> None:
        for trust in self._trusts:
            trust.count(said, hosts)


def _hosts(urls: pa.Array | pa.ChunkedArray) -> list[str]:
    return [host or "" for host in host_column(urls).to_pylist()]
