"""The report of a crawl: a sentence first, then figures that follow from the numbers, down to the rows."""

from pathlib import Path

from crawl.watch.made import SITE, made_crawl, skip_by_rule
from garimpo.cli import app
from garimpo.crawl.watch.report import crawl_report


def test_a_report_says_what_happened_what_failed_and_why_it_ended(tmp_path: Path) -> None:
    page = crawl_report(made_crawl(tmp_path / "crawl", headers=["Authorization: secret"])).html()
    assert "4 answers from" in page and "3 different pages and 1 error." in page and "It ended because all 4 pages" in page
    assert f"{SITE}/missing" in page and "404 not found" in page and "no-learn" not in page
    assert "This crawl does not learn." in page and "secret" not in page
    assert 'lang="en"' in page and "prefers-color-scheme: dark" in page and "@media print" in page


def test_rules_stand_in_words_with_a_true_example(tmp_path: Path) -> None:
    skip_by_rule(made_crawl(tmp_path / "crawl"))
    page = crawl_report(tmp_path / "crawl").html()
    assert "the parameter sid does not count" in page and "5 of 6 equal" in page
    assert '<span class="gone">?sid=7</span>' in page and "saved 1 fetch" in page


def test_the_command_writes_one_page(tmp_path: Path) -> None:
    made_crawl(tmp_path / "crawl")
    assert app.run(["report", str(tmp_path / "crawl"), "--out", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert "<script" not in page and 'src="' not in page and "style=" not in page
