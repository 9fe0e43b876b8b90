"""The pages of a crawl in a `for` loop."""

from pathlib import Path

import pytest

from garimpo import crawl, webgen
from garimpo.contract import BadInput


@pytest.fixture
def web(tmp_path: Path):  # type: ignore[no-untyped-def]
    webgen.make(tmp_path / "web", "small", seed=3, hosts=20, urls=400, faults=0.0)
    with webgen.serve(tmp_path / "web") as server:
        seeds = (tmp_path / "web" / "seeds.txt").read_text().split()
        yield seeds, {"resolve_all": server.address, "allow_private": True, "scope": "all", "delay": 0.0, "learn": False}


def test_every_page_comes_once_and_the_folder_is_there(tmp_path: Path, web) -> None:  # type: ignore[no-untyped-def]
    seeds, settings = web
    found = [page.url for page in crawl.pages(seeds, out=tmp_path / "crawl", max_pages=60, **settings)]
    assert len(found) == len(set(found)) == crawl.status(tmp_path / "crawl")["stored"] == 60


def test_leaving_the_loop_stops_the_crawl_and_keeps_its_folder(tmp_path: Path, web) -> None:  # type: ignore[no-untyped-def]
    seeds, settings = web
    for page in crawl.pages(seeds, out=tmp_path / "crawl", **{**settings, "delay": 0.2}):
        assert page.status
        break
    assert crawl.status(tmp_path / "crawl")["stored"] >= 1


def test_what_is_wrong_is_said_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="allow_private=True"):
        next(crawl.pages("localhost:1", out=tmp_path / "crawl"))


def test_the_folder_of_another_crawl_is_refused_and_none_of_its_pages_comes(tmp_path: Path, web) -> None:  # type: ignore[no-untyped-def]
    seeds, settings = web
    crawl.crawl(tmp_path / "crawl", crawl.Settings(seeds=seeds, max_pages=3, **settings))
    with pytest.raises(BadInput, match=r"garimpo\.crawl\.resume\("):
        next(crawl.pages(seeds, out=tmp_path / "crawl", **settings))
