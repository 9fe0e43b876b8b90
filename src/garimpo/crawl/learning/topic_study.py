"""The study that improves a topic while the crawl runs.

A crawl told its topic by a model (``--topic``) keeps that model. One told by examples (``--positive``) begins with what can be
learned from them alone; the pages it keeps are the unlabelled ones, and each time their number has doubled the learner makes a
better model of both and publishes it to `learned/topic`, from where readers and loop take it up. Where no model can be made of
what was kept so far, the one in force stays.
"""

from garimpo.contract.errors import BadInput
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.topic import evidence_of, examples
from garimpo.focus import TopicModel

FIRST_STUDY = 50
"""So many kept pages make a first unlabelled set."""
MOST_UNLABELLED = 4000


class TopicStudy:
    """A better topic model each time the kept pages have doubled; only where the topic was shown by examples."""

    def __init__(self, corpus: Corpus) -> None:
        self._positive = examples(corpus.settings) if corpus.settings.positive and not corpus.settings.topic else None
        self._next = max(FIRST_STUDY, 2 * corpus.learned.evidence("topic").get("pages", 0))

    def __call__(self, corpus: Corpus) -> None:
        if self._positive is None or corpus.pages.num_rows < self._next:
            return
        unlabelled = corpus.texts(MOST_UNLABELLED)
        if len(unlabelled) < FIRST_STUDY // 2:
            return
        self._next = 2 * corpus.pages.num_rows
        try:
            model = TopicModel.train(self._positive, unlabelled, seed=corpus.settings.seed)
        except BadInput:
            return
        corpus.learned.publish("topic", "model", model.save, evidence_of(model, corpus.pages.num_rows))
