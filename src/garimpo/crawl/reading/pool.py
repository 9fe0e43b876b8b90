"""Reader processes: each with two desks, pieces of shared memory where the loop lays the answers to read.

A short message through the pipe says what lies on which desk, so the loop never waits to send; the batch that was read comes
back through the pipe, in order. A reader that ends while batches lie on its desks is replaced, and they are read again: page
by page after a second death, and a single page that is there at three deaths is kept unread.

Reading has a limit of CPU time, kept by the system: a timer that no parser can put off ends the process. Then the pages are
read one by one, and the one that takes too long again is kept unread.
"""

import contextlib
import mmap
import multiprocessing
import os
import pickle
import signal
import tempfile
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

from garimpo.contract.records import Fetched
from garimpo.crawl.components import Components
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.interrupts import ignoring_interrupts
from garimpo.crawl.reading.inline import Done, jobs
from garimpo.crawl.reading.reader import Job, ReadBatch, Reader, read_nothing
from garimpo.engine.starting import without_script

DESKS = 2
DESK_BYTES = 32 << 20
MOST_DEATHS = 3
PAGE_SECONDS = 2.0
"""CPU time that a page may take."""
UNREADABLE, TOO_LONG = "unreadable", "took too long to read"


class Batch:
    """Answers on their way through a reader, and how many readers died over them."""

    def __init__(self, answers: Sequence[Answer], deaths: int = 0) -> None:
        self.answers, self.deaths = list(answers), deaths

    def after_death(self, slow: bool) -> "list[Batch]":
        """What is to be read again. `slow`: the reader was ended because a page took too long."""
        deaths = MOST_DEATHS if slow and len(self.answers) == 1 else self.deaths + 1 + slow
        if deaths < 2 or len(self.answers) == 1:
            return [Batch(self.answers, deaths)]
        return [Batch([answer], 1) for answer in self.answers]


class Process:
    """One reader process as the loop sees it."""

    def __init__(self, components: Components, learned: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self._memory_file = _shared_memory(DESKS * DESK_BYTES)
        self._memory = mmap.mmap(self._memory_file, DESKS * DESK_BYTES)
        arguments = (other, DupFd(self._memory_file), components, learned)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        with ignoring_interrupts(), without_script(components):
            self._process.start()
        other.close()
        self.batches: deque[Batch] = deque()
        self._desk = 0

    @property
    def free(self) -> bool:
        return len(self.batches) < DESKS

    def read(self, batch: Batch) -> bool:
        """Lay a batch on the next desk; False when it does not fit. A reader that is gone is found out by `receive`."""
        work = pickle.dumps(jobs(batch.answers), protocol=5)
        if len(work) > DESK_BYTES:
            return False
        start = self._desk * DESK_BYTES
        self._memory[start : start + len(work)] = work
        self.batches.append(batch)
        self._desk = (self._desk + 1) % DESKS
        self.send((start, start + len(work)))
        return True

    def send(self, message: tuple[int, int] | None) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(message)

    def receive(self) -> ReadBatch | None:
        """A batch that is ready, or None; EOFError when the reader is gone."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (ConnectionResetError, OSError):
            raise EOFError from None

    def was_slow(self) -> bool:
        """Whether a reader that is gone was ended because it took too long."""
        self._process.join(1)
        return self._process.exitcode == -signal.SIGPROF

    def close(self) -> None:
        self.pipe.close()
        self._process.join(0.5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._memory.close()
        os.close(self._memory_file)


class Pool:
    """A number of reader processes behind the face of `Readers`."""

    def __init__(self, count: int, components: Components, learned: Path) -> None:
        self._components, self._learned = components, learned
        self._processes = [Process(components, learned) for _ in range(count)]
        self._again: list[Batch] = []
        self._unreadable: list[Done] = []
        self.deaths = 0
        self.changed = True
        """Whether the descriptors to watch are new."""

    @property
    def busy(self) -> int:
        batches = [batch for process in self._processes for batch in process.batches]
        waiting = sum(len(batch.answers) for batch in [*batches, *self._again])
        return waiting + sum(len(done.answers) for done in self._unreadable)

    def wants(self) -> bool:
        return not self._again and any(process.free for process in self._processes)

    def take(self, answers: Sequence[Answer]) -> None:
        self._hand_out(Batch(answers))

    def give(self) -> list[Done]:
        done, self._unreadable = self._unreadable, []
        for place, process in enumerate(self._processes):
            try:
                while (read := process.receive()) is not None:
                    done.append(Done(process.batches.popleft().answers, read))
            except EOFError:
                self._replace(place)
        while self._again and any(process.free for process in self._processes):
            self._hand_out(self._again.pop())
        return done

    def descriptors(self) -> list[int]:
        self.changed = False
        return [process.pipe.fileno() for process in self._processes]

    def reload(self) -> None:
        for process in self._processes:
            process.send(None)

    def close(self) -> None:
        for process in self._processes:
            process.close()

    def _hand_out(self, batch: Batch) -> None:
        process = min((process for process in self._processes if process.free), key=lambda process: len(process.batches))
        if process.read(batch):
            return
        for answer in batch.answers:
            if len(batch.answers) > 1:
                self._again.append(Batch([answer]))
            else:
                self._unreadable.append(Done([answer], read_nothing(jobs([answer]), UNREADABLE)))

    def _replace(self, place: int) -> None:
        """A reader died: a new one takes its place, and its batches are read again."""
        dead = self._processes[place]
        slow = dead.was_slow()
        for number, batch in enumerate(dead.batches):
            for part in batch.after_death(slow) if number == 0 or not slow else [batch]:  # it reads them in order
                if part.deaths >= MOST_DEATHS:
                    reason = TOO_LONG if slow else UNREADABLE
                    self._unreadable.append(Done(part.answers, read_nothing(jobs(part.answers), reason)))
                else:
                    self._again.append(part)
        dead.close()
        self.deaths += 1
        self._processes[place] = Process(self._components, self._learned)
        self.changed = True


def _shared_memory(size: int) -> int:
    """A file in memory that has no name, so that no kill can leave it behind."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("garimpo-desks")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor


def _serve(pipe: Connection, memory_file: Any, components: Components, learned: Path) -> None:
    """The reader process: reads until the loop closes the pipe, however the loop ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory = mmap.mmap(memory_file.detach(), DESKS * DESK_BYTES)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process, whatever it is doing
    reader = Reader(components, learned, allow=_allow)
    _warm(reader)
    while True:
        try:
            message = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        if message is None:
            reader.reload()
            _warm(reader)
            continue
        start, stop = message
        work = pickle.loads(memory[start:stop])
        read = reader.read(work)
        _allow(0)
        try:
            pipe.send(read)
        except BrokenPipeError:
            return


def _allow(pages: int) -> None:
    """Give what comes next the time of so many pages; of none: no limit."""
    signal.setitimer(signal.ITIMER_PROF, PAGE_SECONDS * pages)


def _warm(reader: Reader) -> None:
    """Read a page without a limit, as the first loads code and models."""
    page = b"<html lang=en><title>warm</title><p>The first page <a href=/x>loads</a> what all others need.</html>"
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    reader.read([Job(Fetched("http://warm.example/", 200, page, [("Content-Type", "text/html")]), 0.0, ())])
    _allow(0)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
