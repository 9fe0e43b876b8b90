"""What a crawl folder says about its crawl, also while it runs: `status` and `skipped`."""

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Learned, Store
from garimpo.archive.folder.state import is_locked
from garimpo.contract.errors import BadInput
from garimpo.contract.results import Result
from garimpo.contract.tables import SKIPPED
from garimpo.crawl.keeping.counting import PageCounts
from garimpo.crawl.learning.pace import facts_of, read_studied
from garimpo.crawl.state import host_rows, meta, queued, rule_rows, schema
from garimpo.crawl.state import skipped as skipped_rows
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.steering import wishes
from garimpo.crawl.watch.journal import Journal
from garimpo.crawl.watch.outlook import outlook
from garimpo.crawl.watch.saturation import saturation
from garimpo.crawl.watch.stored_settings import settings_of

ROWS = 20_000
SHOWN = ("method", "positives", "pages", "words")
"""What is told of a topic model."""


def status(folder: str | Path) -> Result:
    """How far a crawl is, by its last commit.

    Args:
        folder: the crawl folder.
    """
    with Store.open(folder, write=False, fault=find_fault, quick=True) as store:
        store.check()
        return status_of(store)


def status_of(store: Store, journal: Journal | None = None, breakdown: dict[str, Any] | None = None) -> Result:
    """The status of an opened crawl folder.

    Args:
        store: the crawl folder.
        journal: its log, as far as it was read.
        breakdown: what `breakdown_of` said not long ago.
    """
    db = store.database
    if store.database_is_made_up:
        count_tables(store)
    need_crawl(db, store.path)
    seconds = meta.get(db, "seconds", 0.0)
    counts = meta.counts(db)
    rounds = json.loads(meta.get(db, "rounds") or "{}")
    in_rounds = {"rounds": rounds.pop("done"), **rounds} if rounds else {}
    known = {**counts, "different": counts["pages"] - counts["duplicates"], **(breakdown or breakdown_of(db))}
    settings = settings_of(store)
    running = store.writable or is_locked(store.path)
    first = outlook(str(store.path), known, (journal or Journal(store.path)).read(), settings, running, wishes.paused(store.path))
    told = {
        "folder": str(store.path),
        **first,
        **known,
        "focused": bool(settings.topic or settings.positive or settings.sites),
        "harvest": round(counts["on_topic"] / counts["pages"], 4) if counts["pages"] else 0.0,
        "topic": _topic(store.learned),
        "learned": {kind: store.learned.version(kind) for kind in store.learned.kinds()},
        "rules": _rules_in_force(store.learned, "rules"),
        "folds": _rules_in_force(store.learned, "folds"),
        "studied": facts_of(read_studied(store.path), store.count()) if settings.learn else {},
        "dropped_bytes": store.dropped_bytes(),
        "crawl_seconds": round(seconds, 1),
        "pages_per_second": round(counts["stored"] / seconds, 1) if seconds else 0.0,
        **in_rounds,
    }
    return Result(told)


def _topic(learned: Learned) -> dict[str, Any]:
    """The topic model in force: how it was made, and its words; nothing in a crawl without a topic."""
    version = learned.version("topic")
    if version is None:
        return {}
    evidence = learned.evidence("topic")
    return {"version": version, **{name: evidence[name] for name in SHOWN if name in evidence}}


def breakdown_of(db: sqlite3.Connection) -> dict[str, Any]:
    """What must be counted row by row, and so takes a while in a large crawl.

    Args:
        db: the state file.
    """
    return {
        "queued": queued.count(db),
        "postponed": queued.count_postponed(db),
        "hosts": host_rows.count(db),
        "skipped": skipped_rows.count_by_reason(db),
        "checked": skipped_rows.count_checks(db),
        "withdrawn": len(rule_rows.withdrawn(db)),
        "saturation": saturation(db),
    }


def _rules_in_force(learned: Learned, kind: str) -> int:
    return int(learned.evidence(kind).get(kind, 0))


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
        need_crawl(store.database, store.path)
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


def need_crawl(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a folder that was imported, and holds no crawl."""
    if not schema.has_table(db, "queue"):
        raise BadInput(f"{path}: holds tables but no crawl (it was imported)")
