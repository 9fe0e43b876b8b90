"""What two hosts have in common, as numbers: names, addresses, paths, contents, titles, links and redirects.

The five features of the source are `ndist`, `nmatch`, `ip4`, `ip3` and `fullpath`; the rest is what it wished for. Where the
pages do not say anything of a kind (no address, nothing fetched), its features are zero.
"""

import ipaddress
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from garimpo.mirrors.blocking import Candidates, covered, overlap, shared
from garimpo.mirrors.page_scan import Array, Lists, Scan
from garimpo.url import host_column

SOURCE = ("ndist", "nmatch", "ip4", "ip3", "fullpath")
Table = dict[str, Array]
_BATCH = 1 << 18


def features(found: Scan, pairs: Candidates, links: pa.Table | None = None, max_list: int = 100) -> Table:
    """All features of each candidate pair, by name."""
    table: Table = {"ndist": names_apart(found.hosts, pairs)}
    table["nmatch"] = cosine(*name_segments(found.hosts), pairs)
    table["ip4"], table["ip3"] = same_address(found, pairs, 0), same_address(found, pairs, 1)
    path = pairs.shared["path"]
    norms = found.norms["path"][pairs.first], found.norms["path"][pairs.second]  # lengths in units of a path on two hosts
    table["fullpath"] = np.minimum(_share(path.weight, norms[0] * norms[1]), 1.0)
    table["contained"] = np.minimum(_share(path.weight, np.minimum(*norms) ** 2), 1.0)
    table |= _shapes(found, pairs, max_list)
    table |= _counts(found, pairs)
    table |= {name: column.astype(np.float64) for name, column in covered(found, pairs)._asdict().items()}
    table["moved_a"], table["moved_b"] = _redirects(found, pairs)
    table["redirects"] = np.maximum(table["moved_a"], table["moved_b"])
    if links is not None:
        table["inlinks"], table["outlinks"] = _links(found, pairs, links)
    return table


def names_apart(hosts: list[str], pairs: Candidates) -> Array:
    """Levenshtein distance of the two names."""
    out = np.empty(len(pairs))
    names = np.array(hosts, object)
    for start in range(0, len(pairs), _BATCH):
        part = slice(start, start + _BATCH)
        out[part] = cpdist(names[pairs.first[part]], names[pairs.second[part]], scorer=Levenshtein.distance, dtype=np.int32)
    return out


def name_segments(hosts: list[str]) -> tuple[Lists, Array]:
    """The labels of each name with their weights, and the length of each name's vector."""
    labels = [sorted(set(host.split("."))) for host in hosts]
    flat = pa.array([label for of_host in labels for label in of_host], pa.string()).dictionary_encode()
    items = flat.indices.to_numpy()
    length = np.array([len(name) for name in flat.dictionary.to_pylist()], np.float64)
    df = np.bincount(items, minlength=len(length))
    weight = np.log(np.maximum(length, 1.0)) / (1.0 + np.log(np.maximum(df, 1)))
    lists = _by_host(np.repeat(np.arange(len(hosts)), [len(of_host) for of_host in labels]), items, len(hosts))
    return lists, weight**2


def cosine(lists: Lists, squares: Array, pairs: Candidates) -> Array:
    """Cosine of two sets whose items have squared weights."""
    of_entry = squares[lists.items] if len(lists.items) else np.zeros(0)
    host = np.repeat(np.arange(len(lists.starts) - 1), np.diff(lists.starts))
    norm = np.sqrt(np.bincount(host, of_entry, len(lists.starts) - 1))
    return np.minimum(_share(overlap(lists, pairs, of_entry).weight, norm[pairs.first] * norm[pairs.second]), 1.0)


def same_address(found: Scan, pairs: Candidates, level: int) -> Array:
    """1 / (|G| - 1) for the smallest group G of hosts that share an address (level 0) or a network (level 1)."""
    texts = found.addresses["ip"].to_pylist()
    group = {ip: network for ip in set(texts) if (network := _network(ip, level)) is not None}
    numbers = {name: i for i, name in enumerate(sorted(set(group.values())))}
    entries = {(int(h), numbers[group[ip]]) for h, ip in zip(found.addresses["host"].to_numpy(), texts) if ip in group}
    ordered = np.array(sorted(entries), np.int64).reshape(-1, 2)
    lists = _by_host(ordered[:, 0], ordered[:, 1], len(found.hosts))
    size = np.bincount(ordered[:, 1], minlength=len(numbers))
    weight = 1.0 / np.maximum(size - 1, 1)
    return overlap(lists, pairs, weight[lists.items], largest=True).weight


