"""Which passages of a page are main: by what its host repeats where that is known, else page by page."""

import functools
import importlib.util
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from garimpo.page.main.alignment import kept_by
from garimpo.page.main.passages import Passage
from garimpo.page.main.story import in_story
from garimpo.page.text.sameness import Chrome

MOST_FOR_TRAFILATURA = 2 << 20
"""Bytes of a page above which our own rule is used: trafilatura's time grows with more than the length."""
_LINKED = 0.9
"""Share of a passage's characters inside links from which on it leads elsewhere and says nothing itself."""
_MOST_LEFT_OUT = 0.5
"""A rule that would leave out more than this share of the text is wrong about the page, and does not count."""


def main_passages(html: bytes, passages: Sequence[Passage], chrome: Chrome | None = None) -> list[Passage]:
    """The main ones of a page's passages.

    Args:
        html: the page in UTF-8, as the parser serialised it.
        passages: all of its passages.
        chrome: the template of its host, if it was learned.
    """
    if chrome is not None and chrome.known:
        return _without_pointers(_own(passages, chrome))
    extracted = _extract(html)
    if extracted is None:
        return _without_pointers(in_story(passages))
    return [one for one, kept in zip(passages, kept_by(passages, extracted)) if kept]


def _without_pointers(passages: list[Passage]) -> list[Passage]:
    """Leave out what the mark-up calls navigation, then what is nothing but links."""
    passages = _unless_too_much(passages, [one for one in passages if not one.aside])
    return _unless_too_much(passages, [one for one in passages if not _is_pointer(one)])


def _unless_too_much(passages: list[Passage], left: list[Passage]) -> list[Passage]:
    enough = (1 - _MOST_LEFT_OUT) * sum(map(_length, passages))
    return left if sum(map(_length, left)) >= enough else passages


def _length(passage: Passage) -> int:
    return sum(map(len, passage.lines))


def _own(passages: Sequence[Passage], chrome: Chrome) -> list[Passage]:
    """What the host does not repeat. A heading that it repeats ("See also") stays where something under it stays.

    So does the first row of a table, which names its columns, and a term ("--force") where what it means stays.
    """
    kept = [not again for again in _repeated(passages, chrome)]
    tables = {one.table for one, keep in zip(passages, kept) if keep and one.kind == "row"}
    kept = [keep or (one.kind == "row" and one.row == 1 and one.table in tables) for one, keep in zip(passages, kept)]
    _keep_terms(passages, kept)
    below: Passage | None = None  # what stays first after this place, up to the next heading
    for at in range(len(passages) - 1, -1, -1):
        one = passages[at]
        if one.kind == "heading":
            stays = below is not None and (below.kind != "heading" or below.level > one.level) and one.aside == below.aside
            kept[at] = kept[at] or stays
            below = one if kept[at] else None
        elif kept[at] and not _is_pointer(one):
            below = one
    return [one for one, keep in zip(passages, kept) if keep]


def _keep_terms(passages: Sequence[Passage], kept: list[bool]) -> None:
    """Mark the terms to be kept that stand right before something kept of the same list."""
    for at in range(len(passages) - 2, -1, -1):
        one, after = passages[at], passages[at + 1]
        if one.term and kept[at + 1] and after.glossary == one.glossary and one.aside == after.aside and not _is_pointer(after):
            kept[at] = True


def _is_pointer(one: Passage) -> bool:
    """Whether a passage is nothing but links."""
    return one.kind != "code" and one.linked >= _LINKED * _length(one)


def _repeated(passages: Sequence[Passage], chrome: Chrome) -> list[bool]:
    """Whether the host repeats all lines of a passage. Code is never taken for chrome."""
    from garimpo.page.text.blocks import read_blocks
    from garimpo.page.text.sameness import classify_blocks

    blocks = read_blocks(pa.array([line for one in passages for line in one.lines], pa.large_string()))
    kinds = classify_blocks(blocks, chrome)
    own = np.add.reduceat(np.append(kinds == 0, False), blocks.offsets[:-1]) if len(blocks) else np.zeros(0, np.int64)
    own[np.diff(blocks.offsets) == 0] = 0
    out, at = [], 0
    for one in passages:
        out.append(one.kind != "code" and not own[at : at + len(one.lines)].any())
        at += len(one.lines)
    return out


def _extract(html: bytes) -> str | None:
    """What trafilatura takes for the main text; None where it is not installed or finds nothing."""
    if not has_trafilatura() or len(html) > MOST_FOR_TRAFILATURA:
        return None
    import trafilatura

    return trafilatura.extract(html.decode("utf-8", "replace"), include_comments=False) or None


@functools.cache
def has_trafilatura() -> bool:
    """Whether the extra `[text]` is installed, with all that it needs."""
    return all(importlib.util.find_spec(name) is not None for name in ("trafilatura", "lxml_html_clean"))
