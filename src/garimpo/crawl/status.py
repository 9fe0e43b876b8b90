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
from garimpo.contract.tables import SKIPPED
from garimpo.crawl import queue

ROWS = 20_000


def status(folder: str | Path) -> dict[str, Any]:
    """How far a crawl is, by its last commit."""
    with Store.open(folder, write=False) as store:
        return status_of(store)


def status_of(store: Store) -> dict[str, Any]:
    """The status of an opened crawl folder."""
    db = store.database
    _need_crawl(db, store.path)
    skipped = db.execute("SELECT reason, count(*) FROM skipped WHERE checked=0 GROUP BY reason").fetchall()
    seconds = queue.get_meta(db, "seconds", 0.0)
    counts = queue.counts(db)
    rounds = json.loads(queue.get_meta(db, "rounds") or "{}")
    in_rounds = {"rounds": rounds.pop("done"), **rounds} if rounds else {}
    return {
        "folder": str(store.path),
        **counts,
        "queued": queue.count(db),
        "postponed": db.execute("SELECT count(*) FROM queue WHERE score<0").fetchone()[0],
        "hosts": db.execute("SELECT count(*) FROM hosts").fetchone()[0],
        "skipped": dict(skipped),
        "checked": db.execute("SELECT count(*) FROM skipped WHERE checked>0").fetchone()[0],
        "withdrawn": db.execute("SELECT count(*) FROM trust WHERE withdrawn=1").fetchone()[0],
        "learned": {kind: store.learned.version(kind) for kind in store.learned.kinds()},
        "crawl_seconds": round(seconds, 1),
        "pages_per_second": round(counts["stored"] / seconds, 1) if seconds else 0.0,
        **in_rounds,
    }


def skipped(folder: str | Path) -> Iterator[pa.RecordBatch]:
    """What a crawl did not fetch, and why: batches of the `skipped` table."""
    with Store.open(folder, write=False) as store:
        _need_crawl(store.database, store.path)
        rows = store.database.execute("SELECT url, key, reason, rule, version, at, checked, equal FROM skipped ORDER BY at, url")
        while several := rows.fetchmany(ROWS):
            yield _batch(several)


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
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name='queue'").fetchone():
        raise BadInput(f"{path}: holds tables but no crawl (it was imported)")
