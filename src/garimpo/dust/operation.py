"""What a rule does, before it is known where it holds."""

from typing import NamedTuple


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
