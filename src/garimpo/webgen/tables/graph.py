"""Documents and links by the million, for visits of a stored web: ready for ``archive import``.

Hosts have one topic and Pareto sizes; inside a host pages form a tree and link home and around. In the *cluster* regime a
topic's pages link mostly to their own topic. In the *islands* regime the hosts of the wanted topic are small and never link to
each other: only pages of the topic before theirs in the ring do, and rarely, so a crawler has to learn the way through text
that is off-topic. The *sections* regime is harder and looks more like real sites: see `sections`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish, publish_bytes
from garimpo.contract.tables import LINKS, PLACE
from garimpo.webgen.language import names
from garimpo.webgen.language.chance import shuffled
from garimpo.webgen.language.text import TOPICS
from garimpo.webgen.tables.draws import Floats, Ints, Words, below, normal, parts, poisson
from garimpo.webgen.tables.sections import Links, Tree
from garimpo.webgen.tables.spoken import Said
from garimpo.webgen.world.hosts import SHARES

DOCS = pa.schema([("id", pa.string()), ("url", pa.string()), ("text", pa.large_string())])
TRUTH = pa.schema([("url", pa.string()), ("topic", pa.string())])
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
    if regime not in ("cluster", "islands", "sections"):
        raise BadInput(f"graph: no regime {regime!r} (there are: cluster, islands, sections)")
    if pages < 1_000:
        raise BadInput(f"graph: {pages} pages: at least 1,000")
    web: Web | Tree = Tree(seed, pages) if regime == "sections" else Web(seed, pages, regime)
    urls = web.urls()
    if isinstance(web, Tree):
        said = Said(seed, web.topics[:-1])
        _write_documents(folder / "docs.parquet", urls, _tree_texts(web, said))
        found = Links(web)
        *ends, words, places = found.arrays()
        _write_links(folder / "links.parquet", urls, found.anchors(said), ends[0], ends[1], words, places)
        homes, links = web.homes(), len(words)
    else:
        titles = _documents(folder / "docs.parquet", web, urls)
        sources, targets = _links(web)
        _write_links(folder / "links.parquet", urls, titles, sources, targets, targets, None)
        homes, links = web.first[web.topic_of_host != WANTED][:20], len(sources)
    topics = pa.array(web.topics).take(pa.array(web.topic_of))
    with publish(folder / "truth.parquet") as temporary:
        pq.write_table(pa.table([urls, topics], schema=TRUTH), temporary, compression="zstd")
    publish_bytes(folder / "seeds.txt", "".join(f"{urls[int(at)].as_py()}\n" for at in homes).encode())
    wanted = web.topics[WANTED]
    return {"pages": pages, "hosts": web.hosts, "links": links, "regime": regime, "wanted": wanted,
            "wanted_pages": int((web.topic_of == WANTED).sum())}  # fmt: skip


def _documents(path: Path, web: Web, urls: pa.StringArray) -> pa.StringArray:
    """Write the documents; give back the title of every page."""
    said, titles = Said(web.seed, web.topics), list[str]()
    lengths = np.clip(8 * 2.0 ** (0.8 * normal(web.seed, "lengths", web.pages)), 2, 40).astype(np.int64)

    def texts(start: int, stop: int) -> list[str]:
        pages = said.draw(web.topic_of[start:stop], lengths[start:stop], start)
        titles.extend(" ".join(page[0].split()[:4]).rstrip(".,") for page in pages)
        return [" ".join(page) for page in pages]

    _write_documents(path, urls, texts)
    return pa.array(titles, pa.string())


def _tree_texts(tree: Tree, said: Said) -> Callable[[int, int], list[str]]:
    """What the pages of a tree say: items their sentences and, in the middle, what they are named by; lists what they show."""
    lengths = tree.lengths()

    def heading(page: int) -> str:
        return said.headings(int(tree.topic_of[page]))[int(tree.heading[page])]

    def texts(start: int, stop: int) -> list[str]:
        found = []
        for page, words in enumerate(said.draw(tree.topic_of[start:stop], lengths[start:stop], start), start):
            named = [heading(page)] if tree.item[page] else [heading(shown) for shown in tree.shown(page) if tree.item[shown]]
            middle = len(words) // 2
            found.append(" ".join([*words[:middle], *named, *words[middle:]]))
        return found

    return texts


def _write_documents(path: Path, urls: pa.StringArray, texts: Callable[[int, int], list[str]]) -> None:
    with publish(path) as temporary, pq.ParquetWriter(temporary, DOCS, compression="zstd") as writer:
        for start in range(0, len(urls), BATCH):
            some = urls.slice(start, BATCH)
            writer.write_table(pa.table([some, some, texts(start, start + len(some))], schema=DOCS))


def _links(web: Web) -> tuple[Ints, Ints]:
    """Source and target of every link, by page number, in order of the source and without repeats."""
    seed, count = web.seed, web.pages
    pages = np.arange(count)
    parent = web.first[web.host_of] + (web.place - 1) // 6
    inner = pages[web.place > 0]
    home = inner[parts(seed, "home", len(inner)) < 0.7]
    around = np.repeat(pages, np.minimum(6, poisson(seed, "around", count, 2.0)))
    outward = np.repeat(pages, poisson(seed, "outward", count, 0.6) + 4 * (web.place == 0))
    pairs = [
        (parent[inner], inner),
        (home, web.first[web.host_of[home]]),
        (around, web.first[web.host_of[around]] + below(seed, "to", len(around), web.sizes[web.host_of[around]])),
        (outward, _outside(web, outward)),
    ]
    sources, targets = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    code = np.unique(sources[sources != targets] * count + targets[sources != targets])
    return code // count, code % count


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


def _write_links(
    path: Path, urls: pa.StringArray, words: pa.StringArray, sources: Ints, targets: Ints, anchors: Ints, places: Words | None
) -> None:
    """Write the links; `anchors` says which of the `words` each has, and `places` where it stands, if that is known."""
    schema = LINKS if places is None else LINKS.append(PLACE)
    with publish(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for start in range(0, len(sources), 4 * BATCH):
            part = slice(start, start + 4 * BATCH)
            ends = [urls.take(pa.array(numbers[part])) for numbers in (sources, targets)]
            nothing = pa.nulls(len(ends[0]), pa.string())
            stand = [] if places is None else [pa.array(places[part])]
            writer.write_table(pa.table([*ends, words.take(pa.array(anchors[part])), nothing, nothing, *stand], schema=schema))
