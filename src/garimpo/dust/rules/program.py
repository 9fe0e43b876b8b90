"""A set of rules as the kernels read it: for each host a list of operations in order, found by the hash of its name.

An operation stands once in the table, however many hosts have it, and hosts with the same operations share one list: a set
of rules that hold on all hosts but some takes the room of the rules and of the exceptions.
"""

import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.dust.rules.condition import Condition
from garimpo.dust.rules.pattern import (
    ANY_CLASS,
    CLASS,
    LITERAL,
    Code,
    check_template,
    compile_context,
    compile_image,
    split_template,
)
from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import PATTERN_KINDS, SPACE, Rule, parts_of
from garimpo.engine.columns import flat

MOST_STEPS = 1024
(
    _ALIGN, _BUNDLE, _SCHEME, _HOST, _PATH_PARAMETER, _CASE, _TEMPLATE, _PATTERN, _QUERY_CASE, _PARAMETER, _ORDER, _CONDITION,
) = range(12)  # fmt: skip
_WIDTH, _ALWAYS = 26, 25
_WHOLE = {"alignment": _ALIGN, "template": _TEMPLATE}
_PLAIN = {"scheme": _SCHEME, "order": _ORDER, "query-case": _QUERY_CASE}
_SEARCH, _ENDS, _MIDDLE = range(3)
_MOVES, _STAYS, _LOSES_WWW = range(3)
_BATCH = 1 << 18
_MEMORY = threading.local()


