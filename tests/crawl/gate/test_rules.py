"""Learned rules in a crawl: skipped, checked, withdrawn, given back; and folds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from crawl.made import StoredPages, html
from garimpo.archive import Learned
from garimpo.contract.tables import FOLDS
from garimpo.crawl import Components, Settings, crawl, resume, skipped, status
from garimpo.crawl.gate.rule_record import FIRST
from garimpo.dust import RuleSet
from strange import answer, strange_server

SETTINGS: dict[str, Any] = {"delay": 0, "learn": False, "connections_per_address": 4, "scope": "all", "trap_run": 0}
PAGES, COPIES = 12, 6


class WithoutSession:
    """One rule: `?sid=...` says nothing about the page."""

    def __init__(self, path: Path, version: int) -> None:
        self.version = version

    def applies(self, host: str) -> bool:
        return host == "a.example"

    def key(self, url: str) -> str:
        return f"dust:{url.partition('?sid=')[0]}"

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        return [self.key(url) for url in urls], ["no-sid"] * len(urls)

    def rules_on(self, host: str) -> list[str]:
        return ["no-sid"] if self.applies(host) else []


def site(server: Any, same: bool) -> None:
    """Pages linked under several session numbers; with `same` they do not depend on it."""
    links = "".join(f"<a href='/p{page}?sid={sid}'>x</a>" for page in range(PAGES) for sid in range(COPIES))
    server.pages["/"] = answer(f"<html><p>home {links}</html>".encode())
    for page in range(PAGES):
        for sid in range(COPIES):
            text = f"<p>page {page}" if same else f"<p>page {page} as seen under number {sid}"
            server.pages[f"/p{page}?sid={sid}"] = answer(text.encode())


def crawled(out: Path, server: Any, rules: Path) -> list[dict[str, Any]]:
    RuleSet().save(rules)
    settings = Settings(seeds=["http://a.example/"], resolve_all=server.address, rules=str(rules), **SETTINGS)
    crawl(out, settings, Components(keys=WithoutSession))
    return [row for batch in skipped(out) for row in batch.to_pylist()]


def urls(out: Path) -> list[str]:
    return ds.dataset(out / "pages").to_table(columns=["url"]).column("url").to_pylist()


def test_a_true_rule_skips_and_its_checks_agree(tmp_path: Path) -> None:
    with strange_server() as server:
        site(server, same=True)
        rows = crawled(tmp_path / "crawl", server, tmp_path / "rules.json")
    checked = [row for row in rows if row["checked"]]
    assert len(rows) == PAGES * (COPIES - 1) and FIRST <= len(checked) < len(rows) / 2
    assert all(row["equal"] for row in checked) and {row["rule"] for row in rows} == {"no-sid"}
    assert len(urls(tmp_path / "crawl")) == 1 + PAGES + len(checked)
    assert status(tmp_path / "crawl")["withdrawn"] == 0


def test_a_false_rule_is_withdrawn_and_gives_everything_back(tmp_path: Path) -> None:
    with strange_server() as server:
        site(server, same=False)
        rows = crawled(tmp_path / "crawl", server, tmp_path / "rules.json")
    fetched = urls(tmp_path / "crawl")
    assert status(tmp_path / "crawl")["withdrawn"] == 1
    assert len(fetched) == len(set(fetched)) == 1 + PAGES * COPIES
    assert all(row["checked"] for row in rows)


def test_every_url_met_is_fetched_queued_or_skipped_over_a_rollback(tmp_path: Path) -> None:
    with strange_server() as server:
        site(server, same=True)
        crawled(tmp_path / "crawl", server, tmp_path / "rules.json")
        resume(tmp_path / "crawl", {}, Components(keys=WithoutSession), rollback=[("rules", 0)])
    fetched = urls(tmp_path / "crawl")
    assert len(fetched) == len(set(fetched)) == 1 + PAGES * COPIES


def test_rules_published_while_queued_urls_wait_are_taken_up(tmp_path: Path) -> None:
    with strange_server() as server:
        site(server, same=True)
        settings = Settings(seeds=["http://a.example/"], resolve_all=server.address, max_pages=5, **SETTINGS)
        crawl(tmp_path / "crawl", settings, Components(keys=WithoutSession))
        Learned(tmp_path / "crawl" / "learned").publish("rules", "json", lambda path: path.write_text("{}"), {})
        resume(tmp_path / "crawl", {"max_pages": 0}, Components(keys=WithoutSession))
    rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
    fetched = set(urls(tmp_path / "crawl"))
    assert {row["version"] for row in rows} == {1}
    assert len(fetched | {row["url"] for row in rows}) == 1 + PAGES * COPIES
    assert len(fetched) < 1 + PAGES * COPIES


def test_tracking_parameters_are_skipped_where_asked_for(tmp_path: Path) -> None:
    links = "".join(f"<a href='/p{page}?utm_source={copy}'>x</a>" for page in range(PAGES) for copy in range(COPIES))
    with strange_server() as server:
        server.pages["/"] = answer(f"<html><p>home {links}</html>".encode())
        for page in range(PAGES):
            for copy in range(COPIES):
                server.pages[f"/p{page}?utm_source={copy}"] = answer(f"<p>page {page}".encode())
        crawl(tmp_path / "crawl", Settings(seeds=["http://a.example/"], resolve_all=server.address, tracking=True, **SETTINGS))
    rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
    assert len(rows) == PAGES * (COPIES - 1) and all(row["rule"].startswith("parameter-") for row in rows)
    assert len(urls(tmp_path / "crawl")) < 1 + PAGES * COPIES


def guessed(out: Path, max_pages: int) -> list[str]:
    """A crawl that learns after its first page that `sid` may say nothing; the URLs in the order they were asked for."""
    home = "http://a.example/"
    links = [f"{home}p{page}?sid={sid}" for page in range(PAGES) for sid in range(COPIES)]
    pages = [html(home, "".join(f"<a href='{link}'>x</a>" for link in links)), *(html(link, f"<p>{link}") for link in links)]
    stored = StoredPages(pages)
    components = Components(keys=WithoutSession, fetcher=stored, clock=stored.clock)
    crawl(out, Settings(seeds=[home], max_pages=1, **SETTINGS), components)
    Learned(out / "learned").publish("guesses", "json", lambda path: path.write_text("{}"), {})
    resume(out, {"max_pages": max_pages}, components)
    return [url for url, _ in stored.asked if not url.endswith("/robots.txt")]


def test_what_is_only_guessed_to_repeat_a_page_comes_last(tmp_path: Path) -> None:
    fetched = guessed(tmp_path / "crawl", max_pages=0)
    first = {url.partition("?")[0] for url in fetched[1 : PAGES + 8]}  # one in twenty is let through
    assert len(first) == PAGES
    assert len(fetched) == len(set(fetched)) == 1 + PAGES * COPIES
    assert list(skipped(tmp_path / "crawl")) == []


def test_what_is_postponed_when_the_budget_ends_is_still_queued(tmp_path: Path) -> None:
    fetched = guessed(tmp_path / "crawl", max_pages=PAGES + 8)
    known = status(tmp_path / "crawl")
    assert known["queued"] == 1 + PAGES * COPIES - len(fetched)
    assert 0 < known["postponed"] <= known["queued"]


def test_a_folded_host_is_fetched_on_the_host_that_is_kept(tmp_path: Path) -> None:
    with strange_server() as server:
        site(server, same=True)
        for page in range(PAGES):
            server.pages[f"/p{page}"] = answer(f"<p>page {page}".encode())
        links = "".join(f"<a href='http://mirror.example/p{page}'>x</a>" for page in range(PAGES))
        server.pages["/"] = answer(f"<html><p>home {links}</html>".encode())
        settings = Settings(seeds=["http://a.example/"], resolve_all=server.address, max_pages=1, **SETTINGS)
        crawl(tmp_path / "crawl", settings, Components())
        folds = pa.table({"host": ["mirror.example"], "prefix": ["/"], "keep_host": ["b.example"], "keep_prefix": ["/"]}, FOLDS)
        learned = Learned(tmp_path / "crawl" / "learned")
        learned.publish("folds", "parquet", lambda path: pq.write_table(folds, path), {})
        resume(tmp_path / "crawl", {"max_pages": 0}, Components())
    rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist()]
    assert {row["reason"] for row in rows} == {"mirror"} and len(rows) == PAGES
    fetched = urls(tmp_path / "crawl")
    assert {f"http://b.example/p{page}" for page in range(PAGES)} <= set(fetched)
    assert sum(url.startswith("http://mirror.example") for url in fetched) == sum(row["checked"] for row in rows) < PAGES
