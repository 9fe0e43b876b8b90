"""Words as URLs and menus write them."""

import unicodedata

from garimpo.webgen.language import names

RESERVED = frozenset(
    """old backup mirror copy antigo beta print site web pages content portal docs publico app index home default category topics
    archive list browse arquivo lista todos pub copia calendar robots sitemap""".split()
)
"""Words that mean something to a server, so that no section or title may be called so."""


def plain_word(word: str | int, *what: object) -> str:
    """The ASCII letters of a word's last part, in small letters; for a seed, a made word.

    >>> plain_word("o pátio"), plain_word("screen-play")
    ('patio', 'screenplay')
    """
    if isinstance(word, int):
        return names.word(word, "slug", *what)
    last = word.rsplit(" ", 1)[-1]
    folded = unicodedata.normalize("NFKD", last).encode("ascii", "ignore").decode().lower()
    return "".join(char for char in folded if char.isalpha())
