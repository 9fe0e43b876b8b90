"""A spider with the add-on, over real sockets: it ends, asks for less, and loses nothing."""

import signal
from pathlib import Path

import pytest

from garimpo.crawl import status
from integrations.scrapy.made import ADDON, Site, crawl, crawl_until, result, serving

pytest.importorskip("scrapy")

PAGES = 60


def test_a_spider_ends_where_plain_scrapy_does_not(tmp_path: Path) -> None:
    with serving(Site(PAGES)) as site:
        found = crawl(site, tmp_path / "with.jl", ADDON)
        asked = len(site.asked)
        plain = crawl(site, tmp_path / "plain.jl", {"CLOSESPIDER_PAGECOUNT": 3 * asked})
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert plain.stats["reason"] == "closespider_pagecount" and len(plain.items) > 2 * asked
    assert found.stats["garimpo/rules"] >= 1 and found.stats["garimpo/skipped/dust"] > PAGES
    assert found.stats["garimpo/checks/equal"] >= 1 and found.stats["garimpo/checks/different"] == 0


def test_rules_that_are_given_count_from_the_first_page(tmp_path: Path) -> None:
    settings = {**ADDON, "GARIMPO_TRACKING": True, "GARIMPO_LEARN": False}
    with serving(Site(PAGES, "utm_source")) as site:
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert len(site.asked) < 2 * PAGES
    assert found.stats["garimpo/skipped/dust"] > PAGES


def test_a_rule_that_fails_its_checks_is_withdrawn_and_gives_everything_back(tmp_path: Path) -> None:
    settings = {**ADDON, "GARIMPO_TRACKING": True, "GARIMPO_LEARN": False}
    with serving(Site(PAGES, "utm_source", matters=True)) as site:
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert len(site.asked) <= 3 * PAGES + 1  # Scrapy itself does not note the first URL as seen
    assert found.stats["garimpo/rules/withdrawn"] == 1 and found.stats["garimpo/checks/different"] >= 1


def test_what_a_spider_keeps_from_us_is_never_skipped(tmp_path: Path) -> None:
    settings = {**ADDON, "GARIMPO_TRACKING": True, "GARIMPO_LEARN": False, "untouched": "meta", "CLOSESPIDER_PAGECOUNT": 200}
    with serving(Site(20, "utm_source")) as site:
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["reason"] == "closespider_pagecount" and "garimpo/skipped/dust" not in found.stats


def test_a_stopped_job_goes_on_with_its_rules(tmp_path: Path) -> None:
    settings = {**ADDON, "JOBDIR": str(tmp_path / "job")}
    rules = tmp_path / "job" / "garimpo" / "learned" / "rules"
    with serving(Site(10 * PAGES)) as site:
        crawl_until(site, tmp_path / "out.jl", settings, lambda: rules.is_dir() and any(rules.iterdir()))
        before = result(tmp_path / "out.jl")
        found = crawl(site, tmp_path / "out.jl", settings)
    assert len(before.names(site)) < 10 * PAGES
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert len(site.asked) < 4 * 10 * PAGES


def test_a_killed_job_keeps_what_it_learned(tmp_path: Path) -> None:
    settings = {**ADDON, "JOBDIR": str(tmp_path / "job")}
    rules = tmp_path / "job" / "garimpo" / "learned" / "rules"
    with serving(Site(10 * PAGES)) as site:
        seen = lambda: rules.is_dir() and any(rules.iterdir())  # noqa: E731
        crawl_until(site, tmp_path / "out.jl", settings, seen, signal.SIGKILL)
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["garimpo/rules"] >= 1
    assert found.stats["reason"] == "finished"


def test_a_crawl_folder_is_kept_beside_the_items(tmp_path: Path) -> None:
    with serving(Site(PAGES)) as site:
        found = crawl(site, tmp_path / "out.jl", {**ADDON, "GARIMPO_FOLDER": str(tmp_path / "crawl")})
    told = status(tmp_path / "crawl")
    assert told["stored"] >= len(found.items) >= PAGES
    assert list((tmp_path / "crawl" / "warc").iterdir())


def test_pages_that_repeat_others_say_so(tmp_path: Path) -> None:
    with serving(Site(20)) as site:
        settings = {**ADDON, "GARIMPO_NEAR": True, "GARIMPO_LEARN": False, "CLOSESPIDER_PAGECOUNT": 60}
        found = crawl(site, tmp_path / "out.jl", settings)
    repeats = [item for item in found.items if item["of"] is not None]
    assert len(repeats) == len(found.items) - len(found.names(site)) == found.stats["garimpo/near"]
    assert all(site.name(item["of"]) == site.name(item["url"]) for item in repeats)


def test_links_towards_the_topic_are_followed_first(tmp_path: Path) -> None:
    site = Site(PAGES)
    on_topic = [f"/p/{number}" for number in range(10)]
    (tmp_path / "good").mkdir()
    for target in on_topic:
        (tmp_path / "good" / f"{target[3:]}.html").write_text(site.html(target))
    settings = {**ADDON, "GARIMPO_POSITIVE": str(tmp_path / "good"), "CLOSESPIDER_PAGECOUNT": 40}
    with serving(site):
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["garimpo/harvest"] >= 1
