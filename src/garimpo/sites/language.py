"""Which language a text is in, told from the text itself."""

from collections.abc import Collection, Sequence

from resiliparse.parse.lang import detect_fast

from garimpo.contract import Page

WORDS = 25
"""Fewer words than this tell no language."""
PART = 20_000
"""So many characters of a page are looked at."""
CLEARLY = 1.1
"""Another language is told only where those expected are farther from the text than it by this factor."""
KNOWN = 5
"""So many of the nearest languages are compared."""


def language(text: str) -> str:
    """The language of a text, as its two letters; empty where there is too little of it.

    >>> language("Casas e apartamentos à venda com três quartos, sala, cozinha e uma vaga de garagem em rua calma, "
    ...          "perto da praia e do comércio do bairro, para quem quer morar bem")
    'pt'
    """
    return str(detect_fast(text[:PART])[0]) if len(text[:PART].split()) >= WORDS else ""


def foreign(pages: Sequence[Page], expected: Collection[str]) -> bool:
    """Whether pages are clearly in another language than those expected; pages with too little text have none.

    >>> german = "Wohnung zu vermieten mit Balkon und drei Zimmern in ruhiger Lage, nahe am Park und an den Schulen gelegen, " * 2
    >>> foreign([Page("http://a.de/", text=german)], {"pt"}), foreign([Page("http://a.de/", text=german)], {"de", "pt"})
    (True, False)
    """
    told = [page.text[:PART] for page in pages if len(page.text[:PART].split()) >= WORDS]
    return bool(expected) and bool(told) and all(_far(text, expected) for text in told)


def _far(text: str, expected: Collection[str]) -> bool:
    nearest = detect_fast(text, n_results=KNOWN)
    own = [distance for name, distance in nearest if name in expected]
    return not own or min(own) > CLEARLY * nearest[0][1]
