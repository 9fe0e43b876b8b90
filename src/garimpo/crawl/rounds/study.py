"""Between two rounds a worker is the learner: it studies what the rounds have kept, and publishes to `learned/`."""

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from garimpo.archive import Learned
from garimpo.crawl.learning.pace import Studied, next_due, read_studied, write_studied
from garimpo.crawl.rounds import tables

INPUT = pa.table({"part": pa.array([0], pa.int64())})
"""One row, so that one worker does it."""


def is_due(folder: Path, rows: int) -> bool:
    """Whether so many rows of pages want another study.

    Args:
        folder: the crawl folder.
        rows: how many are committed.
    """
    return rows >= next_due(read_studied(folder).rows)


@dataclass(frozen=True)
class StudyTask:
    """One round of learning, by the studies of any crawl but that of copied hosts."""

    folder: Path

    def __call__(self, given: pa.Table) -> pa.Table:
        """Study and publish; a row of `DONE` that says what came of it."""
        from garimpo.crawl.learning.corpus import Corpus
        from garimpo.crawl.learning.learner import Rounds, without_folds

        began = time.process_time()
        with Corpus.open(self.folder) as corpus:
            said = Rounds(corpus, without_folds(corpus)).run()
            before = read_studied(self.folder)
            seconds = round(before.seconds + time.process_time() - began, 3)
            write_studied(self.folder, Studied(corpus.rows, before.rounds + 1, seconds, said))
        return pa.table({"task": ["study"], "figures": [json.dumps(said)]}, schema=tables.DONE)


def copy_in_force(source: Path, target: Path) -> None:
    """Copy what is in force of what was learned; what a worker does to its copy harms nobody.

    Args:
        source: a folder `learned/`.
        target: the one to make.
    """
    learned = Learned(source)
    for path in [path for kind in learned.kinds() if (path := learned.path(kind)) is not None]:
        (target / path.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / path.parent.name / path.name)
    if learned.kinds():
        shutil.copyfile(source / "current.json", target / "current.json")
