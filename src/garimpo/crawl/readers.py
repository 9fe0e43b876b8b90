"""Who reads: the loop itself, or reader processes.

A reader process gets the bodies of a batch through a piece of shared memory of its own and a short message through a pipe;
its answer comes back through the pipe. It is spawned, never forked. When it dies its batch is given to a new one; a batch
that kills two readers is read page by page, and the page that kills a third is kept unread, with an error.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from garimpo.crawl.doors import Doors
from garimpo.crawl.fetch import Answer
from garimpo.crawl.reader import Job, ReadBatch, Reader
from garimpo.crawl.settings import Settings


class Done(NamedTuple):
    """A batch that was read, with the answers it was made of."""

    answers: Sequence[Answer]
    batch: ReadBatch


class Readers(Protocol):
    """Takes batches and gives them back read."""

    changed: bool
    """Whether the descriptors to watch are new."""

    @property
    def busy(self) -> int:
        """Answers taken and not yet given back."""

    def wants(self) -> bool:
        """Whether a batch can be taken now without waiting."""

    def take(self, answers: Sequence[Answer]) -> None: ...

    def give(self) -> list[Done]:
        """What is read by now."""

    def descriptors(self) -> list[int]:
        """What to watch for answers."""

    def reload(self) -> None:
        """What is learned has changed."""

    def close(self) -> None: ...


class InLoop:
    """Reads in the loop's own process."""

    def __init__(self, doors: Doors, learned: Path) -> None:
        self._reader = Reader(doors, learned)
        self._done: list[Done] = []
        self.busy = 0
        self.changed = False

    def wants(self) -> bool:
        return True

    def take(self, answers: Sequence[Answer]) -> None:
        self._done.append(Done(answers, self._reader.read(jobs(answers))))

    def give(self) -> list[Done]:
        done, self._done = self._done, []
        return done

    def descriptors(self) -> list[int]:
        return []

    def reload(self) -> None:
        self._reader.reload()

    def close(self) -> None:
        """Nothing to let go of."""


def jobs(answers: Sequence[Answer]) -> list[Job]:
    """The work of a batch."""
    return [Job(answer.fetched, answer.at, answer.sent) for answer in answers]


def make_readers(settings: Settings, doors: Doors, learned: Path) -> Readers:
    """As many readers as the settings ask for; with none the loop reads."""
    if settings.workers == 0:
        return InLoop(doors, learned)
    from garimpo.crawl.pool import Pool

    return Pool(settings.workers, doors, learned)
