"""A rule that a person withdraws, and restores."""

import sqlite3

from garimpo.crawl.gate.rule_record import RuleRecord
from garimpo.crawl.state import rule_rows, schema


def test_a_rule_is_withdrawn_on_one_host_or_on_all_and_restored() -> None:
    record = RuleRecord()
    for host in ("a.org", "b.org"):
        record.result("r", host, equal=True)
    assert record.set_withdrawn("r", "a.org", True) == ["a.org"] and record.withdrawn("r", "a.org")
    assert record.set_withdrawn("r", "", True) == ["b.org"] and record.set_withdrawn("other", "", True) == []
    db = sqlite3.connect(":memory:")
    schema.create(db)
    record.commit(db)
    assert len(rule_rows.withdrawn(db)) == 2
    assert sorted(record.set_withdrawn("r", "", False)) == ["a.org", "b.org"] and not record.withdrawn("r", "a.org")
