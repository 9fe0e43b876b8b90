"""The frontier carries out what the gate decides."""

from collections.abc import Sequence
from pathlib import Path

from crawl.made import MadeFrontier
from garimpo.crawl.gate.folds import Fold, Folds
from garimpo.crawl.gate.rule_record import FIRST
from garimpo.crawl.state.entry import CHECK, CHECK_SCORE, Entry


class OneKey:
    """One rule: all that follows `?` says nothing about the page."""

    version = 1

    def applies(self, host: str) -> bool:
        return host == "a.example"

    def rules_on(self, host: str) -> list[str]:
        return ["no-query"] if self.applies(host) else []

    def key(self, url: str) -> str:
        return f"dust:{url.partition('?')[0]}"

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        return [self.key(url) for url in urls], ["no-query"] * len(urls)


def ask(made: MadeFrontier) -> Entry:
    """Pop an entry, and have its request begin and end."""
    entry = made.frontier.pop()
    assert entry is not None
    made.frontier.begin(entry)
    made.frontier.release(entry, made.clock.now)
    return entry


def test_a_raised_score_leaves_its_host_among_those_with_sure_urls(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", now=100.0)
    made.frontier.add_urls(["http://a.example/1", "http://a.example/2"], score=0.5)
    ask(made)
    assert made.frontier.bench.sure_hosts == 1
    made.frontier.raise_score("http://a.example/2", CHECK_SCORE)
    assert made.frontier.bench.sure_hosts == 1


def test_a_check_leaves_the_host_of_its_owner_among_those_with_sure_urls(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", now=100.0)
    made.revision.take_up_rules(OneKey(), 1)
    made.frontier.add_urls(["http://a.example/other", "http://a.example/x", "http://a.example/x?1"])
    ask(made)
    assert made.frontier.bench.sure_hosts == 1
    late = next(entry for entry in made.frontier.queues.entries_of(made.frontier.host("a.example")) if entry.postponed)
    decision = made.gate.decide_turn(late)
    assert (decision.action, decision.owner) == ("check", "http://a.example/x")
    made.frontier.raise_score("http://a.example/x", CHECK_SCORE)
    assert made.frontier.bench.sure_hosts == 1


def test_what_an_unproven_rule_would_skip_comes_last_and_as_a_check(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0)
    made.revision.take_up_rules(OneKey(), 1)
    urls = ["http://a.example/x", *(f"http://a.example/x?{number}" for number in range(FIRST + 1)), "http://a.example/y"]
    assert made.frontier.add_urls(urls) == len(urls)
    asked = [ask(made) for _ in range(FIRST + 2)]
    assert [entry.url for entry in asked[:2]] == ["http://a.example/x", "http://a.example/y"]
    assert [entry.kind for entry in asked[2:]] == [CHECK] * FIRST
    assert made.frontier.pop() is None  # the last one is skipped by the rule, now that its checks are out
    made.commit()
    rows = made.db.execute("SELECT url, checked, owner FROM skipped ORDER BY at, url").fetchall()
    assert len(rows) == FIRST + 1 and {owner for _, _, owner in rows} == {"http://a.example/x"}
    assert sum(checked for _, checked, _ in rows) == FIRST


def test_a_folded_url_is_queued_on_the_host_that_is_kept(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0)
    made.revision.take_up_folds(Folds([Fold("b.example", "/", "a.example", "/")], 1), 1)
    made.frontier.add_urls([f"http://b.example/{number}" for number in range(FIRST + 1)])
    made.commit()
    queued = [url for (url,) in made.db.execute("SELECT url FROM queue")]
    assert sum(url.startswith("http://a.example/") for url in queued) == FIRST + 1
    assert sum(url.startswith("http://b.example/") for url in queued) == FIRST  # the first ones are checked
    assert made.frontier.facts()["skipped_mirror"] == 1


def test_another_url_takes_the_place_of_one_that_failed(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0)
    made.revision.take_up_folds(Folds([Fold("b.example", "/", "a.example", "/")], 1), 1)
    made.frontier.add_urls([f"http://b.example/{number}" for number in range(FIRST + 1)])
    made.commit()
    (skipped,) = [url for (url,) in made.db.execute("SELECT url FROM skipped WHERE checked=0")]
    failing = made.frontier.pop()
    while failing is not None and failing.url != skipped.replace("b.example", "a.example"):
        made.frontier.begin(failing)
        made.frontier.release(failing)
        made.frontier.done(failing)
        failing = made.frontier.pop()
    assert failing is not None
    made.frontier.failed(failing)
    made.frontier.done(failing)
    made.frontier.leave(failing)
    made.revision.settle_checks()
    entries = made.frontier.queues.entries_of(made.frontier.host("b.example"))
    assert skipped in [entry.url for entry in entries]


def test_facts_are_told_by_the_frontier_alone(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", max_depth=1)
    made.frontier.add_urls(["http://a.example/"], depth=1)
    made.frontier.add_urls(["http://a.example/deep"], depth=2)
    assert made.frontier.facts() == {"queued": 1, "hosts": 1, "rules_withdrawn": 0, "skipped_scope": 1}
