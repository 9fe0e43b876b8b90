"""One URL at a time: parse by the WHATWG rules, put into normal form, resolve against a base."""

import re

import can_ada
import xxhash

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = "0123456789ABCDEFabcdef"


def _normal_triplet(triplet: str) -> str:
    character = chr(int(triplet[1:], 16))
    return character if character in _UNRESERVED else triplet.upper()


_NORMAL_TRIPLETS = {f"%{a}{b}": _normal_triplet(f"%{a}{b}") for a in _HEX for b in _HEX}


def _parse(url: str) -> can_ada.URL | None:
    try:
        return can_ada.parse(url)
    except (ValueError, TypeError):  # TypeError: a lone surrogate, which has no UTF-8
        return None


def _normal_form(parsed: can_ada.URL) -> str | None:
    href: str = parsed.href
    if not href.startswith(("http://", "https://")):
        return None
    return normal_escapes(href.partition("#")[0])


def normal_escapes(text: str) -> str:
    """The text with unreserved characters written as they are, and the other escapes in upper case.

    Args:
        text: a URL, or a part of one.

    >>> normal_escapes("/%7Eann%2f")
    '/~ann%2F'
    """
    if "%" not in text:
        return text
    normal, triplets = _TRIPLET.subn(lambda match: _NORMAL_TRIPLETS[match.group()], text)
    # Beside a stray "%" a decoded digit could complete a triplet that was not there: such a text is left as it is.
    return normal if triplets == text.count("%") else text


def normalise(url: str) -> str | None:
    """The URL in normal form, or None where it is no http(s) URL.

    Args:
        url: any text.

    >>> normalise("HTTP://Example.COM:80/a/../%7Eann?q=%c3%a9#top")
    'http://example.com/~ann?q=%C3%A9'
    >>> normalise("mailto:ann@example.com") is None
    True
    """
    parsed = _parse(url)
    return None if parsed is None else _normal_form(parsed)


class Base:
    """What the links of one page are resolved against.

    Args:
        url: where the page stands, or what its `base` element says.

    >>> Base("http://a.org/docs/").resolve("../x#y")
    'http://a.org/x'
    """

    __slots__ = ("_parsed",)

    def __init__(self, url: str) -> None:
        self._parsed = _parse(url)

    def resolve(self, href: str) -> str | None:
        """The link's target in normal form, without credentials, or None; without a base only absolute links resolve."""
        if self._parsed is None:
            return normalise(href)
        try:
            found = self._parsed + href
            if "@" in found.href and (found.username or found.password):  # no stranger's link logs us in anywhere
                found.username = found.password = ""
            return _normal_form(found)
        except (ValueError, TypeError):
            return None


def resolve(base: str, href: str) -> str | None:
    """The target of a link found on the page `base`, in normal form.

    Args:
        base: the URL of the page.
        href: the link as it stands there.

    >>> resolve("http://a.org/docs/index.html", "../images/?n=1")
    'http://a.org/images/?n=1'
    """
    return Base(base).resolve(href)


def host(url: str) -> str | None:
    """The full host name in lower case, without port; None where the URL is no http(s) URL.

    Args:
        url: any text.

    >>> host("https://WWW.Example.com:8080/")
    'www.example.com'
    """
    parsed = _parse(url)
    if parsed is None or parsed.protocol not in ("http:", "https:"):
        return None
    name: str = parsed.hostname
    return name


def key64(url: str) -> int:
    """xxh64 of the string as given: normalise first.

    Args:
        url: any text.

    >>> key64("http://a.org/")
    2171864902972136932
    """
    return xxhash.xxh64_intdigest(url.encode("utf-8", "surrogatepass"))
