"""Which language a text is in, told from the text itself."""

from collections.abc import Collection, Sequence

from resiliparse.parse.lang import detect_fast, supported_langs

from garimpo.contract import Page
from garimpo.sites.site_text import tokens

WORDS = 25
"""Fewer words than this tell no language."""
PART = 20_000
"""So many characters of a page are looked at."""
CLEARLY = 1.1
"""Another language is told only where those expected are farther from the text than it by this factor."""
ALL = len(supported_langs())


def language(text: str) -> str:
    """The language of a text, as its two letters; empty where there is too little of it.

    >>> language("Casas e apartamentos à venda com três quartos, sala, cozinha e uma vaga de garagem em rua calma, "
    ...          "perto da praia e do comércio do bairro, para quem quer morar bem")
    'pt'
    """
    nearest = _nearest(text)
    return nearest[0][0] if nearest else ""


def foreign(pages: Sequence[Page], expected: Collection[str]) -> bool:
    """Whether pages are clearly in another language than those expected; pages with too little text have none.

    >>> german = "Wohnung zu vermieten mit Balkon und drei Zimmern in ruhiger Lage, nahe am Park und an den Schulen gelegen, " * 2
    >>> foreign([Page("http://a.de/", text=german)], {"pt"}), foreign([Page("http://a.de/", text=german)], {"de", "pt"})
    (True, False)
    """
    told = [nearest for page in pages if (nearest := _nearest(page.text))]
    return bool(expected) and bool(told) and all(_far(nearest, expected) for nearest in told)


def _far(nearest: list[tuple[str, int]], expected: Collection[str]) -> bool:
    own = [distance for name, distance in nearest if name in expected]
    return not own or min(own) > CLEARLY * nearest[0][1]


def _nearest(text: str) -> list[tuple[str, int]]:
    """All languages with how far the text is from them, the nearest first; none where it has too few words, or is of none."""
    part = text[:PART]
    return detect_fast(part, n_results=ALL) if sum(not token.isdigit() for token in tokens(part)) >= WORDS else []
