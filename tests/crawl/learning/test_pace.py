"""Loop and learner in step: with a clock of the test's own, and no process."""

from pathlib import Path

from garimpo.crawl.learning.pace import FIRST, LONGEST_WAIT, Pace, Studied, next_due, read_studied, waited_for, write_studied


class Timer:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_rounds_come_at_fifty_rows_and_at_each_quarter_more() -> None:
    due = [0]
    while due[-1] < 2_000:
        due.append(next_due(due[-1]))
    assert due[1:4] == [50, 100, 150] and due[-1] / due[-2] <= 1.25


def test_the_loop_commits_when_a_round_is_due_and_only_then(tmp_path: Path) -> None:
    pace = Pace(tmp_path, 0)
    assert not pace.wants_commit(FIRST - 1) and pace.wants_commit(FIRST)
    pace.committed(FIRST)
    assert not pace.wants_commit(1_000)  # it was committed for already
    write_studied(tmp_path, Studied(FIRST, 1, 0.1))
    assert pace.committed(0) and pace.wants_commit(FIRST)


def test_the_loop_waits_for_a_round_that_is_long_due_until_it_is_done(tmp_path: Path) -> None:
    pace = Pace(tmp_path, 0, Timer())
    pace.committed(FIRST)
    assert not pace.must_wait()
    pace.committed(waited_for(0) - FIRST)
    assert pace.must_wait() and pace.must_wait()
    write_studied(tmp_path, Studied(FIRST, 1, 0.1))
    assert not pace.must_wait() and pace.lag == waited_for(0) - FIRST
    assert pace.committed(0) and not pace.committed(0)  # the round that was waited for is told once


def test_a_learner_that_died_holds_a_crawl_up_for_a_while_only(tmp_path: Path) -> None:
    timer = Timer()
    pace = Pace(tmp_path, 0, timer)
    pace.committed(10 * FIRST)
    assert pace.must_wait()
    timer.now = LONGEST_WAIT + 1
    assert not pace.must_wait() and not pace.must_wait()
    pace.committed(waited_for(10 * FIRST))
    assert pace.must_wait()


def test_a_damaged_note_counts_as_none(tmp_path: Path) -> None:
    write_studied(tmp_path, Studied(7, 1, 0.1))
    (tmp_path / "state/learner/studied.json").write_bytes(b"{")
    assert read_studied(tmp_path) == Studied()
