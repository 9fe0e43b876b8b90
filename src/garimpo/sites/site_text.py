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
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"})
_VOWELS = "\u05b0-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0970-\u0dff\u200c\u200d"
"""Signs inside of words that are no letters: those of Hebrew and Arabic, and of the scripts of India."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts that put no space between words."""
_TOKEN = re.compile(f"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\\W_]|[{_VOWELS}])+")
_OF_UNSPACED = re.compile(f"[{_UNSPACED}]")


def fold(text: str) -> str:
    """Lower case without accents: what menus and URLs have in common.

    >>> fold("Imóveis à VENDA"), fold("Łódź")
    ('imoveis a venda', 'lodz')
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text))).lower().translate(_PLAIN)


def tokens(text: str) -> list[str]:
    """Runs of letters and digits of the folded text; where a script puts no space between words, pairs of neighbours.

    >>> tokens("Ver todos (12)"), tokens("Яхты, 中古車")
    (['ver', 'todos', '12'], ['яхты', '中古', '古車'])
    """
    found = _TOKEN.findall(folded := fold(text))
    return found if folded.isascii() else [part for token in found for part in _parts(token)]


def _parts(token: str) -> list[str]:
    if not _OF_UNSPACED.match(token) or len(token) < 3:
        return [token]
    return [token[i : i + 2] for i in range(len(token) - 1)]


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
