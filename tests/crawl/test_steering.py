"""Wishes: files that the loop reads at its commits, fulfils in order, and logs."""

from pathlib import Path

import msgspec
import pytest

from crawl.made import StoredPages, html
from garimpo.crawl import Components, Settings, crawl, resume, status
from garimpo.crawl.steering import wishes
from garimpo.crawl.steering.wishes import Wish

SITE = "http://a.example"
PAGES = 12


def site() -> StoredPages:
    links = "".join(f"<a href='/{'keep' if number % 2 else 'drop'}/{number}'>go</a>" for number in range(PAGES))
    pages = [
        html(f"{SITE}/{'keep' if n % 2 else 'drop'}/{n}", f"<title>{n}</title>page number {n} of its own") for n in range(PAGES)
    ]
    return StoredPages([html(f"{SITE}/", links), *pages])


def run(folder: Path, fetcher: StoredPages, again: bool = False, **settings: object) -> dict[str, object]:
    components = Components(fetcher=fetcher, clock=fetcher.clock)
    if again:
        return resume(folder, {}, components)
    return crawl(folder, Settings(seeds=[f"{SITE}/"], learn=False, strategy="bfs", **settings), components)  # type: ignore[arg-type]


def logged(folder: Path) -> list[dict[str, object]]:
    lines = [msgspec.json.decode(line) for line in (folder / "crawl.log").read_bytes().splitlines()]
    return [line for line in lines if line["event"] == "wish"]


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A crawl that has stored three pages, and has nine queued."""
    run(tmp_path / "c", site(), max_pages=3)
    return tmp_path / "c"


def test_a_larger_budget_is_kept_and_used(begun: Path) -> None:
    wishes.ask(begun, Wish("budget", pages=6))
    result = run(begun, site(), again=True)
    assert result["stored"] == 6 and status(begun)["budget"]["of"] == 6
    assert not list(wishes.waiting(begun)) and logged(begun)[0]["pages"] == 6
    assert "max-pages = 6" in (begun / "crawl.toml").read_text()


def test_an_excluded_pattern_leaves_the_queue_for_good(begun: Path) -> None:
    wishes.ask(begun, Wish("exclude", pattern="/drop/"))
    wishes.ask(begun, Wish("budget", pages=0))
    fetcher = site()
    result = run(begun, fetcher, again=True)
    assert not [url for url, _ in fetcher.asked if "/drop/" in url]
    assert [url for url, _ in fetcher.asked if "/keep/" in url]
    assert result["queued"] == 0 and result["skipped"]["scope"] == logged(begun)[0]["removed"] > 0  # type: ignore[index]
    assert status(begun)["skipped"]["scope"] == logged(begun)[0]["removed"]


def test_what_cannot_be_read_or_done_is_logged_and_goes(begun: Path) -> None:
    wishes.ask(begun, Wish("exclude", pattern="("))
    (begun / "control" / "00.json").write_bytes(b"\xff{")
    (begun / "control" / "01.json").write_text('{"wish": "make coffee"}')
    wishes.ask(begun, Wish("withdraw", rule="no-such-rule"))
    run(begun, site(), again=True)
    told = logged(begun)
    assert [("problem" in line) for line in told] == [True, True, True, False] and not list(wishes.waiting(begun))


def test_who_starts_a_crawl_ends_its_pause(begun: Path) -> None:
    (begun / "control").mkdir(exist_ok=True)
    wishes.set_paused(begun, True)
    assert wishes.paused(begun)
    wishes.ask(begun, Wish("budget", pages=5))
    assert run(begun, site(), again=True)["stored"] == 5 and not wishes.paused(begun)
