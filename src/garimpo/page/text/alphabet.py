"""What each character is to the word definition, as tables made once from Python's own Unicode data.

A character's entry in `folded` is its lower case (the first character of `c.lower()`) when it belongs to a word, else 0;
bit 24 marks a character that is a word by itself. `unsettled` marks what NFC may change or join to its neighbours.
"""

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

END = 0x32400
"""No character from here on is alphanumeric, has a case, or changes under NFC."""
ALONE = 1 << 24

# Scripts written without spaces between words, by the names of their characters.
_ALONE_NAMES = (
    "CJK ",
    "IDEOGRAPHIC ",
    "HANGZHOU NUMERAL",
    "HIRAGANA",
    "HENTAIGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
)
_HANGUL_TAILS = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


def stands_alone(character: str) -> bool:
    """True for a letter, digit or mark of a script that puts no space between words.

    >>> stands_alone("金"), stands_alone("ก"), stands_alone("。"), stands_alone("é")
    (True, True, False, False)
    """
    return unicodedata.category(character)[0] in "LNM" and unicodedata.name(character, "").startswith(_ALONE_NAMES)


@cache
def alone() -> tuple[int, ...]:
    """All characters that are words by themselves."""
    return tuple(code for code in range(0x0E00, END) if stands_alone(chr(code)))


@cache
def word_pattern() -> re.Pattern[str]:
    """What a word is, in text that is in NFC and lower case."""
    codes = np.array(alone())
    ends = np.flatnonzero(np.diff(codes, append=-1) != 1)
    starts = np.concatenate(([0], ends[:-1] + 1))
    ranges = "".join(f"{chr(codes[a])}-{chr(codes[b])}" for a, b in zip(starts, ends))
    return re.compile(rf"[^\W{ranges}]+|[{ranges}]")


@cache
def folded() -> NDArray[np.uint32]:
    """The table of lower-case word characters."""
    table = np.zeros(END, np.uint32)
    for code in range(END):
        lower = chr(code).lower()[0]
        if lower.isalnum() or lower == "_":
            table[code] = ord(lower)
    alone_codes = np.array(alone())
    table[alone_codes] = alone_codes | ALONE
    return table


@cache
def unsettled() -> NDArray[np.bool_]:
    """The table of characters that make a text worth a look by `unicodedata.normalize`."""
    table = np.zeros(END, bool)
    table[list(_HANGUL_TAILS)] = True
    for code in range(0xC0, END):
        character = chr(code)
        if unicodedata.combining(character):
            table[code] = True
        parts = unicodedata.decomposition(character).split()
        if parts and not parts[0].startswith("<"):
            table[code] |= unicodedata.normalize("NFC", character) != character
            table[int(parts[-1], 16)] |= len(parts) == 2
    return table
