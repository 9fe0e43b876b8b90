"""The live line and the numbers of a running crawl, with fakes for its parts."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from garimpo.crawl.learning.pace import FIRST, Pace, Studied, write_studied
from garimpo.crawl.watch.progress import facts, line


def loop(pace: Pace | None, held: bool = False) -> Any:
    return SimpleNamespace(
        keeper=SimpleNamespace(counts={"stored": 1_200}, plain_share=1.0),
        fetch=SimpleNamespace(in_flight=3),
        dispatcher=SimpleNamespace(robots_fetched=1),
        frontier=SimpleNamespace(facts=lambda: {"hosts": 2, "queued": 9, "postponed": 1, "skipped_dust": 4}),
        uptake=SimpleNamespace(pace=pace),
        clock=lambda: 70.0,
        started=10.0,
        is_held=held,
    )


@pytest.fixture
def pace(tmp_path: Path) -> Pace:
    write_studied(tmp_path, Studied(FIRST, 3, 0.1))
    return Pace(tmp_path, FIRST + 1_100)


def test_the_live_line_says_how_far_behind_the_learner_is(pace: Pace) -> None:
    assert line(loop(pace), 5.0).endswith("skipped: dust 4  learner 1,100 behind")
    assert line(loop(pace, held=True), 5.0).endswith("learner 1,100 behind, waited for")
    assert facts(loop(pace))["learning_rounds"] == 3 and facts(loop(pace))["learning_lag"] == 1_100


def test_a_crawl_that_does_not_learn_speaks_of_no_learner() -> None:
    assert line(loop(None), 5.0).endswith("skipped: dust 4")
    assert "learning_lag" not in facts(loop(None))
