"""The scorers of a focused crawl: which link leads towards the topic?

`LinkScorer` scores each link by itself: by the words of its anchor, its URL and its surroundings, by the page it stands on
and the page before that, by the record of its host, by what the other links of the page led to. It learns all the while: the
link that led to a page is taught the page's score, and the links before it a discounted share, so that the way through pages
that are off topic is found (the *tunnels*). One page of each host not met yet is tried before what promises little, for a host
mostly keeps to its topic; hosts that gave nothing for long are put off.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.archive import Store
from garimpo.contract.model import Model, load_model, save_model
from garimpo.contract.records import Link, Verdict
from garimpo.engine.columns import hash_strings
from garimpo.focus import _kernels_links as kernels
from garimpo.focus.judge import page_text
from garimpo.focus.topic import TopicModel
from garimpo.page import word_hashes
from garimpo.url import host, host_column, key64

Keys = NDArray[np.uint64]
Floats32 = NDArray[np.float32]
Words = tuple[Keys, NDArray[np.int64]]
"""Hashed words one text after the other, and where those of each begin."""
Runs = tuple[Keys, NDArray[np.int64], NDArray[np.int64]]
"""Hashed words, and where those of each link begin and end."""

COMMON = 150
"""So many words of a topic's vocabulary, the most frequent ones, say nothing about a page."""
FIRST_WEIGHTS = {0: -6.0, 1: 3.0, 2: 1.0, 3: 3.0, 4: 1.5, 8: 2.0, 11: 2.0, 15: 2.0, 16: 2.0, 17: 2.0, 18: 3.0}
"""What a link looks like to one who has learned nothing yet: worth what its page, its words and its host are."""


@dataclass(slots=True)
class Prepared:
    """A links table as kernels want it: hashes of URLs and hosts, hashed words, and the topic's view of the words."""

    targets: Keys
    target_hosts: Keys
    sources: Keys
    source_hosts: Keys
    anchored: Floats32
    contexts: Floats32
    anchors: Words
    around: Words
    urls: Runs
    page: Runs
    """The words of the URLs and of the pages they stand on, and for each link where its own begin and end."""

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All of it in the order of the kernels' arguments, without the scores of the pages and their depths."""
        return (
            self.targets, self.target_hosts, self.sources, self.source_hosts, self.anchored, self.contexts,
            *self.anchors, *self.around, *self.urls, *self.page,
        )  # fmt: skip


def prepare(links: pa.Table, topic: TopicModel | None) -> Prepared:
    """What can be said of links without knowing the crawl; pure."""
    targets, sources, anchors = (links.column(name) for name in ("target", "source", "anchor"))
    context = links.column("context") if "context" in links.column_names else pa.nulls(links.num_rows, pa.string())
    context = context.cast(pa.string())
    words, offsets = word_hashes(targets)
    return Prepared(
        hash_strings(targets), _hosts(targets), hash_strings(sources), _hosts(sources), *spoken(anchors, context, topic),
        (words, offsets[:-1], offsets[1:]), _page_words(links, anchors, context, topic),
    )  # fmt: skip


def spoken(anchors: Any, context: Any, topic: TopicModel | None) -> tuple[Floats32, Floats32, Words, Words]:
    """What is said of links: the topic's scores of anchors and of contexts, and the words of both."""
    return _topical(anchors, topic), _topical(context, topic), word_hashes(anchors), word_hashes(context)


def _page_words(links: pa.Table, anchors: Any, context: Any, topic: TopicModel | None) -> Runs:
    """What the page of each link is about: the words around all its links, or of all its anchors."""
    hashes, offsets = telling_words(context if context.null_count < len(context) else anchors, topic)
    keys = hash_strings(links.column("source"))
    change = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    first = np.concatenate([[0], change]).astype(np.int64)
    last = np.concatenate([change, [len(keys)]]).astype(np.int64)
    size = last - first
    return hashes, np.repeat(offsets[first], size), np.repeat(offsets[last], size)


def telling_words(texts: Any, topic: TopicModel | None) -> Words:
    """The hashed words of each text without those the topic met most often, which tell nothing."""
    hashes, offsets = word_hashes(texts)
    if topic is None or not len(hashes):
        return hashes, offsets
    return topic.vocabulary.without_common(hashes, offsets, COMMON)


def _hosts(urls: Any) -> Keys:
    return hash_strings(host_column(urls))


