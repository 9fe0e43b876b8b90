"""Where on its hosts a rule holds: under which path, beside which parameters.

A condition is written as clauses with spaces between (a normalised URL has none): ``^/shop/(**)$`` is a path in the language of
`pattern`, ``?act=view`` a parameter with this value, ``?act`` one with any, ``!act`` the lack of it. All must hold.
"""

from typing import NamedTuple

from garimpo.contract.errors import BadInput

PRESENT, ABSENT, VALUE = range(3)


class Clause(NamedTuple):
    """What is asked of one parameter."""

    kind: int
    name: str
    value: str = ""

    def text(self) -> str:
        """The clause as a condition writes it."""
        return f"!{self.name}" if self.kind == ABSENT else f"?{self.name}" + (f"={self.value}" if self.kind == VALUE else "")


class Condition(NamedTuple):
    """A path pattern (empty: any path) and clauses about parameters.

    >>> Condition.parse("^/shop/(**)$ ?act=view !sid").clauses
    (Clause(kind=1, name='sid', value=''), Clause(kind=2, name='act', value='view'))
    """

    path: str = ""
    clauses: tuple[Clause, ...] = ()

    @classmethod
    def parse(cls, text: str | None) -> "Condition":
        """Read a condition; None is the one that always holds."""
        path, clauses = "", []
        for part in (text or "").split():
            if part[0] == "^":
                path = part
            elif part[0] == "!":
                clauses.append(Clause(ABSENT, part[1:]))
            elif part[0] == "?":
                name, equals, value = part[1:].partition("=")
                clauses.append(Clause(VALUE, name, value) if equals else Clause(PRESENT, name))
            else:
                raise BadInput(f"a condition's clause begins with ^, ? or !, not so {part[:80]!r}")
        return cls(path, tuple(sorted(clauses)))

    def text(self) -> str | None:
        """The condition as a rule writes it."""
        return " ".join([*([self.path] if self.path else []), *(clause.text() for clause in self.clauses)]) or None

    def joined(self, other: "Condition") -> "Condition":
        """Both conditions; the other's path stands for both, if it has one."""
        return Condition(other.path or self.path, tuple(sorted({*self.clauses, *other.clauses})))
