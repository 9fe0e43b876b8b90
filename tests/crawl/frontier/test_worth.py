"""What a fetch is worth: records of shapes, and the order they give."""

from pathlib import Path

import pytest

from crawl.made import MadeFrontier
from garimpo.crawl.frontier.records import Answered, Record
from garimpo.crawl.frontier.shape_records import HostWorth

HOST = "http://a.example"


def test_a_child_counts_as_eight_pages_at_most_in_its_parent() -> None:
    parent = Record()
    crowded, small = Record([parent]), Record([parent])
    for _ in range(100):
        crowded.observe(0.0)
    assert parent.pages == pytest.approx(8.0)
    for _ in range(8):
        small.observe(1.0)
    assert 0.4 < parent.mean() < 0.6


def test_what_was_asked_for_counts_as_nothing_until_it_is_read() -> None:
    worth = HostWorth()
    before = worth.expect(f"{HOST}/x")
    worth.ask(f"{HOST}/x")
    assert worth.expect(f"{HOST}/y") < before
    worth.drop(f"{HOST}/x")
    assert worth.expect(f"{HOST}/y") == before


def test_a_shape_without_pages_is_like_its_parents_less_for_each_parameter() -> None:
    worth = HostWorth()
    assert worth.expect(f"{HOST}/a?x=1&y=2") < worth.expect(f"{HOST}/a?x=1") < worth.expect(f"{HOST}/a")


def test_what_a_parameter_does_is_learned_once_for_all_combinations() -> None:
    worth = HostWorth()
    for number in range(30):
        worth.observe(f"{HOST}/list?page={number}", 1.0)
        worth.observe(f"{HOST}/list?sort={number}", 0.0)
    assert worth.expect(f"{HOST}/other?page=1&sort=2") < 0.3 < worth.expect(f"{HOST}/other?page=1&colour=2")


def test_links_that_pay_are_a_gain_of_the_page_they_stand_on() -> None:
    worth = HostWorth()
    for number in range(10):
        worth.observe(f"{HOST}/list?page={number}", 0.0)
        worth.observe(f"{HOST}/index?letter={number}", 0.0)
        for one in range(8):
            worth.observe(f"{HOST}/{number}/{one}", 1.0, parent=f"{HOST}/list?page={number}")
    assert worth.expect(f"{HOST}/list?page=11") > 0.5 > worth.expect(f"{HOST}/index?letter=11")


def test_pages_of_their_own_spend_a_shape_only_by_leading_to_more() -> None:
    quoted, endless = HostWorth(), HostWorth()
    for number in range(100):
        quoted.observe(f"{HOST}/message/{number}", 0.0, Answered.PAGE)
        brought = endless.observe(f"{HOST}/list/{number}", 0.0, Answered.PAGE)
        endless.lead(brought, 3, 0.1)
    assert endless.is_spent(f"{HOST}/list/101") and not quoted.is_spent(f"{HOST}/message/101")


def test_records_survive_shapes_that_are_learned_again() -> None:
    worth = HostWorth()
    for number in range(15):
        worth.meet(f"{HOST}/page/{number}")
        worth.observe(f"{HOST}/page/{number}", 1.0)
    version = worth.version
    for number in range(40):
        worth.meet(f"{HOST}/login?back={number}")
    assert worth.version > version and worth.expect(f"{HOST}/page/99") > 0.85


def test_a_crawl_turns_to_the_shape_that_pays(tmp_path: Path) -> None:
    frontier = MadeFrontier(tmp_path, 0.0, delay=0.0).frontier
    pages = [f"{HOST}/page/{n}" for n in range(200)]
    forms = [f"{HOST}/edit?page={n}" for n in range(200)]
    frontier.add_urls([url for pair in zip(forms, pages) for url in pair])
    asked = []
    while len(asked) < 150 and (entry := frontier.pop()) is not None:
        frontier.begin(entry)
        frontier.release(entry)
        asked.append(entry.url)
        frontier.answered(entry, 1.0 if "/page/" in entry.url else 0.0)
        frontier.done(entry)
    assert len(asked) == 150 and sum("/page/" in url for url in asked[50:]) > 85


def test_a_link_raises_a_score_and_leaves_the_expected_gain_a_factor(tmp_path: Path) -> None:
    frontier = MadeFrontier(tmp_path, 0.0, delay=0.0).frontier
    for number in range(40):
        frontier.add_urls([f"{HOST}/page/{number}"], score=0.1)
    found = []
    for _ in range(30):
        entry = frontier.pop()
        assert entry is not None
        frontier.begin(entry)
        frontier.release(entry)
        frontier.answered(entry, 1.0)
        frontier.done(entry)
    for entry in frontier.queues.entries_of(frontier.host("a.example")):
        frontier.raise_score(entry.url, 0.8)
        found.append((entry.base, entry.score <= 0.8))
    assert found == [(pytest.approx(0.8), True)] * 10


def asked_with_topic(folder: Path, learn: bool) -> list[str]:
    """A crawl whose scorer thinks well of pages on the topic, and as well of what stands beside them."""
    frontier = MadeFrontier(folder, 0.0, delay=0.0, positive=["a.txt"], learn=learn).frontier
    for number in range(150):
        frontier.add_urls([f"{HOST}/edit?page={number}"], score=0.8)
        frontier.add_urls([f"{HOST}/page/{number}"], score=0.8 if number % 3 else 0.2)
    asked: list[str] = []
    while len(asked) < 250 and (entry := frontier.pop()) is not None:
        frontier.begin(entry)
        frontier.release(entry)
        asked.append(entry.url)
        frontier.answered(entry, 0.5 if "/page/" in entry.url else 0.0)
        frontier.done(entry)
    return asked


def test_with_a_topic_what_brings_nothing_comes_after_all_else_that_is_wanted(tmp_path: Path) -> None:
    plain, learned = asked_with_topic(tmp_path / "plain", False), asked_with_topic(tmp_path / "learned", True)
    is_wanted = {f"{HOST}/page/{number}" for number in range(150) if number % 3}.__contains__
    assert sum(map(is_wanted, learned[:120])) > 90 > 65 > sum(map(is_wanted, plain[:120]))
    assert sum("/edit" in url for url in learned[:160]) < 20  # what is off the topic brings more than a form
    assert sum(map(is_wanted, learned)) == sum(map(is_wanted, plain)) == 100


def test_with_a_topic_its_scores_alone_order_what_brings_something(tmp_path: Path) -> None:
    frontier = MadeFrontier(tmp_path, 0.0, delay=0.0, positive=["a.txt"]).frontier
    scores = {f"{HOST}/{kind}/{number}": (number * 37 % 100) / 100 for number in range(100) for kind in ("page", "list")}
    for url, score in scores.items():
        frontier.add_urls([url], score=score)
    asked = []
    while (entry := frontier.pop()) is not None:
        frontier.begin(entry)
        frontier.release(entry)
        asked.append(scores[entry.url])
        frontier.answered(entry, 0.4 if "/list/" in entry.url else 0.9)
        frontier.done(entry)
    assert asked == sorted(asked, reverse=True)


def test_without_learning_urls_come_as_they_were_met(tmp_path: Path) -> None:
    frontier = MadeFrontier(tmp_path, 0.0, delay=0.0, learn=False).frontier
    urls = [f"{HOST}/{kind}/{n}" for n in range(20) for kind in ("edit", "page")]
    frontier.add_urls(urls)
    asked = []
    while (entry := frontier.pop()) is not None:
        frontier.begin(entry)
        frontier.release(entry)
        asked.append(entry.url)
        frontier.answered(entry, 0.0)
        frontier.done(entry)
    assert asked == urls
