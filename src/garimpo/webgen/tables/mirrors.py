"""Hosts by the ten thousand for the mirror finder: URL, address and digest of what a partial crawl has seen of each.

Replica groups are made for every cause; the rest are hosts of their own, many of which share something with others: songs under
other paths, a catalogue's article numbers, a software's default pages, a parking page, a department's rules, an address. Every
host keeps a shallow-first part of its pages, knows the paths of more pages than it fetched, and on some hosts the same page
has another digest at every fetch. Default pages are given to just so many hosts that replicas are the wanted part of the
pairs that share a digest.
"""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.webgen.tables.draws import Stream
from garimpo.webgen.tables.mirror_hosts import CAUSES, Hosts, Seen

PAGES = pa.schema([("url", pa.string()), ("ip", pa.string()), ("digest", pa.uint64())])
TRUTH = pa.schema([("host_a", pa.string()), ("host_b", pa.string()), ("replica", pa.bool_()), ("cause", pa.string())])
BATCH = 400_000


def rows(host: Seen, stream: Stream) -> tuple[list[str], list[int | None]]:
    """The URLs that the crawl knows of a host, with the digest where it fetched the page. Shallow pages come first."""
    paths, contents = host.pages.paths, host.pages.contents
    if host.extra is not None:
        paths, contents = [*paths, *host.extra.paths], np.concatenate([contents, host.extra.contents])
    draw = stream.parts(3 * len(paths)).reshape(3, len(paths))
    depth = np.array([path.count("/") - (path == "/") for path in paths])
    order = draw[0] + 0.15 * depth
    known = np.argsort(order, kind="stable")[: max(1, round(host.known * len(paths)))]
    fetched = np.zeros(len(paths), bool)
    fetched[known[: max(1, round(host.fetched * len(paths)))]] = True
    changed = draw[1] < host.changing
    digests = np.where(changed, (draw[2] * 2**53).astype(np.int64) << 9, contents)
    known = np.sort(known)
    return [f"http://{host.name}{paths[at]}" for at in known], [int(digests[at]) if fetched[at] else None for at in known]


def make(
    folder: Path, seed: int, hosts: int = 50_000, prevalence: float = 0.004, causes: tuple[str, ...] = CAUSES
) -> dict[str, Any]:
    """Write ``pages`` and ``truth`` and say how many of what there are; `causes` are drawn from evenly."""
    if hosts < 200 or not 0.0 < prevalence < 0.5:
        raise BadInput(f"mirrors: {hosts} hosts at prevalence {prevalence}: at least 200 hosts, prevalence above 0 and below 0.5")
    made = Hosts(seed, hosts, prevalence, causes)
    stream = Stream(seed, "rows")
    groups: dict[int, list[str]] = {}
    by_digest: dict[int, list[int]] = {}
    host_names: list[str] = []
    group_of: list[int] = []
    total = 0
    with publish(folder / "pages.parquet") as temporary, pq.ParquetWriter(temporary, PAGES, compression="zstd") as writer:
        urls: list[str] = []
        ips: list[str] = []
        digests: list[int | None] = []
        for host in made.all():
            index = len(host_names)
            host_names.append(host.name)
            group_of.append(host.group)
            if host.group >= 0:
                groups.setdefault(host.group, []).append(host.name)
            some_urls, some_digests = rows(host, stream)
            for digest in set(some_digests):
                if digest in made.kinds:
                    by_digest.setdefault(digest, []).append(index)
            urls += some_urls
            ips += [host.ip] * len(some_urls)
            digests += some_digests
            if len(urls) >= BATCH:
                total += _flush(writer, urls, ips, digests)
        total += _flush(writer, urls, ips, digests)
    negatives = _negatives(by_digest, host_names, group_of, made.kinds)
    positives = [
        (min(pair), max(pair), made.causes[group]) for group, members in groups.items() for pair in combinations(members, 2)
    ]
    _write_truth(folder / "truth.parquet", positives, negatives)
    return {"hosts": len(host_names), "urls": total, "replica_pairs": len(positives), "hard_negative_pairs": len(negatives),
            "prevalence": len(positives) / max(1, len(positives) + len(negatives))}  # fmt: skip


def _flush(writer: pq.ParquetWriter, urls: list[str], ips: list[str], digests: list[int | None]) -> int:
    count = len(urls)
    writer.write_table(pa.table([urls, ips, pa.array(digests, pa.int64()).view(pa.uint64())], schema=PAGES))
    urls.clear()
    ips.clear()
    digests.clear()
    return count


def _negatives(
    by_digest: dict[int, list[int]], host_names: list[str], group_of: list[int], kinds: dict[int, str]
) -> dict[tuple[str, str], str]:
    """Every pair of hosts that share a digest without being replicas, with what they share."""
    found: dict[tuple[str, str], str] = {}
    for digest, sharing in by_digest.items():
        kind = kinds[digest]
        for a, b in combinations(sharing, 2):
            if group_of[a] < 0 or group_of[a] != group_of[b]:
                one, other = host_names[a], host_names[b]
                found[(one, other) if one < other else (other, one)] = kind
    return found


def _write_truth(path: Path, positives: list[tuple[str, str, str]], negatives: dict[tuple[str, str], str]) -> None:
    columns = [pa.array([row[at] for row in positives] + [pair[at] for pair in negatives], pa.string()) for at in (0, 1)]
    replica = pa.array([True] * len(positives) + [False] * len(negatives))
    cause = pa.array([row[2] for row in positives] + list(negatives.values()), pa.string())
    with publish(path) as temporary:
        pq.write_table(pa.table([*columns, replica, cause], schema=TRUTH), temporary, compression="zstd")
