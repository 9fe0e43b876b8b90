"""Pages of an older crawl: what is due, what is remembered, over a chain of folders."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from garimpo.archive import Store
from garimpo.crawl import Components, Settings, crawl
from garimpo.crawl.keeping.freshness import DAY, Visits, chances_of_rates, choose, worth
from garimpo.crawl.keeping.revisits import KnownPages
from garimpo.crawl.state import known_rows
from strange import strange_server

PAGES = 8


def visit(out: Path, older: Path | None, server, seeds: int = 0, **given) -> None:
    asked = Settings(
        seeds=[f"http://strange.example/good{number}" for number in range(seeds)], known=str(older) if older else None,
        resolve_all=server.address, allow_private=True, delay=0.0, learn=False, max_depth=0, **given,
    )  # fmt: skip
    crawl(out, asked, Components())


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A crawl whose pages an earlier crawl had fetched; two of them were added later."""
    with strange_server() as server:
        visit(tmp_path / "first", None, server, PAGES - 2)
        visit(tmp_path / "second", tmp_path / "first", server, PAGES)
    return tmp_path / "second"


def known(older: Path, days: float, a_day: int = 0) -> tuple[KnownPages, sqlite3.Connection]:
    """The pages of an older crawl as a new one sees them some days later."""
    with Store.open(older, write=False) as store:
        last = max(time.timestamp() for batch in store.pages(["fetched_at"]) for time in batch.column("fetched_at").to_pylist())
    db = sqlite3.connect(":memory:", isolation_level=None)
    return KnownPages(db, str(older), lambda: last + days * DAY, a_day), db


def test_a_visit_is_remembered_in_the_next_folder(older: Path) -> None:
    _, db = known(older, 1)
    histories = [np.frombuffer(history, np.float32).tolist() for _, _, history in known_rows.histories(db)]
    assert len(histories) == PAGES and sorted(map(len, histories)) == [0, 0] + [1] * (PAGES - 2)
    assert all(seconds < 0 for history in histories for seconds in history)  # none had changed


def test_what_was_never_visited_again_is_due_unless_visits_are_counted(older: Path) -> None:
    pages, _ = known(older, 0.001)
    assert {url for url, _ in pages.due()} >= {f"http://strange.example/good{number}" for number in (PAGES - 1, PAGES - 2)}
    counted, _ = known(older, 1, a_day=3)
    assert len(list(counted.due())) == 3 and len(counted.not_due()) == PAGES - 3
    rested, _ = known(older, 365, a_day=3)
    assert len(list(rested.due())) == PAGES


def test_what_is_not_due_is_not_lost_in_a_chain(older: Path, tmp_path: Path) -> None:
    with strange_server() as server:
        visit(tmp_path / "third", older, server, visits_per_day=1)
    with Store.open(tmp_path / "third", write=False) as store:
        assert store.count() < PAGES
    _, db = known(tmp_path / "third", 1)
    assert len(known_rows.histories(db)) == PAGES


def test_a_table_of_the_first_release_is_carried_on() -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(
        """CREATE TABLE known(key INTEGER PRIMARY KEY, url TEXT, at REAL, etag TEXT, last_modified TEXT, digest INTEGER,
        text_digest INTEGER, content_type TEXT, title TEXT, language TEXT, canonical TEXT, depth INTEGER, every REAL, due REAL)"""
    )
    assert list(known_rows.earlier(db)) == []
    assert known_rows.create(db) and known_rows.histories(db) == [] and known_rows.due(db) == []


def test_visits_go_where_pages_can_be_kept_fresh() -> None:
    dice = np.random.default_rng(3)
    rates = np.repeat([0.002, 0.2, 200.0], 100)  # changes a day: hardly any, some, too many
    page = np.repeat(np.arange(300), 20)
    interval = dice.uniform(0.5, 4.0, len(page))
    changed = dice.uniform(size=len(page)) < -np.expm1(-rates[page] * interval)
    chances = chances_of_rates(Visits(page, interval * DAY, changed), 300)
    values = worth(chances, np.full(300, 3 * DAY))
    chosen = choose(values, 50, dice)
    assert len(set(chosen.tolist())) == 50
    assert ((chosen >= 100) & (chosen < 200)).sum() >= 40
    assert len(choose(values, 300, dice)) == 300
