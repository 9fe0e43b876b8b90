"""The forward index: for every document its terms and how often each occurs, in a bit stream with random access.

::

    one line of JSON      format, counts, codes, bits of each field, where the sections begin
    table                 the code of each context, for gaps and for frequencies
    stream                the documents, not byte aligned: id, number of terms, then (gap, frequency) of every term
    skip                  the places of every `skip`-th document (its id and its place, as gaps)
    words                 the term of each number, as Arrow
    urls                  the URL of each document, as Arrow

Terms are numbered by decreasing document frequency, so gaps between them are small where it matters. How a gap is coded
depends on its context (how rare the term before is, how many terms are left); which code is best there was found by trying.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.archive.forward import _kernels_codes as kernels
from garimpo.contract.errors import BadInput
from garimpo.contract.versions import INDEX_FORMAT

Longs = NDArray[np.int64]
Terms = NDArray[np.int32]
FIELDS = ("id", "size", "gaps", "frequencies")


class Document(NamedTuple):
    """One document: its id, its terms in ascending order, and how often each occurs."""

    id: int
    terms: Terms
    frequencies: Terms


class Forward:
    """A forward index, memory-mapped. Documents are asked for by id or by position; None for what is not there."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.head = head = _read_head(self.path)
        self._table = self._section("table", np.uint8).reshape(2, -1)
        self._stream = self._section("stream", np.uint64)
        skip = self._section("skip", np.uint64)
        blocks = -(-head["documents"] // head["skip"])
        ids, places = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
        at = kernels.read_numbers(skip, 0, head["skip_codes"][0], ids)
        kernels.read_numbers(skip, at, head["skip_codes"][1], places)
        self._places = np.cumsum(places) - 1
        self._ids = np.cumsum(ids) - 1 if head["sorted"] else ids - 1
        self._skip: int = head["skip"]
        self._codes: tuple[int, int] = (head["id_code"], head["size_code"])
        self._room = (np.empty(head["largest"], np.int32), np.empty(head["largest"], np.int32))
        self._where: dict[int, int] | None = None

    def __len__(self) -> int:
        return int(self.head["documents"])

    @property
    def terms(self) -> int:
        """How many terms there are."""
        return int(self.head["terms"])

    def by_index(self, index: int) -> Document | None:
        """The document at a position: one look at the skip table, then at most `skip` documents are read."""
        if not 0 <= index < self.head["documents"]:
            return None
        if self._skip == 1:
            terms, counts = self._room
            size = kernels.read_document(self._stream, self._places[index], *self._codes, self._table, terms, counts)
            return Document(int(self._ids[index]), terms[:size].copy(), counts[:size].copy())
        block, past = divmod(index, self._skip)
        return next(islice(self._block(block), past, None))

    def by_id(self, number: int) -> Document | None:
        """The document with an id: by bisection in the skip table; where ids are not sorted, by a list made once."""
        if not self.head["sorted"]:
            if self._where is None:
                self._where = {document.id: index for index, document in enumerate(self)}
            return self.by_index(self._where.get(number, -1))
        block = int(np.searchsorted(self._ids, number, side="right")) - 1
        if block < 0:
            return None
        if self._skip == 1:
            return self.by_index(block) if self._ids[block] == number else None
        found = next((document for document in self._block(block) if document.id >= number), None)
        return found if found is not None and found.id == number else None

    def __iter__(self) -> Iterator[Document]:
        for block in range(len(self._places)):
            yield from self._block(block)

    def _block(self, block: int) -> Iterator[Document]:
        """The documents of a block, one after the other; the id of the first is in the skip table."""
        number, at = int(self._ids[block]), int(self._places[block])
        for step in range(min(self._skip, len(self) - block * self._skip)):
            coded, size, at = kernels.read_head(self._stream, at, *self._codes)
            number = number if step == 0 else self._next(number, coded)
            terms, counts = np.empty(size, np.int32), np.empty(size, np.int32)
            at = kernels.read_terms(self._stream, at, size, self._table, terms, counts)
            yield Document(number, terms, counts)

    def _next(self, before: int, coded: int) -> int:
        return before + coded if self.head["sorted"] else coded - 1

    def subset(self, ids: list[int]) -> Iterator[Document]:
        """The documents with these ids, those that are there: a view, nothing is copied."""
        found = (self.by_id(number) for number in ids)
        return (document for document in found if document is not None)

    def words(self) -> pa.Array:
        """The word of each term number (empty where none were stored)."""
        return self._strings("words")

    def urls(self) -> pa.Array:
        """The URL of each document, by position (empty where none were stored)."""
        return self._strings("urls")

    def stat(self) -> dict[str, Any]:
        """What it holds, and the bits of each field beside the least that any code without context could take."""
        head = self.head
        fields = {
            name: {
                "bits": bits, "entropy": entropy, "over": bits / entropy - 1 if entropy else 0.0,
                "bits_each": bits / max(1, head["pairs"] if name in FIELDS[2:] else head["documents"]),
            }
            for name, bits, entropy in zip(FIELDS, head["bits"], head["entropy"])
        }  # fmt: skip
        names = ("documents", "terms", "pairs", "tokens", "sorted", "skip")
        sizes = {f"{name}_bytes": size for name, (_, size) in head["sections"].items()}
        return {**{name: head[name] for name in names}, "fields": fields, **sizes, "bytes": self.path.stat().st_size}

    def _section(self, name: str, kind: Any) -> NDArray[Any]:
        start, size = self.head["sections"][name]
        if size == 0:
            return np.zeros(1, kind)
        mapped = np.memmap(self.path, kind, "r", self.head["base"] + start, size // np.dtype(kind).itemsize)
        return np.asarray(mapped)

    def _strings(self, name: str) -> pa.Array:
        start, size = self.head["sections"][name]
        if not size:
            return pa.array([], pa.large_string())
        with open(self.path, "rb") as file:
            file.seek(self.head["base"] + start)
            column = pa.ipc.open_stream(file.read(size)).read_all().column(0)
        return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], pa.large_string())


def _read_head(path: Path) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            line = file.readline(1 << 20)
        head = msgspec.json.decode(line)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (IsADirectoryError, ValueError, msgspec.DecodeError):
        raise BadInput(f"{path}: not a forward index") from None
    if not isinstance(head, dict) or head.get("format") != "garimpo-forward":
        raise BadInput(f"{path}: not a forward index")
    if head.get("version") != INDEX_FORMAT:
        version = head.get("version")
        raise BadInput(f"{path}: forward index of version {version}, this program reads {INDEX_FORMAT}: build it again")
    head["base"] = len(line)
    if path.stat().st_size < head["base"] + max(start + size for start, size in head["sections"].values()):
        raise BadInput(f"{path}: a forward index that was cut short")
    return head
