"""The folders that are shown: a finished crawl of a hostile site, made once."""

from pathlib import Path

import pytest

from crawl.made import StoredPages, html
from garimpo.contract import Fetched
from garimpo.crawl import Components, Settings, crawl

SITE = "http://a.example"
EVIL = [
    "<script>window.owned = 1</script>",
    "\"><img src=x onerror='window.owned = 1'>",
    "</title></h1><svg onload=window.owned=1>",
    "javascript:window.owned=1",
    "&lt;b&gt;&#x3c;script&#x3e;window.owned=1&#x3c;/script&#x3e;",
    "\u202e\u0000\u001b[31mevil\u2028",
]
TEXT = "the river carries gold and gravel and sand to the sea past the old mill and the new bridge where people pan for it "


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl over a site whose titles, links, texts and redirects attack whoever shows them."""
    folder = tmp_path_factory.mktemp("ui") / "crawl <b>'\"&"
    pages = [f"{SITE}/p{number}?q={evil.replace(' ', '+')[:60]}" for number, evil in enumerate(EVIL)]
    links = [
        *pages,
        "/same",
        "/copy",
        "/missing?<script>window.owned=1</script>",
        "/forbidden",
        "/away",
        "http://other.example/<i>",
    ]
    body = "".join(f"<a href='{link.replace(chr(39), '%27')}'>go</a>" for link in links)
    answers = [
        Fetched(f"{SITE}/robots.txt", 200, b"User-agent: *\nDisallow: /forbidden\n"),
        html(f"{SITE}/", f"<title>Home</title>{body}"),
        html(f"{SITE}/same", f"<title>Same</title><p>{TEXT * 3}"),
        html(f"{SITE}/copy", f"<title>Same</title><p>{TEXT * 3}"),
        Fetched(f"{SITE}/away", 302, b"", [("Location", "javascript:window.owned=1")]),
    ]
    bad = "<meta http-equiv=refresh content='0;url=http://127.0.0.1:1/'><link rel=stylesheet href=http://127.0.0.1:1/x.css>"
    for number, evil in enumerate(EVIL):
        shown = evil.replace("</title>", "&lt;/title&gt;")
        answers.append(
            html(f"{SITE}/p{number}", f"<title>{evil.replace('<', '&lt;')}</title>{bad}<p>{shown} {TEXT} {number} {evil}")
        )
    fetcher = _Loose(answers)
    settings = Settings(seeds=[f"{SITE}/"], learn=False, strategy="bfs")
    crawl(folder, settings, Components(fetcher=fetcher, clock=fetcher.clock))
    return folder


class _Loose(StoredPages):
    """Answers a URL with a query as the page without it."""

    def get(self, url: str) -> Fetched:
        bare = url.partition("?")[0]
        if not bare.startswith(f"{SITE}/p"):
            return super().get(url)
        found = super().get(bare)
        return Fetched(url, found.status, found.body, found.headers)
