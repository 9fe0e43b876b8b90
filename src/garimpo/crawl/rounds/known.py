"""What a worker must know of the hosts it asks: the URLs fetched and skipped there, and the record of rules.

It passes from round to round as rows that any worker can take up: those of a crawl's state, packed, under the name of their
host. A worker gives back what it changed; of two rows of one name the later round's counts.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from garimpo.crawl.state import fetched, rule_rows, skipped

FETCHED, SKIPPED, RECORD = "fetched", "skipped", "record"
LEARNED = ("dust", "mirror")
"""Skipped for these reasons a URL may come back; of others no worker needs to know."""


class Named(NamedTuple):
    """What a row is about: the same name, the same row."""

    host: str
    kind: str
    name: str


Known = dict[Named, bytes]


def read(db: sqlite3.Connection) -> Known:
    """All rows of a state file.

    Args:
        db: the state of a crawl.
    """
    rows = [(Named(host, FETCHED, str(row[0])), row) for host, *row in fetched.with_host_names(db)]
    rows += [(Named(host, SKIPPED, str(row[0])), row) for host, *row in skipped.with_host_names(db)]
    rows += [(Named(host, RECORD, rule), [rule, *row]) for rule, host, *row in rule_rows.records(db)]
    return {named: msgspec.msgpack.encode(row) for named, row in rows}


def write(db: sqlite3.Connection, rows: Mapping[Named, bytes], ids: Mapping[str, int]) -> None:
    """Put rows into a state file, inside a transaction.

    Args:
        db: the state of a crawl.
        rows: some rows of `read`.
        ids: the ids of their hosts there.
    """
    kinds: dict[str, list[tuple[Any, ...]]] = {FETCHED: [], SKIPPED: [], RECORD: []}
    for named, packed in rows.items():
        first, *rest = msgspec.msgpack.decode(packed)
        kinds[named.kind].append((first, named.host, *rest) if named.kind == RECORD else (ids[named.host], first, *rest))
    fetched.insert(db, kinds[FETCHED])
    skipped.insert(db, kinds[SKIPPED])
    rule_rows.insert_records(db, kinds[RECORD])


def forget(db: sqlite3.Connection, gone: Iterable[Named], ids: Mapping[str, int]) -> None:
    """Take skipped rows that came back out of a state file, inside a transaction.

    Args:
        db: the state of a crawl.
        gone: their names.
        ids: the ids of their hosts there.
    """
    skipped.delete(db, [(ids[named.host], int(named.name)) for named in gone if named.kind == SKIPPED])


def changes(before: Known, after: Known, hosts: Collection[str]) -> list[tuple[Named, bytes | None]]:
    """What is new or other about some hosts; None: the row is gone.

    Args:
        before: the rows that a worker was given.
        after: those it has in the end.
        hosts: those it asked; what it holds of others is somebody else's to change.

    >>> row, other = Named("a.example", SKIPPED, "7"), Named("b.example", SKIPPED, "8")
    >>> changes({row: b"x", other: b"y"}, {}, {"a.example"})
    [(Named(host='a.example', kind='skipped', name='7'), None)]
    """
    made = [(named, row) for named, row in after.items() if before.get(named) != row]
    gone = [(named, None) for named in before if named not in after]
    return [(named, row) for named, row in (*made, *gone) if named.host in hosts]
