"""Which passages an extractor kept, told from its text alone: its words are the page's words, in their order, with gaps."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from garimpo.page.main.passages import Passage

_WORD = re.compile(r"\w+")
_GRAM = 4
_LONG = 6
"""Words from which on a passage is known by its runs of words."""
_TRIES = 20
_ENOUGH = 0.6

Span = tuple[int, int]


def kept_by(passages: Sequence[Passage], extracted: str) -> list[bool]:
    """Whether each passage is in an extractor's text.

    A long passage is, if most of its runs of four words are. A short one must stand between the places of its long neighbours.

    Args:
        passages: all of a page.
        extracted: the text.

    >>> said = [Passage("paragraph", [line]) for line in ("Home", "gold is where you find it, they say", "the end", "Home")]
    >>> kept_by(said, "Gold is where you find it, they say. The end.")
    [False, True, True, False]
    """
    words = [_WORD.findall(one.text.lower()) for one in passages]
    target = _WORD.findall(extracted.lower())
    starts: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(target) - _GRAM + 1):
        starts.setdefault(tuple(target[at : at + _GRAM]), []).append(at)
    spans = [_span(own, starts) if len(own) >= _LONG else None for own in words]
    return _with_short(words, target, [span is not None for span in spans], _in_order(spans))


def _span(own: list[str], starts: dict[tuple[str, ...], list[int]]) -> Span | None:
    """About where a passage stands in the text, if most of it does."""
    runs = [starts.get(tuple(own[at : at + _GRAM])) for at in range(len(own) - _GRAM + 1)]
    found = [(at, places[0]) for at, places in enumerate(runs) if places]
    if len(found) < _ENOUGH * len(runs):
        return None
    at, place = min(found, key=lambda one: (len(runs[one[0]] or ()), one[0]))  # the run that is rarest says where
    return max(place - at, 0), place - at + len(own)


def _in_order(spans: list[Span | None]) -> list[Span | None]:
    """The longest series of spans whose starts grow; the others are no landmarks."""
    tails: list[int] = []
    ends: list[int] = []
    previous: dict[int, int] = {}
    for at, span in enumerate(spans):
        if span is None:
            continue
        place = bisect_left(tails, span[0])
        if place:
            previous[at] = ends[place - 1]
        tails[place : place + 1], ends[place : place + 1] = [span[0]], [at]
    out: list[Span | None] = [None] * len(spans)
    last = ends[-1] if ends else None
    while last is not None:
        out[last] = spans[last]
        last = previous.get(last)
    return out


def _with_short(words: list[list[str]], target: list[str], kept: list[bool], marks: list[Span | None]) -> list[bool]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(target):
        places.setdefault(word, []).append(at)
    edges = [-1, *(at for at, span in enumerate(marks) if span is not None), len(marks)]
    for left, right in pairwise(edges):
        reached = marks[left][1] if left >= 0 else 0  # type: ignore[index]
        stop = marks[right][0] if right < len(marks) else len(target)  # type: ignore[index]
        for at in range(left + 1, right):
            own = words[at]
            if kept[at] or not own or len(own) >= _LONG:
                continue
            found = _find_short(own, target, places, reached, stop)
            if found is not None:
                kept[at], reached = True, found + len(own)
    return kept


def _find_short(own: list[str], target: list[str], places: dict[str, list[int]], start: int, stop: int) -> int | None:
    found = places.get(own[0], [])
    first = bisect_left(found, start)
    for place in found[first : first + _TRIES]:
        if place + len(own) > stop:
            return None
        if target[place : place + len(own)] == own:
            return place
    return None
