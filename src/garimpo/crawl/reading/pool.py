"""Reader processes: each with two desks, pieces of shared memory where the loop lays the answers to read.

A short message through the pipe says what lies on which desk, so the loop never waits to send; the batch that was read comes
back through the pipe, in order. A reader that ends while batches lie on its desks is replaced, and they are read again: page
by page after a second death, and a single page that is there at three deaths is kept unread.
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

import pyarrow as pa

from garimpo.crawl.doors import Doors
from garimpo.crawl.fetch import Answer
from garimpo.crawl.reader import LINKS, PageRow, ReadBatch, Reader
from garimpo.crawl.readers import Done, jobs

DESKS = 2
DESK_BYTES = 32 << 20
MOST_DEATHS = 3


class Batch:
    """Answers on their way through a reader, and how many readers died over them."""

    def __init__(self, answers: Sequence[Answer], deaths: int = 0) -> None:
        self.answers, self.deaths = list(answers), deaths

    def after_death(self) -> "list[Batch]":
        """What is to be read again."""
        deaths = self.deaths + 1
        if deaths < 2 or len(self.answers) == 1:
            return [Batch(self.answers, deaths)]
        return [Batch([answer], 1) for answer in self.answers]


class Process:
    """One reader process as the loop sees it."""

    def __init__(self, doors: Doors, learned: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self._memory_file = _shared_memory(DESKS * DESK_BYTES)
        self._memory = mmap.mmap(self._memory_file, DESKS * DESK_BYTES)
        arguments = (other, DupFd(self._memory_file), doors, learned)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
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

    def close(self) -> None:
        self.pipe.close()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._memory.close()
        os.close(self._memory_file)


class Pool:
    """A number of reader processes behind the face of `Readers`."""

    def __init__(self, count: int, doors: Doors, learned: Path) -> None:
        self._doors, self._learned = doors, learned
        self._processes = [Process(doors, learned) for _ in range(count)]
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
                self._unreadable.append(Done([answer], _unread([answer])))

    def _replace(self, place: int) -> None:
        """A reader died: a new one takes its place, and its batches are read again."""
        dead = self._processes[place]
        for batch in dead.batches:
            for part in batch.after_death():
                if part.deaths >= MOST_DEATHS:
                    self._unreadable.append(Done(part.answers, _unread(part.answers)))
                else:
                    self._again.append(part)
        dead.close()
        self.deaths += 1
        self._processes[place] = Process(self._doors, self._learned)
        self.changed = True


def _unread(answers: Sequence[Answer]) -> ReadBatch:
    """What is kept of pages that no reader survives."""
    pages = [PageRow(error="unreadable", length=len(answer.fetched.body)) for answer in answers]
    return ReadBatch(pages, pa.nulls(len(answers), pa.large_string()), LINKS.empty_table(), [None] * len(answers), None)


def _shared_memory(size: int) -> int:
    """A file in memory that has no name, so that no kill can leave it behind."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("garimpo-desks")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor


def _serve(pipe: Connection, memory_file: Any, doors: Doors, learned: Path) -> None:
    """The reader process: reads until the loop closes the pipe, however the loop ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory = mmap.mmap(memory_file.detach(), DESKS * DESK_BYTES)
    reader = Reader(doors, learned)
    while True:
        try:
            message = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        if message is None:
            reader.reload()
            continue
        start, stop = message
        work = pickle.loads(memory[start:stop])
        try:
            pipe.send(reader.read(work))
        except BrokenPipeError:
            return
