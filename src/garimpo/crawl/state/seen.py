"""The seen-set: every key that ever entered the frontier, 9 bytes a slot, exact up to 64 bits.

The log (`seen.log`, 8 bytes a key) is written before each commit, and the commit records how many keys of it count, and
their digest. One that is shorter or different is written anew from the tables of the state, which name every URL that was
fetched, queued or skipped. The table is only an index of the log: a memory-mapped scratch file filled anew when the crawl
opens or when it must grow, so a kill can never leave it half written. Beside each key stands a level, the largest score (in
1/254) its links got so far: a link that offers more is reported as raised, and only then the queue is asked. Levels are not
stored: after a resume the first link to a known URL is reported as raised once more, which costs one look-up and changes
nothing.
"""

import mmap
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from garimpo.contract.errors import GarimpoError
from garimpo.contract.files import fsync
from garimpo.crawl.state import _kernels

KNOWN, NEW, RAISED = 0, 1, 2
MAX_LOAD = 0.75
SMALLEST = 1 << 16
CHUNK = 1 << 17

Keys = NDArray[np.uint64]
Levels = NDArray[np.uint8]


class KeyTable:
    """An open-addressing table of 64-bit keys with a level beside each: in anonymous memory, or in a scratch file.

    >>> KeyTable().add(np.array([7, 8, 7], np.uint64)).tolist()
    [1, 1, 0]
    """

    def __init__(self, keys: int = 0, scratch: Path | None = None) -> None:
        self._scratch = scratch
        self._size = 0
        self._make(_slots_for(keys))

    def __len__(self) -> int:
        return self._size

    @property
    def slots(self) -> int:
        """How many slots there are; a quarter of them always stays empty."""
        return int(self._table.size)

    def add(self, keys: Keys, levels: Levels | None = None) -> Levels:
        """NEW, RAISED or KNOWN for each key, which are all in the set from now on."""
        out = np.zeros(keys.size, np.uint8)
        if not keys.size:
            return out
        self.reserve(keys.size)
        given = np.zeros(keys.size, np.uint8) if levels is None else levels
        self._size += _kernels.add(self._table, self._levels, keys, given, out)
        return out

    def reserve(self, keys: int) -> None:
        """Make room for so many more keys. On a full disk this fails, and can be called again."""
        if self._size + keys > MAX_LOAD * self._table.size:
            self._grow(_slots_for(self._size + keys))

    def contains(self, keys: Keys) -> NDArray[np.bool_]:
        """Which keys are in the set."""
        out = np.zeros(keys.size, np.uint8)
        _kernels.contains(self._table, np.ascontiguousarray(keys, np.uint64), out)
        return out.astype(bool)

    def close(self) -> None:
        """Drop the table and its scratch file."""
        self._table, self._levels = np.zeros(0, np.uint64), np.zeros(0, np.uint8)
        if self._scratch is not None:
            self._scratch.unlink(missing_ok=True)

    def _make(self, slots: int) -> None:
        """An empty table; what was in the scratch file is dropped."""
        if self._scratch is None:
            self._table, self._levels = np.zeros(slots, np.uint64), np.zeros(slots, np.uint8)
            return
        self._scratch.unlink(missing_ok=True)
        memory = _mapped(self._scratch, 9 * slots)
        self._table = np.frombuffer(memory, np.uint64, slots)
        self._levels = np.frombuffer(memory, np.uint8, slots, 8 * slots)

    def _grow(self, slots: int) -> None:
        old = self._table
        self._make(slots)
        _kernels.fill(self._table, old[old != 0])


class SeenSet(KeyTable):
    """All keys of a crawl. `flush` makes what was added durable and returns the count to commit.

    >>> import tempfile
    >>> seen = SeenSet(Path(tempfile.mkdtemp()))
    >>> seen.add(np.array([7, 8, 7], np.uint64)).tolist(), len(seen)
    ([1, 1, 0], 2)
    """

    def __init__(self, folder: Path, committed: int = 0, digest: str = "", known: Callable[[], Keys] | None = None) -> None:
        """Open the log of a crawl.

        Args:
            folder: where the log lies.
            committed: how many keys of it count.
            digest: what `digest` said of them when they were committed; empty: not known.
            known: the keys that stand elsewhere, for a log that is damaged.
        """
        self._log = folder / "seen.log"
        self._logged = committed
        self._pending: list[Keys] = []
        self.mended = not self._cut_log(digest)
        """Whether the log was damaged and is made anew."""
        if self.mended:
            if known is None:
                raise GarimpoError(f"{self._log}: damaged")
            keys = np.unique(known())
            self._logged, self._pending = 0, [keys] if keys.size else []
            self._hash = xxhash.xxh3_64()
            self._log.write_bytes(b"")
            self.flush()
        super().__init__(self._logged, folder / "seen.table")
        self._fill()
        self._size = self._logged

    def add(self, keys: Keys, levels: Levels | None = None) -> Levels:
        out = super().add(keys, levels)
        new = keys[out == NEW]
        if new.size:
            self._pending.append(new)
        return out

    def flush(self) -> int:
        """Append what is new to the log, fsynced; returns how many keys of the log count once this is committed."""
        if self._pending:
            with open(self._log, "r+b") as file:
                file.seek(8 * self._logged)
                digest = self._hash.copy()
                for keys in self._pending:
                    file.write(keys.tobytes())
                    digest.update(keys.tobytes())
                file.truncate()  # an earlier try may have failed half way
                file.flush()
                os.fdatasync(file.fileno())
            self._hash = digest
            self._logged += sum(keys.size for keys in self._pending)
            self._pending.clear()
        return self._logged

    @property
    def digest(self) -> str:
        """Of the keys that were flushed."""
        return self._hash.hexdigest()

    def _cut_log(self, digest: str) -> bool:
        """Cut the log behind what was committed; whether that much is there, and as it was."""
        have = self._log.stat().st_size if self._log.exists() else 0
        self._hash = xxhash.xxh3_64()
        if have < 8 * self._logged:
            return False
        with open(self._log, "ab") as file:
            file.truncate(8 * self._logged)
        fsync(self._log)
        with open(self._log, "rb") as log:
            while chunk := log.read(8 * CHUNK):
                self._hash.update(chunk)
        return not digest or digest == self.digest

    def _grow(self, slots: int) -> None:
        self.close()  # so that the old table and the new one never take memory at once
        self._make(slots)
        self._fill()

    def _fill(self) -> None:
        """Put in what the log and the keys not yet logged say."""
        with open(self._log, "rb") as file:
            for _ in range(-(-self._logged // CHUNK)):
                _kernels.fill(self._table, np.frombuffer(file.read(8 * CHUNK), np.uint64))
        for keys in self._pending:
            _kernels.fill(self._table, keys)


def _slots_for(keys: int) -> int:
    """A power of two, or three quarters of one where that is enough."""
    slots = SMALLEST
    while keys > MAX_LOAD * slots:
        slots *= 2
    smaller = slots // 4 * 3
    return smaller if smaller >= SMALLEST and keys <= MAX_LOAD * smaller else slots


def _mapped(path: Path, size: int) -> mmap.mmap:
    """A writable map of a new file whose blocks are all reserved: a full disk shows here, not as a crash later."""
    with open(path, "w+b") as file:
        os.posix_fallocate(file.fileno(), 0, size)
        return mmap.mmap(file.fileno(), size)
