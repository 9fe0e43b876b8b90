"""What a crawl folder says about its crawl, also while it runs: `status` and `skipped`."""

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.contract.errors import BadInput
from garimpo.contract.results import Result
from garimpo.contract.tables import SKIPPED
from garimpo.crawl.keeping.counting import PageCounts
from garimpo.crawl.learning.pace import facts_of, read_studied
from garimpo.crawl.state import fetched, host_rows, meta, queued, rule_rows, schema
from garimpo.crawl.state import skipped as skipped_rows
from garimpo.crawl.state.soundness import find_fault

ROWS = 20_000
SHOWN = ("method", "positives", "pages", "words")
"""What is told of a topic model."""


def status(folder: str | Path) -> Result:
    """How far a crawl is, by its last commit.

    Args:
        folder: the crawl folder.
    """
    with Store.open(folder, write=False, fault=find_fault) as store:
        store.check()
        return status_of(store)


def status_of(store: Store) -> Result:
    """The status of an opened crawl folder."""
    db = store.database
    if store.database_is_made_up:
        count_tables(store)
    _need_crawl(db, store.path)
    seconds = meta.get(db, "seconds", 0.0)
    counts = meta.counts(db)
    rounds = json.loads(meta.get(db, "rounds") or "{}")
    in_rounds = {"rounds": rounds.pop("done"), **rounds} if rounds else {}
    told = {
        "folder": str(store.path),
        **counts,
        "queued": queued.count(db),
        "postponed": queued.count_postponed(db),
        "hosts": host_rows.count(db),
        "skipped": skipped_rows.count_by_reason(db),
        "checked": skipped_rows.count_checks(db),
        "withdrawn": len(rule_rows.withdrawn(db)),
        **_topic(store, counts["pages"]),
        "learned": {kind: store.learned.version(kind) for kind in store.learned.kinds()},
        "studied": facts_of(read_studied(store.path), store.count()) if store.settings.get("learn", True) else {},
        "dropped_bytes": store.dropped_bytes(),
        "crawl_seconds": round(seconds, 1),
        "pages_per_second": round(counts["stored"] / seconds, 1) if seconds else 0.0,
        **in_rounds,
    }
    return Result(told)


def _topic(store: Store, pages: int) -> dict[str, Any]:
    """What a crawl with a topic found: pages on topic and their share, and the model in force with its words."""
    if store.learned.version("topic") is None:
        return {}
    found, evidence = fetched.count_on_topic(store.database), store.learned.evidence("topic")
    model = {"version": store.learned.version("topic"), **{name: evidence[name] for name in SHOWN if name in evidence}}
    return {"on_topic": found, "harvest": round(found / pages, 4) if pages else 0.0, "topic": model}


def count_tables(store: Store) -> None:
    """Give a store whose state was made up from its tables the counters they tell.

    Args:
        store: a crawl folder, open to read.
    """
    schema.create(store.database)
    counts = PageCounts()
    for batch in store.pages(["status", "length", "duplicate_of"]):
        for status, length, duplicate in zip(*(column.to_pylist() for column in batch.columns)):
            counts.add_answer(status, length or 0)
            counts["duplicates"] += duplicate is not None
    meta.put_counts(store.database, counts)


def skipped(folder: str | Path) -> Iterator[pa.RecordBatch]:
    """What a crawl did not fetch, and why: batches of the `skipped` table.

    Args:
        folder: the crawl folder.
    """
    with Store.open(folder, write=False, fault=find_fault) as store:
        if store.database_is_made_up:
            schema.create(store.database)
        _need_crawl(store.database, store.path)
        for rows in skipped_rows.shown_rows(store.database, ROWS):
            yield _batch(rows)


def _batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    url, key, reason, rule, version, at, checked, equal = zip(*rows)
    columns = [
        url,
        key,
        reason,
        rule,
        version,
        [datetime.fromtimestamp(when, UTC) for when in at],
        [bool(value) for value in checked],
        [None if value is None else bool(value) for value in equal],
    ]
    return pa.record_batch([pa.array(values, field.type) for values, field in zip(columns, SKIPPED)], schema=SKIPPED)


def _need_crawl(db: sqlite3.Connection, path: Path) -> None:
    if not schema.has_table(db, "queue"):
        raise BadInput(f"{path}: holds tables but no crawl (it was imported)")
