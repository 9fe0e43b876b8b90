"""Hosts of one site that show each other's pages: www and server names, and folders of one that are the root of another."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.dust.evidence import Evidence
from garimpo.dust.operation import Operation
from garimpo.dust.prepare import runs
from garimpo.url import site

MOST_HOSTS = 8
"""A page that more hosts show is a default page or a syndicated one, and says nothing about any two of them."""
MOST_PATHS = 20_000


class Alias(NamedTuple):
    """Under `source` (host and path prefix) stands what stands under `target`."""

    source: tuple[str, str]
    target: tuple[str, str]

    def operation(self) -> Operation:
        """What it does, with ``*`` for what the names have in common: ``www2.a.org`` and ``a.org`` are ``www2.*`` and ``*``.

        A folder that is a label of the other name is ``+``: ``a.org/games`` and ``games.a.org`` are ``*/+`` and ``+.*``.

        >>> Alias(("www2.a.org", ""), ("www.a.org", "")).operation()
        Operation(kind='host', context='www2.*', template='www.*')
        """
        (source, cut), (target, put) = self
        if not cut and not put and source == f"www.{target}":
            return Operation("www", "www.", "")
        one, two = source.split("."), target.split(".")
        same = 0
        while same < min(len(one), len(two)) and one[-1 - same] == two[-1 - same]:
            same += 1
        front = ["".join(f"{label}." for label in labels[: len(labels) - same]) for labels in (one, two)]
        if front[1] == f"{cut[1:]}.":
            return Operation("host", f"{front[0]}*/+", "+.*")
        return Operation("host", f"{front[0]}*{cut}", f"{front[1]}*{put}")

    def habit(self) -> Operation:
        """What this alias has in common with others, to pool evidence by."""
        if self.operation().kind == "www":
            return self.operation()
        return Operation("host", "name", "folder" if self.source[1] or self.target[1] else "whole")


def alias_evidence(urls: list[str], clusters: NDArray[np.int64]) -> list[tuple[Alias, Evidence]]:
    """Pairs of hosts that share pages, with the pages for and against; rows sorted by cluster."""
    split = [split_url(url) for url in urls]
    starts = runs(clusters)
    found: set[Alias] = set()
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist()):
        if end - begin >= 2 and 2 <= len({host for host, _ in split[begin:end]}) <= MOST_HOSTS:
            found |= propose_aliases(split[begin:end])
    pages: dict[str, dict[str, int]] = defaultdict(dict)
    wanted = {host for alias in found for host, _ in alias}
    for (host, rest), cluster in zip(split, clusters.tolist()):
        if host in wanted and len(pages[host]) < MOST_PATHS:
            pages[host][rest] = cluster
    return [(alias, measure_alias(alias, pages)) for alias in sorted(found)]


def split_url(url: str) -> tuple[str, str]:
    """Name (with its port, if any) and path of a URL."""
    host, slash, rest = url.partition("://")[2].partition("/")
    return host, slash + rest


def propose_aliases(rows: list[tuple[str, str]]) -> set[Alias]:
    """What the names and paths of one cluster suggest, sorted by name and path."""
    found: set[Alias] = set()
    by_host: dict[str, list[str]] = defaultdict(list)
    for host, rest in rows:
        by_host[host].append(rest)
    hosts = sorted(by_host, key=_plainness)
    for i, target in enumerate(hosts):
        for source in hosts[i + 1 :]:
            if site(source) != site(target):  # copies on strangers' hosts are mirrors, and need more evidence than pages
                continue
            for rest in by_host[source][:16]:
                for other in by_host[target][:16]:
                    alias = _relation(source, rest, target, other)
                    if alias:
                        found.add(alias)
    return found


def _plainness(host: str) -> tuple[int, bool, str]:
    """Which of two names of a host is kept: the shorter one, and www before other labels."""
    return len(host), not host.startswith("www."), host


def _relation(source: str, rest: str, target: str, other: str) -> Alias | None:
    if rest == other:
        return Alias((source, ""), (target, "")) if source > "" else None
    if other.endswith(rest) and _is_folder(other[: -len(rest)]):
        return Alias((target, other[: -len(rest)]), (source, ""))
    if rest.endswith(other) and _is_folder(rest[: -len(other)]):
        return Alias((source, rest[: -len(other)]), (target, ""))
    return None


def _is_folder(prefix: str) -> bool:
    return prefix.startswith("/") and prefix.count("/") <= 2 and "?" not in prefix and "." not in prefix


def measure_alias(alias: Alias, pages: dict[str, dict[str, int]]) -> Evidence:
    """The pages, by name and path, that speak for and against an alias."""
    (source, cut), (target, put) = alias
    confirmed, denied, example = set(), 0, ("", "")
    mine = pages[target]
    for rest, cluster in pages[source].items():
        if not rest.startswith(cut):
            continue
        there = put + rest[len(cut) :]
        other = mine.get(there)
        if other == cluster:
            if there != "/":
                confirmed.add(cluster)
                example = example if example[0] else (f"http://{source}{rest}", f"http://{target}{there}")
        elif other is not None:
            denied += 1
    return Evidence(alias.operation(), len(confirmed), denied, len(confirmed), example)


def roots(accepted: list[Alias]) -> list[Alias]:
    """Aliases that each lead to the last host of their chain, so that one step is enough.

    A folder of one name that is the root under another name of the same host is a copy within that host: whether it is one, the
    host's own pages have to say (a folder of translations looks the same).
    """
    parent: dict[str, str] = {}

    def root(host: str) -> str:
        while parent.get(host, host) != host:
            host = parent[host]
        return host

    whole = [alias for alias in accepted if not alias.source[1] and not alias.target[1]]
    for alias in whole:
        a, b = sorted((root(alias.source[0]), root(alias.target[0])), key=_plainness)
        parent[b] = a
        parent.setdefault(a, a)
    final = [Alias((host, ""), (root(host), "")) for host in sorted(parent) if root(host) != host]
    folders = [
        alias for alias in accepted if (alias.source[1] or alias.target[1]) and root(alias.source[0]) != root(alias.target[0])
    ]
    return final + [Alias(alias.source, (root(alias.target[0]), alias.target[1])) for alias in folders]


def sorted_rows(table: pa.Table) -> tuple[list[str], NDArray[np.int64]]:
    """URLs and clusters of a table sorted by cluster."""
    return table.column("url").to_pylist(), table.column("cluster").to_numpy()
