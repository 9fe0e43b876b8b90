"""What HTTP headers and the tags that stand for them say of a page."""

import re
from collections.abc import Iterable

_REFRESH = re.compile(r"^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?\s*(.*?)\s*[\"']?\s*$", re.IGNORECASE | re.DOTALL)
_AGENT = re.compile(r"\s*([\w-]+)\s*:(.*)", re.DOTALL)
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
    named = _AGENT.match(value)
    if named is None or named[1].lower() in _VALUED:
        return robots_tokens(value)
    return robots_tokens(named[2]) if named[1].lower() == _OUR_NAME else []


def refresh_target(content: str) -> str | None:
    """The URL of a meta refresh, as it stands; None where it only reloads the page.

    >>> refresh_target("5; URL='/next'"), refresh_target("30")
    ('/next', None)
    """
    found = _REFRESH.match(content[:4096])
    return found[1] if found and found[1] else None
