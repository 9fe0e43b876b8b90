"""Hosts of one site that show each other's pages: www and server names, and folders of one that are the root of another.

What makes two names one may come with other differences (``http://a.org/x`` is ``https://www.a.org/x/``): then all of it is one
bundle. Names of different sites are never joined here: copies on strangers' hosts are mirrors, and need more than equal pages.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.dust.inputs.preparation import runs
from garimpo.dust.method.operation import FIRST, SECOND, Operation, Proposal
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.method.sources.proposals import explanations, operations, operations_of
from garimpo.dust.method.sources.unions import Unions

MOST_HOSTS = 8
"""A page that more hosts show is a default page or a syndicated one, and says nothing about any two of them."""
MOST_URLS, MOST_CLUSTERS, MOST_PROPOSED = 4, 2000, 64


_Unions = dict[tuple[str, str], Unions]


class Alias(NamedTuple):
    """Under `source` (host and path prefix) stands what stands under `target`, or what `also` makes of it."""

    source: tuple[str, str]
    target: tuple[str, str]
    also: Operation | None = None

    @property
    def hosts(self) -> tuple[str, str]:
        """The two names."""
        return self.source[0], self.target[0]

    def operation(self) -> Operation:
        """What it does, with ``*`` for what the names have in common: ``www2.a.org`` and ``a.org`` are ``www2.*`` and ``*``.

        A folder that is a label of the other name is ``+``: ``a.org/games`` and ``games.a.org`` are ``*/+`` and ``+.*``.

        >>> Alias(("www2.a.org", ""), ("www.a.org", "")).operation().context
        'www2.*'
        """
        return self.also or _named(self.source, self.target)


def _named(one: tuple[str, str], two: tuple[str, str]) -> Operation:
    (source, cut), (target, put) = one, two
    if not cut and not put and source == f"www.{target}":
        return Operation("www", "www.", "")
    labels, others = source.split("."), target.split(".")
    same = 0
    while same < min(len(labels), len(others)) and labels[-1 - same] == others[-1 - same]:
        same += 1
    front = ["".join(f"{label}." for label in own[: len(own) - same]) for own in (labels, others)]
    if front[1] == f"{cut[1:]}.":
        return Operation("host", f"{front[0]}*/+", "+.*")
    return Operation("host", f"{front[0]}*{cut}", f"{front[1]}*{put}")


def proposed_aliases(urls: Sequence[str], clusters: NDArray[np.int64]) -> dict[Alias, tuple[int, tuple[str, str]]]:
    """What the clusters of one site propose, how many do, and a pair of URLs; rows sorted by cluster."""
    starts = runs(clusters)
    many = np.flatnonzero(np.diff(starts) >= 2)
    if len(many) > MOST_CLUSTERS:
        many = many[np.linspace(0, len(many) - 1, MOST_CLUSTERS).astype(np.int64)]
    found: dict[Alias, tuple[int, tuple[str, str]]] = {}
    unions: _Unions = defaultdict(Unions)
    for place in many.tolist():
        own = dict(_of_cluster(urls[starts[place] : starts[place + 1]], unions))
        for alias, example in own.items():
            found[alias] = (found.get(alias, (0, example))[0] + 1, found.get(alias, (0, example))[1])
    for (source, target), united in unions.items():
        for operation, count, example in united.proposals():
            found.setdefault(Alias((source, ""), (target, ""), operation), (count, example))
    best = sorted(found, key=lambda alias: (-found[alias][0], alias[:2], alias.operation().sorting))
    return {alias: found[alias] for alias in best[:MOST_PROPOSED]}


def _of_cluster(urls: Sequence[str], unions: _Unions) -> Iterator[tuple[Alias, tuple[str, str]]]:
    by_host: dict[str, list[Parts]] = defaultdict(list)
    for url in urls:
        parts = Parts.of(url)
        by_host[parts.host].append(parts)
    hosts = sorted(by_host, key=_plainness)
    if not 2 <= len(hosts) <= MOST_HOSTS:
        return
    for i, target in enumerate(hosts):
        for source in hosts[i + 1 :]:
            for one, two in _like(by_host[source], by_host[target]):
                for alias in _relations(one, two, unions[source, target]):
                    yield alias, (_url(one), _url(two))


def _like(ones: list[Parts], others: list[Parts]) -> Iterator[tuple[Parts, Parts]]:
    """Pairs of the URLs of two hosts: those that differ in the host alone if there are any, else the first few."""
    known = {two._replace(host=""): two for two in others}
    same = [(one, known[one._replace(host="")]) for one in ones if one._replace(host="") in known]
    if same:
        yield from same[:MOST_URLS]
        return
    for one in ones[:MOST_URLS]:
        yield from ((one, two) for two in others[:MOST_URLS])


def _plainness(host: str) -> tuple[int, bool, str]:
    """Which of two names of a host is kept: the shorter one, and www before other labels."""
    return len(host), not host.startswith("www."), host


def _relations(one: Parts, two: Parts, unions: Unions) -> Iterator[Alias]:
    """That the first host is the second, or a folder of one the other; or the host and what else is different, together."""
    same_rest = (one.scheme, one.port, one.query, one.sign) == (two.scheme, two.port, two.query, two.sign)
    if same_rest and one.path == two.path:
        yield Alias((one.host, ""), (two.host, ""))
        return
    if same_rest and two.path.endswith(one.path) and _is_folder(two.path[: -len(one.path)]):
        yield Alias((two.host, two.path[: -len(one.path)]), (one.host, ""))
    if same_rest and one.path.endswith(two.path) and _is_folder(one.path[: -len(two.path)]):
        yield Alias((one.host, one.path[: -len(two.path)]), (two.host, ""))
    own = [Proposal(_named((one.host, ""), (two.host, "")), FIRST)]
    for slots in explanations(one, two, own):
        unions.add(slots, one, two, (_url(one), _url(two)))
        for operation in operations_of(slots, own):
            if operation.kind == "bundle":
                yield Alias((one.host, ""), (two.host, ""), operation)
    yield from _from_folder(one, two)


def _from_folder(one: Parts, two: Parts) -> Iterator[Alias]:
    """A folder of one host that is the root of another, with other differences."""
    for folder, root, side in ((one, two, FIRST), (two, one, SECOND)):
        label = folder.path[1:].partition("/")[0]
        if root.host.partition(".")[0] == label and _is_folder(f"/{label}"):
            rest = folder._replace(path=folder.path[len(label) + 1 :] or "/")
            own = [Proposal(_named((folder.host, f"/{label}"), (root.host, "")), side)]
            pair = (rest, root) if side == FIRST else (root, rest)
            for operation in operations(*pair, own):
                if operation.kind == "bundle":
                    yield Alias((folder.host, f"/{label}"), (root.host, ""), operation)


def _is_folder(prefix: str) -> bool:
    return prefix.startswith("/") and prefix.count("/") <= 2 and "?" not in prefix and "." not in prefix and len(prefix) > 1


def _url(parts: Parts) -> str:
    query = parts.sign.join(name if value == "\0" else f"{name}={value}" for name, value in parts.query or ())
    return f"{parts.scheme}://{parts.host}{parts.port}{parts.path}{'?' if parts.query is not None else ''}{query}"


def roots(accepted: Sequence[Alias]) -> list[Alias]:
    """Aliases that each lead to the last host of their chain, so that one step is enough.

    A folder of one name that is the root under another name of the same host is a copy within that host: whether it is one, the
    host's own pages have to say (a folder of translations looks the same).
    """
    parent: dict[str, str] = {}

    def root(host: str) -> str:
        while parent.get(host, host) != host:
            host = parent[host]
        return host

    whole = [alias for alias in accepted if not alias.also and not alias.source[1] and not alias.target[1]]
    for alias in whole:
        a, b = sorted((root(alias.source[0]), root(alias.target[0])), key=_plainness)
        parent[b] = a
        parent.setdefault(a, a)
    final = [Alias((host, ""), (root(host), "")) for host in sorted(parent) if root(host) != host]
    others = [alias for alias in accepted if alias not in whole and root(alias.source[0]) != root(alias.target[0])]
    folders = [alias for alias in others if not alias.also]
    return final + [Alias(a.source, (root(a.target[0]), a.target[1])) for a in folders] + [a for a in others if a.also]
