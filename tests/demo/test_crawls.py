"""The crawl of the demonstration that learns takes turns with its learner: who gets the CPU decides nothing."""

from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.archive import Store
from garimpo.demo import crawls


def test_the_learner_looks_at_all_pages_after_every_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    run = crawls.Rounds.run
    monkeypatch.setattr(crawls.Rounds, "run", lambda rounds: (run(rounds), looks.append(rounds._corpus.rows)))
    webgen.make(tmp_path / "web", "small", seed=3, hosts=20, urls=900, faults=0.0)
    with webgen.serve(tmp_path / "web") as server:
        settings = crawls._settings(tmp_path / "web", server.address, 300, True, 1)
        status = crawls.learn_in_turns(tmp_path / "crawl", settings, 100)
    assert looks == [100, 200] and status["stored"] == 300


def test_what_is_learned_in_one_turn_holds_in_the_next(tmp_path: Path) -> None:
    webgen.make(tmp_path / "web", "small", seed=3, hosts=20, urls=900, faults=0.0)
    with webgen.serve(tmp_path / "web") as server:
        settings = crawls._settings(tmp_path / "web", server.address, 400, True, 1)
        crawls.learn_in_turns(tmp_path / "crawl", settings, 200)
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert store.learned.version("rules") or store.learned.version("guesses")
