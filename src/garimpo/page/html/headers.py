"""What HTTP headers and the tags that stand for them say of a page."""

import re
from collections.abc import Iterable

_REFRESH_URL = re.compile(r"url\s*=", re.IGNORECASE)
_AGENT = re.compile(r"([\w-]+)\s*:")
_LONGEST = 4096
_OUR_NAME = "garimpo"
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def media_type(content_type: str | None) -> str:
    """The type without its parameters, in lower case.

    >>> media_type("Text/HTML; charset=utf-8")
    'text/html'
    """
    return (content_type or "").partition(";")[0].strip().lower()


def header(headers: Iterable[tuple[str, str]], name: str) -> list[str]:
    """All values of a header, in order; all names are in lower case."""
    return [value for key, value in headers if key == name]


def robots_tokens(content: str) -> list[str]:
    """The directives of a robots meta tag.

    >>> robots_tokens("NoIndex , follow")
    ['noindex', 'follow']
    """
    return [token for token in (part.strip().lower() for part in content.split(",")) if token]


def robots_header_tokens(value: str) -> list[str]:
    """The directives of one X-Robots-Tag header that are meant for us: those for another named crawler are not.

    >>> robots_header_tokens("noindex, nofollow"), robots_header_tokens("googlebot: noindex")
    (['noindex', 'nofollow'], [])
    """
    value = value[:_LONGEST].strip()
    named = _AGENT.match(value)
    if named is None or named[1].lower() in _VALUED:
        return robots_tokens(value)
    return robots_tokens(value[named.end() :]) if named[1].lower() == _OUR_NAME else []


def refresh_target(content: str) -> str | None:
    """The URL of a meta refresh, as it stands; None where it only reloads the page.

    >>> refresh_target("5; URL='/next'"), refresh_target("30")
    ('/next', None)
    """
    rest = content[:_LONGEST].strip().lstrip("0123456789.").lstrip()
    rest = rest[1:].lstrip() if rest[:1] in (";", ",") else rest
    named = _REFRESH_URL.match(rest)
    rest = rest[named.end() :].lstrip() if named else rest
    rest = rest[1:].lstrip() if rest[:1] in ("'", '"') else rest
    rest = rest[:-1].rstrip() if rest[-1:] in ("'", '"') else rest
    return rest or None
