"""Where on a single page its story stands: in the innermost element that holds most of its prose."""

from collections.abc import Sequence

from garimpo.page.main.passages import Box, Passage

_LEAST = 80
"""Bytes from which on a passage is prose: what is shorter may be a label."""
_LINKED = 0.3
"""Share of its characters inside links from which on it is a list of links."""
_MOST = 0.8
"""Share of the prose that the story holds."""
_OWN = 0.3
"""Least share of the prose that must be outside navigation, banners and footers for their names to be believed."""


def in_story(passages: Sequence[Passage]) -> list[Passage]:
    """The passages inside the innermost element that holds most of the page's prose; all where there is no prose.

    Args:
        passages: of one page, in their order.

    >>> from garimpo.page.main.passages import read_passages
    >>> html = b"<div><p>Home</div><div><h1>Gold</h1><p>" + b"was found in the river " * 9 + b"</div><div><p>All rights</div>"
    >>> [one.text[:8] for one in in_story(read_passages(html))]
    ['Gold', 'was foun']
    """
    prose = [(one, size) for one in passages if (size := len(one.text.encode())) >= _LEAST and one.linked < _LINKED * size]
    own = [(one, size) for one, size in prose if not one.aside]
    if _total(own) >= _OWN * _total(prose):
        prose = own
    if not prose:
        return list(passages)
    held = _held(prose)
    enough = _MOST * _total(prose)
    story = max((box for box, size in held.items() if size >= enough), key=lambda box: box.depth)
    inside = {story: True}
    return [one for one in passages if _is_inside(one.box, story, inside)]


def _total(prose: list[tuple[Passage, int]]) -> int:
    return sum(size for _, size in prose)


def _held(prose: list[tuple[Passage, int]]) -> dict[Box, int]:
    """How much prose each element holds, with all that is inside it."""
    held: dict[Box, int] = {}
    for one, size in prose:
        box: Box | None = one.box
        held[one.box] = held.get(one.box, 0) + size
        while box is not None and box.outer is not None and box.outer not in held:
            box = box.outer
            held[box] = 0
    for box in sorted(held, key=lambda box: box.depth, reverse=True):
        if box.outer is not None:
            held[box.outer] += held[box]
    return held


def _is_inside(box: Box, story: Box, known: dict[Box, bool]) -> bool:
    """Whether an element is in the story; `known` gets the answer for all that are around it."""
    climbed: list[Box] = []
    at: Box | None = box
    while at is not None and at not in known:
        climbed.append(at)
        at = at.outer
    answer = at is not None and known[at]
    known.update(dict.fromkeys(climbed, answer))
    return answer
