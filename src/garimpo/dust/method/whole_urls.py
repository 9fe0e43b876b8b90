"""URLs aligned as wholes: fields of one (segments, values of parameters) found in the other, in whatever place and order.

``/wiki/a-b-17`` and ``/index.php?title=a-b-17`` share a field of five tokens. What is not shared stands as it is, or, where it
is the value of a parameter or a segment, may be anything.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from garimpo.dust.method.operation import FIRST, SECOND, Operation, Proposal, Slot
from garimpo.dust.rules.pattern import escape, escape_template

Pairs = Sequence[tuple[str, str]]
MOST_FIELDS = 6
_NAME = re.compile(r"[a-z_.-]{1,16}")


class _Piece(NamedTuple):
    """A segment or a value of the URL that is read: its text, the signs before it, whether it is a value."""

    before: str
    text: str
    is_value: bool


def carried(path: str, query: Pairs, other_path: str, other_query: Pairs) -> Slot:
    """Rewritings of the first URL into the second or back, the broadest first; none where no field is shared."""
    if len(query) > MOST_FIELDS or len(other_query) > MOST_FIELDS or not (query or other_query):
        return []
    forth = _rewritings(_pieces(path, query), _pieces(other_path, other_query), bool(query))
    back = _rewritings(_pieces(other_path, other_query), _pieces(path, query), bool(other_query))
    ways = [Proposal(operation, FIRST) for operation in forth] + [Proposal(operation, SECOND) for operation in back]
    static_first = sorted(ways, key=lambda way: way.operation.kind == "template")  # a path is read faster than a whole URL
    return [way for way in static_first if way.changes == static_first[0].changes]


def _pieces(path: str, query: Pairs) -> list[_Piece]:
    pieces = [_Piece("/", segment, False) for segment in path[1:].split("/")]
    for number, (name, value) in enumerate(query):
        sign = "&" if number else "?"
        pieces.append(_Piece(sign + name if value == "\0" else f"{sign}{name}=", "" if value == "\0" else value, True))
    return pieces


def _rewritings(source: list[_Piece], target: list[_Piece], has_query: bool) -> list[Operation]:
    """Operations that make the target of the source: what is not carried stands as it is, or is free."""
    places: dict[int, tuple[int, int]] = {}  # piece of the source -> the span of it that is carried
    order: dict[int, int] = {}  # piece of the target -> piece of the source
    for number, piece in enumerate(target):
        if not _is_field(piece):
            continue
        found = _find(piece.text, source, places)
        if found is not None:
            places[found[0]] = found[1:]
            order[number] = found[0]
        elif not _NAME.fullmatch(piece.text):
            return []
    moved = [number for number, place in order.items() if source[place].before != target[number].before or place != number]
    if not moved or not places:
        return []
    kind = "template" if has_query else "rewrite"
    made: dict[Operation, None] = {}
    for free in (True, False):
        context, number_of = _context(source, places, free)
        template = "".join(
            piece.before.replace("$", "\\$") + (f"${number_of[order[n]]}" if n in order else escape_template(piece.text))
            for n, piece in enumerate(target)
        )
        made[Operation(kind, f"^{context}$", template)] = None
    return list(made)


def _is_field(piece: _Piece) -> bool:
    return bool(piece.text) and (piece.is_value or not _NAME.fullmatch(piece.text))


def _find(text: str, source: list[_Piece], taken: dict[int, tuple[int, int]]) -> tuple[int, int, int] | None:
    """Where a field stands in the source: as a whole piece, or between signs inside one."""
    whole = [n for n, piece in enumerate(source) if piece.text == text and n not in taken]
    if whole:
        return whole[0], 0, len(text)
    inside = re.compile(rf"(?<![A-Za-z0-9]){re.escape(text)}(?![A-Za-z0-9])")
    if text.isdigit():
        inside = re.compile(rf"(?<![0-9]){text}(?![0-9])")
    for number, piece in enumerate(source):
        if number not in taken:
            found = list(inside.finditer(piece.text))
            if len(found) == 1:
                return number, found[0].start(), found[0].end()
    return None


def _context(source: list[_Piece], places: dict[int, tuple[int, int]], free: bool) -> tuple[str, dict[int, int]]:
    """The source as a context, and the number of the capture of each piece that is carried."""
    out: list[str] = []
    number_of: dict[int, int] = {}
    captures = 0
    for number, piece in enumerate(source):
        out.append(escape(piece.before))
        if number in places:
            captures += 1
            number_of[number] = captures
            begin, end = places[number]
            text, before = piece.text[begin:end], piece.text[:begin]
            kind = "([0-9]+)" if text.isascii() and text.isdigit() else "(&)" if piece.is_value else "(~)"
            lead = "~" + escape(before[-1]) if free and len(before) > 1 and not before[-1].isalnum() else escape(before)
            out += [lead, kind, escape(piece.text[end:])]
        elif free and piece.text and not _NAME.fullmatch(piece.text):
            captures += piece.is_value
            out.append("(&)" if piece.is_value else "~")
        else:
            out.append(escape(piece.text))
    return "".join(out), number_of
