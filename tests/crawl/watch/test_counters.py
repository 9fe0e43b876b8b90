"""What a crawl folder says of its learner: in its status and in its report."""

from pathlib import Path

from crawl.watch.made import made_crawl
from garimpo.crawl import status
from garimpo.crawl.learning.pace import FIRST, Studied, write_studied
from garimpo.crawl.watch.report import crawl_report


def test_the_status_says_how_far_behind_the_learner_is_and_why_nothing_came_of_it(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", learn=True)
    rows = status(folder)["studied"]["lag"]
    assert rows >= 4 and status(folder)["studied"]["next_due"] == FIRST
    write_studied(folder, Studied(rows - 1, 1, 0.5, {"rules": "no page was met under two URLs of one site"}))
    told = status(folder)["studied"]
    assert told["lag"] == 1 and told["rounds"] == 1 and told["said"]["rules"].startswith("no page")
    page = crawl_report(folder).html()
    assert "1 rounds of learning took 0.5 s" in page and "no page was met under two URLs of one site" in page


def test_a_crawl_told_not_to_learn_says_so(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c")
    assert status(folder)["studied"] == {}
    assert "The crawl was told not to learn." in crawl_report(folder).html()
