"""The words of a site and the small patterns in them: prices, times of day, places."""

import re
import unicodedata
from urllib.parse import unquote_plus, urlsplit

from garimpo.url import site

STATES = frozenset(
    "AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO".split()  # noqa: SIM905
)
"""The 26 Brazilian states and the Federal District."""

PRICE = re.compile(r"(?:R\$|US\$|€|£|\$)\s*\d[\d.,]*", re.IGNORECASE)
PRICE_IN_URL = re.compile(r"(?<![a-z])(?:r(?:\$|%24)[\s_+.-]*\d{2,}|rs\d{3,})", re.IGNORECASE)
TIME = re.compile(r"(?<!\d)(?:[01]?\d|2[0-3])\s?(?::|h)\s?[0-5]\d(?!\d)", re.IGNORECASE)

_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_TOKEN = re.compile(r"[a-z0-9]+")


def fold(text: str) -> str:
    """Lower case without accents: what menus and URLs have in common.

    >>> fold("Imóveis à VENDA")
    'imoveis a venda'
    """
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower()


def tokens(text: str) -> list[str]:
    """Runs of letters and digits of the folded text.

    >>> tokens("Ver todos (12)")
    ['ver', 'todos', '12']
    """
    return _TOKEN.findall(fold(text))


def words(text: str) -> set[str]:
    """The tokens that can carry a meaning: at least two characters, not only digits.

    >>> sorted(words("R$ 320.000, 2 quartos, a 5 min"))
    ['min', 'quartos']
    """
    return {token for token in tokens(text) if len(token) > 1 and not token.isdigit()}


def url_part(url: str) -> str:
    """What of a URL speaks of the page and not of the brand: subdomain, path and query, decoded.

    >>> url_part("http://pe.contato-imoveis.com.br/casas%20novas?tipo=1")
    'pe /casas novas?tipo=1'
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    own = host[: -len(site(host))].rstrip(".") if host.endswith(site(host)) else ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{own} {unquote_plus(parts.path + query)}".strip()


def path_words(url: str) -> set[str]:
    """The words of a URL's path and query; the host repeats on every page and is left out."""
    parts = urlsplit(url)
    return words(unquote_plus(f"{parts.path} {parts.query}"))


def prices(text: str) -> int:
    """How many prices a text states.

    >>> prices("R$ 320.000,00 ou R$1.500 / mês")
    2
    """
    return len(PRICE.findall(text))
