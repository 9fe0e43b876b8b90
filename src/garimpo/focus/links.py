"""The scorers of a focused crawl: which link leads towards the topic?

`LinkScorer` scores each link by itself: by the words of its anchor, its URL and its surroundings, by the page it stands on
and the page before that, by the record of its host, by what the other links of the page led to. It learns all the while: the
link that led to a page is taught the page's score, and the links before it a discounted share, so that the way through pages
that are off topic is found (the *tunnels*). One page of each host not met yet is tried before what promises little, for a host
mostly keeps to its topic; hosts that gave nothing for long are put off.
"""

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
from garimpo.focus import _kernels_records as records
from garimpo.focus.features import Floats32, Prepared, about, groups_of, join_parallel, prepare, site_keys
from garimpo.focus.judge import page_text
from garimpo.focus.topic import TopicModel
from garimpo.url import key64

FIRST_WEIGHTS = {0: -6.0, 1: 3.0, 2: 1.0, 3: 3.0, 4: 1.5, 8: 2.0, 11: 2.0, 15: 2.0, 16: 2.0, 17: 2.0, 18: 3.0}
"""What a link looks like to one who has learned nothing yet: worth what its page, its words and its host are."""


class LinkScorer:
    """The `Scorer` of the strategy ``garimpo``.

    Args:
        topic: the topic, whose words count in links; None: learn them.
        explore: what a look into a host not tried yet is worth.
        host_budget: poor pages in a row after which the links of a host count for less.

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
        self._nodes = np.zeros((0, records.NODE_FIELDS), np.float32)
        self._ties = np.zeros((0, records.TIES), np.int32)
        self._heads = np.zeros(0, np.int32)
        self._grams = np.zeros((0, kernels.GRAMS), np.int32)
        self._records = np.zeros((0, records.RECORD_FIELDS), np.float32)
        self._known = [np.zeros(0, np.uint64), np.zeros(0, np.uint64)]
        self._tables = [(np.zeros(0, np.uint64), np.zeros(0, np.int32))] * 2
        self._weights = np.zeros(kernels.SPARSE + kernels.DENSE + 2, np.float32)
        self._squares = np.zeros_like(self._weights)
        for place, weight in FIRST_WEIGHTS.items():
            self._weights[kernels.SPARSE + place] = weight
        self.make_room(1024, 256)

    def score(self, links: pa.Table) -> Floats32:
        """The worth of each link in [0, 1].

        Args:
            links: columns of the links table, `source_score` and `depth`; also, where they are known, `place` and the beginning
                of the text of the page as `about`.
        """
        group = groups_of(links)
        links = join_parallel(links, group)
        scores, depths = (links.column(name).to_numpy().astype(np.float32) for name in ("source_score", "depth"))
        return self.score_prepared(prepare(links, self.topic), scores, depths)[group]

    def score_prepared(
        self, links: Prepared, source_scores: Floats32, depths: Floats32, start: int = 0, stop: int | None = None
    ) -> Floats32:
        """The same of links that were prepared before, of all or of some rows; the other two arrays are for these rows."""
        stop = len(links.targets) if stop is None else stop
        count = stop - start
        self.make_room(2 * count, 5 * count)
        out = np.empty(count, np.float32)
        kernels.score_links(
            *links.arrays[:7], source_scores, depths, *links.arrays[7:], *self.arrays,
            np.float32(self.explore), np.float32(self.host_budget), start, stop, out,
        )  # fmt: skip
        return out

    def learn(self, link: Link, verdict: Verdict) -> None:
        """The target of a link was read."""
        hosts, folders = site_keys(pa.array([link.target]))
        self.learn_key(key64(link.target), int(hosts[0]), int(folders[0]), verdict.score)

    def learn_key(self, key: int, host: int, folder: int, score: float) -> int:
        """The same by the hashes of URL, host and directory.

        Args:
            key: the hash of the URL.
            host: that of its host.
            folder: that of its directory.
            score: what the page turned out to be, from 0 to 1.
        """
        self.make_room(1, 2)
        return int(kernels.learn_page(np.uint64(key), np.uint64(host), np.uint64(folder), np.float32(score), *self.arrays))

    def rescore(self, keys: Any) -> Floats32:
        """The worth of URLs that still wait, by what is known now; -1 for those that do not."""
        keys = np.asarray(keys, np.uint64)
        out = np.empty(len(keys), np.float32)
        kernels.score_again(
            keys, *self._tables[0], self._nodes, self._records, self._ties, self._grams, self._weights,
            np.float32(self.explore), np.float32(self.host_budget), out,
        )  # fmt: skip
        return out

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All that is known and learned, in the order of the kernels' arguments."""
        return (
            *self._tables[0], self._known[0], *self._tables[1], self._known[1], self._sizes,
            self._nodes, self._records, self._ties, self._heads, self._grams, self._weights, self._squares,
        )  # fmt: skip

    def make_room(self, nodes: int, records: int) -> None:
        """Arrays large enough for so many more records; tables at most half full."""
        for which, more in ((0, nodes), (1, records)):
            need = int(self._sizes[which]) + more
            if need > len(self._known[which]):
                self._grow(which, max(need, 2 * len(self._known[which])))

    def _grow(self, which: int, room: int) -> None:
        self._known[which] = _longer(self._known[which], room)
        if which:
            self._records, self._heads = _longer(self._records, room), _longer(self._heads, room)
        else:
            self._nodes, self._ties, self._grams = (_longer(array, room) for array in (self._nodes, self._ties, self._grams))
        size = 1 << (2 * room - 1).bit_length()
        self._tables[which] = (np.zeros(size, np.uint64), np.full(size, -1, np.int32))
        records.refill(self._known[which], int(self._sizes[which]), *self._tables[which])

    def save(self, path: str | Path) -> None:
        """Write everything that was learned as one file."""
        nodes, count = (int(size) for size in self._sizes)
        arrays: dict[str, NDArray[Any]] = {
            "known_nodes": self._known[0][:nodes], "nodes": self._nodes[:nodes], "ties": self._ties[:nodes],
            "grams": self._grams[:nodes], "known_records": self._known[1][:count],
            "records": self._records[:count], "heads": self._heads[:count],
            "weights": self._weights, "squares": self._squares,
        }  # fmt: skip
        parameters = {"explore": self.explore, "host_budget": self.host_budget}
        save_model(path, Model("links", "garimpo", parameters, arrays))

    @classmethod
    def load(cls, path: str | Path, topic: TopicModel | None = None) -> "LinkScorer":
        """A scorer that goes on where the saved one stood."""
        model = load_model(path, "links")
        scorer = cls(topic, model.parameters["explore"], model.parameters["host_budget"])
        nodes, count = len(model.arrays["nodes"]), len(model.arrays["records"])
        scorer.make_room(nodes, count)
        for name in ("nodes", "ties", "grams"):
            getattr(scorer, f"_{name}")[:nodes] = model.arrays[name]
        scorer._records[:count], scorer._heads[:count] = model.arrays["records"], model.arrays["heads"]
        scorer._known[0][:nodes], scorer._known[1][:count] = model.arrays["known_nodes"], model.arrays["known_records"]
        scorer._weights[:], scorer._squares[:] = model.arrays["weights"], model.arrays["squares"]
        scorer._sizes[:] = nodes, count
        for which in (0, 1):
            records.refill(scorer._known[which], int(scorer._sizes[which]), *scorer._tables[which])
        return scorer

    @classmethod
    def of_crawl(cls, folder: str | Path, topic: TopicModel | None = None) -> "LinkScorer":
        """A scorer that knows all that a crawl folder holds, as if it had been there with this topic."""
        scorer, scores = cls(topic), {}
        told: dict[str, str | None] = {}
        store = Store.open(folder, write=False)
        for batch in store.pages(["url", "score", "depth", "title", "text"]):
            read = batch.filter(pc.is_valid(batch.column("score")))
            for url, score, depth in zip(read.column("url").to_pylist(), _judged(read, topic), read.column("depth").to_pylist()):
                scores[url] = (score, depth)
            told |= dict(zip(batch.column("url").to_pylist(), about(batch.column("text")).to_pylist()))
        for batch in store.links():
            links = pa.table(batch)
            known = [scores.get(url, (0.0, 0)) for url in links.column("source").to_pylist()]
            score, depth = (pa.array(column, kind) for column, kind in zip(zip(*known), (pa.float32(), pa.int32())))
            begun = pa.array([told.get(url) for url in links.column("source").to_pylist()], pa.large_string())
            scorer.score(links.append_column("source_score", score).append_column("depth", depth).append_column("about", begun))
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
    """The `Scorer` by which a link is worth what its page is: the first that shows it (``best``), or the best.

    Args:
        dynamic: whether a link is worth what the best of its pages is.
    """

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
