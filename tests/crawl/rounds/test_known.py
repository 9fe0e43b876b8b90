"""What workers know of hosts: rows that pass from state file to state file."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from garimpo.crawl.rounds import known
from garimpo.crawl.rounds.known import FETCHED, RECORD, SKIPPED, Named
from garimpo.crawl.state import fetched, host_rows, rule_rows, schema, skipped


def made(hosts: dict[str, int]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(db)
    host_rows.insert(db, [(id, name, name, 1.0, 0.0, 0, 0) for name, id in hosts.items()])
    return db


def test_rows_pass_to_another_state_whatever_its_ids() -> None:
    one, other = made({"a.example": 1, "b.example": 2}), made({"b.example": 5, "a.example": 9})
    page = (7, "http://a.example/", 3.5, 200, -12, None, 0.5, None, None, 0.25, None)
    left = (8, "http://b.example/?s=1", "dust:b", "dust", "r1", 2, 4.0, 0, None, "http://b.example/", 1, None, 0.5)
    fetched.insert(one, [(1, *page)])
    skipped.insert(one, [(2, *left)])
    rule_rows.insert_records(one, [("r1", "b.example", 9, 5, 1, 0)])
    rows = known.read(one)
    assert set(rows) == {Named("a.example", FETCHED, "7"), Named("b.example", SKIPPED, "8"), Named("b.example", RECORD, "r1")}
    known.write(other, rows, {"b.example": 5, "a.example": 9})
    assert known.read(other) == rows
    known.forget(other, [Named("b.example", SKIPPED, "8")], {"b.example": 5})
    assert not list(skipped.with_host_names(other))


NAMES = st.builds(Named, st.sampled_from(["a", "b", "c"]), st.sampled_from([FETCHED, SKIPPED, RECORD]), st.sampled_from("12345"))
ROWS = st.dictionaries(NAMES, st.sampled_from([b"x", b"y"]))


@given(before=ROWS, after=ROWS, hosts=st.sets(st.sampled_from(["a", "b", "c"])))
def test_changes_lead_from_before_to_after_on_the_hosts_asked(before: known.Known, after: known.Known, hosts: set[str]) -> None:
    reached = dict(before)
    for named, row in known.changes(before, after, hosts):
        assert named.host in hosts
        if row is None:
            del reached[named]
        else:
            reached[named] = row
    for host in "abc":
        expected = after if host in hosts else before
        assert {named: row for named, row in reached.items() if named.host == host} == {
            named: row for named, row in expected.items() if named.host == host
        }
