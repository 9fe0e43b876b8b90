"""Which host of a group of copies is kept: the one that the rest of the Web points at.

Links can be made as pages can be copied. So the links of one registered domain count once, however many names its provider gives
away, and between the two hosts of a pair only domains count that were met before the later of the two.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.url import host_column
from garimpo.url.sites import registered

Policy = Literal["inlinks", "complete", "https", "bare", "fresh"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
"""What can come first; the others follow in this order, the name decides last."""


@dataclass(slots=True)
class Facts:
    """What is known of each host: domains that link to it, URLs, share of https, length of its name, last fetch."""

    inlinks: Array
    complete: Array
    https: Array
    bare: Array
    fresh: Array


@dataclass(slots=True)
class Linking:
    """Which domains link to each host (sorted by host, then by when the domain was met), and when each host was met."""

    host: Array
    met: Array
    oldest: Array

    def before(self, hosts: Array, others: Array) -> Array:
        """How many domains that were met before the later of two hosts link to the first; none where times are not known."""
        later = np.maximum(self.oldest[hosts], self.oldest[others])
        times = np.unique(np.concatenate([self.met, later]))
        wide = len(times) + 1
        keys = self.host * wide + np.searchsorted(times, self.met)
        first, last = hosts.astype(np.int64) * wide, hosts.astype(np.int64) * wide + np.searchsorted(times, later)
        known = (self.oldest[hosts] > 0) & (self.oldest[others] > 0)
        return np.where(known, np.searchsorted(keys, last) - np.searchsorted(keys, first), 0)


def facts(found: Scan, linking: Linking) -> Facts:
    """Gather what the policies ask for."""
    length = np.array([-len(host) - 100 * host.startswith("www.") for host in found.hosts], np.int64)
    inlinks = np.bincount(linking.host, minlength=len(found.hosts))
    return Facts(inlinks, found.urls, found.secure / np.maximum(found.urls, 1), length, found.newest)


def linking_domains(found: Scan, links: pa.Table | None) -> Linking:
    """The registered domains, but for its own, that link to each host."""
    if links is None or not found.hosts:
        return Linking(np.zeros(0, np.int64), np.zeros(0, np.int64), found.oldest)
    number = {host: i for i, host in enumerate(found.hosts)}
    edges = pa.table({"source": host_column(links["source"]), "target": host_column(links["target"])})
    edges = edges.group_by(["source", "target"]).aggregate([])
    met: dict[tuple[int, str], int] = {}
    for source, target in zip(edges["source"].to_pylist(), edges["target"].to_pylist()):
        if source is None or target not in number or (domain := registered(source)) == registered(target):
            continue
        key = number[target], domain
        seen = int(found.oldest[number[source]]) if source in number else 0
        met[key] = min(seen or _NEVER, met.get(key, _NEVER))
    ordered = np.array(sorted((host, time) for (host, _), time in met.items()), np.int64).reshape(-1, 2)
    return Linking(ordered[:, 0], ordered[:, 1], found.oldest)


_NEVER = int(np.iinfo(np.int64).max)
"""The time of a domain that no page of the table was fetched from."""


def choose(groups: Array, known: Facts, policy: Policy = POLICIES[0]) -> Array:
    """The host that each host's group keeps (a number); a host that is alone keeps itself."""
    if policy not in POLICIES:
        raise BadInput(f"keep is one of {', '.join(POLICIES)}, not {policy}")
    names = [policy, *(name for name in POLICIES if name != policy)]
    hosts = np.arange(len(groups))
    order = np.lexsort((hosts, *(-getattr(known, name) for name in reversed(names)), groups))
    first = np.r_[True, groups[order][1:] != groups[order][:-1]] if len(order) else np.zeros(0, bool)
    kept = np.zeros(len(groups), np.int64)
    kept[groups[order][first]] = order[first]
    return kept[groups]
