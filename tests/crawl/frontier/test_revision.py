"""What is queued is looked at again: new rules, rules that fail, rules taken back."""

from pathlib import Path

import pytest

from crawl.frontier.test_frontier import OneKey, ask
from crawl.made import MadeFrontier
from garimpo.crawl.components import Identity
from garimpo.crawl.frontier.revision import Rewritten
from garimpo.crawl.gate.rule_record import FIRST
from garimpo.crawl.state import fetched

HOME = "http://a.example/"
URLS = [f"{HOME}x?{number}" for number in range(FIRST + 3)]


@pytest.fixture
def made(tmp_path: Path) -> MadeFrontier:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0)
    made.frontier.add_urls([f"{HOME}x", *URLS])
    made.commit()
    return made


def read(made: MadeFrontier, same: bool) -> list[str]:
    """Ask for all that may be asked; each page shows the same, or another text."""
    rows, found = [], []
    while (entry := made.frontier.pop()) is not None:
        made.frontier.begin(entry)
        made.frontier.release(entry)
        made.frontier.done(entry)
        digest = 7 if same else len(found) + 1
        rows.append((entry.host.id, entry.key, entry.url, float(len(found)), 200, digest, None, None, None, None, None, None))
        found.append(entry.url)
    fetched.insert(made.db, rows)
    return found


def test_rules_that_hold_skip_what_is_queued(made: MadeFrontier) -> None:
    assert made.revision.take_up_rules(OneKey(), 1) == Rewritten(1, 0)  # postponed: the rule is not proven
    assert made.revision.take_up_rules(OneKey(), 1) is None
    assert len(read(made, same=True)) == 1 + FIRST
    made.commit()
    assert made.revision.settle_checks() == [] and made.frontier.queued == 0


def test_a_rule_that_fails_gives_back_what_it_skipped(made: MadeFrontier) -> None:
    made.revision.take_up_rules(OneKey(), 1)
    first = read(made, same=False)
    made.commit()
    (withdrawn,) = made.revision.settle_checks()
    assert (withdrawn.rule, withdrawn.host) == ("no-query", "a.example") and withdrawn.estimate.error == 1.0
    assert sorted(first + read(made, same=False)) == sorted([f"{HOME}x", *URLS])


def test_a_rollback_brings_back_what_was_skipped(made: MadeFrontier) -> None:
    made.revision.take_up_rules(OneKey(), 1)
    first = read(made, same=True)
    made.commit()
    made.revision.settle_checks()
    made.commit()
    changed = made.revision.take_up_rules(Identity(), 0)
    assert changed is not None and changed.hosts == 1
    assert sorted(first + read(made, same=True)) == sorted([f"{HOME}x", *URLS])


def test_a_url_that_owns_a_key_and_fails_is_replaced(made: MadeFrontier) -> None:
    made.revision.take_up_rules(OneKey(), 1)
    owner = ask(made)
    assert owner.url == f"{HOME}x"
    made.frontier.done(owner)
    read(made, same=True)
    made.commit()
    made.frontier.failed(owner)
    made.revision.settle_checks()
    assert made.frontier.queued == 1
