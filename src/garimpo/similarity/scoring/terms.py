"""A text as its terms: shingles of words or characters, sentences or paragraphs, as 64-bit hashes in the order of the text."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.engine.columns import hash_strings
from garimpo.page import shingle_hashes, words
from garimpo.page.text.alphabet import word_pattern
from garimpo.similarity.sketches.sets import Hashes, Numbers

Units = Literal["words", "characters", "sentences", "paragraphs"]
WIDEST = 100
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n\s*\n")
BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class TermConfig:
    """What the terms of a text are.

    Args:
        units: what terms are made of.
        widths: how many words (or characters) follow each other in a term; all these widths at once.
        stop_words: words that are left out before anything else.
        keep_case: whether `Gold` and `gold` are two words.
        digits: whether words of digits only count.

    >>> TermConfig(widths=(1, 2)).describe()
    'words 1-2'
    """

    units: Units = "words"
    widths: tuple[int, ...] = (1,)
    stop_words: frozenset[str] = frozenset()
    keep_case: bool = False
    digits: bool = True

    def __post_init__(self) -> None:
        if self.units not in get_args(Units):
            raise BadInput(f"units are one of {', '.join(get_args(Units))}, not {self.units}")
        if not self.widths or not all(1 <= width <= WIDEST for width in self.widths):
            raise BadInput(f"a shingle has 1 to {WIDEST} {self.units}, not {', '.join(map(str, self.widths)) or 'none'}")

    def describe(self) -> str:
        """The terms in a few words."""
        widths = f" {min(self.widths)}" + (f"-{max(self.widths)}" if len(self.widths) > 1 else "")
        return f"{self.units}{widths if self.units in ('words', 'characters') else ''}"


@dataclass(frozen=True)
class Terms:
    """The terms of documents, repeats kept: those of document i are `values[offsets[i]:offsets[i + 1]]`.

    Args:
        values: the hashes of all terms, one document after the other.
        offsets: where each document begins; the last is their number.
    """

    values: Hashes
    offsets: Numbers

    def __len__(self) -> int:
        return int(self.offsets.size - 1)

    @property
    def lengths(self) -> Numbers:
        """How many terms each document has."""
        return np.diff(self.offsets)


def parse_widths(text: str | int) -> tuple[int, ...]:
    """Widths as they are written: `5`, `1-3` or `1,2,4`.

    >>> parse_widths("1-3"), parse_widths("2"), parse_widths("1,4")
    ((1, 2, 3), (2,), (1, 4))
    """
    found = re.fullmatch(r"(\d{1,3})-(\d{1,3})", str(text))
    if found:
        return tuple(range(int(found[1]), int(found[2]) + 1))
    if not re.fullmatch(r"\d{1,3}(,\d{1,3})*", str(text)):
        raise BadInput(f"the words of a shingle are a number, as 5, or numbers, as 1-2 or 1,2; not {text}")
    return tuple(sorted({int(part) for part in str(text).split(",")}))


def terms_of(texts: pa.Array | pa.ChunkedArray, config: TermConfig) -> Terms:
    """The terms of a column of texts; a null or empty text has none.

    Args:
        texts: a column of strings.
        config: what terms are.

    >>> terms_of(pa.array(["Gold, gold and sand", None]), TermConfig(widths=(1, 2))).lengths.tolist()
    [7, 0]
    """
    if config.units == "words" and not config.keep_case:
        plain = not config.stop_words and config.digits
        column = texts if plain else pa.array([_filtered(text, config) for text in texts.to_pylist()], pa.large_string())
        return _side_by_side([Terms(*shingle_hashes(column, width)) for width in config.widths])
    strings = [list(_strings(text or "", config)) for text in texts.to_pylist()]
    offsets = np.zeros(len(strings) + 1, np.int64)
    np.cumsum([len(row) for row in strings], out=offsets[1:])
    return Terms(hash_strings(pa.array([term for row in strings for term in row], pa.large_string())), offsets)


def _side_by_side(parts: list[Terms]) -> Terms:
    """The terms of all widths, document by document."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.sum([part.offsets for part in parts], axis=0)
    values = np.empty(int(offsets[-1]), np.uint64)
    begins = offsets[:-1].copy()
    for part in parts:
        lengths = part.lengths
        values[np.repeat(begins - part.offsets[:-1], lengths) + np.arange(part.values.size)] = part.values
        begins += lengths
    return Terms(values, offsets)


def _wanted(found: list[str], config: TermConfig) -> list[str]:
    return [word for word in found if word.lower() not in config.stop_words and (config.digits or not word.isdigit())]


def _filtered(text: str | None, config: TermConfig) -> str:
    return " ".join(_wanted(words(text or ""), config))


def _strings(text: str, config: TermConfig) -> Iterator[str]:
    if config.units in ("sentences", "paragraphs"):
        for part in _parts(text, config.units):
            found = _words(part, config)
            if found:
                yield " ".join(found)
        return
    found = _words(text, config)
    units = list(" ".join(found)) if config.units == "characters" else found
    glue = "" if config.units == "characters" else " "
    for width in config.widths:
        if units:
            yield from (glue.join(units[i : i + width]) for i in range(max(1, len(units) - width + 1)))


def _words(text: str, config: TermConfig) -> list[str]:
    found = word_pattern().findall(unicodedata.normalize("NFC", text)) if config.keep_case else words(text)
    return _wanted(found, config)


def _parts(text: str, units: str) -> list[str]:
    if units == "sentences":
        return SENTENCE_END.split(text)
    return BLANK_LINE.split(text) if BLANK_LINE.search(text.strip()) else text.split("\n")
