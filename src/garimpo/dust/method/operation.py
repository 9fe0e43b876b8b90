"""What a rule does, before it is known where it holds."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from garimpo.dust.rules.condition import Condition
from garimpo.dust.rules.ruleset import KINDS, MOST_PARTS, Rule

LANGUAGE_FOLDER, ANY_SEGMENT = "language folder", "any segment"
_LANGUAGE = re.compile(r"/[a-z]{2}(?:[-_][a-z]{2}|[0-9])?/")
_ANY_SEGMENT = re.compile(r"/~[/$]")
_WORD = re.compile(r"[A-Za-z0-9]+")
_SIGNS = re.compile(r"\(\[0-9\]\+\)|\(\[a-zA-Z\]\+\)|\$[0-9]+")
_FREE = re.compile(r"(?<!\(|\\)~|=\*")
_CAPTURES = re.compile(r"\((?:~|&|\*\*|\[0-9\]\+)\)")
EITHER, FIRST, SECOND = 3, 1, 2
SLASHES = "^(**)//(**)$"
_BUNDLED = [kind for kind in KINDS if kind not in ("query-case", "parameter")]
_BUNDLED[_BUNDLED.index("case") : _BUNDLED.index("case")] = [SLASHES]
_BUNDLED[_BUNDLED.index("template") : _BUNDLED.index("template")] = ["query-case", "parameter"]
"""The order in which the operations of a bundle are applied: what is in the way of others goes first."""


class Operation(NamedTuple):
    """A rule without hosts."""

    kind: str
    context: str
    template: str = ""
    condition: str | None = None

    @property
    def sorting(self) -> tuple[str, ...]:
        """A total order of operations."""
        return (*self[:3], self.condition or "")

    def rule(self, hosts: Iterable[str], **evidence: Any) -> Rule:
        """The rule that does this on some hosts."""
        said = {"condition": self.condition} if self.condition else {}
        return Rule.make(self.kind, hosts, self.context, self.template, **said, **evidence)

    def under(self, condition: Condition) -> "Operation":
        """The same, only where another condition holds, too."""
        return self._replace(condition=Condition.parse(self.condition).joined(condition).text())

    @property
    def renames(self) -> bool:
        """Whether it makes one host name of another, alone or with other things."""
        return any(part.kind in ("www", "host") for part in self.parts())

    def parts(self) -> list["Operation"]:
        """The operations of a bundle; of any other the operation itself."""
        if self.kind != "bundle":
            return [self._replace(condition=None)]
        return [Operation(*part) for part in msgspec.json.decode(self.context)]


class Proposal(NamedTuple):
    """An operation and which of the two URLs it would change: the first, the second, or either."""

    operation: Operation
    changes: int = EITHER


Slot = list[Proposal]
"""Ways to explain one difference of two URLs, the broadest first."""


def bundle(proposals: Sequence[Proposal]) -> Operation | None:
    """All of these together, in the forms the two URLs have them; None where there are too many, or nothing changes.

    >>> slash, www = Operation("slash", "^(**)/$", "$1"), Operation("www", "www.")
    >>> bundle([Proposal(slash, FIRST), Proposal(www, FIRST)]).template
    '00 11'
    """
    if not 2 <= len(proposals) <= MOST_PARTS or len({p.operation for p in proposals}) < len(proposals):
        return None
    changes = {p.operation: p.changes for p in proposals}
    ordered = in_bundle_order(changes)
    return bundle_of(ordered, {"".join("1" if changes[o] & side else "0" for o in ordered) for side in (FIRST, SECOND)})


def in_bundle_order(operations: Iterable[Operation]) -> list[Operation]:
    """Operations in the order in which a bundle applies them."""
    return sorted(operations, key=lambda o: (_BUNDLED.index(SLASHES if o.context == SLASHES else o.kind), o))


def bundle_of(ordered: Sequence[Operation], forms: Iterable[str]) -> Operation:
    """The bundle of these operations that knows these forms."""
    return Operation("bundle", msgspec.json.encode([list(o[:3]) for o in ordered]).decode(), " ".join(sorted(forms)))


def habit(operation: Operation) -> str:
    """What an operation has in common with others of its kind that hold or fail for the same reason.

    >>> habit(Operation("prefix", "^/pt/(**)$", "/$1")), habit(Operation("rewrite", "^/~/(~)$", "//$1"))
    ('language folder', 'any segment')
    """
    kind, context, _, _ = operation
    if kind in ("prefix", "segment") and _LANGUAGE.search(context):
        return LANGUAGE_FOLDER
    if kind in ("rewrite", "segment") and _ANY_SEGMENT.search(context) and "([0-9]+)" not in context:
        return ANY_SEGMENT
    return kind


def length(operation: Operation) -> int:
    """How much an operation has to say: the words it names, and what it ignores whatever that is.

    >>> [length(Operation(*what)) for what in (("slash", "^(**)/$", "$1"), ("parameter", "?sid=*"), ("parameter", "?page=1"))]
    [0, 2, 2]
    """
    said = 0
    for part in operation.parts():
        if part.kind in ("scheme", "port", "www", "order", "case", "query-case", "separator"):
            continue
        said += len({word for text in (part.context, part.template) for word in _WORD.findall(_SIGNS.sub("", text))})
        said += len(_FREE.findall(part.context))
    return said + len((operation.condition or "").split())


def breadth(operation: Operation) -> int:
    """How much an operation takes in that it does not name: of two that save the same, the narrower is right.

    >>> breadth(Operation("case", "", "lower")) > breadth(Operation("prefix", "^/Docs/(**)$", "/docs/$1"))
    True
    """
    free = 0
    for part in operation.parts():
        free += len(_FREE.findall(part.context))
        free += part.context.count("(&)") and max(0, len(_CAPTURES.findall(part.context)) - part.template.count("$"))
        free += 2 * (part.kind in ("case", "query-case", "separator") and not part.context.startswith("/"))
        free += part.context.startswith("^(**)") + part.context.startswith("^/(~)") + (part.kind == "www")
    return 2 * free - (operation.kind == "bundle") - 2 * len((operation.condition or "").split())
