"""Which parts of a text are taken from its sources: word for word, rewritten, or new.

A run of at least four words that a source has too is *verbatim*. Of what is left, a sentence most of whose telling words stand
in one sentence of a source is *rewritten*. The rest is *new*. Where several sources have a passage, the one ranked first has it.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from garimpo.page.text.alphabet import word_pattern
from garimpo.similarity.scoring.stop_lists import LISTS
from garimpo.similarity.scoring.terms import SENTENCE_END

Kind = Literal["verbatim", "rewritten", "new"]
Mark = tuple[Kind, str | None, int]
"""Of a word: what it is, of which source, and where there (rewritten: the first word of its own sentence)."""
SEED = 4
"""Words that a verbatim passage has at least."""
PLACES = 16
"""Places of one run of words in a source that are tried."""
LEAST_SHARE, LEAST_WORDS = 0.5, 3
"""Of its telling words a rewritten sentence shares so many with one sentence of a source."""


@dataclass(frozen=True)
class Span:
    """A part of a text, by characters, and where it comes from."""

    start: int
    end: int
    kind: Kind
    words: int
    source: str | None = None
    source_start: int | None = None
    source_end: int | None = None


@dataclass(frozen=True)
class _Words:
    """The words of a text and where they stand."""

    words: list[str]
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str) -> "_Words":
        found = list(word_pattern().finditer(text))
        plain = [unicodedata.normalize("NFC", match.group()).lower() for match in found]
        return cls(plain, [match.start() for match in found], [match.end() for match in found])


@dataclass(frozen=True)
class _Source:
    """A source, ready to be looked into."""

    name: str
    words: _Words
    seeds: dict[tuple[str, ...], list[int]]
    sentences: list[tuple[int, int, frozenset[str]]]

    @classmethod
    def of(cls, name: str, text: str) -> "_Source":
        words = _Words.of(text)
        seeds: dict[tuple[str, ...], list[int]] = {}
        for place in range(len(words.words) - SEED + 1):
            seeds.setdefault(tuple(words.words[place : place + SEED]), []).append(place)
        sentences = [(first, last, _telling(words.words[first:last])) for first, last in _sentences(text, words)]
        return cls(name, words, seeds, sentences)

    def longest(self, words: list[str], at: int) -> tuple[int, int]:
        """How many words from here on the source has too, and where."""
        best, where = 0, -1
        for place in self.seeds.get(tuple(words[at : at + SEED]), ())[:PLACES]:
            length = SEED
            while words[at + length : at + length + 1] == self.words.words[place + length : place + length + 1] != []:
                length += 1
            if length > best:
                best, where = length, place
        return best, where


def find_spans(text: str, sources: Mapping[str, str]) -> list[Span]:
    """The whole of a text, cut into verbatim, rewritten and new parts.

    Args:
        text: the text that may have been taken from others.
        sources: texts by name, the likeliest source first.

    >>> spans = find_spans("He found gold in the river. Nobody knew.", {"wire": "They say he found gold in the river at dawn."})
    >>> [(span.kind, span.words, span.source) for span in spans]
    [('verbatim', 6, 'wire'), ('new', 2, None)]
    """
    words = _Words.of(text)
    ready = [_Source.of(name, content) for name, content in sources.items()]
    marks: list[Mark] = [("new", None, -1)] * len(words.words)
    _mark_verbatim(words, ready, marks)
    rewritten = _mark_rewritten(text, words, ready, marks)
    return list(_joined(words, marks, {source.name: source for source in ready}, rewritten))


def _mark_verbatim(words: _Words, sources: Sequence[_Source], marks: list[Mark]) -> None:
    at = 0
    while at <= len(words.words) - SEED:
        best, name, where = 0, "", -1
        for source in sources:
            length, place = source.longest(words.words, at)
            if length > best:
                best, name, where = length, source.name, place
        for step in range(best):
            marks[at + step] = ("verbatim", name, where + step)
        at += max(best, 1)


def _mark_rewritten(text: str, words: _Words, sources: Sequence[_Source], marks: list[Mark]) -> dict[int, tuple[int, int]]:
    """Mark the sentences that are told anew; the words of the source (by the first word of each sentence) they are told from."""
    told_from = {}
    for first, last in _sentences(text, words):
        rest = [place for place in range(first, last) if marks[place][0] == "new"]
        telling = _telling([words.words[place] for place in range(first, last)])
        if not rest or not telling:
            continue
        best, chosen = 0, None
        for source in sources:
            for begin, end, others in source.sentences:
                shared = len(telling & others)
                if shared > best:
                    best, chosen = shared, (source.name, begin, end)
        if chosen is not None and best >= LEAST_WORDS and best >= LEAST_SHARE * len(telling):
            for place in rest:
                marks[place] = ("rewritten", chosen[0], first)
            told_from[first] = chosen[1:]
    return told_from


def _joined(
    words: _Words,
    marks: list[Mark],
    sources: Mapping[str, _Source],
    told_from: dict[int, tuple[int, int]],
) -> Iterator[Span]:
    begin = 0
    for place in range(1, len(marks) + 1):
        if place < len(marks) and _goes_on(marks[place - 1], marks[place]):
            continue
        kind, name, at = marks[begin]
        first = last = None
        if name is not None:
            known = sources[name].words
            one, other = (at, marks[place - 1][2] + 1) if kind == "verbatim" else told_from[at]
            first, last = known.starts[one], known.ends[other - 1]
        yield Span(words.starts[begin], words.ends[place - 1], kind, place - begin, name, first, last)
        begin = place


def _goes_on(one: Mark, other: Mark) -> bool:
    step = 1 if one[0] == "verbatim" else 0
    return one[:2] == other[:2] and other[2] == one[2] + step


def _sentences(text: str, words: _Words) -> Iterator[tuple[int, int]]:
    """First word and the word after the last, of each sentence that has words."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)] + [len(text)]
    first = 0
    for end in ends:
        last = first
        while last < len(words.words) and words.starts[last] < end:
            last += 1
        if last > first:
            yield first, last
        first = last


def _telling(words: Sequence[str]) -> frozenset[str]:
    """The words that say what a sentence is about."""
    return frozenset(word for word in words if word not in _common() and not re.fullmatch(r"\w", word))


@cache
def _common() -> frozenset[str]:
    return frozenset(word for words in LISTS.values() for word in words.split())
