"""What a page says of itself to machines: schema.org types in JSON-LD, microdata and RDFa.

A type is evidence about the entity (`RealEstateListing`, `Recipe`) and about listings (`ItemList`). The types become words of
their own name space (`s:`), which the classifier weighs like all words, where training asks for them.
"""

import re
from typing import Any

import msgspec
from selectolax.lexbor import LexborHTMLParser

from garimpo.contract import Page

SIGNS = (b"schema.org", b"schema:")
TYPES_A_PAGE = 200
"""What a page says beyond this many types adds nothing."""
DEPTH = 20
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,60}$")


def typed(page: Page, body: bytes) -> Page:
    """The page with the types that its body states."""
    if any(sign in body for sign in SIGNS):
        page.types = frozenset(types(body.decode(page.encoding, "replace")))
    return page


def types(html: str) -> set[str]:
    """The names of all schema.org types that a page states, in lower case.

    >>> sorted(types('<script type="application/ld+json">{"@type": "ItemList", "item": {"@type": ["House"]}}</script>'
    ...              '<div itemscope itemtype="https://schema.org/Offer"></div><p typeof="schema:Product"></p>'))
    ['house', 'itemlist', 'offer', 'product']
    """
    tree = LexborHTMLParser(html)
    stated: list[str] = []
    for script in tree.css('script[type="application/ld+json"]'):
        stated += _stated(_decoded(script.text()), DEPTH)
    for name in ("itemtype", "typeof"):
        for node in tree.css(f"[{name}]")[:TYPES_A_PAGE]:
            stated += (node.attributes.get(name) or "").split()
    return {name for name in map(_short, stated[:TYPES_A_PAGE]) if name}


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _stated(value: Any, depth: int) -> list[str]:
    """The `@type` names anywhere in a JSON value."""
    if depth == 0 or not isinstance(value, dict | list):
        return []
    if isinstance(value, list):
        return [name for item in value[:TYPES_A_PAGE] for name in _stated(item, depth - 1)]
    own = value.get("@type")
    names = [own] if isinstance(own, str) else [name for name in own if isinstance(name, str)] if isinstance(own, list) else []
    return names + [name for key, item in value.items() if key != "@type" for name in _stated(item, depth - 1)]


def _short(name: str) -> str:
    """The last part of a type's name or address, if it is one."""
    last = re.split(r"[/:#]", name)[-1]
    return last.lower() if _NAME.match(last) else ""
