"""schema.org types as evidence, and the switch that turns it off."""

import json
from pathlib import Path

import pytest

from garimpo.contract import Fetched, Page, Verdict
from garimpo.crawl.components import Components
from garimpo.crawl.learning.defaults import components_for
from garimpo.crawl.reading.reader import Job, Reader
from garimpo.crawl.settings import Settings
from garimpo.page import read
from garimpo.sites import SiteModel, train
from garimpo.sites.archive_pages import pages_through
from garimpo.sites.page_features import features
from garimpo.sites.schema_types import typed, types
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


def test_what_a_page_lists_to_machines_only_is_read_like_its_text() -> None:
    listed = {"@type": "ItemList", "itemListElement": [{"item": {"name": "Casa com quintal", "url": "/casas/1"}}]}
    html = f'<p>Ofertas</p><script type="application/ld+json">{json.dumps(listed)}</script>'.encode() + b"<i>schema.org</i>"
    page = typed(read(html, "http://a.com/casas"), html)
    assert "b:quintal" in features(page).words and [link.target for link in page.links] == ["http://a.com/casas/1"]


@pytest.mark.parametrize("structured", [True, False])
def test_types_are_evidence_only_where_asked_for(structured: bool) -> None:
    sites = good(4)
    for pages in sites.values():
        for page in pages:
            page.types = frozenset({"itemlist"} if page.url.endswith("/casas") else ())
    model: SiteModel = train(good=sites, bad=bad(4), structured=structured)
    assert ("s:itemlist" in model.listing.kept) is structured


class Judge:
    """Likes pages that say they are lists."""

    def read(self, page: Page) -> Verdict:
        return Verdict(score=float("itemlist" in page.types))


def test_a_crawl_for_sites_goes_by_types_as_well(tmp_path: Path) -> None:
    assert components_for(Settings(sites="sites.model")).typed is typed
    job = Job(Fetched("http://a.com/", 200, LISTED, [("content-type", "text/html")]), 0.0, ())
    for door, score in ((typed, 1.0), (None, 0.0)):
        reader = Reader(Components(judges=lambda _: [Judge()], typed=door), tmp_path)
        assert reader.read([job]).pages[0].verdict.score == score


def test_the_state_of_a_script_is_evidence_and_its_lists_are_links() -> None:
    state = {"props": {"results": [{"__typename": "RealEstateListing", "name": "Casa 1", "url": "/casa-1"}]}}
    body = f'<p>Casas</p><script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'.encode()
    page = typed(read(body, "http://a.com/casas"), body)
    assert page.types == {"realestatelisting"} and [(link.target, link.anchor) for link in page.links] == [
        ("http://a.com/casa-1", "Casa 1")
    ]


@pytest.mark.parametrize(
    "body", [b'<script id="__NEXT_DATA__">{"a":', b"<script id=__NEXT_DATA__>" + b"[" * 5000, b"__NEXT_DATA__"]
)
def test_a_broken_state_says_nothing(body: bytes) -> None:
    assert not typed(read(body, "http://a.com/"), body).types