def _network(ip: str, level: int) -> str | None:
    """The address itself or its network: IPv4 /32 and /24, IPv6 /64 and /48; None if it is no address."""
    try:
        address = ipaddress.ip_address(ip.strip())
    except ValueError:
        return None
    length = (32, 24)[level] if address.version == 4 else (64, 48)[level]
    return str(ipaddress.ip_network((address, length), strict=False))


def _counts(found: Scan, pairs: Candidates) -> Table:
    """How many paths and contents a pair shares, and how often the same path shows the same."""
    path, digest = pairs.shared["path"], pairs.shared["digest"]
    common = shared(found.lists["path"], pairs)
    out: Table = {"paths": path.count, "path_weight": path.weight, "both": common.both, "same": common.same}
    out |= {"digests": digest.count, "tails": digest.same, "digest_weight": digest.weight}
    if "near" in pairs.shared:
        near, alike = shared(found.lists["path_near"], pairs), pairs.shared["near"]
        out |= {"near": alike.count, "near_tails": alike.same, "near_weight": alike.weight}
        out |= {"near_both": near.both, "near_same": near.same}
    if "title" in found.lists:
        title = shared(found.lists["title"], pairs)
        out |= {"titles_both": title.both, "titles_same": title.same}
    for side, hosts in (("a", pairs.first), ("b", pairs.second)):
        out |= {f"urls_{side}": found.urls[hosts], f"fetched_{side}": found.fetched[hosts]}
        out[f"folders_{side}"] = found.folders[hosts]
    return {name: column.astype(np.float64) for name, column in out.items()}


def _shapes(found: Scan, pairs: Candidates, max_list: int) -> Table:
    """What the pair shares of paths without their digits: many numbered pages are one shape, and one coincidence."""
    weight = shared(found.lists["shape"], pairs, max_list).weight
    smaller = np.minimum(found.norms["shape"][pairs.first], found.norms["shape"][pairs.second]) ** 2
    return {"shape_weight": weight, "shapes": np.minimum(_share(weight, smaller), 1.0)}


def _redirects(found: Scan, pairs: Candidates) -> tuple[Array, Array]:
    """The share of each host's pages that redirect to, or call canonical, a page of the other."""
    host, target = found.moves["host"].to_numpy().astype(np.int64), found.moves["moved_to"].to_numpy().astype(np.int64)
    share = found.moves["pages"].to_numpy() / np.maximum(found.urls[host], 1)
    key = np.minimum(host, target) * len(found.hosts) + np.maximum(host, target)
    wanted = pairs.first.astype(np.int64) * len(found.hosts) + pairs.second
    out = np.zeros(len(pairs)), np.zeros(len(pairs))
    at = np.searchsorted(wanted, key)
    hit = (at < len(wanted)) & (wanted[np.minimum(at, max(len(wanted) - 1, 0))] == key) if len(wanted) else np.zeros(0, bool)
    for side, moved in zip(out, (host < target, host > target)):
        np.maximum.at(side, at[hit & moved], share[hit & moved])
    return out


def _links(found: Scan, pairs: Candidates, links: pa.Table) -> tuple[Array, Array]:
    """Cosine of the sets of other hosts that link to a pair, and of those it links to."""
    source, target = host_column(links["source"]), host_column(links["target"])
    both = pa.concat_arrays([source, target]).dictionary_encode()
    number = {host: i for i, host in enumerate(found.hosts)}
    known = np.array([number.get(h, -1) for h in both.dictionary.to_pylist()], np.int64)
    codes = both.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    a, b = codes[: len(source)], codes[len(source) :]
    proper = (a >= 0) & (b >= 0) & (a != b)
    edges = np.unique(np.column_stack([a[proper], b[proper]]), axis=0)
    out = []
    for own, other in ((1, 0), (0, 1)):
        host = known[edges[:, own]]
        chosen = host >= 0
        lists = _by_host(host[chosen], edges[chosen, other], len(found.hosts))
        df = np.bincount(lists.items, minlength=len(known)) if len(lists.items) else np.zeros(len(known))
        weight = np.round(2**30 / (1.0 + np.log(np.maximum(df, 1))) ** 2) / 2**30  # sums are then the same in any order
        out.append(cosine(lists, weight, pairs))
    return out[0], out[1]


def _by_host(host: Array, items: Array, hosts: int) -> Lists:
    order = np.lexsort((items, host))
    starts = np.zeros(hosts + 1, np.int64)
    np.cumsum(np.bincount(host, minlength=hosts), out=starts[1:])
    nothing = np.zeros(len(host), np.int64)
    return Lists(starts, np.asarray(items, np.int64)[order], nothing, nothing.astype(np.int32), nothing.astype(bool))


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)


def matrix(table: Table, names: Iterable[str] = SOURCE) -> Array:
    """The named features as columns."""
    return np.column_stack([table[name] for name in names])
