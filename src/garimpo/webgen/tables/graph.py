"""Documents and links by the million, for visits of a stored web: ready for ``archive import``.

Hosts have one topic and Pareto sizes; inside a host pages form a tree and link home and around. In the *cluster* regime a
topic's pages link mostly to their own topic. In the *islands* regime the hosts of the wanted topic are small and never link to
each other: only pages of the topic before theirs in the ring do, and rarely, so a crawler has to learn the way through text
that is off-topic.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish, publish_bytes
from garimpo.contract.tables import LINKS
from garimpo.webgen.language import names
from garimpo.webgen.language.chance import Dice, shuffled
from garimpo.webgen.language.text import TOPICS, voice
from garimpo.webgen.tables.draws import Floats, Ints, below, normal, parts
from garimpo.webgen.world.hosts import SHARES

DOCS = pa.schema([("id", pa.string()), ("url", pa.string()), ("text", pa.large_string())])
TRUTH = pa.schema([("url", pa.string()), ("topic", pa.string())])
SENTENCES = 5_000
LARGEST = 400
BATCH = 100_000
WANTED = 12
"""The place in the ring of the topic with two per cent of the pages: the wanted one."""


class Web:
    """The plan of the graph: hosts, their topics and pages."""

    def __init__(self, seed: int, pages: int, regime: str) -> None:
        self.seed, self.regime, self.pages = seed, regime, pages
        self.topics = shuffled(TOPICS, seed, "graph topics")
        guess = pages // 8 + 50
        sizes = np.minimum(LARGEST, 12 / np.maximum(parts(seed, "sizes", guess), 1e-3) ** (1 / 1.1)).astype(np.int64)
        self.topic_of_host = self._topics(sizes)
        ends = np.cumsum(sizes)
        self.hosts = int(np.searchsorted(ends, pages)) + 1
        self.sizes = sizes[: self.hosts]
        self.sizes[-1] -= int(ends[self.hosts - 1]) - pages
        self.topic_of_host = self.topic_of_host[: self.hosts]
        self.first = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.host_of = np.repeat(np.arange(self.hosts), self.sizes)
        self.place = np.arange(pages) - self.first[self.host_of]
        self.topic_of = self.topic_of_host[self.host_of]

    def _topics(self, sizes: Ints) -> Ints:
        """A topic for each host: always the one that is furthest below its share. Hosts of rare topics are cut to size."""
        shares = np.array(SHARES) / sum(SHARES)
        largest = np.maximum(12, 0.3 * shares * self.pages).astype(np.int64)
        made, total = np.zeros(len(shares)), 0
        topics = np.zeros(len(sizes), np.int64)
        small = 8 + below(self.seed, "island", len(sizes), 18)
        for host in range(len(sizes)):
            topic = int(np.argmax(shares * (total + sizes[host]) - made))
            island = self.regime == "islands" and topic == WANTED
            sizes[host] = small[host] if island else min(sizes[host], largest[topic])
            topics[host] = topic
            made[topic] += sizes[host]
            total += int(sizes[host])
            if total >= self.pages:
                break
        return topics

    def urls(self) -> pa.StringArray:
        """The URL of every page: the first page of a host is its home."""
        domains = [f"{names.word(self.seed, 'graph', index)}{index}.example" for index in range(self.hosts)]
        host = pa.array(domains).take(pa.array(self.host_of))
        paths = pc.if_else(
            pa.array(self.place == 0),
            "",
            pc.binary_join_element_wise("p", pa.array(self.place).cast(pa.string()), ".html", ""),
        )
        return pc.binary_join_element_wise("http://", host, "/", paths, "")


def make(folder: Path, seed: int, pages: int = 1_000_000, regime: str = "cluster") -> dict[str, Any]:
    """Write ``docs``, ``links``, ``truth`` and ``seeds.txt``; the wanted topic has two per cent of the pages."""
    if regime not in ("cluster", "islands"):
        raise BadInput(f"graph: no regime {regime!r} (there are: cluster, islands)")
    if pages < 1_000:
        raise BadInput(f"graph: {pages} pages: at least 1,000")
    web = Web(seed, pages, regime)
    urls = web.urls()
    titles = _documents(folder / "docs.parquet", web, urls)
    sources, targets = _links(web)
    _write_links(folder / "links.parquet", urls, titles, sources, targets)
    topics = pa.array(web.topics).take(pa.array(web.topic_of))
    with publish(folder / "truth.parquet") as temporary:
        pq.write_table(pa.table([urls, topics], schema=TRUTH), temporary, compression="zstd")
    homes = web.first[web.topic_of_host != WANTED][:20]
    publish_bytes(folder / "seeds.txt", "".join(f"{urls[int(at)].as_py()}\n" for at in homes).encode())
    wanted = web.topics[WANTED]
    return {"pages": pages, "hosts": web.hosts, "links": len(sources), "regime": regime, "wanted": wanted,
            "wanted_pages": int((web.topic_of == WANTED).sum())}  # fmt: skip


def _documents(path: Path, web: Web, urls: pa.StringArray) -> pa.StringArray:
    """Write the documents; give back the title of every page."""
    seed, count = web.seed, web.pages
    said = [_sentences(seed, topic) for topic in web.topics]
    lengths = np.clip(8 * 2.0 ** (0.8 * normal(seed, "lengths", count)), 2, 40).astype(np.int64)
    titles: list[str] = []
    with publish(path) as temporary, pq.ParquetWriter(temporary, DOCS, compression="zstd") as writer:
        for start in range(0, count, BATCH):
            stop = min(count, start + BATCH)
            texts = _texts(web, said, lengths[start:stop], start, titles)
            some = urls.slice(start, stop - start)
            writer.write_table(pa.table([some, some, texts], schema=DOCS))
    return pa.array(titles, pa.string())


def _sentences(seed: int, topic: str) -> list[str]:
    dice, speaker = Dice(seed, "graph sentences", topic), voice(seed, topic, "en")
    return [speaker.sentence(dice) for _ in range(SENTENCES)]


def _texts(web: Web, said: list[list[str]], lengths: Ints, start: int, titles: list[str]) -> list[str]:
    total = int(lengths.sum())
    which = below(web.seed, f"sentences {start}", total, SENTENCES).tolist()
    topics = np.repeat(web.topic_of[start : start + len(lengths)], lengths)
    strayed = parts(web.seed, f"strayed {start}", total) < 0.12
    topics = np.where(strayed, below(web.seed, f"other {start}", total, len(said)), topics).tolist()
    texts, at = [], 0
    for length in lengths.tolist():
        words = [said[topics[turn]][which[turn]] for turn in range(at, at + length)]
        titles.append(" ".join(words[0].split()[:4]).rstrip(".,"))
        texts.append(" ".join(words))
        at += length
    return texts


def _links(web: Web) -> tuple[Ints, Ints]:
    """Source and target of every link, by page number, in order of the source and without repeats."""
    seed, count = web.seed, web.pages
    pages = np.arange(count)
    parent = web.first[web.host_of] + (web.place - 1) // 6
    inner = pages[web.place > 0]
    home = inner[parts(seed, "home", len(inner)) < 0.7]
    around = np.repeat(pages, np.minimum(6, _poisson(seed, "around", count, 2.0)))
    outward = np.repeat(pages, _poisson(seed, "outward", count, 0.6) + 4 * (web.place == 0))
    pairs = [
        (parent[inner], inner),
        (home, web.first[web.host_of[home]]),
        (around, web.first[web.host_of[around]] + below(seed, "to", len(around), web.sizes[web.host_of[around]])),
        (outward, _outside(web, outward)),
    ]
    sources, targets = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    code = np.unique(sources[sources != targets] * count + targets[sources != targets])
    return code // count, code % count


def _poisson(seed: int, what: str, count: int, mean: float) -> Ints:
    draw, total, term = parts(seed, what, count), 0.0, float(np.exp(-mean))
    made = np.zeros(count, np.int64)
    for value in range(1, 16):
        total += term
        made += draw >= total
        term *= mean / value
    return made


def _outside(web: Web, sources: Ints) -> Ints:
    """The targets of links to other hosts: by topic, popular hosts first, mostly their homes."""
    seed, count = web.seed, len(sources)
    roll, topics = parts(seed, "outside", count), len(web.topics)
    own = web.topic_of[sources]
    wanted = np.where(roll < 0.6, own, np.where(roll < 0.75, (own + 1) % topics, (own - 1) % topics))
    wanted = np.where(roll < 0.9, wanted, below(seed, "anywhere", count, topics))
    order = np.argsort(web.topic_of_host, kind="stable")
    starts = np.searchsorted(web.topic_of_host[order], np.arange(topics + 1))
    room: Floats = (starts[wanted + 1] - starts[wanted]).astype(np.float64)
    popular = np.where(
        room > 0, starts[wanted] + room * parts(seed, "popular", count) ** 2, parts(seed, "popular", count) * web.hosts
    )
    hosts = order[np.minimum(popular.astype(np.int64), web.hosts - 1)]
    if web.regime == "islands":
        led = ((own + 1) % topics == WANTED) & (roll < 0.72)
        hosts = np.where((web.topic_of_host[hosts] == WANTED) & ~led, int(np.argmax(web.topic_of_host != WANTED)), hosts)
    deep = np.where(parts(seed, "deep", count) < 0.3, below(seed, "which", count, web.sizes[hosts]), 0)
    return np.asarray(web.first[hosts] + deep)


def _write_links(path: Path, urls: pa.StringArray, titles: pa.StringArray, sources: Ints, targets: Ints) -> None:
    with publish(path) as temporary, pq.ParquetWriter(temporary, LINKS, compression="zstd") as writer:
        for start in range(0, len(sources), 4 * BATCH):
            part = slice(start, start + 4 * BATCH)
            to = pa.array(targets[part])
            nothing = pa.nulls(len(to), pa.string())
            writer.write_table(
                pa.table([urls.take(pa.array(sources[part])), urls.take(to), titles.take(to), nothing, nothing], schema=LINKS)
            )
