"""Crawls of a server that misbehaves, inside this process."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.dataset as ds

from garimpo.archive import Store
from garimpo.crawl import Components, Settings, crawl, skipped
from strange import Strange, answer, strange_server

SETTINGS: dict[str, Any] = {"delay": 0, "learn": False, "timeout": 2.0, "connect_timeout": 1.0, "max_body": 1_000_000, "tries": 2}


def crawled(out: Path, server: Strange, seeds: tuple[str, ...] = ("http://strange.example/",), **given: Any) -> dict[str, Any]:
    """Crawl the server under a public name; the rows by URL path."""
    settings = Settings(seeds=list(seeds), resolve_all=server.address, **{**SETTINGS, **given})
    crawl(out, settings, Components())
    rows = ds.dataset(out / "pages").to_table().to_pylist()
    assert len(rows) == len({row["url"] for row in rows})
    return {row["url"].removeprefix("http://strange.example"): row for row in rows}


def test_the_crawl_ends_and_keeps_what_was_good(tmp_path: Path) -> None:
    with strange_server() as server:
        rows = crawled(tmp_path / "crawl", server, connections_per_address=16)
    assert all(rows[f"/good{number}"]["status"] == 200 for number in range(10))
    assert rows["/bomb"]["length"] == rows["/endless"]["length"] == 1_000_000
    assert rows["/image"]["error"] == "content type" and rows["/image"]["length"] == 0
    assert rows["/teapot"]["status"] == 418 and rows["/loop"]["status"] == 302
    errors = {name: rows[f"/{name}"]["error"] for name in ("cut", "wrong-length", "reset", "nonsense", "silent", "slow", "flood")}
    assert all(rows[f"/{name}"]["status"] == 0 for name in errors), errors
    assert errors["cut"] == "cut short" and errors["slow"] == "timed out"


def test_a_host_that_asks_for_an_hour_keeps_its_urls_queued(tmp_path: Path) -> None:
    with strange_server() as server:
        seeds = ["http://strange.example/later", "http://other.example/good9"]
        result = crawl(tmp_path / "crawl", Settings(seeds=seeds, resolve_all=server.address, **SETTINGS), Components())
    assert result["ended"] == "what is left must wait" and result["stored"] == result["queued"] == 1
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert [row[0] for row in store.database.execute("SELECT url FROM queue")] == ["http://strange.example/later"]


def test_a_reader_that_dies_costs_its_batch_only(tmp_path: Path) -> None:
    with strange_server() as server:
        settings = Settings(seeds=["http://strange.example/good0"], resolve_all=server.address, workers=1, **SETTINGS)
        crawl(tmp_path / "crawl", settings, Components(judges=deadly_judges))
    rows = {row["url"][-1]: row for row in ds.dataset(tmp_path / "crawl" / "pages").to_table().to_pylist()}
    assert rows["3"]["error"] == "unreadable" and rows["2"]["title"] == "good 2"


class Deadly:
    def read(self, page: Any) -> Any:
        import os

        from garimpo.contract.records import Verdict

        if page.title == "good 3":
            os._exit(9)
        return Verdict()


def deadly_judges(folder: Path) -> list[Any]:
    return [Deadly()]


def test_robots_rules_are_kept_and_written_down(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/robots.txt"] = answer(b"User-agent: *\nDisallow: /good2\nCrawl-delay: 0.05\n", kind="text/plain")
        crawled(tmp_path / "crawl", server, seeds=("http://strange.example/good0",))
        assert server.asked["/good1"] == 1 and server.asked["/good2"] == 0
    rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
    assert [(row["url"], row["reason"]) for row in rows] == [("http://strange.example/good2", "robots")]


def test_robots_that_fail_make_the_host_wait(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/robots.txt"] = answer(b"", status="500 Internal Server Error")
        out = tmp_path / "crawl"
        result = crawl(
            out, Settings(seeds=["http://strange.example/good0"], resolve_all=server.address, **SETTINGS), Components()
        )
        assert result["queued"] == 1 and result["stored"] == 0 and server.asked["/good0"] == 0


def test_no_redirect_or_name_leads_into_the_private_network(tmp_path: Path) -> None:
    with strange_server() as server:
        away = [f"http://127.0.0.1:{server.port}/secret", "http://localhost/secret", "http://[::1]/", "http://10.0.0.1/"]
        links = "".join(f"<a href='{url}'>x</a>" for url in away)
        server.pages["/good0"] = answer(f"<html>{links}<a href=/hop>hop</a></html>".encode())
        server.pages["/hop"] = answer(b"", f"Location: {away[0]}", status="302 Found")
        crawled(tmp_path / "crawl", server, seeds=("http://strange.example/good0",), scope="all")
        assert server.asked["/secret"] == 0
        rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
        assert {(row["url"], row["rule"]) for row in rows} == {(url, "private") for url in away}


def test_a_public_name_that_resolves_to_a_private_address_is_refused(tmp_path: Path) -> None:
    with strange_server() as server:
        (tmp_path / "hosts").write_text("127.0.0.1 rebound.example\n")
        seeds = [f"http://rebound.example:{server.port}/good0", "http://strange.example:1/"]
        settings = Settings(seeds=seeds, hosts=str(tmp_path / "hosts"), **{**SETTINGS, "tries": 1})
        try:
            crawl(tmp_path / "crawl", settings, Components())
        except Exception as error:
            assert "no seed could be reached" in str(error)
        assert not server.asked
    rows = ds.dataset(tmp_path / "crawl" / "pages").to_table().to_pylist()
    assert "private address" in {row["error"] for row in rows}


def test_endless_calendars_and_repeating_paths_are_bounded_and_logged(tmp_path: Path) -> None:
    with strange_server() as server:
        month = iter(range(10_000))

        def calendar() -> bytes:
            number = next(month)
            return answer(f"<p>month {number}<a href='/cal?m={number + 1}'>next</a><a href='/a/b/a/b/a/b/a/b'>r</a>".encode())

        for number in range(10_000):
            server.pages[f"/cal?m={number}"] = calendar
        crawled(tmp_path / "crawl", server, seeds=("http://strange.example/cal?m=0",), trap_run=20)
        assert sum(server.asked.values()) < 30
    log = (tmp_path / "crawl" / "crawl.log").read_text()
    assert '"trap":"endless"' in log and '"trap":"repeated segments"' in log


def test_nofollow_and_noindex_are_honoured(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/good0"] = answer(b"<a href=/good1 rel=nofollow>a</a><a href=/good5>b</a><a href=/good7>c</a>")
        server.pages["/good5"] = answer(b"<p>hidden text<a href=/good6>x</a>", "X-Robots-Tag: noindex, nofollow")
        server.pages["/good7"] = answer(b"<meta name=robots content=noindex><p>secret<a href=/good9>x</a>")
        rows = crawled(tmp_path / "crawl", server, seeds=("http://strange.example/good0",))
    assert set(rows) == {"/good0", "/good5", "/good7", "/good9"}
    assert rows["/good5"]["text"] is None and rows["/good7"]["error"] == "noindex" and rows["/good7"]["warc_file"] is None


def test_sitemaps_and_feeds_are_sources_of_urls(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/robots.txt"] = answer(b"Sitemap: http://strange.example/index.xml\n", kind="text/plain")
        index = b"<sitemapindex><sitemap><loc>http://strange.example/map.xml</loc></sitemap></sitemapindex>"
        server.pages["/index.xml"] = answer(index, kind="application/xml")
        server.pages["/map.xml"] = answer(b"<urlset><url><loc>/good8</loc></url><broken", kind="application/xml")
        server.pages["/start"] = answer(b"<a href=/feed>feed</a>")
        feed = b"<rss><channel><item><link>http://strange.example/good4</link></item></channel></rss>"
        server.pages["/feed"] = answer(feed, kind="application/rss+xml")
        rows = crawled(tmp_path / "crawl", server, seeds=("http://strange.example/start",))
    assert {"/start", "/feed", "/good4", "/good8", "/good9"} <= set(rows)
    assert "/map.xml" not in rows


def test_cookies_headers_and_agent_are_sent_as_asked(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/good0"] = answer(b"<a href=/good9>x</a>", "Set-Cookie: crumb=1")
        given = {"keep_cookies": True, "headers": ["X-Mine: yes"], "user_agent": "pan/2", "contact": "me@example.org"}
        crawled(tmp_path / "crawl", server, seeds=("http://strange.example/good0",), **given)
        last = next(head for head in server.requests if " /good9 " in head)
    assert "X-Mine: yes" in last and "User-Agent: pan/2 (+me@example.org)" in last and "crumb=1" in last


def test_known_pages_are_asked_for_conditionally(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/good0"] = answer(b"<p>first<a href=/good9>x</a>", 'ETag: "one"')
        crawled(tmp_path / "old", server, seeds=("http://strange.example/good0",))
        server.pages["/good0"] = b'HTTP/1.1 304 Not Modified\r\nETag: "one"\r\n\r\n'
        rows = crawled(tmp_path / "new", server, seeds=("http://strange.example/good0",), known=str(tmp_path / "old"))
        asked = next(head for head in reversed(server.requests) if " /good0 " in head)
    assert 'If-None-Match: "one"' in asked
    assert rows["/good0"]["status"] == 304 and rows["/good0"]["digest"] is not None and rows["/good9"]["status"] == 200
    with Store.open(tmp_path / "new", write=False) as store:
        counted = store.database.execute("SELECT value FROM meta WHERE name='count unchanged'").fetchone()
        assert counted == (2,)  # one by its ETag, one by its bytes
        history = dict(store.database.execute("SELECT url, history FROM known"))["http://strange.example/good0"]
    assert len(history) == 4 and np.frombuffer(history, np.float32)[0] < 0  # one visit, not changed