def _topical(texts: Any, topic: TopicModel | None) -> Floats32:
    """The topic's score of each text, NaN where it knows no word of it."""
    if topic is None or texts.null_count == len(texts):
        return np.full(len(texts), np.nan, np.float32)
    return topic.score(texts, unknown=np.nan).astype(np.float32)


class LinkScorer:
    """The `Scorer` of the strategy ``garimpo``.

    >>> scorer = LinkScorer()
    >>> row = {"source": ["http://a.example/"], "target": ["http://b.example/"], "anchor": ["gold"], "context": [None]}
    >>> links = pa.table({**row, "source_score": pa.array([0.9], pa.float32()), "depth": pa.array([1], pa.int32())})
    >>> before = float(scorer.score(links)[0])
    >>> scorer.learn(Link("http://b.example/"), Verdict(1.0))
    >>> scorer.rescore([key64("http://b.example/")]).tolist()
    [-1.0]
    """

    def __init__(self, topic: TopicModel | None = None, explore: float = 0.1, host_budget: float = 100.0) -> None:
        self.topic, self.explore, self.host_budget = topic, explore, host_budget
        self._sizes = np.zeros(2, np.int64)
        self._nodes = np.zeros((0, kernels.NODE_FIELDS), np.float32)
        self._ties = np.zeros((0, 4), np.int32)
        self._grams = np.zeros((0, kernels.GRAMS), np.int32)
        self._hosts = np.zeros((0, kernels.HOST_FIELDS), np.float32)
        self._known = [np.zeros(0, np.uint64), np.zeros(0, np.uint64)]
        self._tables = [(np.zeros(0, np.uint64), np.zeros(0, np.int32))] * 2
        self._weights = np.zeros(kernels.SPARSE + kernels.DENSE + 2, np.float32)
        self._squares = np.zeros_like(self._weights)
        for place, weight in FIRST_WEIGHTS.items():
            self._weights[kernels.SPARSE + place] = weight
        self.make_room(1024, 256)

    def score(self, links: pa.Table) -> Floats32:
        """The worth of each link in [0, 1]; columns of the links table, `source_score` and `depth`."""
        scores, depths = (links.column(name).to_numpy().astype(np.float32) for name in ("source_score", "depth"))
        return self.score_prepared(prepare(links, self.topic), scores, depths)

    def score_prepared(
        self, links: Prepared, source_scores: Floats32, depths: Floats32, start: int = 0, stop: int | None = None
    ) -> Floats32:
        """The same of links that were prepared before, of all or of some rows; the other two arrays are for these rows."""
        stop = len(links.targets) if stop is None else stop
        count = stop - start
        self.make_room(2 * count, 2 * count)
        out = np.empty(count, np.float32)
        kernels.score_links(
            *links.arrays[:4], source_scores, depths, *links.arrays[4:], *self.arrays,
            np.float32(self.explore), np.float32(self.host_budget), start, stop, out,
        )  # fmt: skip
        return out

    def learn(self, link: Link, verdict: Verdict) -> None:
        """The target of a link was read."""
        import xxhash

        name = host(link.target) or ""
        self.learn_key(key64(link.target), xxhash.xxh64_intdigest(name.encode()), verdict.score)

    def learn_key(self, key: int, host_key: int, score: float) -> None:
        """The same by the hashes of URL and host."""
        self.make_room(1, 1)
        kernels.learn_page(np.uint64(key), np.uint64(host_key), np.float32(score), *self.arrays)

    def rescore(self, keys: Any) -> Floats32:
        """The worth of URLs that still wait, by what is known now; -1 for those that do not."""
        keys = np.asarray(keys, np.uint64)
        out = np.empty(len(keys), np.float32)
        kernels.score_again(
            keys, *self._tables[0], self._nodes, self._hosts, self._ties, self._grams, self._weights,
            np.float32(self.explore), np.float32(self.host_budget), out,
        )  # fmt: skip
        return out

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All that is known and learned, in the order of the kernels' arguments."""
        return (
            *self._tables[0], self._known[0], *self._tables[1], self._known[1], self._sizes,
            self._nodes, self._hosts, self._ties, self._grams, self._weights, self._squares,
        )  # fmt: skip

    def make_room(self, nodes: int, hosts: int) -> None:
        """Arrays large enough for so many more records; tables at most half full."""
        for which, more in ((0, nodes), (1, hosts)):
            need = int(self._sizes[which]) + more
            if need > len(self._known[which]):
                self._grow(which, max(need, 2 * len(self._known[which])))

    def _grow(self, which: int, room: int) -> None:
        self._known[which] = _longer(self._known[which], room)
        if which:
            self._hosts = _longer(self._hosts, room)
        else:
            self._nodes, self._ties, self._grams = (_longer(array, room) for array in (self._nodes, self._ties, self._grams))
        size = 1 << (2 * room - 1).bit_length()
        self._tables[which] = (np.zeros(size, np.uint64), np.full(size, -1, np.int32))
        kernels.refill(self._known[which], int(self._sizes[which]), *self._tables[which])

    def save(self, path: str | Path) -> None:
        """Write everything that was learned as one file."""
        nodes, hosts = (int(size) for size in self._sizes)
        arrays: dict[str, NDArray[Any]] = {
            "known_nodes": self._known[0][:nodes], "nodes": self._nodes[:nodes], "ties": self._ties[:nodes],
            "grams": self._grams[:nodes], "known_hosts": self._known[1][:hosts], "hosts": self._hosts[:hosts],
            "weights": self._weights, "squares": self._squares,
        }  # fmt: skip
        parameters = {"explore": self.explore, "host_budget": self.host_budget}
        save_model(path, Model("links", "garimpo", parameters, arrays))

    @classmethod
    def load(cls, path: str | Path, topic: TopicModel | None = None) -> "LinkScorer":
        """A scorer that goes on where the saved one stood."""
        model = load_model(path, "links")
        scorer = cls(topic, model.parameters["explore"], model.parameters["host_budget"])
        nodes, hosts = len(model.arrays["nodes"]), len(model.arrays["hosts"])
        scorer.make_room(nodes, hosts)
        for name in ("nodes", "ties", "grams"):
            getattr(scorer, f"_{name}")[:nodes] = model.arrays[name]
        scorer._hosts[:hosts] = model.arrays["hosts"]
        scorer._known[0][:nodes], scorer._known[1][:hosts] = model.arrays["known_nodes"], model.arrays["known_hosts"]
        scorer._weights[:], scorer._squares[:] = model.arrays["weights"], model.arrays["squares"]
        scorer._sizes[:] = nodes, hosts
        for which in (0, 1):
            kernels.refill(scorer._known[which], int(scorer._sizes[which]), *scorer._tables[which])
        return scorer

    @classmethod
    def of_crawl(cls, folder: str | Path, topic: TopicModel | None = None) -> "LinkScorer":
        """A scorer that knows all that a crawl folder holds, as if it had been there with this topic."""
        scorer, scores = cls(topic), {}
        store = Store.open(folder, write=False)
        for batch in store.pages(["url", "score", "depth", "title", "text"]):
            read = batch.filter(pc.is_valid(batch.column("score")))
            for url, score, depth in zip(read.column("url").to_pylist(), _judged(read, topic), read.column("depth").to_pylist()):
                scores[url] = (score, depth)
        for batch in store.links():
            links = pa.table(batch)
            known = [scores.get(url, (0.0, 0)) for url in links.column("source").to_pylist()]
            score, depth = (pa.array(column, kind) for column, kind in zip(zip(*known), (pa.float32(), pa.int32())))
            scorer.score(links.append_column("source_score", score).append_column("depth", depth))
        for url, (score, _) in scores.items():
            scorer.learn(Link(url), Verdict(score))
        return scorer


def _judged(pages: pa.RecordBatch, topic: TopicModel | None) -> list[float]:
    """The scores of stored pages: the topic's, or without one those they got."""
    if topic is None:
        return list(pages.column("score").to_pylist())
    titles, texts = (pages.column(name).to_pylist() for name in ("title", "text"))
    return list(topic.score([page_text(title, text) for title, text in zip(titles, texts)]).tolist())


def _longer(array: NDArray[Any], room: int) -> NDArray[Any]:
    """The array with room for more rows."""
    longer = np.zeros((room, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


class BestFirst:
    """The `Scorer` by which a link is worth what its page is: the first that shows it (``best``), or the best."""

    def __init__(self, dynamic: bool = True) -> None:
        self._seen: set[int] | None = None if dynamic else set()

    def score(self, links: pa.Table) -> Floats32:
        """The score of the page each link stands on; 0 for a target met before, unless dynamic."""
        scores = links.column("source_score").to_numpy().astype(np.float32)
        if self._seen is not None:
            for row, key in enumerate(hash_strings(links.column("target")).tolist()):
                if key in self._seen:
                    scores[row] = 0
                self._seen.add(key)
        return scores

    def learn(self, link: Link, verdict: Verdict) -> None:
        """Nothing to learn."""
