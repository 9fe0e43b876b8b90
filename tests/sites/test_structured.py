"""schema.org types as evidence, and the switch that turns it off."""

import pytest

from garimpo.contract import Fetched
from garimpo.sites import SiteModel, features, pages_through, train
from garimpo.sites.structured import types
from sites.made import bad, good

LISTED = b'<script type="application/ld+json">{"@context": "https://schema.org", "@type": "ItemList"}</script><a href=/x>x</a>'


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<div itemtype="http://schema.org/Recipe http://schema.org/Thing">', {"recipe", "thing"}),
        ('<div typeof="schema:Car">', {"car"}),
        ('<script type="application/ld+json">[{"@graph": [{"@type": ["House", 3]}]}]</script>', {"house"}),
        ('<script type="application/ld+json">{"@type": "Broken"</script>', set()),
        ('<script type="application/ld+json">' + "[" * 50_000 + "</script>", set()),
        ('<div itemtype="https://example.org/><b>">', set()),
        ("", set()),
    ],
)
def test_types_that_pages_state(html: str, found: set[str]) -> None:
    assert types(html) == found


def test_types_become_words_of_their_own() -> None:
    page = pages_through(lambda url: Fetched(url, 200, LISTED))("http://a.com/")
    assert page is not None and "s:itemlist" in features(page).words


@pytest.mark.parametrize("structured", [True, False])
def test_types_are_evidence_only_where_asked_for(structured: bool) -> None:
    sites = good(4)
    for pages in sites.values():
        for page in pages:
            page.types = frozenset({"itemlist"} if page.url.endswith("/casas") else ())
    model: SiteModel = train(good=sites, bad=bad(4), structured=structured)
    assert ("s:itemlist" in model.listing.kept) is structured
