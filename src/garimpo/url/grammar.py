"""Tokens of a URL by grammar G: a run of ASCII letters, a run of ASCII digits, or one other character."""

import re
from typing import Literal

_TOKEN = re.compile("[A-Za-z]+|[0-9]+|[^A-Za-z0-9]")

TokenType = Literal["a", "n", "p"]


def tokens(url: str) -> list[str]:
    """The tokens of any string, in order; joined they give the string back.

    Args:
        url: any URL.

    >>> tokens("http://ex.com/1.htm")
    ['http', ':', '/', '/', 'ex', '.', 'com', '/', '1', '.', 'htm']
    """
    return _TOKEN.findall(url)


def token_type(token: str) -> TokenType:
    """`a` for letters, `n` for a number, `p` for any other character.

    Args:
        token: a token of a URL.

    >>> token_type("htm"), token_type("42"), token_type("/")
    ('a', 'n', 'p')
    """
    first = token[0]
    if not first.isascii():
        return "p"
    return "a" if first.isalpha() else "n" if first.isdigit() else "p"
