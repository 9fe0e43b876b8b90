"""Clusters of URLs that lead to one page, by the hundred thousand, without the pages.

The URLs are those of a made web's sites: software that many hosts share, one to four families on a host, look-alikes that are
other pages, and pages with one URL only (clusters of one). One cluster in two hundred is large: a session or tracking
family has been followed for a long time. Labels can be spoilt on purpose: `false_merge` of the pages are thrown into one
cluster with the other such pages of their host, as by a soft 404; `missing` of the URLs are torn off into clusters of their own.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.webgen.language.chance import Dice, share
from garimpo.webgen.settings import settings_for
from garimpo.webgen.world.families import Session, Tracking
from garimpo.webgen.world.hosts import Card
from garimpo.webgen.world.schemes import Node
from garimpo.webgen.world.sites import Site
from garimpo.webgen.world.world import World

FAMILY = pa.schema([("cluster", pa.int64()), ("url", pa.string()), ("key", pa.string()), ("family", pa.string())])
URLS_A_CLUSTER = 5.5
LARGE = 0.005


def make(folder: Path, seed: int, clusters: int = 200_000, false_merge: float = 0.0, missing: float = 0.0) -> dict[str, Any]:
    """Write ``clusters.tsv`` (cluster, URL, evidence) and ``family.parquet`` (cluster, url, key, family: the truth)."""
    if clusters < 100:
        raise BadInput(f"dust: {clusters} clusters: at least 100")
    for name, value in (("false_merge", false_merge), ("missing", missing)):
        if not 0.0 <= value <= 1.0:
            raise BadInput(f"dust: {name} {value} is not a part of one")
    urls = round(clusters * URLS_A_CLUSTER)
    world = World(settings_for("small", seed, static=True, stored=False, hosts=max(20, urls // 250), urls=urls, entities=0.0))
    counts = {"clusters": 0, "unique": 0, "urls": 0}
    with publish(folder / "clusters.tsv") as text, publish(folder / "family.parquet") as table:
        _write(world, clusters, (false_merge, missing), text, table, counts)
    return counts


def _write(world: World, clusters: int, noise: tuple[float, float], text: Path, table: Path, counts: dict[str, int]) -> None:
    with text.open("w", encoding="utf-8") as lines, pq.ParquetWriter(table, FAMILY, compression="zstd") as writer:
        batch: list[tuple[int, str, str, str]] = []
        for number, (key, members) in enumerate(_clusters(world)):
            if counts["clusters"] >= clusters:
                break
            counts["clusters" if len(members) > 1 else "unique"] += 1
            counts["urls"] += len(members)
            batch += [(number, url, key, family) for url, family in members]
            lines.writelines(_labelled(world.seed, number, key, members, *noise))
            if len(batch) > 100_000:
                _flush(writer, batch)
        _flush(writer, batch)


def _flush(writer: pq.ParquetWriter, batch: list[tuple[int, str, str, str]]) -> None:
    columns = list(zip(*batch)) or [(), (), (), ()]
    writer.write_table(pa.table([pa.array(column, kind) for column, kind in zip(columns, FAMILY.types)], schema=FAMILY))
    batch.clear()


def _labelled(
    seed: int, number: int, key: str, members: list[tuple[str, str]], false_merge: float, missing: float
) -> Iterator[str]:
    """The lines of one cluster as a crawler would have labelled it."""
    host = key.partition("/")[0]
    merged = share(seed, "merged", key) < false_merge
    label = f"{share(seed, 'heap', host) * 1e9:.0f}" if merged else str(number)
    for url, _ in members:
        torn = len(members) > 1 and share(seed, "torn", url) < missing
        name = f"{2_000_000_000 + int(share(seed, 'alone', url) * 1e15)}" if torn else label if not merged else f"1{label}"
        yield f"{name}\t{url}\tdigest\n"


def _clusters(world: World) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Every page of every site with all its URLs, on all hosts that the site answers under."""
    for card in world.census.cards:
        site = world.site(card.index)
        for node in site.nodes():
            yield _members(world, card, site, node)


def _members(world: World, card: Card, site: Site, node: Node) -> tuple[str, list[tuple[str, str]]]:
    known = [(str(target), family) for target, family in site.urls(node)] + _followed(site, node)
    main, *others = [host for host in card.hosts if host.role in ("main", "alias")]
    made = [(f"http://{main.name}{target}", family) for target, family in known]
    for host in others:
        made += [(f"http://{host.name}{target}", host.cause if family == "unique" else family) for target, family in known[:3]]
    if len(made) > 1 and made[0][1] == "unique":
        made[0] = (made[0][0], "plain")
    return f"{main.name}{site.plain(node)}", list(dict(made).items())


def _followed(site: Site, node: Node) -> list[tuple[str, str]]:
    """The URLs of a page whose session or tracking parameter was followed again and again."""
    endless = [family for family in site.families if isinstance(family, Session | Tracking)]
    if not endless or node.other or share(site.seed, "followed", site.index, *node) > LARGE * 3:
        return []
    dice = Dice(site.seed, "followed", site.index, *node)
    made = {}
    for _ in range(int(min(600.0, 10 / max(0.01, dice.roll() ** 0.9)))):
        found = endless[0].apply(site, node, site.plain(node), dice)
        if found is not None:
            made[str(found)] = endless[0].name
    return list(made.items())
