"""Writing a forward index, part by part: the codes are chosen from the first part, the stream grows on the disk."""

import os
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.archive.forward import _kernels_codes as kernels
from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.versions import INDEX_FORMAT

Longs = NDArray[np.int64]
Terms = NDArray[np.int32]
FIRST_PAIRS = 1 << 21
"""Codes are chosen once so many pairs are at hand."""
LARGEST_SYMBOL = 1 << 22


class ForwardWriter:
    """Writes documents (`add`) to a file that is there whole when the block ends well.

    Sorted: ids must ascend, and are coded as gaps. Unsorted: any order, coded as they are. `skip`: the place of every so many
    documents is kept, 1 being quickest.
    """

    def __init__(self, path: str | os.PathLike[str], terms: int, *, ids_sorted: bool = True, skip: int = 1) -> None:
        if skip < 1:
            raise BadInput(f"skip {skip}: at least 1")
        self.path, self.terms, self.sorted, self.skip = Path(path), terms, ids_sorted, skip
        self._waiting: list[tuple[Longs, Longs, Terms, Terms]] = []
        self._pairs = self._documents = self._tokens = self._largest = 0
        self._last, self._bits = -1, 0
        self._carry = np.zeros(1, np.uint64)
        self._table: NDArray[np.uint8] | None = None
        self._id_code = self._size_code = 0
        self._fields = np.zeros(4, np.int64)
        self._counts = [np.zeros(0, np.int64) for _ in range(4)]
        self._ids: list[Longs] = []
        self._places: list[Longs] = []
        self._publishing: Any = None

    def __enter__(self) -> "ForwardWriter":
        self._publishing = publish(self.path)
        self._final: Path = self._publishing.__enter__()
        self._body = self._final.with_name(f"{self._final.name}.body")
        self._file = open(self._body, "wb")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._flush()
                self._finish()
        except BaseException as failed:
            self._publishing.__exit__(type(failed), failed, failed.__traceback__)
            raise
        finally:
            self._file.close()
            self._body.unlink(missing_ok=True)
        self._publishing.__exit__(kind, error, trace)

    def add(self, ids: Longs, starts: Longs, terms: Terms, counts: Terms) -> None:
        """Add documents: `terms[starts[i]:starts[i + 1]]` ascending, with their frequencies."""
        ids = np.ascontiguousarray(ids, np.int64)
        if self.sorted and len(ids) and (ids[0] <= self._last or (np.diff(ids) <= 0).any()):
            raise BadInput("document ids do not ascend, in a sorted index")
        starts = np.ascontiguousarray(starts - starts[0], np.int64)
        self._waiting.append((ids, starts, np.ascontiguousarray(terms, np.int32), np.ascontiguousarray(counts, np.int32)))
        self._last = int(ids[-1]) if len(ids) else self._last
        self._pairs += len(terms)
        if sum(len(part[2]) for part in self._waiting) >= FIRST_PAIRS:
            self._flush()

    def finish(self, words: pa.Array | None = None, urls: pa.Array | None = None) -> None:
        """The words of the terms and the URLs of the documents, to be stored beside."""
        self._words, self._urls = words, urls

    _words: pa.Array | None = None
    _urls: pa.Array | None = None

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._table is None:
            self._choose()
        assert self._table is not None
        for ids, starts, terms, counts in self._waiting:
            before = -1 if not self._ids else int(self._ids[-1][-1]) if len(self._ids[-1]) else -1
            # No code takes over 64 + 2 log2 bits but Golomb with a small modulus, for which codes are chosen with care.
            room = int(self._room(ids, starts, terms, counts, before)) // 64 + 4
            stream = np.zeros(room, np.uint64)
            stream[0] = self._carry[0]
            places = np.zeros(len(ids), np.int64)
            end = kernels.write_documents(
                ids, starts, terms, counts, before, self.sorted, self._id_code, self._size_code, self._table,
                stream, self._bits & 63, places, self._fields,
            )  # fmt: skip
            whole = end >> 6
            self._file.write(stream[:whole].tobytes())
            self._carry = stream[whole : whole + 1].copy()
            self._places.append(places + (self._bits & ~63))
            self._bits = (self._bits & ~63) + end
            self._ids.append(ids)
            self._documents += len(ids)
            self._largest = max(self._largest, int(np.diff(starts).max(initial=0)))
            self._tokens += int(counts.sum())
            self._count(ids, starts, terms, counts, before)
        self._waiting.clear()

    def _room(self, ids: Longs, starts: Longs, terms: Terms, counts: Terms, before: int) -> int:
        """Bits enough for these documents: measured, as a Golomb code can be long."""
        assert self._table is not None
        return int(kernels.measure(ids, starts, terms, counts, before, self.sorted, self._id_code, self._size_code, self._table))

    def _choose(self) -> None:
        """The cheapest code of every context, found on what is waiting."""
        contexts = kernels.RANKS * kernels.ROOMS
        sums = np.zeros((2, contexts, kernels.CODES))
        for code in range(1, kernels.CODES):  # one large gap in each context, so that no code is hopeless for one
            sums[0, :, code] = kernels.size_of(code, max(1, self.terms // 4))
        for _, starts, terms, counts in self._waiting:
            kernels.add_sizes(starts, terms, counts, sums)
        sums[:, :, 0] = np.inf
        self._table = np.argmin(sums, axis=2).astype(np.uint8)
        self._table[1][sums[1, :, 1] == 0] = 1
        ids = np.concatenate([part[0] for part in self._waiting])
        mean = float(np.diff(ids, prepend=-1).mean()) if self.sorted else float(ids.mean()) + 1
        self._id_code = 16 + int(np.argmin(np.abs(kernels.MODULI - max(1.0, np.ceil(0.69 * mean))))) if mean > 1 else 16
        sizes = np.concatenate([np.diff(part[1]) for part in self._waiting]) + 1
        costs = [sum(kernels.size_of(code, int(size)) for size in sizes[:20_000]) for code in range(1, 16)]
        self._size_code = 1 + int(np.argmin(costs))

    def _count(self, ids: Longs, starts: Longs, terms: Terms, counts: Terms, before: int) -> None:
        """Histograms of the four fields, for their entropies."""
        gaps = np.diff(terms.astype(np.int64), prepend=-1)
        gaps[starts[:-1][np.diff(starts) > 0]] = terms[starts[:-1][np.diff(starts) > 0]] + 1
        shown = np.diff(ids, prepend=before) if self.sorted else ids
        for field, values in enumerate((shown, np.diff(starts), gaps, counts)):
            found = np.bincount(np.minimum(values, LARGEST_SYMBOL))
            if len(found) > len(self._counts[field]):
                found, self._counts[field] = self._counts[field], found
            self._counts[field][: len(found)] += found

    def _finish(self) -> None:
        if self._table is None:
            self._table = np.ones((2, kernels.RANKS * kernels.ROOMS), np.uint8)
            self._id_code, self._size_code = 16, 3
        self._file.write(self._carry.tobytes() + bytes(8))
        self._file.close()
        skip, codes = self._skip_stream()
        parts = {
            "table": self._table.tobytes(), "stream": self._body, "skip": skip.tobytes(),
            "words": _strings(self._words), "urls": _strings(self._urls),
        }  # fmt: skip
        sections, start = {}, 0
        for name, part in parts.items():
            size = part.stat().st_size if isinstance(part, Path) else len(part)
            sections[name] = (start, size)
            start += -(-size // 8) * 8
        head = {
            "format": "garimpo-forward", "version": INDEX_FORMAT, "documents": self._documents, "terms": self.terms,
            "largest": self._largest, "pairs": self._pairs, "tokens": self._tokens, "sorted": self.sorted, "skip": self.skip,
            "id_code": self._id_code, "size_code": self._size_code, "skip_codes": codes,
            "bits": self._fields.tolist(), "entropy": [_entropy(counts) for counts in self._counts], "sections": sections,
        }  # fmt: skip
        line = msgspec.json.encode(head)
        line += b" " * (-(len(line) + 1) % 8) + b"\n"
        with open(self._final, "wb") as out:
            out.write(line)
            for part in parts.values():
                _copy(part, out)

    def _skip_stream(self) -> tuple[NDArray[np.uint64], list[int]]:
        ids, places = (np.concatenate(part or [np.zeros(0, np.int64)])[:: self.skip] for part in (self._ids, self._places))
        numbers = [np.diff(ids, prepend=-1) if self.sorted else ids + 1, np.diff(places, prepend=-1)]
        codes = [min(range(1, 16), key=lambda code: int(kernels.measure_numbers(code, part))) for part in numbers]
        room = sum(int(kernels.measure_numbers(code, part)) for code, part in zip(codes, numbers)) // 64 + 2
        stream, at = np.zeros(room, np.uint64), 0
        for code, part in zip(codes, numbers):
            at = kernels.write_numbers(stream, at, code, part)
        return stream, codes


def _copy(part: bytes | Path, out: Any) -> None:
    size = 0
    if isinstance(part, Path):
        with open(part, "rb") as file:
            while some := file.read(1 << 22):
                size += out.write(some)
    else:
        size = out.write(part)
    out.write(bytes(-size % 8))


def _strings(column: pa.Array | None) -> bytes:
    if column is None:
        return b""
    table = pa.table({"text": column.cast(pa.large_string())})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def _entropy(counts: Longs) -> float:
    """The bits that the best code without context would take for all symbols of a field."""
    counts = counts[counts > 0].astype(np.float64)
    return float((counts * np.log2(counts.sum() / counts)).sum()) if len(counts) else 0.0
