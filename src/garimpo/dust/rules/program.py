"""A set of rules as the kernels read it: for each host a list of operations in order, found by the hash of its name.

An operation stands once in the table, however many hosts have it, and hosts with the same operations share one list: a set
of rules that hold on all hosts but some takes the room of the rules and of the exceptions.
"""

import threading
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.dust.rules.operations import ALWAYS, BUNDLE, WIDTH, Operations
from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import SPACE, Rule
from garimpo.engine.columns import flat

_BATCH = 1 << 18
_MEMORY = threading.local()


class Program:
    """Rules compiled. Only the operations of a URL's own host are ever tried on it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        known = Operations()
        own: dict[str, array[int]] = {}
        but: dict[str, set[int]] = {}
        everywhere: list[int] = []
        for number, rule in enumerate(rules):
            shared = known.shared(number, rule)
            if shared is None:
                for host, operation in known.by_host(number, rule):
                    own.setdefault(host, array("i")).append(known.add(operation))
                continue
            place, reach = known.add(shared), rule.reach
            if ANYWHERE in reach.hosts:
                everywhere.append(place)
                for host in reach.but:
                    but.setdefault(host, set()).add(place)
            else:
                for host in reach.hosts:
                    own.setdefault(host, array("i")).append(place)
        self._link(known, own, everywhere, but)
        self._longest = known.longest
        self._rules_of: dict[int, list[int]] = {}
        """By where a list of operations begins the numbers of their rules."""

    def _link(self, known: Operations, own: dict[str, "array[int]"], everywhere: list[int], but: dict[str, set[int]]) -> None:
        lists = array("i")
        begins: dict[bytes, int] = {}
        places: dict[int, int] = {}  # operations are numbered anew as lists name them: what one host needs stands close together

        def begin_of(operations: Iterable[int]) -> int:
            ordered = array("i", sorted(operations))
            if ordered.tobytes() not in begins:
                begins[ordered.tobytes()] = len(lists)
                lists.append(len(ordered))
                lists.extend(places.setdefault(operation, len(places)) for operation in ordered)
            return begins[ordered.tobytes()]

        self._anywhere = begin_of(everywhere) if everywhere else -1
        hosts = {host: begin_of([*own.get(host, ()), *_left(everywhere, but.get(host))]) for host in {**own, **but}}
        operations = np.frombuffer(known.rows or array("i", [0] * WIDTH), np.int32).reshape(-1, WIDTH)
        inner = {
            place: begin_of(known.bundled[operations[place, 2]]) + 1 for place in list(places) if _is_bundle(operations, place)
        }
        for place in list(places):
            if operations[place, ALWAYS] >= 0:
                places.setdefault(int(operations[place, ALWAYS]), len(places))
        ordered = operations[list(places) or [0]]
        for place, begin in inner.items():
            ordered[places[place], 2] = begin
        if len(known.rows):
            ordered[:, ALWAYS] = [places[row] if row >= 0 else -1 for row in ordered[:, ALWAYS].tolist()]
        self.tables = (
            ordered,
            np.frombuffer(lists or array("i", [0]), np.int32),
            _matrix(known.steps, 3),
            _matrix(known.templates, 3),
            np.frombuffer(bytes(known.pool) or b"\0", np.uint8).copy(),
        )
        size = 1 << max(4, int(2 * len(hosts)).bit_length())
        self.slots, self.begins = np.zeros(size, np.uint64), np.full(size, -1, np.int64)
        for host, begin in hosts.items():
            slot, value = self._slot(host)
            self.slots[slot], self.begins[slot] = value, begin

    def _slot(self, host: str) -> tuple[int, int]:
        """Where a host stands in the table, or would, and its hash."""
        value = xxhash.xxh64_intdigest(host.encode())
        slot = value & (len(self.slots) - 1)
        while self.begins[slot] >= 0 and self.slots[slot] != value:
            slot = (slot + 1) & (len(self.slots) - 1)
        return slot, value

    def list_of(self, host: str) -> tuple[int, int]:
        """First and last of a host's list of operations."""
        begin = int(self.begins[self._slot(host)[0]])
        begin = self._anywhere if begin < 0 else begin
        return (begin + 1, begin + 1 + int(self.tables[1][begin])) if begin >= 0 else (0, 0)

    def applies(self, host: str) -> bool:
        """Whether there is any operation for a host."""
        first, last = self.list_of(host)
        return last > first

    def rules_on(self, host: str) -> list[int]:
        """The numbers of the rules that have operations for a host."""
        first, last = self.list_of(host)
        found = self._rules_of.get(first)
        if found is None:
            operations, lists = self.tables[:2]
            found = self._rules_of[first] = np.unique(operations[lists[first:last], 1]).tolist()
        return found

    def scratch(self) -> tuple[tuple[NDArray[Any], ...], NDArray[np.int64]]:
        """Working memory of kernel calls, one for each thread: buffers, captures, the matcher's cells and stack, counters."""
        kept: tuple[int, Any] = getattr(_MEMORY, "kept", (0, None))
        if kept[0] < self._longest:
            longest = max(self._longest, 2 * kept[0], 64)
            cells = longest * 2050
            buffers = [np.empty(8192 * 3, np.uint8) for _ in range(3)]
            stack, state = np.empty(2 * cells + 8, np.int64), np.zeros(10, np.int64)
            spare = np.empty(3 * 8192 * 3, np.uint8)
            memory = (*buffers, np.zeros(160, np.int64), np.zeros(cells, np.uint32), stack, state, spare)
            kept = _MEMORY.kept = (longest, (memory, np.empty(3 * 128, np.int64)))
        return kept[1]

    def keys(self, urls: pa.StringArray) -> tuple[pa.StringArray, NDArray[np.int32]]:
        """The key of each normalised URL and the number of the rule that made it, -1 for none. A null stays null."""
        from garimpo.dust.rules._kernels_apply import key_rows

        prefix = np.frombuffer(SPACE.encode(), np.uint8)
        scratch, marks = self.scratch()
        parts, numbers = [], np.empty(len(urls), np.int32)
        for begin in range(0, len(urls), _BATCH):
            part = urls.slice(begin, _BATCH)
            data, offsets = flat(part)
            rules = numbers[begin : begin + len(part)]
            out, at = key_rows(data, offsets, self.slots, self.begins, self._anywhere, self.tables, scratch, marks, prefix, rules)
            buffers = [_validity(part), pa.py_buffer(at.astype(np.int32)), pa.py_buffer(out[: at[-1]])]
            parts.append(pa.Array.from_buffers(pa.string(), len(part), buffers))
        return (pa.concat_arrays(parts) if parts else pa.array([], pa.string())), numbers

    def hashes(
        self, data: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.int64], host: str
    ) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """A hash of what one host's operations make of some rows of a column, and the rule that made it, -1 for none."""
        from garimpo.dust.rules._kernels_apply import hash_rows

        scratch, marks = self.scratch()
        out, rules = np.empty(len(rows), np.uint64), np.empty(len(rows), np.int32)
        hash_rows(data, offsets, rows, *self.list_of(host), self.tables, scratch, marks, out, rules)
        return out, rules


def _is_bundle(operations: NDArray[np.int32], place: int) -> bool:
    return bool(operations[place, 0] == BUNDLE)


def _left(everywhere: list[int], but: set[int] | None) -> Iterable[int]:
    return [place for place in everywhere if place not in but] if but else everywhere


def _validity(part: pa.StringArray) -> pa.Buffer | None:
    if part.null_count == 0:
        return None
    return pa.py_buffer(np.packbits(part.is_valid().to_numpy(zero_copy_only=False), bitorder="little"))


def _matrix(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int64]:
    return np.array(rows, np.int64).reshape(len(rows), width) if rows else np.zeros((1, width), np.int64)
