"""The study that improves a topic while the crawl runs.

A crawl told its topic by a model (``--topic``) keeps that model. One told by examples (``--positive``) begins with what can be
learned from them alone; the pages it keeps are the unlabelled ones, and each time their number has doubled the learner makes a
better model of both and publishes it to `learned/topic`, from where readers and loop take it up. Where no model can be made of
what was kept so far, the one in force stays. Pages that a person has called good, or not, count in the next round: the good ones
as examples, the others as pages met that are none.
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from garimpo.contract.errors import BadInput
from garimpo.crawl import labels
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
        evidence = corpus.learned.evidence("topic")
        self._next = max(FIRST_STUDY, 2 * evidence.get("pages", 0))
        self._labelled: int = evidence.get("labels", 0)

    def study(self) -> Sequence[Finding]:
        corpus = self._corpus
        said = labels.read(corpus.folder)
        texts = corpus.texts_of(said) if said else {}
        if corpus.rows < self._next and len(texts) == self._labelled:
            return [Finding("topic", f"studied again at {self._next:,} pages")]
        unlabelled = corpus.texts(MOST_UNLABELLED)
        if len(unlabelled) < FIRST_STUDY // 2:
            return [Finding("topic", f"too few pages with a text: {len(unlabelled)}")]
        self._next, self._labelled = 2 * corpus.rows, len(texts)
        positive, rest = self._with_labels(unlabelled, {text: said[url] for url, text in texts.items()})
        try:
            model = TopicModel.train(positive, rest, seed=corpus.settings.seed)
        except BadInput as error:
            return [Finding("topic", f"no model can be made yet: {error}")]
        evidence = {**evidence_of(model, corpus.rows), **({"labels": len(texts)} if texts else {})}
        by = f" and {len(texts)} that were labelled" if texts else ""
        return [Finding("topic", f"learned from {len(unlabelled):,} pages met{by}", "model", model.save, evidence)]

    def _with_labels(self, unlabelled: Sequence[str], said: Mapping[str, bool]) -> tuple[pa.Array, list[str]]:
        """The examples and the rest, by what a person said of their texts."""
        examples = [text for text in self._positive.to_pylist() if said.get(text, True)]
        good, others = ([text for text, is_good in said.items() if is_good is wanted] for wanted in (True, False))
        known = dict.fromkeys([*others, *(text for text in unlabelled if text not in said)])
        return pa.array([*dict.fromkeys([*examples, *good])], pa.large_string()), [*known]
