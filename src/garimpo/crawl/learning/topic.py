"""How a topic joins a crawl: the model it begins with, the judge where pages are read, and the scorer in the loop."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from garimpo.archive import Learned, Store, texts
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.protocols import Judge, Scorer
from garimpo.contract.records import Link, Verdict
from garimpo.crawl.seeds import is_url
from garimpo.crawl.settings import Settings, Strategy
from garimpo.crawl.single.documents import fetch_documents
from garimpo.focus import BestFirst, LinkScorer, TopicJudge, TopicModel

EXAMPLES = "examples"
"""The pages that were fetched to show a topic, in `learned/`."""
FIRST, GROWTH = 10, 1.05
"""The queue is put in order anew when the pages read have grown by this factor and so many more."""
MOST_AGAIN, FREE = 3, 100_000
"""So many scores are given anew for each link scored (and some more), at most."""
WORDS = 8
"""So many words of a topic are told."""
MOST_RELEARNED = 30_000
"""With more pages than this a new topic counts for new links only: to learn from all pages again would hold the crawl up."""


class FirstTopic:
    """The topic a crawl begins with: the model given, or one made from the examples alone. Those that are URLs are fetched."""

    def __init__(self, settings: Settings) -> None:
        self._fetched: pa.Table | None = None
        self._failed: dict[str, str] = {}
        if settings.topic:
            self.model = TopicModel.load(settings.topic)
            return
        if urls := [*filter(is_url, settings.positive)]:
            self._fetched, self._failed = fetch_documents(urls, settings)
            if len(self._failed) == len(settings.positive):
                url, reason = next(iter(self._failed.items()))
                raise BadInput(f"no page that shows the topic could be read ({url}: {reason})")
        self.model = TopicModel.train(_texts(settings, self._fetched), None)

    def publish(self, store: Store) -> None:
        """Put the topic in force, and keep the pages that were fetched for it."""
        if self._fetched is not None:
            told = {"pages": self._fetched.num_rows, "failed": self._failed}
            store.learned.publish(EXAMPLES, "parquet", partial(pq.write_table, self._fetched), told)
            store.messages += [f"{url} shows no topic: {reason}" for url, reason in self._failed.items()]
        store.learned.publish("topic", "model", self.model.save, evidence_of(self.model, 0))


def evidence_of(model: TopicModel, pages: int) -> dict[str, Any]:
    """What is told of a topic that is put in force: how it was made, from how many pages of the crawl, and its words.

    Args:
        model: the topic.
        pages: pages of the crawl that it was made from.
    """
    words = [word for word, _ in model.words(WORDS)]
    return {"method": model.method, "positives": model.parameters["positives"], "pages": pages, "words": words}


def examples(settings: Settings, learned: Learned) -> pa.ChunkedArray:
    """The texts of the positive documents: files, and the pages that were fetched when the crawl began."""
    path = learned.path(EXAMPLES)
    return _texts(settings, None if path is None else pq.read_table(path))


def _texts(settings: Settings, fetched: pa.Table | None) -> pa.ChunkedArray:
    files = [name for name in settings.positive if not is_url(name)]
    found = [batch.column("text") for batch in texts(files)] if files else []
    if fetched is not None:
        found += fetched.column("text").chunks
    return pa.chunked_array(found, pa.large_string())


def topic_in_force(learned: Learned) -> TopicModel | None:
    """The model published last, or None where there is none that can be read."""
    path = learned.path("topic")
    try:
        return None if path is None else TopicModel.load(path)
    except GarimpoError:
        return None


def topic_judges(folder: Path) -> Sequence[Judge]:
    """The judges that `learned/` asks for: one if a topic is in force."""
    model = topic_in_force(Learned(folder))
    return [] if model is None else [TopicJudge(model)]


class TopicScorer:
    """The link scorer of a crawl. It asks for a new order of the queue each time it has learned from a twentieth more pages, and
    begins again with all that was kept when a new topic is published."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._learned = Learned(folder)
        self._begin()
        self._read, self._next = 0, FIRST
        self._scored = self._again = 0
        """Links scored, and scores given anew."""

    def _begin(self) -> None:
        self._version = self._learned.version("topic")
        self._scorer = LinkScorer.of_crawl(self._folder.parent, topic_in_force(self._learned))

    def score(self, links: pa.Table) -> NDArray[np.float32]:
        self._scored += links.num_rows
        return self._scorer.score(links)

    def learn(self, link: Link, verdict: Verdict) -> None:
        self._read += 1
        self._scorer.learn(link, verdict)

    def due(self) -> bool:
        """Whether what is queued needs new scores, and may have them."""
        return self._read >= self._next and self._again <= FREE + MOST_AGAIN * self._scored

    def renewed(self) -> bool:
        """Whether another topic is in force; asked after commits only, so that what was kept is what was learned."""
        if not self._learned.refresh() or self._learned.version("topic") == self._version:
            return False
        if self._read < MOST_RELEARNED:
            self._begin()
        else:
            self._version = self._learned.version("topic")
            self._scorer.topic = topic_in_force(self._learned)
        return True

    def rescore(self, keys: NDArray[np.uint64]) -> NDArray[np.float32]:
        self._next = int(GROWTH * self._read) + FIRST
        self._again += len(keys)
        return self._scorer.rescore(keys)


def topic_scorer(strategy: Strategy, folder: Path) -> Scorer:
    """The scorer of a strategy; `folder` is `learned/`."""
    return TopicScorer(folder) if strategy == "garimpo" else BestFirst(dynamic=strategy == "best-dynamic")
