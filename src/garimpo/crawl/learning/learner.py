"""The learner: a process beside the loop.

It reads what was kept since it last looked (`corpus`), lets every *study* make of all that what it can, and publishes what
changed to `learned/`, from where the loop takes it up. It never writes to anything else, so killing it at any time
costs nothing but time.

A study (one for each kind: rules, folds, topic) looks at all that was kept and may publish a new version. Later rounds see what
earlier ones led to: pages fetched as checks are evidence like all others, and a rule withdrawn on a host is not published there
again.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.pace import Studied, next_due, read_studied, waited_for, write_studied
from garimpo.crawl.learning.rule_study import RuleStudy
from garimpo.crawl.learning.topic_study import TopicStudy

Study = Callable[[Corpus], None]


def studies_of(corpus: Corpus) -> list[Study]:
    """One study of each kind; what they need takes a second to load, and the loop itself does not need it."""
    from garimpo.crawl.learning.fold_study import FoldStudy

    return [RuleStudy(corpus), FoldStudy(corpus), TopicStudy(corpus)]


def learn_beside(folder: Path) -> None:
    """The life of the learner: wait until a round is due, study all that was kept, say so, rest."""
    with Corpus.open(folder) as corpus:
        studies = studies_of(corpus)
        studied = Studied(rounds=read_studied(folder).rounds, seconds=read_studied(folder).seconds)
        share = corpus.settings.learn_share
        while True:
            corpus.wait(next_due(studied.rows))
            began, rows = time.process_time(), corpus.rows
            for study in studies:
                study(corpus)
            pa.default_memory_pool().release_unused()  # what a round needed for a while goes back while the learner rests
            spent = time.process_time() - began
            studied = Studied(rows, studied.rounds + 1, round(studied.seconds + spent, 3))
            write_studied(folder, studied)
            corpus.wait(waited_for(rows), seconds=spent * (1 - share) / share)
