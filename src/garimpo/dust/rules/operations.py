"""Rules as rows of numbers, which the kernels read: what a rule does, the machines that match it, and the text it speaks of."""

from array import array
from collections.abc import Iterator

import xxhash

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
from garimpo.dust.rules.ruleset import MOST_PARTS, PATTERN_KINDS, Rule, parts_of

MOST_STEPS = 1024
(
    _ALIGN, BUNDLE, _SCHEME, _PORT, _HOST, _PATH_PARAMETER, _CASE, _SEPARATOR, _TEMPLATE, _PATTERN, _QUERY_CASE, _PARAMETER,
    _ORDER, _CONDITION,
) = range(14)  # fmt: skip
WIDTH, ALWAYS = 26, 25
_MASKS = 2**MOST_PARTS // 16
_WHOLE = {"alignment": _ALIGN, "template": _TEMPLATE}
_PLAIN = {"scheme": _SCHEME, "order": _ORDER, "query-case": _QUERY_CASE}
_SEARCH, _ENDS, _MIDDLE = range(3)
_MOVES, _STAYS, _LOSES_WWW = range(3)


class Operations:
    """The operations of rules, with the tables they point into. An operation stands once, however many hosts have it."""

    def __init__(self) -> None:
        self.rows = array("i")  # 32 bits: of many hosts' operations more stay in the cache
        self.pool = bytearray()
        self.steps: list[tuple[int, int, int]] = []
        self.templates: list[tuple[int, int, int]] = []
        self.bundled: list[list[int]] = []
        self.longest = 1
        """Steps of the longest machine."""
        self._spans: dict[bytes, tuple[int, int]] = {}
        self._machines: dict[tuple[str, str], list[int]] = {}
        self._conditions: dict[str, int] = {}

    def shared(self, number: int, rule: Rule) -> list[int] | None:
        """The operation of a rule that is the same on all its hosts; None where it moves URLs from one to another by name."""
        return self._shared_bundle(number, rule) if rule.kind == "bundle" else self._shared_operation(number, rule)

    def add(self, operation: list[int]) -> int:
        """A row more; returns its number."""
        self.rows.extend(operation)
        return len(self.rows) // WIDTH - 1

    def _span(self, text: str) -> tuple[int, int]:
        data = text.encode()
        if data not in self._spans:
            self._spans[data] = (len(self.pool), len(data))
            self.pool += data
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
        known = [sum({1 << form % 16 for form in forms if form // 16 == part}) for part in range(_MASKS)]
        tag = "" if 0 in forms else "#" + xxhash.xxh64_hexdigest(f"{rule.context}|{rule.template}".encode())[:8]
        self.bundled.append([self.add(row) for row in rows])
        row = [BUNDLE, number, len(self.bundled) - 1, len(rows), *self._span(tag), 0, 0]
        row += [int(all(form & 1 for form in forms if form)), *known, self._condition(rule.condition)]
        return row

    def _condition(self, text: str | None) -> int:
        """The row of a condition, -1 for none."""
        if not text:
            return -1
        if text not in self._conditions:
            condition = Condition.parse(text)
            row = [_CONDITION, 0, len(self.templates), len(condition.clauses), *[0] * (WIDTH - 4)]
            for clause in condition.clauses:
                self.templates.append((clause.kind, *self._span(clause.name)))
                self.templates.append((0, *self._span(clause.value)))
            row[9], row[ALWAYS] = -1, -1
            if condition.path:
                code = compile_context(condition.path)
                row[9], row[13:19] = self._add_machine(code), self._ends(code)
            self._conditions[text] = self.add(row)
        return self._conditions[text]

    def _shared_operation(self, number: int, rule: Rule) -> list[int] | None:
        """The operation of a rule that is the same on all its hosts; None where it is not."""
        row = [0, number, *[0] * (WIDTH - 2)]
        row[ALWAYS] = self._condition(rule.condition)
        if rule.kind in _WHOLE or rule.kind in PATTERN_KINDS:
            row[0] = _WHOLE.get(rule.kind, _PATTERN)
            row[9:ALWAYS] = self._machine(rule)
        elif rule.kind in _PLAIN:
            row[0] = _PLAIN[rule.kind]
        elif rule.kind == "www":
            row[0], row[8] = _HOST, _LOSES_WWW
        elif rule.kind == "path-parameter":
            row[0] = _PATH_PARAMETER
            row[4:6] = self._span(rule.context.strip(";="))
        elif rule.kind == "port":
            row[0] = _PORT
            row[4:6] = self._span(rule.context)
        elif rule.kind == "separator":
            row[0], row[8] = _SEPARATOR, int(rule.context.startswith("?"))
            row[4:6], row[6:8] = self._span(rule.context.removeprefix("?")), self._span(rule.template)
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

    def by_host(self, number: int, rule: Rule) -> Iterator[tuple[str, list[int]]]:
        """Of a rule that moves URLs from one host to another: what it does on each; on the second it only covers."""
        if rule.kind == "bundle":
            parts = parts_of(rule)
            mover = next(part for part in parts if part.kind == "host")
            others = [(part.kind == "host", self._shared_operation(number, part)) for part in parts]
            for host, moves in self.by_host(number, mover):
                yield host, self._bundle(number, rule, [moves if own or row is None else row for own, row in others])
            return

        def row(scope: str, host: str = "", path: str = "") -> list[int]:
            spans = [*self._span(scope), *self._span(host), *self._span(path)]
            return [_HOST, number, *spans, _MOVES if host else _STAYS, *[0] * (WIDTH - 10), self._condition(rule.condition)]

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
        first = self._add_machine(code)
        begin = len(self.templates)
        for part in split_template(rule.template):
            self.templates.append((1, part - 1, 0) if isinstance(part, int) else (0, *self._span(part)))
        image, image_code = -1, code
        if rule.kind != "alignment":
            made = rule.template if rule.kind == "template" else rule.template.partition("?")[0]
            image_code = compile_image(made, tuple(code.captures))
            image = self._add_machine(image_code)
        machine = [first, begin, len(self.templates) - begin, image, *self._ends(code), *self._ends(image_code)]
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

    def _add_machine(self, code: Code) -> int:
        if len(code.steps) > MOST_STEPS:
            raise BadInput(f"a rule's context needs {len(code.steps)} steps, {MOST_STEPS} are allowed")
        base, place = len(self.pool), len(self.steps)
        self.pool += code.pool
        for kind, a, b in code.steps:
            if kind == 0:
                a += base
            elif kind == 2:
                a, b = a + place, b + place
            elif kind == 3:
                a += place
            self.steps.append((kind, a, b))
        self.longest = max(self.longest, len(code.steps))
        return place


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
