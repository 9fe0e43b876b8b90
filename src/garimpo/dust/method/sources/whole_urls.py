"""URLs aligned as wholes: fields of one (segments, values of parameters) found in the other, in whatever place and order.

``/wiki/a-b-17`` and ``/index.php?title=a-b-17`` share a field of five tokens. What is not shared stands as it is, or, where it
is the value of a parameter, a segment or the words beside a field, may be anything.
"""

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from garimpo.dust.method.operation import FIRST, SECOND, Operation, Proposal, Slot
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.rules.pattern import apply_pattern, escape, escape_template

MOST_FIELDS = 6
_NAME = re.compile(r"[a-z_.-]{1,16}")
_BEFORE = re.compile(r"(?:%[0-9A-F]{2}|[^A-Za-z0-9%])[A-Za-z]*$")
_AFTER = re.compile(r"([^A-Za-z0-9]).+?(\.[a-z0-9]{1,5})?")
_ENDING = re.compile(r"(.*[^.])\.([a-z0-9]{1,5})")


class _Piece(NamedTuple):
    """A segment, its ending or a value of the URL that is read: its text, the signs before it, whether it is a value."""

    before: str
    text: str
    is_value: bool


class _Span(NamedTuple):
    """What of a piece of the source is carried."""

    piece: int
    begin: int
    end: int


def carried(one: Parts, two: Parts, unexplained: bool) -> Slot:
    """Rewritings of the first URL into the second or back, the broadest first; none where no field is shared.

    Where both stand in the path alone, a field has to be a part of a segment, or the paths have to be `unexplained` so far.
    """
    if len(one.query or ()) > MOST_FIELDS or len(two.query or ()) > MOST_FIELDS:
        return []
    for ending in (False, True):
        a, b = _pieces(one, ending), _pieces(two, ending)
        if ending and a == _pieces(one, False) and b == _pieces(two, False):
            break
        ways = [Proposal(made, FIRST) for made in _rewritings(a, b, unexplained)]
        ways += [Proposal(made, SECOND) for made in _rewritings(b, a, unexplained)]
        if ways:
            # A path is read faster than a whole URL.
            static_first = sorted(ways, key=lambda way: way.operation.kind == "template")
            return [way for way in static_first if way.changes == static_first[0].changes]
    return []


def _pieces(parts: Parts, ending: bool) -> list[_Piece]:
    """The pieces of a URL; with the `ending` of its file as a piece of its own."""
    pieces = [_Piece("/", segment, False) for segment in parts.path[1:].split("/")]
    found = _ENDING.fullmatch(pieces[-1].text) if ending else None
    if found:
        pieces[-1:] = [_Piece("/", found[1], False), _Piece(".", found[2], False)]
    for number, (name, value) in enumerate(parts.query or ()):
        sign = parts.sign if number else "?"
        pieces.append(_Piece(sign + name if value == "\0" else f"{sign}{name}=", "" if value == "\0" else value, True))
    return pieces


def _rewritings(source: list[_Piece], target: list[_Piece], unexplained: bool) -> list[Operation]:
    """Operations that make the target of the source: what is not carried stands as it is, or is free."""
    has_query = any(piece.is_value for piece in source)
    in_paths = not has_query and not any(piece.is_value for piece in target)
    made: dict[Operation, None] = {}
    for which in (0, -1):
        spans = _spans(source, target, which)
        if not spans:
            continue
        parted = any(span.end - span.begin < len(source[span.piece].text) for span in spans.values())
        moved = any(source[span.piece].before != target[n].before or span.piece != n for n, span in spans.items())
        if not (parted or (moved and not in_paths) or unexplained):
            continue
        for free_front, free_back in product((True, False), repeat=2):
            context, number_of = _context(source, list(spans.values()), free_front, free_back)
            filled = {n: f"${number_of[span.piece]}" for n, span in spans.items()}
            texts = [filled.get(n, escape_template(piece.text)) for n, piece in enumerate(target)]
            template = "".join(piece.before.replace("$", "\\$") + text for piece, text in zip(target, texts))
            if has_query or not _reads_itself(f"^{context}$", template):
                made[Operation("template" if has_query else "rewrite", f"^{context}$", template)] = None
    return list(made)


def _reads_itself(context: str, template: str) -> bool:
    """Whether a rewriting of paths reads, too, a path that it makes: ``/(~)`` as ``/index.php?id=$1``."""
    path, mark, _ = template.partition("?")
    return bool(mark) and "$" not in path and apply_pattern(context, "", path) is not None


def _spans(source: list[_Piece], target: list[_Piece], which: int) -> dict[int, _Span]:
    """Where each field of the target stands in the source; none where one stands nowhere that could not be a plain name."""
    found: dict[int, _Span] = {}
    fields = [(number, piece) for number, piece in enumerate(target) if _is_field(piece)]
    for number, piece in sorted(fields, key=lambda field: _NAME.fullmatch(field[1].text) is not None):
        span = _find(piece.text, source, {own.piece for own in found.values()}, which)
        if span is not None:
            found[number] = span
        elif not _NAME.fullmatch(piece.text):
            return {}
    return found


def _is_field(piece: _Piece) -> bool:
    return bool(piece.text) and piece.before != "." and (piece.is_value or not _NAME.fullmatch(piece.text))


def _find(text: str, source: Sequence[_Piece], taken: set[int], which: int) -> _Span | None:
    """Where a field stands in the source: as a whole piece, or between signs inside one; of several places the first or last."""
    whole = [n for n, piece in enumerate(source) if piece.text == text and n not in taken]
    if whole:
        return _Span(whole[0], 0, len(text))
    inside = re.compile(rf"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-F]{{2}})){re.escape(text)}(?![A-Za-z0-9])")
    if text.isdigit():
        inside = re.compile(rf"(?<![0-9%]){text}(?![0-9])")
    for number, piece in enumerate(source):
        if number not in taken:
            found = list(inside.finditer(piece.text))
            if found:
                return _Span(number, *found[which].span())
    return None


def _context(source: list[_Piece], spans: Sequence[_Span], free_front: bool, free_back: bool) -> tuple[str, dict[int, int]]:
    """The source as a context, and the number of the capture of each piece that is carried."""
    places = {span.piece: span for span in spans}
    out: list[str] = []
    number_of: dict[int, int] = {}
    captures = 0

    def anything(piece: _Piece) -> str:
        nonlocal captures
        captures += piece.is_value
        return "(&)" if piece.is_value else "~"

    for number, piece in enumerate(source):
        out.append(escape(piece.before))
        if number in places:
            _, begin, end = places[number]
            text, before, after = piece.text[begin:end], piece.text[:begin], piece.text[end:]
            sign = _BEFORE.search(before) if free_front else None
            out.append(anything(piece) + escape(sign[0]) if sign and sign.start() else escape(before))
            captures += 1
            number_of[number] = captures
            out.append("([0-9]+)" if text.isascii() and text.isdigit() else "(&)" if piece.is_value else "(~)")
            rest = _AFTER.fullmatch(after) if free_back else None
            out.append(escape(rest[1]) + anything(piece) + escape(rest[2] or "") if rest else escape(after))
        elif free_front and piece.text and not _NAME.fullmatch(piece.text):
            out.append(anything(piece))
        else:
            out.append(escape(piece.text))
    return "".join(out), number_of
