"""Who reads: the loop itself, or reader processes.

A reader process gets the bodies of a batch through a piece of shared memory of its own and a short message through a pipe;
its answer comes back through the pipe. It is spawned, never forked. When it dies its batch is given to a new one; a batch
that kills two readers is read page by page, and the page that kills a third is kept unread, with an error.
"""

import pickle
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from garimpo.contract.records import Fetched
from garimpo.crawl.components import Components
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.reading.reader import Job, ReadBatch, Reader, read_nothing
from garimpo.crawl.settings import Settings
from garimpo.crawl.state.fence import is_on
from garimpo.page.pdf import has_pdf, is_pdf

LARGE = 128 << 10
"""Pages of more bytes are not read in the loop: whatever is in them, a page of so many takes no time that matters."""
MOST_LARGE = 4


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
    """Reads in the loop's own process; PDF documents, and pages so large that they might take long, in a process beside it."""

    def __init__(self, components: Components, learned: Path) -> None:
        self._components, self._learned = components, learned
        self._reader = Reader(components, learned)
        self._done: list[Done] = []
        self._large: deque[Answer] = deque()
        self._beside: Readers | None = None
        self._alone = False
        """Whether no process can be started beside."""
        self.changed = False

    @property
    def busy(self) -> int:
        return len(self._large) + (self._beside.busy if self._beside is not None else 0)

    def wants(self) -> bool:
        return len(self._large) < MOST_LARGE

    def take(self, answers: Sequence[Answer]) -> None:
        large = [] if self._alone else [answer for answer in answers if _may_take_long(answer.fetched)]
        small = [answer for answer in answers if not _may_take_long(answer.fetched)] if large else list(answers)
        if small:
            self._done += self._read(small)
        self._large += large
        self._hand_over()

    def give(self) -> list[Done]:
        done, self._done = self._done, []
        if self._beside is not None:
            done += self._beside.give()
            self.changed = self.changed or self._beside.changed
        self._hand_over()
        return done

    def descriptors(self) -> list[int]:
        self.changed = False
        return self._beside.descriptors() if self._beside is not None else []

    def reload(self) -> None:
        self._reader.reload()
        if self._beside is not None:
            self._beside.reload()

    def close(self) -> None:
        if self._beside is not None:
            self._beside.close()

    def _read(self, answers: Sequence[Answer]) -> list[Done]:
        """Read a batch; where that fails, its pages one by one, and one that fails again not at all."""
        try:
            return [Done(answers, self._reader.read(jobs(answers)))]
        except Exception as error:
            if not is_on() or isinstance(error, MemoryError | OSError):
                raise
            if len(answers) == 1:
                return [Done(answers, read_nothing(jobs(answers), f"unreadable ({type(error).__name__})"))]
        return [done for answer in answers for done in self._read([answer])]

    def _hand_over(self) -> None:
        if self._large and self._beside is None and not self._alone:
            self._beside = self._start_beside()
            self.changed = True
        while self._large and self._beside is None:
            self._done += self._read([self._large.popleft()])
        while self._large and self._beside is not None and self._beside.wants():
            self._beside.take([self._large.popleft()])

    def _start_beside(self) -> Readers | None:
        from garimpo.crawl.reading.pool import Pool

        try:
            return Pool(1, self._components, self._learned)
        except (pickle.PicklingError, AttributeError, TypeError, AssertionError):  # what cannot be sent to a process is read here
            self._alone = True
            return None


def _may_take_long(fetched: Fetched) -> bool:
    return len(fetched.body) > LARGE or (is_pdf(fetched.body) and has_pdf())


def jobs(answers: Sequence[Answer]) -> list[Job]:
    """The work of a batch."""
    return [Job(answer.fetched, answer.at, answer.sent) for answer in answers]


def make_readers(settings: Settings, components: Components, learned: Path) -> Readers:
    """As many readers as the settings ask for; with none the loop reads."""
    if settings.workers == 0:
        return InLoop(components, learned)
    from garimpo.crawl.reading.pool import Pool

    return Pool(settings.workers, components.for_readers(), learned)
