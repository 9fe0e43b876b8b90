"""A crawl in rounds, for crawls beyond one machine: the frontier is a table, and each round is a job of an engine.

Before a round, when enough is new, a worker studies what was kept (`study`). Then the best URLs of the hosts that may be asked
are selected, as many as their delays (and those of their addresses) allow in the time of a round. All URLs of an address go to
one worker, which fetches them with the loop of any crawl (`worker`): learned rules skip, postpone and check there, by what is
known of the hosts (`known`). The URLs met are joined with those seen before, and the new ones pass scope and traps. New versions
of the frontier and of what is known of hosts are written aside, as tables partitioned by host. Then the round is committed in
one transaction of the crawl folder's state file, which lists the workers' pages, links and WARC files: whatever is not listed
never happened.

Invariants: a URL is fetched in one round only; an address is asked by one worker at a time, and not before its delay has
passed, also after a worker or the driver was lost; a killed round is done again from its beginning, and a page is stored once.
The crawl folder must be on a file system that all workers see under the same path.
"""

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import Store
from garimpo.archive.folder import repairing, segments, state
from garimpo.contract.errors import BadInput, GarimpoError, option, spoken
from garimpo.contract.files import fsync
from garimpo.contract.tables import PAGES
from garimpo.crawl.fetch.robots import KEPT_SECONDS
from garimpo.crawl.fetch.waiting import LONG_WAIT
from garimpo.crawl.learning.pace import facts_of, read_studied
from garimpo.crawl.rounds import known, study, tables
from garimpo.crawl.rounds.steps import gate_step, place_step
from garimpo.crawl.rounds.worker import MADE, Task, segment_name, table_of
from garimpo.crawl.run import first_topic_of, prepared, publish_given, with_absolute_paths
from garimpo.crawl.settings import Settings, comments, from_dict, merged
from garimpo.crawl.state import host_rows, meta, schema, skipped
from garimpo.crawl.state.entry import ROBOTS
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch.counters import status_of
from garimpo.engine import Engine
from garimpo.url import host as host_of
from garimpo.url import key64

SECONDS = 300.0
"""How long a round fetches: long against what its joins take, short enough to be done again when the driver is lost."""
MOST = 20_000
"""URLs of one address in a round, where no delay limits them."""
PARTS = 1 << 10
"""Into so many parts the addresses are divided; each worker gets some."""
REFUSED = ("known", "folds", "sites", "max_requests", "max_bytes", "bandwidth", "metrics_port")
Note = Callable[[str], None]


def crawl_rounds(
    out: str | Path, settings: Settings, rounds: int, engine: Engine, note: Note = lambda text: None, seconds: float = SECONDS
) -> dict[str, Any]:
    """Begin a crawl in a new folder and run some rounds; returns its status."""
    settings = prepared(settings)
    _refuse(settings)
    publish_topic = first_topic_of(settings)
    with Store.create(out, settings.to_dict(), comments()) as store:
        publish_given(store, settings, ("rules", "tracking"))
        publish_topic(store)
        return _Rounds(store, settings, engine, note, seconds).run(rounds)


def resume_rounds(
    folder: str | Path,
    rounds: int,
    engine: Engine,
    note: Note = lambda text: None,
    given: dict[str, Any] | None = None,
    seconds: float = SECONDS,
    rollback: Sequence[tuple[str, int]] = (),
) -> dict[str, Any]:
    """Run more rounds of a crawl that `crawl_rounds` began, from its last committed one.

    Args:
        folder: the crawl folder.
        rounds: how many.
        engine: where they run.
        note: is told of each round.
        given: settings that replace the stored ones.
        seconds: how long a round fetches.
        rollback: kinds and versions of what was learned to put in force again.
    """
    with Store.open(folder, fault=find_fault) as store:
        schema.create(store.database)
        if meta.get(store.database, "rounds") is None and meta.get(store.database, "begun"):
            raise BadInput(f"{folder}: not a crawl in rounds (leave out {option('engine', 'spark')} to go on with it)")
        settings = with_absolute_paths(merged(from_dict(store.settings, f"{folder}/crawl.toml"), given or {}))
        _refuse(settings)
        if given:
            store.save_settings(settings.to_dict(), comments())
        for kind, version in rollback:
            store.learned.rollback(kind, version)
            store.log("rollback", kind=kind, version=version)
        publish_given(store, settings, given or {})
        return _Rounds(store, settings, engine, note, seconds).run(rounds)


