"""What the mark-up itself says about a part of a page: hidden, navigation, banner, footer."""

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "area",
        "b",
        "bdi",
        "bdo",
        "big",
        "blink",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
SKIPPED = frozenset(
    [
        "script",
        "style",
        "template",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "head",
        "title",
        "svg",
        "select",
        "option",
        "button",
        "textarea",
        "object",
        "video",
        "audio",
        "canvas",
        "dialog",
        "datalist",
        "-comment",
    ]
)
BOXES = frozenset(
    ["div", "section", "article", "main", "td", "table", "aside", "header", "footer", "nav", "form", "center", "ul", "ol"]
)
"""Elements that may hold a whole story."""
_ASIDE_TAGS = frozenset(["nav", "footer", "aside", "menu"])
_ASIDE_ROLES = frozenset(
    [
        "navigation",
        "banner",
        "contentinfo",
        "search",
        "menu",
        "menubar",
        "toolbar",
        "dialog",
        "alertdialog",
        "complementary",
        "tablist",
    ]
)
_NEVER = frozenset(["body", "html", "main", "article"])
_NAMED = frozenset(["div", "section", "ul", "ol", "header", "form", "table", "td", "span", "p", "a", "h2", "h3", "h4", "figure"])
_ASIDE_WORDS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|crumbs|pagination|pager|sidebar|side-bar|footer|masthead|banner"
    r"|related|recommended|recommendations?|share|sharing|shares|social|sharedaddy|follow-us|cookies?|consent|gdpr|newsletter"
    r"|subscribe|subscription|signup|promo|promotion|advert|adverts|advertisement|ads|sponsored|outbrain|taboola|comments?"
    r"|disqus|respond|skip-link|skip|toc|tags|taglist|byline|search|login|popup|modal|toolbar|widget|author-bio|print-only"
    r"|most-read|most-popular|trending|more-stories|read-more|readmore|also-like|next-post|prev-post|relations)(?:$|[\s_-])"
)
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")


def is_aside(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether an element is, by its own name, not what the page is about.

    Args:
        tag: its tag.
        attributes: its attributes.

    >>> is_aside("div", {"class": "post-sidebar left"}), is_aside("body", {"class": "sidebar"})
    (True, False)
    """
    if tag in _ASIDE_TAGS:
        return True
    if tag in _NEVER or not attributes:
        return False
    if (attributes.get("role") or "") in _ASIDE_ROLES:
        return True
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return tag in _NAMED and _ASIDE_WORDS.search(named.lower()) is not None


def is_hidden(node: LexborNode) -> bool:
    """Whether an element is not shown.

    Args:
        node: the element.
    """
    attributes = node.attributes
    return bool(attributes) and ("hidden" in attributes or _UNSEEN.search(attributes.get("style") or "") is not None)
