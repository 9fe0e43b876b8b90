"""From a consensus to a rule: which text must be there, which is copied, which is dropped.

The language of a context (kind `alignment`): `★` is a run of characters other than the delimiters ``/ ? = & # ; : .`` and
is captured, as are ``([a-zA-Z]+)`` and ``([0-9]+)``; ``[a-zA-Z]+`` and ``[0-9]+`` are not; ``(a|b)`` are alternatives,
``(...)?`` may be missing; everything else stands for itself, escaped by a backslash where it could be misread. A template
holds literal text and ``$i`` for the i-th capture.
"""

from collections.abc import Sequence

from garimpo.dust.rules.pattern import escape, escape_template
from garimpo.dust.thesis.multiple_alignment import Column

DELIMITERS = frozenset("/?=&#;:.")
STAR = "★"
_LETTERS, _DIGITS = "[a-zA-Z]+", "[0-9]+"


def rule_of(columns: Sequence[Column], card: int = 5, keep_groups: bool = False) -> tuple[str, str] | None:
    """The context and template of an alignment; None where nothing varies. `keep_groups` is canonical mode B.

    >>> rule_of([("a", "a"), ("/", "/"), ("1", "2")])
    ('^★/(1|2)$', '$1/1')
    """
    if all(_fixed(column) for column in columns):
        return None
    emitter = _Emitter(columns, card, keep_groups)
    return emitter.run()


def _fixed(column: Column) -> bool:
    return None not in column and len(set(column)) == 1


def _is_delimiter(column: Column) -> bool:
    return all(token is None or token in DELIMITERS for token in column)


def _alternatives(column: Column) -> list[str]:
    tokens = {token for token in column if token is not None}
    return sorted(tokens, key=lambda token: (token.lower(), token.swapcase()))


class _Emitter:
    def __init__(self, columns: Sequence[Column], card: int, keep_groups: bool) -> None:
        self.columns, self.card, self.keep_groups = columns, card, keep_groups
        self.context: list[str] = ["^"]
        self.template: list[str] = []
        self.captures = 0

    def run(self) -> tuple[str, str]:
        at = 0
        while at < len(self.columns):
            column = self.columns[at]
            if None in column:
                at = self._optional(at)
            elif _is_delimiter(column):
                self._one(column)
                at += 1
            else:
                at = self._segment(at)
        return "".join(self.context) + "$", _joined(self.template)

    def _segment(self, at: int) -> int:
        """A whole segment as one ★ where nothing in it varies, else its first column."""
        if at and not _is_delimiter(self.columns[at - 1]):
            self._one(self.columns[at], mixed=True)
            return at + 1
        stop = at
        while stop < len(self.columns) and not _is_delimiter(self.columns[stop]):
            stop += 1
        if all(_fixed(column) for column in self.columns[at:stop]):
            self._capture(STAR)
            return stop
        self._one(self.columns[at], mixed=True)
        return at + 1

    def _optional(self, at: int) -> int:
        """Neighbours missing in the same URLs become one optional group."""
        mask = _gaps(self.columns[at])
        stop = at
        while stop < len(self.columns) and _gaps(self.columns[stop]) == mask:
            stop += 1
        parts = [self._choice(column) for column in self.columns[at:stop]]
        whole = "".join(context for context, _ in parts)
        alone = len(parts) == 1 and whole.startswith("(")
        self.context.append(f"{whole}?" if alone else f"({whole})?")
        if self.keep_groups:
            self.template.extend(template for _, template in parts)
        return stop

    def _one(self, column: Column, mixed: bool = False) -> None:
        if not _fixed(column):
            context, template = self._choice(column)
            self.context.append(context)
            self.template.append(template)
            return
        token = column[0] or ""
        if mixed and token.isascii() and token.isalnum():
            self._capture(f"({_LETTERS if token.isalpha() else _DIGITS})")
            return
        self.context.append(escape(token))
        self.template.append(escape_template(token))

    def _capture(self, pattern: str) -> None:
        self.captures += 1
        self.context.append(pattern)
        self.template.append(f"${self.captures}")

    def _choice(self, column: Column) -> tuple[str, str]:
        """Context and template of a column whose text is not copied."""
        tokens = _alternatives(column)
        first = tokens[0]
        if len(tokens) >= self.card and first[0].isascii() and first[0].isalnum():
            return (_LETTERS, "{a}") if first[0].isalpha() else (_DIGITS, "{n}")
        if len(tokens) == 1:
            return escape(first), escape_template(first)
        group = f"({'|'.join(escape(token) for token in tokens)})"
        return group, escape_template(group) if self.keep_groups else escape_template(first)


def _joined(parts: Sequence[str]) -> str:
    """The template; a digit behind a capture is escaped, or it would be read as part of its number."""
    out: list[str] = []
    for part in filter(None, parts):
        digit = part[0] in "0123456789" and bool(out) and out[-1][0] == "$"
        out.append(f"\\{part}" if digit else part)
    return "".join(out)


def _gaps(column: Column) -> tuple[bool, ...] | None:
    return tuple(token is None for token in column) if None in column else None
