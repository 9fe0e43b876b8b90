"""What a page says of itself to machines: schema.org types in JSON-LD, microdata and RDFa.

A type is evidence about the entity (`RealEstateListing`, `Recipe`) and about listings (`ItemList`). The types become words of
their own name space (`s:`), which the classifier weighs like all words, where training asks for them.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from selectolax.lexbor import LexborHTMLParser

from garimpo.contract import Link, Page
from garimpo.url import resolve

SIGNS = (b"schema.org", b"schema:", b"__NEXT_DATA__")
LISTED = 200
"""So many links of a stated list are looked at."""
TYPES_A_PAGE = 200
"""What a page says beyond this many types adds nothing."""
DEPTH = 20
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,60}$")


def typed(page: Page, body: bytes) -> Page:
    """The page with the types that its body states, and with the links and names of what it lists to machines only."""
    if any(sign in body for sign in SIGNS):
        html = body.decode(page.encoding, "replace")
        page.types = frozenset(types(html))
        known = {link.target for link in page.links}
        listed = [link for link in listed_links(html, page.url) if link.target not in known]
        if listed:
            page.links = [*page.links, *listed]
            page.text = "\n".join([page.text, *(link.anchor for link in listed)])
    return page


def types(html: str) -> set[str]:
    """The names of all schema.org types that a page states, in lower case.

    >>> sorted(types('<script type="application/ld+json">{"@type": "ItemList", "item": {"@type": ["House"]}}</script>'
    ...              '<div itemscope itemtype="https://schema.org/Offer"></div><p typeof="schema:Product"></p>'))
    ['house', 'itemlist', 'offer', 'product']
    """
    tree = LexborHTMLParser(html)
    stated: list[str] = []
    for value in _values(tree):
        stated += _stated(value, DEPTH)
    for name in ("itemtype", "typeof"):
        for node in tree.css(f"[{name}]")[:TYPES_A_PAGE]:
            stated += (node.attributes.get(name) or "").split()
    return {name for name in map(_short, stated[:TYPES_A_PAGE]) if name}


def listed_links(html: str, url: str) -> list[Link]:
    """The links of the lists that a page states: what a script would show.

    >>> html = ('<script type="application/ld+json">{"@type": "ItemList", "itemListElement": [{"@type": "ListItem", '
    ...         '"item": {"@type": "House", "name": "Casa 1", "url": "/casa-1"}}]}</script>')
    >>> [(link.target, link.anchor) for link in listed_links(html, "http://a.com/casas")]
    [('http://a.com/casa-1', 'Casa 1')]
    """
    found: dict[str, Link] = {}
    for value in _values(LexborHTMLParser(html)):
        for entry in _entries(value, DEPTH, False):
            target = resolve(url, entry["url"])
            if target is not None and len(found) < LISTED:
                name = entry.get("name")
                found.setdefault(target, Link(target, name if isinstance(name, str) else ""))
    return list(found.values())


def _values(tree: LexborHTMLParser) -> Iterator[Any]:
    """What a page says in JSON: JSON-LD, and the state that a script starts from."""
    for script in tree.css('script[type="application/ld+json"], script#__NEXT_DATA__'):
        yield _decoded(script.text())


def _entries(value: Any, depth: int, inside: bool) -> Iterator[dict[str, Any]]:
    """The objects with a URL inside of lists."""
    if depth == 0:
        return
    if isinstance(value, list):
        for item in value[:LISTED]:
            yield from _entries(item, depth - 1, True)
    elif isinstance(value, dict):
        if inside and isinstance(value.get("url"), str):
            yield value
        for item in value.values():
            yield from _entries(item, depth - 1, inside)


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _stated(value: Any, depth: int) -> list[str]:
    """The `@type` names (of a script's state, `__typename`) anywhere in a JSON value."""
    if depth == 0 or not isinstance(value, dict | list):
        return []
    if isinstance(value, list):
        return [name for item in value[:TYPES_A_PAGE] for name in _stated(item, depth - 1)]
    own = value.get("@type", value.get("__typename"))
    names = [own] if isinstance(own, str) else [name for name in own if isinstance(name, str)] if isinstance(own, list) else []
    return names + [name for key, item in value.items() if key != "@type" for name in _stated(item, depth - 1)]


def _short(name: str) -> str:
    """The last part of a type's name or address, if it is one."""
    last = re.split(r"[/:#]", name)[-1]
    return last.lower() if _NAME.match(last) else ""