class Program:
    """Rules compiled. Only the operations of a URL's own host are ever tried on it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._pool = bytearray()
        self._spans: dict[bytes, tuple[int, int]] = {}
        self._steps: list[tuple[int, int, int]] = []
        self._templates: list[tuple[int, int, int]] = []
        self._longest = 1
        self._machines: dict[tuple[str, str], list[int]] = {}
        self._bundled: list[list[int]] = []
        self._conditions: dict[str, int] = {}
        self._operations = array("i")  # 32 bits: of many hosts' operations more stay in the cache
        own: dict[str, array[int]] = {}
        but: dict[str, set[int]] = {}
        everywhere: list[int] = []
        for number, rule in enumerate(rules):
            shared = self._shared_bundle(number, rule) if rule.kind == "bundle" else self._shared_operation(number, rule)
            if shared is None:
                for host, operation in self._host_operations(number, rule):
                    own.setdefault(host, array("i")).append(self._add_operation(operation))
                continue
            place, reach = self._add_operation(shared), rule.reach
            if ANYWHERE in reach.hosts:
                everywhere.append(place)
                for host in reach.but:
                    but.setdefault(host, set()).add(place)
            else:
                for host in reach.hosts:
                    own.setdefault(host, array("i")).append(place)
        self._link(own, everywhere, but)
        del (
            self._pool,
            self._spans,
            self._steps,
            self._templates,
            self._machines,
            self._operations,
            self._bundled,
        )  # in the tables

    def _link(self, own: dict[str, "array[int]"], everywhere: list[int], but: dict[str, set[int]]) -> None:
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
        operations = np.frombuffer(self._operations or array("i", [0] * _WIDTH), np.int32).reshape(-1, _WIDTH)
        inner = {
            place: begin_of(self._bundled[operations[place, 2]]) + 1 for place in list(places) if _is_bundle(operations, place)
        }
        for place in list(places):
            if operations[place, _ALWAYS] >= 0:
                places.setdefault(int(operations[place, _ALWAYS]), len(places))
        ordered = operations[list(places) or [0]]
        for place, begin in inner.items():
            ordered[places[place], 2] = begin
        if len(self._operations):
            ordered[:, _ALWAYS] = [places[row] if row >= 0 else -1 for row in ordered[:, _ALWAYS].tolist()]
        self.tables = (
            ordered,
            np.frombuffer(lists or array("i", [0]), np.int32),
            _matrix(self._steps, 3),
            _matrix(self._templates, 3),
            np.frombuffer(bytes(self._pool) or b"\0", np.uint8).copy(),
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
        operations, lists = self.tables[:2]
        return np.unique(operations[lists[first:last], 1]).tolist()

    def _add_operation(self, operation: list[int]) -> int:
        self._operations.extend(operation)
        return len(self._operations) // _WIDTH - 1

    def _span(self, text: str) -> tuple[int, int]:
        data = text.encode()
        if data not in self._spans:
            self._spans[data] = (len(self._pool), len(data))
            self._pool += data
        return self._spans[data]

    def _shared_bundle(self, number: int, rule: Rule) -> list[int] | None:
        """A bundle that is the same on all its hosts; None where it moves URLs from one to another by name."""
        rows = [self._shared_operation(number, part) for part in parts_of(rule)]
        known = [row for row in rows if row is not None]
        return self._bundle(number, rule, known) if len(known) == len(rows) else None

    def _bundle(self, number: int, rule: Rule, rows: list[list[int]]) -> list[int]:
        """A bundle of these operations."""
        forms = [int(form[::-1], 2) for form in rule.template.split() if set(form) <= {"0", "1"} and len(form) == len(rows)]
        if not forms or len(forms) != len(rule.template.split()):
            raise BadInput(f"the template of the bundle {rule.id} lists no forms of its {len(rows)} operations")
        low, high = (sum({1 << form % 16 for form in forms if form // 16 == half}) for half in (0, 1))
        tag = "" if 0 in forms else "#" + xxhash.xxh64_hexdigest(f"{rule.context}|{rule.template}".encode())[:8]
        self._bundled.append([self._add_operation(row) for row in rows])
        row = [_BUNDLE, number, len(self._bundled) - 1, len(rows), *self._span(tag), low, high]
        row += [int(all(form & 1 for form in forms if form)), *[0] * (_WIDTH - 9)]
        row[_ALWAYS] = self._condition(rule.condition)
        return row

    def _condition(self, text: str | None) -> int:
        """The row of a condition, -1 for none."""
        if not text:
            return -1
        if text not in self._conditions:
            condition = Condition.parse(text)
            row = [_CONDITION, 0, len(self._templates), len(condition.clauses), *[0] * (_WIDTH - 4)]
            for clause in condition.clauses:
                self._templates.append((clause.kind, *self._span(clause.name)))
                self._templates.append((0, *self._span(clause.value)))
            row[9], row[_ALWAYS] = -1, -1
            if condition.path:
                code = compile_context(condition.path)
                row[9], row[13:19] = self._add(code), self._ends(code)
            self._conditions[text] = self._add_operation(row)
        return self._conditions[text]

    def _shared_operation(self, number: int, rule: Rule) -> list[int] | None:
        """The operation of a rule that is the same on all its hosts; None where it is not."""
        row = [0, number, *[0] * (_WIDTH - 2)]
        row[_ALWAYS] = self._condition(rule.condition)
        if rule.kind in _WHOLE or rule.kind in PATTERN_KINDS:
            row[0] = _WHOLE.get(rule.kind, _PATTERN)
            row[9:_ALWAYS] = self._machine(rule)
        elif rule.kind in _PLAIN:
            row[0] = _PLAIN[rule.kind]
        elif rule.kind == "www":
            row[0], row[8] = _HOST, _LOSES_WWW
        elif rule.kind == "path-parameter":
            row[0] = _PATH_PARAMETER
            row[4:6] = self._span(rule.context.strip(";="))
        elif rule.kind == "case":
            row[0] = _CASE
            row[2:4] = self._span(rule.context)
        elif rule.kind == "parameter":
            row[0] = _PARAMETER
            scope, _, pair = rule.context.partition("?")
            name, _, value = pair.partition("=")
            row[2:4], row[4:6] = self._span(scope), self._span(name)
            if value != "*":
                row[8] = 1
                row[6:8] = self._span("\1".join(values_of(value)))
        else:
            return None
        return row

    def _host_operations(self, number: int, rule: Rule) -> Iterator[tuple[str, list[int]]]:
        """Of a rule that moves URLs from one host to another: what it does on each; on the second it only covers."""
        if rule.kind == "bundle":
            parts = parts_of(rule)
            mover = next(part for part in parts if part.kind == "host")
            others = [(part.kind == "host", self._shared_operation(number, part)) for part in parts]
            for host, moves in self._host_operations(number, mover):
                yield host, self._bundle(number, rule, [moves if own or row is None else row for own, row in others])
            return

        def row(scope: str, host: str = "", path: str = "") -> list[int]:
            spans = [*self._span(scope), *self._span(host), *self._span(path)]
            return [_HOST, number, *spans, _MOVES if host else _STAYS, *[0] * (_WIDTH - 10), self._condition(rule.condition)]

        reach = rule.reach
        for (source, cut), (target, put) in sorted(set(names(rule))):
            if reach.has(source):
                yield source, row(cut, target, put)
            if reach.has(target):
                yield target, row(put)

    def _machine(self, rule: Rule) -> list[int]:
        """First step, first row and number of rows of the template, the image's first step, and the ends of both machines."""
        known = self._machines.get((rule.context, rule.template))
        if known:
            return known
        code = compile_context(rule.context)
        check_template(rule.template, len(code.captures))
        first = self._add(code)
        begin = len(self._templates)
        for part in split_template(rule.template):
            self._templates.append((1, part - 1, 0) if isinstance(part, int) else (0, *self._span(part)))
        image, image_code = -1, code
        if rule.kind != "alignment":
            made = rule.template if rule.kind == "template" else rule.template.partition("?")[0]
            image_code = compile_image(made, tuple(code.captures))
            image = self._add(image_code)
        machine = [first, begin, len(self._templates) - begin, image, *self._ends(code), *self._ends(image_code)]
        self._machines[rule.context, rule.template] = machine
        return machine

    def _ends(self, code: Code) -> list[int]:
        """Literal text the machine must begin and end with (place and length), slashes it needs (-1: any), and its form."""
        kinds = [kind for kind, _, _ in code.steps if kind == LITERAL]
        if code.captures == [ANY_CLASS, ANY_CLASS] and len(kinds) == 1 and code.steps[5][0] == LITERAL:
            return [*self._span(code.pool.decode()), 0, 0, -1, _MIDDLE]
        first, last = code.steps[0], code.steps[-2] if len(code.steps) > 1 else code.steps[0]
        head = bytes(code.pool[first[1] : first[1] + first[2]]) if first[0] == LITERAL else b""
        tail = bytes(code.pool[last[1] : last[1] + last[2]]) if last[0] == LITERAL and len(code.steps) > 2 else b""
        slashes = -1 if any(kind == CLASS and a == ANY_CLASS for kind, a, _ in code.steps) else bytes(code.pool).count(b"/")
        form = _ENDS if code.captures == [ANY_CLASS] and len(head) + len(tail) == len(code.pool) else _SEARCH
        return [*self._span(head.decode()), *self._span(tail.decode()), slashes, form]

    def _add(self, code: Code) -> int:
        if len(code.steps) > MOST_STEPS:
            raise BadInput(f"a rule's context needs {len(code.steps)} steps, {MOST_STEPS} are allowed")
        base, place = len(self._pool), len(self._steps)
        self._pool += code.pool
        for kind, a, b in code.steps:
            if kind == 0:
                a += base
            elif kind == 2:
                a, b = a + place, b + place
            elif kind == 3:
                a += place
            self._steps.append((kind, a, b))
        self._longest = max(self._longest, len(code.steps))
        return place

    def scratch(self) -> tuple[tuple[NDArray[Any], ...], NDArray[np.int64]]:
        """Working memory of kernel calls, one for each thread: buffers, captures, the matcher's cells and stack, counters."""
        kept: tuple[int, Any] = getattr(_MEMORY, "kept", (0, None))
        if kept[0] < self._longest:
            longest = max(self._longest, 2 * kept[0], 64)
            cells = longest * 2050
            buffers = [np.empty(8192 * 3, np.uint8) for _ in range(3)]
            stack, state = np.empty(2 * cells + 8, np.int64), np.zeros(9, np.int64)
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


