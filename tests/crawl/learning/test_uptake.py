"""How what is learned reaches the loop: with fakes for what takes it up, and no process."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from garimpo.archive import Learned
from garimpo.contract.errors import BadInput
from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.components import Components, Identity, KeyMap
from garimpo.crawl.frontier.revision import Rewritten
from garimpo.crawl.gate.rule_record import Estimate
from garimpo.crawl.gate.rules import Withdrawal
from garimpo.crawl.learning import uptake
from garimpo.crawl.learning.pace import FIRST, Studied, next_due, write_studied
from garimpo.crawl.learning.uptake import RESTART_SECONDS, Uptake
from garimpo.crawl.settings import Settings


class FakeStore:
    def __init__(self, folder: Path) -> None:
        self.path, self.learned = folder, Learned(folder / "learned")
        self.logged: list[tuple[str, dict[str, Any]]] = []

    def log(self, event: str, **facts: Any) -> None:
        self.logged.append((event, facts))


class FakeRevision:
    def __init__(self) -> None:
        self.taken: list[tuple[str, int]] = []
        self.withdrawn: list[Withdrawal] = []

    def take_up_rules(self, keys: KeyMap, version: int) -> Rewritten | None:
        self.taken.append(("rules", version))
        return Rewritten(3, 2) if version else None

    def take_up_folds(self, folds: Any, version: int) -> Rewritten | None:
        self.taken.append(("folds", version))
        return None

    def take_up_guesses(self, keys: KeyMap) -> None:
        self.taken.append(("guesses", keys.version))

    def settle_checks(self) -> list[Withdrawal]:
        found, self.withdrawn = self.withdrawn, []
        return found


class FakeReaders:
    reloads = 0

    def reload(self) -> None:
        self.reloads += 1


class FakeProcess:
    """A learner that lives until the test ends it."""

    started: ClassVar[list["FakeProcess"]] = []
    exitcode = 1

    def __init__(self, **arguments: Any) -> None:
        self.alive = False

    def start(self) -> None:
        self.alive = True
        self.started.append(self)

    def is_alive(self) -> bool:
        return self.alive

    def terminate(self) -> None:
        self.alive = False

    def join(self, seconds: float) -> None: ...


class Made:
    def __init__(self, folder: Path, components: Components) -> None:
        self.store, self.revision, self.readers = FakeStore(folder), FakeRevision(), FakeReaders()
        self.clock = SimulatedClock(100.0)
        self.uptake = Uptake(self.store, Settings(), components, self.revision, self.readers, self.clock)

    def publish(self, kind: str) -> None:
        Learned(self.store.learned.folder).publish(kind, "json", lambda path: path.write_text("{}"), {})


def keys(path: Path, version: int) -> KeyMap:
    found = Identity()
    found.version = version
    return found


def test_new_versions_are_taken_up_once_and_readers_reload_for_models(tmp_path: Path) -> None:
    made = Made(tmp_path, Components(keys=keys))
    assert made.revision.taken == [("rules", 0), ("folds", 0), ("guesses", 0)]
    made.publish("rules")
    made.publish("guesses")
    for _ in range(2):
        made.uptake.after_commit(0)
    assert made.revision.taken[3:] == [("rules", 1), ("guesses", 1)] and made.readers.reloads == 0
    made.publish("topic")
    for _ in range(2):
        made.uptake.after_commit(0)
    assert made.readers.reloads == 1
    assert ("learned", {"kind": "rules", "version": 1, "hosts": 3, "left_the_queue": 2}) in made.store.logged


def test_a_file_that_cannot_be_read_is_logged_and_passed_over(tmp_path: Path) -> None:
    def broken(path: Path, version: int) -> KeyMap:
        raise BadInput("damaged")

    made = Made(tmp_path, Components(keys=broken))
    made.publish("rules")
    made.uptake.after_commit(0)
    assert ("rules", 1) not in made.revision.taken
    assert made.store.logged == [("learned", {"kind": "rules", "version": 1, "problem": "damaged"})]


def test_every_round_is_logged_with_the_lag_and_what_came_of_it(tmp_path: Path) -> None:
    made = Made(tmp_path, Components(learner=print))
    made.uptake.after_commit(FIRST - 1)
    write_studied(tmp_path, Studied(30, 1, 0.1, {"rules": "no page was met under two URLs of one site"}))
    for _ in range(2):
        made.uptake.after_commit(0)
    ((event, facts),) = made.store.logged
    assert event == "studied" and facts["lag"] == FIRST - 31 and facts["next_due"] == next_due(30)
    assert facts["said"]["rules"].startswith("no page")


def test_a_withdrawn_rule_is_logged_with_its_error(tmp_path: Path) -> None:
    made = Made(tmp_path, Components())
    made.revision.withdrawn = [Withdrawal("r", "a.example", 1, Estimate(0.5, 0.2, 0.8))]
    made.uptake.after_commit(0)
    assert made.store.logged == [("withdrawn", {"rule": "r", "host": "a.example", "error": 0.5, "low": 0.2, "high": 0.8})]


def test_the_learner_starts_at_page_fifty_and_again_when_it_died(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FakeContext:
        Process = FakeProcess

    monkeypatch.setattr(FakeProcess, "started", [])
    monkeypatch.setattr(uptake.multiprocessing, "get_context", lambda kind: FakeContext)
    made = Made(tmp_path, Components(learner=print))
    made.uptake.after_commit(FIRST - 1)
    assert FIRST == 50 and not FakeProcess.started
    made.uptake.after_commit(1)
    made.uptake.after_commit(1)
    assert len(FakeProcess.started) == 1
    FakeProcess.started[0].alive = False
    made.uptake.after_commit(1)
    assert len(FakeProcess.started) == 1  # not at once
    made.clock.now += RESTART_SECONDS
    made.uptake.after_commit(1)
    assert len(FakeProcess.started) == 2 and made.store.logged == [("learner", {"exit_code": 1, "again": True})]
    made.uptake.close()
    assert not FakeProcess.started[1].alive
