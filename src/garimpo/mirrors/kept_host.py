"""Which host of a group of copies is kept: the one that the rest of the Web points at."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.url import host_column, site_column

POLICIES = ("inlinks", "complete", "https", "bare", "fresh")
"""What can come first; the others follow in this order, the name decides last."""


@dataclass(slots=True)
class Facts:
    """What is known of each host: sites that link to it, URLs, share of https, length of its name, last fetch."""

    inlinks: Array
    complete: Array
    https: Array
    bare: Array
    fresh: Array


def facts(found: Scan, links: pa.Table | None) -> Facts:
    """Gather what the policies ask for."""
    length = np.array([-len(host) - 100 * host.startswith("www.") for host in found.hosts], np.int64)
    return Facts(linking_sites(found, links), found.urls, found.secure / np.maximum(found.urls, 1), length, found.newest)


def linking_sites(found: Scan, links: pa.Table | None) -> Array:
    """How many sites other than its own link to each host; a single one cannot vote twice."""
    out = np.zeros(len(found.hosts), np.int64)
    if links is None or not len(out):
        return out
    source, target = site_column(host_column(links["source"])), host_column(links["target"])
    pairs = pa.table({"source": source, "target": target, "own": site_column(target)}).group_by(["source", "target", "own"])
    edges = pairs.aggregate([])
    number = {host: i for i, host in enumerate(found.hosts)}
    for row in edges.to_pylist():
        if row["source"] is not None and row["source"] != row["own"] and row["target"] in number:
            out[number[row["target"]]] += 1
    return out


def choose(groups: Array, known: Facts, policy: str = POLICIES[0]) -> Array:
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
