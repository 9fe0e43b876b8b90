"""The live line and the numbers of a running crawl, with fakes for its parts."""

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from garimpo.crawl.learning.pace import FIRST, Pace, Studied, write_studied
from garimpo.crawl.state import schema
from garimpo.crawl.watch.progress import Progress, line


def loop(pace: Pace | None, held: bool = False) -> Any:
    database = sqlite3.connect(":memory:")
    schema.create(database)
    learned = SimpleNamespace(evidence=lambda kind: {})
    return SimpleNamespace(
        keeper=SimpleNamespace(counts={"stored": 1_200, "errors": 0, "bytes": 0}, plain_share=1.0),
        fetch=SimpleNamespace(in_flight=3),
        dispatcher=SimpleNamespace(robots_fetched=1),
        frontier=SimpleNamespace(facts=lambda: {"hosts": 2, "queued": 9, "skipped_dust": 4}),
        uptake=SimpleNamespace(pace=pace),
        store=SimpleNamespace(learned=learned, database=database),
        settings=SimpleNamespace(max_pages=0),
        clock=lambda: 70.0,
        started=10.0,
        paused=False,
        is_held=held,
    )


def shown(one: Any) -> str:
    return line(one, Progress()._facts(one), 5.0)


@pytest.fixture
def pace(tmp_path: Path) -> Pace:
    write_studied(tmp_path, Studied(FIRST, 3, 0.1))
    return Pace(tmp_path, FIRST + 1_100)


def test_the_live_line_says_how_far_behind_the_learner_is(pace: Pace) -> None:
    assert shown(loop(pace)).endswith("learner 1,100 behind  skipped: dust 4")
    assert shown(loop(pace, held=True)).endswith("learner 1,100 behind  the learner is waited for  skipped: dust 4")
    known = Progress()._facts(loop(pace))
    assert known["learning_rounds"] == 3 and known["learning_lag"] == 1_100


def test_a_crawl_that_does_not_learn_speaks_of_no_learner() -> None:
    assert "learner" not in shown(loop(None)) and "skipped: dust 4" in shown(loop(None))
