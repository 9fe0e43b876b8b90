"""The learner: a process beside the loop.

It reads what was kept since it last looked (`corpus`), feeds it to every *study* (`study`: one for each kind, or for kinds that
share their evidence), and when a round is due publishes what the studies found to `learned/`, from where the loop takes it up. It
writes to nothing else but `state/learner/`, so killing it at any time costs nothing but time.

Later rounds see what earlier ones led to: pages fetched as checks are evidence like all others, and a rule withdrawn on a host is
not published there again.
"""

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.pace import Studied, next_due, read_studied, waited_for, write_studied
from garimpo.crawl.learning.study import DamagedEvidence, Study

LOOK_SECONDS = 0.1


def studies_of(corpus: Corpus) -> list[Study]:
    """One study of each kind that the settings ask for; what they need takes a second to load, and the loop does not need it.

    Args:
        corpus: the crawl.
    """
    from garimpo.crawl.learning.fold_study import FoldStudy
    from garimpo.crawl.learning.rule_study import RuleStudy

    studies: list[Study] = [RuleStudy(corpus), FoldStudy(corpus)]
    if corpus.settings.positive and not corpus.settings.topic:
        from garimpo.crawl.learning.topic_study import TopicStudy

        studies.append(TopicStudy(corpus))
    return studies


def without_folds(corpus: Corpus) -> list[Study]:
    """As `studies_of`, but for that of hosts that copy each other.

    Args:
        corpus: the crawl.
    """
    from garimpo.crawl.learning.fold_study import FoldStudy

    return [study for study in studies_of(corpus) if not isinstance(study, FoldStudy)]


class Rounds:
    """The rounds of learning of one crawl."""

    def __init__(self, corpus: Corpus, studies: Sequence[Study] | None = None) -> None:
        """Load what was gathered before.

        Args:
            corpus: the crawl.
            studies: unless given, one of each kind.
        """
        self._corpus = corpus
        self._studies = studies_of(corpus) if studies is None else studies
        self._load()

    def _load(self) -> None:
        commits = [commit for study in self._studies if (commit := study.load()) is not None]
        self._corpus.rewind(min(commits, default=0))

    def grow(self) -> int:
        """Feed the studies with what is new; how many rows were met since the last time."""
        before = self._corpus.rows
        try:
            self._feed()
        except DamagedEvidence:
            self._load()
            self._feed()
        return self._corpus.rows - before

    def _feed(self) -> None:
        for segment in self._corpus.segments():
            for study in self._studies:
                study.take(segment)

    def run(self) -> dict[str, str]:
        """One round over all that was met: publish what is new, and return what came of each kind, in words."""
        self.grow()
        try:
            return self._study()
        except DamagedEvidence:
            self._load()
            self._feed()
            return self._study()

    def _study(self) -> dict[str, str]:
        said = {}
        for study in self._studies:
            for finding in study.study():
                said[finding.kind] = finding.why
                if finding.write is not None:
                    publish = self._corpus.learned.publish
                    version = publish(finding.kind, finding.suffix, finding.write, finding.evidence)
                    said[finding.kind] = f"version {version}: {finding.why}"
        for study in self._studies:
            study.save()
        return said

    def wait(self, rows: int, seconds: float = math.inf) -> None:
        """Until so many rows were met, or so many seconds have passed."""
        until = time.monotonic() + seconds
        self.grow()
        while self._corpus.rows < rows and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            self.grow()


def learn_beside(folder: Path, studies: Callable[[Corpus], Sequence[Study]] = studies_of) -> None:
    """The life of the learner: wait until a round is due, study what is new, say so, rest."""
    with Corpus.open(folder) as corpus:
        began = time.process_time()
        rounds, share = Rounds(corpus, studies(corpus)), corpus.settings.learn_share
        studied = Studied(rounds=read_studied(folder).rounds, seconds=read_studied(folder).seconds)
        while True:
            rounds.wait(next_due(studied.rows))
            rows, said = corpus.rows, rounds.run()
            pa.default_memory_pool().release_unused()  # what a round needed for a while goes back while the learner rests
            spent, began = time.process_time() - began, time.process_time()
            studied = Studied(rows, studied.rounds + 1, round(studied.seconds + spent, 3), said)
            write_studied(folder, studied)
            rounds.wait(waited_for(rows), seconds=spent * (1 - share) / share)
