"""The study that improves a topic while the crawl runs.

A crawl told its topic by a model (``--topic``) keeps that model. One told by examples (``--positive``) begins with what can be
learned from them alone; the pages it keeps are the unlabelled ones, and each time their number has doubled the learner makes a
better model of both and publishes it to `learned/topic`, from where readers and loop take it up. Where no model can be made of
what was kept so far, the one in force stays.
"""

from collections.abc import Sequence

from garimpo.contract.errors import BadInput
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.study import Finding, FolderStudy
from garimpo.crawl.learning.topic import evidence_of, examples
from garimpo.focus import TopicModel

FIRST_STUDY = 50
"""So many kept pages make a first unlabelled set."""
MOST_UNLABELLED = 4000


class TopicStudy(FolderStudy):
    """A better topic model each time the kept pages have doubled, for a topic that was shown by examples."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._positive = examples(corpus.settings, corpus.learned)
        self._next = max(FIRST_STUDY, 2 * corpus.learned.evidence("topic").get("pages", 0))

    def study(self) -> Sequence[Finding]:
        corpus = self._corpus
        if corpus.rows < self._next:
            return [Finding("topic", f"studied again at {self._next:,} pages")]
        unlabelled = corpus.texts(MOST_UNLABELLED)
        if len(unlabelled) < FIRST_STUDY // 2:
            return [Finding("topic", f"too few pages with a text: {len(unlabelled)}")]
        self._next = 2 * corpus.rows
        try:
            model = TopicModel.train(self._positive, unlabelled, seed=corpus.settings.seed)
        except BadInput as error:
            return [Finding("topic", f"no model can be made yet: {error}")]
        evidence = evidence_of(model, corpus.rows)
        return [Finding("topic", f"learned from {len(unlabelled):,} pages met", "model", model.save, evidence)]
