"""The routes of the dashboard: who may ask, what is answered, and what a wish becomes."""

from pathlib import Path
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

from garimpo.contract import BadInput
from garimpo.crawl import labels
from garimpo.crawl.steering import wishes
from garimpo.ui import serve
from garimpo.ui.views import VIEWS
from ui.conftest import SITE
from ui.made import shown

ASKED = {
    "/tree": "?host=a.example",
    "/url": f"?url={quote(SITE)}/same",
    "/difference": f"?a={quote(SITE)}/same&b={quote(SITE)}/copy",
    "/exclude": "?pattern=copy",
}


@pytest.fixture(scope="module")
def served(finished: Path):  # type: ignore[no-untyped-def]
    with shown(finished) as made:
        yield made


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.path)
def test_every_view_is_a_page_and_json(served, view) -> None:  # type: ignore[no-untyped-def]
    page = served.ask(view.path + ASKED.get(view.path, ""))
    assert page.status == 200 and f"<h1>{view.title}</h1>" in page.text
    twin = served.ask(f"/api{view.path if view.path != '/' else '/now'}" + ASKED.get(view.path, ""))
    assert twin.status == 200 and isinstance(twin.json, dict) and not any(name.startswith("_") for name in twin.json)


def test_nothing_that_came_from_the_web_stands_there_as_a_tag(served) -> None:  # type: ignore[no-untyped-def]
    for view in VIEWS:
        tree = LexborHTMLParser(served.ask(view.path + ASKED.get(view.path, "")).text)
        assert [node.attributes for node in tree.css("script")] == [{"src": "/ui.js", "type": "module"}]
        assert not tree.css("img, b > script, svg[onload], style, object, embed, base")
        for node in tree.css("*"):
            assert not any(name.startswith("on") or name == "style" for name in node.attributes)
            assert not (node.attributes.get("href") or "").startswith("javascript:")
        assert "crawl <b>" in tree.css_first("title").text()


def test_only_who_has_the_token_is_answered(served) -> None:  # type: ignore[no-untyped-def]
    assert served.ask("/", token="wrong").status == 403
    assert served.ask("/api/now", token="").status == 403
    assert served.ask(f"/?token={served.token}", token="").status == 303
    assert served.ask(f"/api/now?token={served.token}", token="").status == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", ""])
def test_a_foreign_host_is_refused(served, host: str) -> None:  # type: ignore[no-untyped-def]
    assert served.ask("/", Host=host).status in (400, 421)


def test_every_answer_forbids_what_it_does_not_need(served) -> None:  # type: ignore[no-untyped-def]
    for path in ("/", "/nothing", "/api/now", "/style.css"):
        headers = served.ask(path).headers
        assert "default-src 'none'" in headers["content-security-policy"] and "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "same-origin" and headers["x-content-type-options"] == "nosniff"


def test_a_stored_page_is_shown_and_can_do_nothing(served) -> None:  # type: ignore[no-untyped-def]
    page = served.ask(f"/stored?url={quote(SITE)}/same")
    assert "gold" in page.text and page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    hostile = served.ask(f"/api/pages?q={quote('/p0')}").json["pages"][0]["url"]
    shown_page = served.ask(f"/stored?url={quote(hostile, safe='')}").text
    assert "river" in shown_page and "<script" not in shown_page and "http-equiv" not in shown_page and "<link" not in shown_page
    assert served.ask("/stored?url=http://nobody.example/").status == 404


def test_a_wish_is_a_file_and_only_our_own_pages_may_have_one(served, finished: Path) -> None:  # type: ignore[no-untyped-def]
    assert served.wish(wish="budget", pages=50, back="/rules").headers["location"] == "/rules?said=asked"
    assert served.wish(wish="pause", back="//evil.example").headers["location"] == "/?said=asked"
    assert [wish and (wish.wish, wish.pages) for _, wish in wishes.waiting(finished)] == [("budget", 50), ("pause", 0)]
    assert served.wish(wish="make coffee").status == 400 and served.wish(wish="budget", pages="many").status == 400
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert served.ask("/wish", method="POST", body="wish=pause", Origin=origin).status == 403
    assert served.ask("/wish").status == 405
    for file, _ in wishes.waiting(finished):
        file.unlink()


def test_a_word_about_a_page_is_a_line_for_the_study_of_the_topic(served, finished: Path) -> None:  # type: ignore[no-untyped-def]
    assert served.wish(wish="label", url=f"{SITE}/same", good=1, back="/topic").headers["location"] == "/topic?said=asked"
    assert served.wish(wish="label", url=f"{SITE}/copy", good=0).status == 303
    assert labels.read(finished) == {f"{SITE}/same": True, f"{SITE}/copy": False}
    assert served.wish(wish="label").status == 400
    (finished / "control" / "labels.jsonl").unlink()


def test_what_makes_no_sense_is_one_line(served) -> None:  # type: ignore[no-untyped-def]
    assert served.ask("/nothing").status == 404
    assert served.ask("/api/tree?host=nobody.example").json == {"error": "nobody.example: the crawl has not met this host"}
    assert served.ask("/api/exclude?pattern=(").status == 400
    assert served.ask("/pages?offset=minus").status == 400
    assert served.ask("/url?url=ftp://a.example/").status == 400


def test_a_folder_or_a_port_that_is_none_is_refused(tmp_path: Path, finished: Path) -> None:
    with pytest.raises(BadInput, match="no crawl folder"):
        serve(tmp_path)
    with pytest.raises(BadInput, match="port 99999"):
        serve(finished, 99_999)