class _Rounds:
    """The driver of one run."""

    def __init__(self, store: Store, settings: Settings, engine: Engine, note: Note, seconds: float) -> None:
        self._store, self._settings, self._engine, self._note, self._seconds = store, settings, engine, note, seconds
        self._started = time.monotonic()
        schema.create(store.database)
        self._facts: dict[str, Any] = json.loads(meta.get(store.database, "rounds") or "{}")

    def run(self, rounds: int) -> dict[str, Any]:
        if not self._facts:
            self._begin()
        ended = "all rounds done"
        for _ in range(rounds):
            self._study()
            over = self._over() or self._round()
            if over is not None:
                ended = over
                break
        result = {**status_of(self._store), "ended": ended, "seconds": round(time.monotonic() - self._started, 3)}
        if not result["stored"] and not result["queued"] and result["errors"]:
            raise GarimpoError("no seed could be reached")
        return result

    def _over(self) -> str | None:
        settings = self._settings
        if settings.max_pages and meta.counts(self._store.database)["stored"] >= settings.max_pages:
            return "page budget spent"
        if settings.max_seconds and time.monotonic() - self._started >= settings.max_seconds:
            return "time budget spent"
        return None

    def _begin(self) -> None:
        """The seeds as the frontier that round 0 starts with."""
        rows = [(host_of(url), _signed(url), 1.0, 0, url, 0, None, 0, 0, 0, 0) for url in self._settings.seeds]
        judged = self._engine.table(gate_step(self._settings, table_of(rows, tables.QUEUED)))
        queued = self._engine.sql(tables.ADMITTED, judged=judged)
        nothing = {name: self._engine.table(schema.empty_table()) for name, schema in _STATE.items()}
        outside = self._engine.sql(tables.OUTSIDE, judged=judged)
        seen = self._engine.sql(tables.KEYS, queued=judged)
        self._save(0, {**nothing, "frontier": queued, "seen": seen, "skipped": outside})
        with self._store.commit() as db:
            self._put_skipped(db, 0)
            self._tell(db, {"done": 0, "queued": self._engine.count(queued)})

    def _study(self) -> None:
        """Let a worker learn from what was kept, when enough is new."""
        store = self._store
        if not self._settings.learn or not study.is_due(store.path, store.count()):
            return
        task = study.StudyTask(store.path.absolute())
        said = self._engine.collect(
            self._engine.group_map(self._engine.table(study.INPUT), ["part"], task, tables.DONE, python_bound=True)
        )
        store.learned.refresh()
        store.log("studied", **facts_of(read_studied(store.path), store.count()))
        told = json.loads(said["figures"][0].as_py())
        self._note("learned: " + "; ".join(f"{kind}: {why}" for kind, why in told.items()))

    def _round(self) -> str | None:
        """One round, from selection to commit; why the crawl is over instead, if it is."""
        repairing.repair(self._store.path, self._store.database, check=False)  # what lost workers left aside
        number, began = self._facts["done"], time.time()
        task = Task(self._store.path.absolute(), number, self._settings, self._seconds)
        given, selected, count = self._select(number, began)
        if not count:
            return "what is left must wait" if self._facts["queued"] else "nothing left"
        ended = self._engine.collect(self._engine.group_map(given, ["part"], task, tables.DONE, python_bound=True))
        done = {row["task"]: json.loads(row["figures"]) for row in ended.to_pylist()}
        figures = self._join(task, selected, list(done))
        self._commit(task, done, figures, time.time() - began)
        stored = sum(one["counts"].get("stored", 0) for one in done.values())
        self._note(f"round {number + 1}: {count:,} selected, {stored:,} stored, {figures['queued']:,} queued")
        return None

    def _select(self, number: int, now: float) -> tuple[Any, Any, int]:
        engine, settings = self._engine, self._settings
        frontier, hosts = self._table(number, "frontier"), self._table(number, "hosts")
        waiting = engine.sql(tables.WAITING_HOSTS.format(until=now + LONG_WAIT), frontier=frontier, hosts=hosts)
        placed = engine.map(waiting, partial(place_step, settings, PARTS), tables.PLACED)
        left = settings.max_pages - meta.counts(self._store.database)["stored"]
        query = tables.SELECT.format(
            delay=float(settings.delay),
            seconds=float(self._seconds),
            most=MOST,
            per_host=settings.max_pages_per_host,
            per_site=settings.max_pages_per_site,
            of_address=max(1.0, self._seconds / settings.delay) if settings.delay else MOST,
            sure=tables.SURE if settings.max_pages else "",
            limit=f"order by score desc, seq, key limit {left}" if settings.max_pages else "",
        )
        selected = engine.sql(query, frontier=frontier, placed=placed, hosts=hosts)
        told = {"robots": self._table(number, "robots"), "hosts": hosts, "known": self._pieces(number, "known")}
        told["pages"] = self._pages()
        give = tables.GIVE.format(robots=ROBOTS, oldest=now - KEPT_SECONDS)
        return engine.sql(give, selected=selected, **told), selected, engine.count(selected)

    def _join(self, task: Task, selected: Any, tokens: list[str]) -> dict[str, Any]:
        """What the workers met, with what is known: the next versions of all tables, aside; figures about them."""
        engine, number = self._engine, task.number
        homes = [task.home / "tasks" / token for token in tokens]
        made = {name: engine.table([home / f"{name}.parquet" for home in homes]) for name in MADE}
        seen = self._pieces(number, "seen")
        judged = engine.map(engine.sql(tables.NEW, met=made["met"], seen=seen), partial(gate_step, self._settings), tables.JUDGED)
        given = {name: made[name] for name in ("met", "still")}
        frontier = engine.sql(
            tables.FRONTIER, frontier=self._table(number, "frontier"), selected=selected, judged=judged, **given
        )
        oldest = time.time() - KEPT_SECONDS
        newer = {
            "frontier": frontier,
            "hosts": engine.sql(tables.NEWER_HOSTS, hosts=self._table(number, "hosts"), asked=made["asked"]),
            "robots": engine.sql(
                tables.NEWER_ROBOTS.format(oldest=oldest), robots=self._table(number, "robots"), read=made["read"]
            ),
            "seen": engine.sql(tables.KEYS, queued=judged),
            "known": engine.sql("select * from known", known=made["known"]),
            "skipped": engine.sql(tables.OUTSIDE, judged=judged),
        }
        self._save(number + 1, newer)
        return {"done": number + 1, "queued": engine.count(newer["frontier"])}

    def _commit(self, task: Task, done: dict[str, Any], figures: dict[str, Any], seconds: float) -> None:
        counts = Counter(meta.counts(self._store.database))
        rows: dict[str, int] = {}
        lengths: dict[str, int] = {}
        for token, one in done.items():
            counts.update(one["counts"])
            lengths.update(one["warcs"])
            rows |= {segment_name(kind, task.number, token): number for kind, number in one["rows"].items()}
        with self._store.commit() as db:
            state.list_segments(db, self._store.path, rows)
            db.executemany("INSERT INTO warcs VALUES (?, ?)", lengths.items())
            meta.put_counts(db, counts)
            meta.put(db, "seconds", meta.get(db, "seconds", 0.0) + seconds)
            self._put_hosts(db, [task.home / "tasks" / token / "asked.parquet" for token in done])
            self._put_skipped(db, task.number + 1)
            self._tell(db, figures)
        segments.finish(self._store.path, list(rows))
        self._forget(task.number)

    def _put_hosts(self, db: Any, files: list[Path]) -> None:
        """Write down, for those who look, how the hosts are that were asked."""
        for name, site, _, *rest in _rows_of(files):
            row = host_rows.named(db, name)
            host_rows.insert(db, [(row.id if row is not None else host_rows.last_id(db) + 1, name, site, *rest)])

    def _put_skipped(self, db: Any, number: int) -> None:
        """Write down, for those who look, what the round skipped, and the record of the rules."""
        home = self._home(number)
        now = time.time()
        outside = sorted((home / "skipped").glob("*.parquet"))
        skipped.insert(
            db,
            (
                (0, key, url, None, reason, rule, None, now, 0, None, None, 0, parent, 0.0)
                for url, key, reason, rule, parent in _rows_of(outside)
            ),
        )
        for host, kind, name, body, _ in _rows_of(sorted((home / "known").glob("*.parquet"))):
            if kind == known.FETCHED:
                continue
            named, row = known.Named(host, kind, name), host_rows.named(db, host)
            ids = {host: row.id if row is not None else 0}
            if body is None:
                known.forget(db, [named], ids)
            else:
                known.write(db, {named: body}, ids)

    def _tell(self, db: Any, facts: dict[str, Any]) -> None:
        meta.put(db, "rounds", json.dumps(facts))
        meta.put(db, "begun", 1)
        self._facts = facts

    def _home(self, number: int) -> Path:
        return self._store.path / "state" / "rounds" / f"{number:06d}"

    def _pages(self) -> Any:
        """The pages kept, which later ones are compared with; none in a crawl that does not learn."""
        files = self._store.page_files() if self._settings.learn else []
        names = ["url", "host", "fetched_at", "status", "title", "text", "duplicate_of"]
        nothing = pa.schema([PAGES.field(name) for name in names]).empty_table()
        return self._engine.table([str(file) for file in files], names) if files else self._engine.table(nothing)

    def _table(self, number: int, name: str) -> Any:
        return self._read(name, sorted(self._home(number).joinpath(name).glob("*.parquet")))

    def _pieces(self, number: int, name: str) -> Any:
        """All pieces of a table that grows by one a round."""
        homes = [self._home(n) / name for n in range(number + 1)]
        return self._read(name, [path for home in homes for path in sorted(home.glob("*.parquet"))])

    def _read(self, name: str, files: list[Path]) -> Any:
        return self._engine.table(files) if files else self._engine.table(_STATE[name].empty_table())

    def _save(self, number: int, versions: dict[str, Any]) -> None:
        """Write the tables that the next round starts from; what a killed try left there goes first."""
        home = self._home(number)
        for name, data in versions.items():
            folder = home / name
            _remove(folder)
            self._engine.save(data, folder.absolute(), by=["host"] if name in ("frontier", "hosts", "robots") else [])
            for path in folder.rglob("*.parquet"):
                fsync(path)

    def _forget(self, number: int) -> None:
        """The round is committed: what it started from is not needed again, but for the pieces of tables that grow."""
        for name in ("frontier", "hosts", "robots", "tasks", "leases"):
            _remove(self._home(number) / name)


_STATE: dict[str, pa.Schema] = {
    "frontier": tables.QUEUED, "hosts": tables.HOSTS, "robots": tables.ROBOTS, "seen": tables.SEEN, "known": tables.KNOWN,
    "skipped": tables.SKIPPED,
}  # fmt: skip


def _refuse(settings: Settings) -> None:
    usual = Settings()
    for name in REFUSED:
        if getattr(settings, name) != getattr(usual, name):
            raise BadInput(
                f"{spoken(name, '--' + name.replace('_', '-'))}: not in a crawl in rounds ({option('engine', 'spark')})"
            )


def _rows_of(files: Sequence[Path]) -> Iterator[tuple[Any, ...]]:
    """The rows of some tables, streamed."""
    for path in files:
        for batch in pq.ParquetFile(path).iter_batches():
            yield from zip(*(column.to_pylist() for column in batch.columns))


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _signed(url: str) -> int:
    return schema.signed(key64(url))
