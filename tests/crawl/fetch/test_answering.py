"""A crawl over stored answers: the real loop, its delays and its commits, without a network."""

import itertools
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from crawl.made import StoredPages, html
from garimpo.contract import Fetched
from garimpo.crawl import Components, Settings, crawl, skipped


def page(url: str, *links: str) -> Fetched:
    shown = "".join(f"<a href='{link}'>x</a>" for link in links)
    return html(url, f"<title>{url}</title><p>{url} has a text of its own{shown}")


def crawled(out: Path, pages: list[Fetched], **settings: Any) -> tuple[StoredPages, dict[str, Any]]:
    stored = StoredPages(pages)
    wanted = Settings(seeds=[pages[0].url], scope="all", learn=False, **settings)
    return stored, crawl(out, wanted, Components(fetcher=stored, clock=stored.clock))


def test_a_crawl_runs_over_stored_answers_and_keeps_its_delays(tmp_path: Path) -> None:
    urls = [f"http://a.example/{number}" for number in range(20)]
    pages = [page("http://a.example/", *urls, "http://b.example/"), *map(page, urls), page("http://b.example/")]
    stored, result = crawled(tmp_path / "crawl", pages, delay=30.0)
    times = [at for url, at in stored.asked if url.startswith("http://a.example/")]
    assert len(times) == 1 + len(urls) + 1  # robots.txt too
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= 30.0
    assert result["pages"] == len(pages) and result["ended"] == "nothing left"
    kept = ds.dataset(tmp_path / "crawl" / "pages").to_table(columns=["url", "text"])
    assert sorted(kept["url"].to_pylist()) == sorted(one.url for one in pages) and kept["text"].null_count == 0


def test_stored_robots_files_redirects_and_types_count(tmp_path: Path) -> None:
    pages = [
        page("http://a.example/", "/no/x", "/moved", "/image"),
        Fetched("http://a.example/robots.txt", 200, b"User-agent: *\nDisallow: /no/\n", [("Content-Type", "text/plain")]),
        Fetched("http://a.example/moved", 301, headers=[("Location", "http://c.example/here")]),
        page("http://c.example/here"),
        Fetched("http://a.example/image", 200, b"\x89PNG", [("Content-Type", "image/png")]),
    ]
    _, result = crawled(tmp_path / "crawl", pages, delay=0)
    rows = {row["url"]: row for row in ds.dataset(tmp_path / "crawl" / "pages").to_table().to_pylist()}
    assert rows["http://a.example/image"]["error"] == "content type" and rows["http://c.example/here"]["status"] == 200
    assert result["redirects"] == 1
    refused = [(row["url"], row["reason"]) for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
    assert refused == [("http://a.example/no/x", "robots")]


@pytest.mark.parametrize("workers", [0, 1])
def test_readers_in_other_processes_read_stored_answers_too(tmp_path: Path, workers: int) -> None:
    pages = [page("http://a.example/", *(f"/{number}" for number in range(50)))]
    pages += [page(f"http://a.example/{number}") for number in range(50)]
    settings = Settings(seeds=[pages[0].url], learn=False, delay=0, workers=workers)
    assert crawl(tmp_path / "crawl", settings, Components(fetcher=StoredPages(pages)))["pages"] == 51
