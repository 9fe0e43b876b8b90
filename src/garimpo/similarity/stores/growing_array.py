"""An array in a file that only grows, read through a memory map."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from garimpo.contract import BadInput

_PIECE = 1 << 18


class Growing:
    """`append` writes at the end; reading maps the file again when it grew past what is mapped.

    >>> import tempfile
    >>> numbers = Growing(Path(tempfile.mkdtemp()) / "n", np.dtype("<i8"), 0)
    >>> numbers.append(np.array([5, 6])); numbers[np.array([1])].tolist(), len(numbers)
    ([6], 2)
    """

    def __init__(self, path: Path, kind: np.dtype[Any], length: int) -> None:
        """Open the file and cut it to `length`: what stands behind was never committed."""
        self._path, self._kind, self._length = path, kind, length
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if os.fstat(self._file).st_size < length * kind.itemsize:
            raise BadInput(f"{path}: shorter than the index says; it is damaged")
        os.ftruncate(self._file, length * kind.itemsize)
        os.lseek(self._file, 0, os.SEEK_END)
        self._view: NDArray[Any] = np.empty(0, kind)
        self._hash, self._hashed = xxhash.xxh3_64(), 0

    def __len__(self) -> int:
        return self._length

    def append(self, values: NDArray[Any]) -> None:
        left = memoryview(values.astype(self._kind, copy=False).tobytes())
        while left.nbytes:
            left = left[os.write(self._file, left) :]
        self._length += values.size

    def all(self) -> NDArray[Any]:
        """All values, mapped."""
        if self._view.size < self._length:
            self._view = np.asarray(np.memmap(self._path, self._kind, "r", shape=(self._length,)))
        return self._view

    def __getitem__(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        return self.all()[rows]

    def digest(self) -> str:
        """Of all values; what was hashed before is not read again."""
        for begin in range(self._hashed, self._length, _PIECE):
            self._hash.update(self.all()[begin : min(begin + _PIECE, self._length)].tobytes())
        self._hashed = self._length
        return self._hash.hexdigest()

    def sync(self) -> None:
        os.fsync(self._file)

    def close(self) -> None:
        self._view = np.empty(0, self._kind)
        os.close(self._file)