def values_of(text: str) -> list[str]:
    """The values that the context of a parameter names, with bars between; a backslash before a sign that stands for itself.

    >>> values_of("1|a\\\\|b"), values_of("\\\\*")
    (['1', 'a|b'], ['*'])
    """
    found, at = [""], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            found[-1] += text[at]
        elif text[at] == "|":
            found.append("")
        else:
            found[-1] += text[at]
        at += 1
    return found


def _is_bundle(operations: NDArray[np.int32], place: int) -> bool:
    return bool(operations[place, 0] == _BUNDLE)


def names(rule: Rule) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """The pairs of host and folder that a rule of kind `host` makes one.

    ``*`` is any ending of a host's name, ``+`` any first label of it that is a folder under the other name; with these, both
    names must be named by the rule.

    >>> list(names(Rule.make("host", ["a.org", "www2.a.org", "b.org"], "www2.*", "*")))
    [(('www2.a.org', ''), ('a.org', ''))]
    """
    source, slash, cut = rule.context.rstrip("/").partition("/")
    target, other_slash, put = rule.template.rstrip("/").partition("/")
    if "*" not in source:
        yield (source, slash + cut), (target, other_slash + put)
        return
    hosts = rule.reach.hosts
    for name in sorted(hosts):
        if cut == "+":
            label, _, rest = name.partition(".")
            pair = (source.replace("*", rest), f"/{label}"), (name, "")
        else:
            rest = name.removeprefix(source.removesuffix("*"))
            pair = (name, slash + cut), (target.replace("*", rest), other_slash + put)
            if source.replace("*", rest) != name:
                continue
        if pair[0][0] in hosts and pair[1][0] in hosts and pair[0] != pair[1]:
            yield pair


def _left(everywhere: list[int], but: set[int] | None) -> Iterable[int]:
    return [place for place in everywhere if place not in but] if but else everywhere


def _validity(part: pa.StringArray) -> pa.Buffer | None:
    if part.null_count == 0:
        return None
    return pa.py_buffer(np.packbits(part.is_valid().to_numpy(zero_copy_only=False), bitorder="little"))


def _matrix(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int64]:
    return np.array(rows, np.int64).reshape(len(rows), width) if rows else np.zeros((1, width), np.int64)
