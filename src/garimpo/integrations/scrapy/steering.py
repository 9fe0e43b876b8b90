"""Priorities: links towards the topic first, links of pages that repeat others last."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from garimpo.contract.records import Link
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.keeping.keeper import ON_TOPIC, link_score, shown_links
from garimpo.crawl.keeping.repeats import Repeat
from garimpo.crawl.reading.reader import ReadBatch
from garimpo.integrations.scrapy.knowledge import Knowledge
from garimpo.integrations.scrapy.options import Options
from garimpo.url import normalise

LEVELS = 20
"""So many priorities: Scrapy keeps a queue for each."""
DUPLICATE_OF, PRIORITIES = "garimpo_duplicate_of", "garimpo_priorities"


class Steering:
    """Scores the links of each page as it is read."""

    def __init__(self, knowledge: Knowledge, options: Options) -> None:
        make = knowledge.components.scorer
        self._scorer = make(knowledge.store.learned.folder) if make is not None and options.steered else None
        self.on_topic = 0

    def take(self, response: Any, read: tuple[Sequence[Answer], ReadBatch, list[Repeat]] | None) -> None:
        """Note in a response's ``meta`` what its page repeats, and what its links are worth.

        Args:
            response: Scrapy's.
            read: what was read of it, alone.
        """
        if read is None:
            return
        (*_, answer), batch, (*_, repeat) = read
        page, meta = batch.pages[-1], response.meta
        if repeat.of is not None:
            meta[DUPLICATE_OF] = repeat.of
        if page.verdict is None or self._scorer is None:
            return
        self.on_topic += page.verdict.reason in ON_TOPIC and repeat.of is None
        self._scorer.learn(Link(answer.entry.url), page.verdict)
        links, score = batch.links, link_score(page, repeat.of is not None)
        rows = links.column("row").to_numpy()
        if len(rows) and score >= 0:
            shown = shown_links(links, np.full(len(rows), score, np.float32), rows, [answer.entry], batch.texts)
            scores = np.clip(self._scorer.score(shown), 0.0, 1.0)
            meta[PRIORITIES] = dict(zip(links.column("target").to_pylist(), scores.tolist()))

    def steer(self, request: Any, response: Any) -> Any:
        """A request of a response with the priority that its link has earned."""
        if (worth := response.meta.get(PRIORITIES)) is not None:
            score = worth.get(normalise(request.url), 0.0)
            return request.replace(priority=request.priority + round(LEVELS * score))
        if DUPLICATE_OF in response.meta:
            return request.replace(priority=request.priority - LEVELS)
        return request
