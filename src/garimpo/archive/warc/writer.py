"""Writing a crawl's WARC files: appended to, rolled over by size, cut back to the last commit when opened after a kill."""

import os
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from garimpo.archive.warc.records import UNCHANGED, Earlier, Exchange, Headers, exchange, revisit, suffix, warcinfo
from garimpo.contract.files import fsync
from garimpo.contract.records import Fetched

ROLL_AT = 1_000_000_000
_BUFFER = 1 << 20

Lookup = Callable[[bytes], tuple[str, str] | None]
Place = tuple[str, int]


class WarcWriter:
    """Appends records to the newest file of a folder and says where each one stands.

    What is written stays in memory until it fills a buffer or `sync` is called. A write that fails (a full disk) leaves the
    buffer as it was, at a known place in the file: calling again is safe. `fresh` holds the bodies stored since the
    last commit, by SHA-1, and `lookup` finds the older ones, so that a body is stored once.
    """

    def __init__(
        self,
        folder: Path,
        files: dict[str, int],
        lookup: Lookup,
        *,
        packing: str = "gzip",
        roll_at: int = ROLL_AT,
        past: Iterable[str] = (),
    ) -> None:
        """A writer.

        Args:
            folder: where the files lie.
            files: the committed length of each.
            lookup: the URL and time of a body that is stored, by its SHA-1.
            packing: `gzip` or `zstd`.
            roll_at: a file of so many bytes is followed by a new one.
            past: names that were given before: rows of the tables may speak of them, so none is given again.
        """
        self._folder, self._lookup, self._packing, self._roll_at = folder, lookup, packing, roll_at
        self.files = dict(files)
        self.number = max(map(_number, past), default=0)
        """The number before that of the next file, unless one that is there has a higher one."""
        self.fresh: dict[bytes, tuple[str, str, str, int]] = {}
        self._buffer: list[bytes] = []
        self._buffered = 0
        self._descriptor = -1
        self._unsynced: set[int] = set()
        self._rolled = False
        self.name = max(files, default="")
        if self.name.endswith(suffix(packing)) and files[self.name] < roll_at:
            self._descriptor = os.open(folder / self.name, os.O_WRONLY)
        else:
            self.name = ""

    @property
    def length(self) -> int:
        """The length of the newest file, with what is still in memory."""
        return self.files.get(self.name, 0) + self._buffered

    def write_response(
        self,
        fetched: Fetched,
        request_headers: Headers = (),
        *,
        at: datetime | None = None,
        unchanged: Earlier | None = None,
    ) -> Place:
        """Store one answer and its request; returns the file and offset of the answer's record.

        A body that stands in these files already becomes a revisit record. `unchanged` names the earlier visit that an
        answer 304 confirms.
        """
        when = time.time() if at is None else at.timestamp()
        return self.write(exchange(fetched, request_headers, when, self._packing), unchanged)

    def write(self, made: Exchange, unchanged: Earlier | None = None, *, fresh: bool = False) -> Place:
        """Store an exchange that was packed elsewhere (by `records.exchange`, with this writer's packing).

        `fresh`: the caller knows that this body was never stored before, so nobody is asked.
        """
        self._make_room()
        record = made.response if fresh and unchanged is None else self._answer(made, unchanged)
        place = self._append(record, made.request)
        if record is made.response and made.has_body:
            self.fresh[made.payload_digest] = (made.url, made.when, *place)
        return place

    def sync(self) -> dict[str, int]:
        """Force everything written to the disk; the files and their lengths."""
        self._flush()
        for descriptor in list(self._unsynced):
            os.fsync(descriptor)
            if descriptor != self._descriptor:
                os.close(descriptor)
            self._unsynced.discard(descriptor)
        if self._rolled:
            fsync(self._folder)
            self._rolled = False
        return dict(self.files)

    def close(self) -> None:
        """Let go of the files; what was not committed is cut off when the folder is opened again."""
        for descriptor in self._unsynced | {self._descriptor}:
            if descriptor >= 0:
                os.close(descriptor)
        self._descriptor, self._unsynced, self._buffer, self._buffered = -1, set(), [], 0

    def _answer(self, made: Exchange, unchanged: Earlier | None) -> bytes:
        if unchanged is not None:
            return revisit(made, unchanged, self._packing, UNCHANGED)
        if not made.has_body:
            return made.response
        stored = self.fresh.get(made.payload_digest) or self._lookup(made.payload_digest)
        if stored is None:
            return made.response
        return revisit(made, Earlier(stored[0], datetime.fromisoformat(stored[1]).timestamp()), self._packing)

    def _make_room(self) -> None:
        """What can fail happens here, before a record is taken: so a failed write took nothing."""
        if self._buffered >= _BUFFER:
            self._flush()
        if self._descriptor < 0 or self.length >= self._roll_at:
            self._flush()
            self._roll()

    def _append(self, *records: bytes) -> Place:
        """Where the first of them will stand."""
        place = self.name, self.length
        self._buffer += records
        self._buffered += sum(map(len, records))
        return place

    def _flush(self) -> None:
        if not self._buffer:
            return
        self._unsynced.add(self._descriptor)
        data, place = b"".join(self._buffer), self.files[self.name]
        written = 0
        while written < len(data):
            written += os.pwrite(self._descriptor, memoryview(data)[written:], place + written)
        self.files[self.name] += len(data)
        self._buffer, self._buffered = [], 0

    def _roll(self) -> None:
        number = 1 + max(self.number, *map(_number, self.files), 0)
        name = f"garimpo-{number:06d}{suffix(self._packing)}"
        opened = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        if self._descriptor >= 0 and self._descriptor not in self._unsynced:
            os.close(self._descriptor)
        self._descriptor, self.name, self._rolled = opened, name, True
        self.files[name] = 0
        self._append(warcinfo(name, time.time(), "crawl by garimpo", self._packing))


def _number(name: str) -> int:
    return int(name.split("-")[1].split(".")[0])
