"""What a rule does, before it is known where it holds."""

import re
from typing import NamedTuple

LANGUAGE_FOLDER, ANY_SEGMENT = "language folder", "any segment"
_LANGUAGE = re.compile(r"/[a-z]{2}(?:[-_][a-z]{2}|[0-9])?/")
_ANY_SEGMENT = re.compile(r"/~[/$]")


class Operation(NamedTuple):
    """A rule without hosts."""

    kind: str
    context: str
    template: str = ""


class Proposal(NamedTuple):
    """An operation and the text it would ignore here (a parameter's value, a segment), to see how much that varies."""

    operation: Operation
    value: str = ""


Slot = list[Proposal]


def habit(operation: Operation) -> str:
    """What an operation has in common with others of its kind that hold or fail for the same reason.

    >>> habit(Operation("prefix", "^/pt/(**)$", "/$1")), habit(Operation("rewrite", "^/~/(~)$", "//$1"))
    ('language folder', 'any segment')
    """
    kind, context, _ = operation
    if kind in ("prefix", "segment") and _LANGUAGE.search(context):
        return LANGUAGE_FOLDER
    if kind in ("rewrite", "segment") and _ANY_SEGMENT.search(context) and "([0-9]+)" not in context:
        return ANY_SEGMENT
    return kind


def broader(operation: Operation) -> list[Operation]:
    """The operations that do the same in more places.

    >>> broader(Operation("prefix", "^/pt/news/(**)$", "/news/$1"))
    [Operation(kind='prefix', context='^/pt/(**)$', template='/$1')]
    >>> [o.context for o in broader(Operation("parameter", "/a?x=1"))]
    ['?x=1', '/a?x=*', '?x=*']
    """
    kind, context, template = operation
    if kind == "parameter":
        scope, _, pair = context.partition("?")
        name = pair.partition("=")[0]
        wider = [f"?{pair}", f"{scope}?{name}=*", f"?{name}=*"]
        return [Operation(kind, other) for other in wider if other != context]
    if kind == "case":
        return [Operation(kind, "", template)] if context else []
    folder = re.fullmatch(r"(\^.*)/([^/()~]+)/\(\*\*\)\$", context)
    if kind == "prefix" and folder:
        copied = re.fullmatch(r"(.*)/([^/$]+)/(\$[0-9]+)", template)
        if copied and copied[2].replace("\\", "") == folder[2].replace("\\", ""):
            return [Operation(kind, f"{folder[1]}/(**)$", f"{copied[1]}/{copied[3]}")]
    return []
