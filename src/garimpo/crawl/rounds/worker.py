"""A worker's part of a round: the very loop of a crawl over a scratch folder, which fetches what it is given and queues nothing.

What it stored goes into the crawl folder under names of its own, aside; what it learned of hosts, and every URL it met, stands in
files of the round. The driver lists them in its commit, so the files of a worker that was lost are as if never written.
A worker holds a *lease* on its part. The one that comes after it takes the lease away and waits for the longest delay of its
hosts; the earlier one, should it still run, sees that within a turn of its loop and stops.
"""

import json
import shutil
import sqlite3
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo.archive import Store
from garimpo.archive.folder import segments, state
from garimpo.contract.files import fsync
from garimpo.contract.records import Page
from garimpo.crawl.components import Components, PageIndex
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.gate.gate import Found
from garimpo.crawl.loop import Loop
from garimpo.crawl.rounds import known, tables
from garimpo.crawl.rounds.lease import Lease
from garimpo.crawl.rounds.study import copy_in_force
from garimpo.crawl.run import default_components
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import host_rows, meta, queued, schema
from garimpo.crawl.state.entry import PAGE, ROBOTS, Entry
from garimpo.crawl.state.seen import SeenSet
from garimpo.page import text_digest
from garimpo.url import host as host_of
from garimpo.url import site as site_of

UNKNOWN_DEPTH = 1 << 30
"""The depth of a URL that was met again with a better score: its first meeting says how deep it is."""
PATIENCE = 1.5
"""After so many times the length of a round a worker ends; what it has not reached stays queued."""


NO_URLS = (ROBOTS, tables.KNOWN_ROW, tables.KNOWN_TEXT)
"""Kinds of rows given that are no URL to fetch."""
TEXTS = 500
"""So many pages at a time are taken into an index."""
KEYED_BY_NONE = -1
"""No version of rules: all that is known of the hosts is looked at by those in force, if only to bring back what they skipped."""


MADE = ("met", "still", "asked", "read", "known")
"""What a worker writes down beside pages, links and records: URLs met, URLs it has not done, hosts, robots.txt, and what it
knows of its hosts now."""


@dataclass(frozen=True)
class Task:
    """What all workers of a round are given."""

    folder: Path
    number: int
    settings: Settings
    seconds: float

    @property
    def home(self) -> Path:
        """Where the files of the round stand."""
        return self.folder / "state" / "rounds" / f"{self.number:06d}"

    def __call__(self, given: pa.Table) -> pa.Table:
        """Fetch some whole parts; a row of `DONE`."""
        token = uuid.uuid4().hex[:16]
        lease = Lease(self.home / "leases", sorted(set(given.column("part").to_pylist())), token)
        lease.take()
        with tempfile.TemporaryDirectory(prefix="garimpo-round-") as scratch:
            folder = Path(scratch) / "crawl"
            _prepare(folder, given)
            copy_in_force(self.folder / "learned", folder / "learned")
            with Store.open(folder) as store:
                before = known.read(store.database)
                with _loop(store, self, _texts(given)) as loop:
                    # names that no other worker uses, for records that will lie beside theirs
                    store.warc.number = int(f"{self.number:06d}{int(token, 16) % 10**12:012d}")
                    loop.run(lambda running: lease.check(_longest_delay(running), running.clock()))
                    figures = _deliver(self, store, loop, given, before, token)
        return pa.table({"task": [token], "figures": [json.dumps(figures)]}, schema=tables.DONE)


class RoundFrontier(Frontier):
    """A frontier that writes down what is met instead of queueing it: the driver joins that with what others met.

    With a budget in pages it leaves what is postponed to a later round, as long as there is anything else.
    """

    def __init__(self, settings: Settings, db: sqlite3.Connection, seen: SeenSet, *parts: Any, thrifty: bool = False) -> None:
        self.links_met: list[tuple[Any, ...]] = []
        self.left: list[Entry] = []
        """What was postponed, for a later round."""
        self._leaves = thrifty and queued.count_postponed(db) < queued.count(db)
        super().__init__(settings, db, seen, *parts)

    def enter(self, found: Sequence[Found], *, kind: int = PAGE, hops: int = 0, seeds: bool = False) -> int:
        for one in found:
            above = one.parent.url if one.parent is not None else None
            self.links_met.append((one.host, one.key, one.score, 0, one.url, one.depth, above, 0, hops, kind, one.run))
        return 0

    def _uses_turn(self, entry: Entry) -> bool:
        if not (entry.postponed and self._leaves):
            return super()._uses_turn(entry)
        self.left.append(entry)
        self.queues.done(entry)
        return False

    def _raise_score(self, url: str, key: int, score: float) -> None:
        super()._raise_score(url, key, score)
        self.links_met.append((host_of(url) or "", key, score, 0, url, UNKNOWN_DEPTH, None, 0, 0, PAGE, 0))


class _Forgetful(dict[bytes, tuple[str, str, str, int]]):
    """No list of bodies is kept, so each answer is stored whole: a reference to another worker's record could not be followed."""

    def __setitem__(self, digest: bytes, place: tuple[str, str, str, int]) -> None:
        pass


def table_of(rows: Sequence[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table.

    >>> table_of([(7,)], tables.SEEN).to_pylist()
    [{'key': 7}]
    """
    columns = list(zip(*rows)) if rows else [()] * len(schema)
    return pa.table([pa.array(values, field.type) for values, field in zip(columns, schema)], schema=schema)


def _prepare(folder: Path, given: pa.Table) -> None:
    """A crawl folder that looks as if its crawl had been stopped with just these URLs queued."""
    rows = given.filter(pc.not_equal(given["kind"], tables.KNOWN_TEXT)).to_pylist()
    urls = [row for row in rows if row["kind"] not in NO_URLS]
    urls = [{**row, "seq": place} for place, row in enumerate(sorted(urls, key=lambda row: (row["seq"], row["key"])), 1)]
    hosts = {row["host"]: row for row in urls}
    state_rows = {
        known.Named(row["host"], row["url"], row["parent"]): row["body"] for row in rows if row["kind"] == tables.KNOWN_ROW
    }
    others = sorted({named.host for named in state_rows} - hosts.keys())
    names = {name: number for number, name in enumerate([*hosts, *others], 1)}
    lines = [f"{row['address']} {name}\n" for name, row in hosts.items() if row["address"] and row["address"] != name]
    folder.parent.joinpath("hosts").write_text("".join(lines))
    with Store.create(folder) as store:
        schema.create(store.database)
        with state.transaction(store.database) as db:
            host_rows.insert(
                db,
                [
                    (names[name], name, row["site"] or site_of(name), row["delay"], row["next_at"], row["fetched"], row["errors"])
                    for name, row in hosts.items()
                ]
                + [(names[name], name, site_of(name), 0.0, 0.0, 0, 0) for name in others],
            )
            known.write(db, state_rows, names)
            meta.put(db, "rules version", KEYED_BY_NONE)
            columns = queued.ENTRY.split(", ")
            queued.insert(db, [(names[row["host"]], *(row[column] for column in columns), 1.0) for row in urls])
            robots = [(row["url"], row["at"], row["status"], row["body"]) for row in rows if row["kind"] == ROBOTS]
            host_rows.insert_robots(db, robots)


@contextmanager
def _loop(store: Store, task: Task, texts: Sequence[Page]) -> Iterator[Loop]:
    store.warc.fresh = _Forgetful()
    settings = msgspec.structs.replace(
        task.settings, learn=False, workers=0, max_pages=0, max_seconds=task.seconds * PATIENCE, metrics_port=0,
        hosts=str(store.path.parent / "hosts"), max_pages_per_host=0, max_pages_per_site=0,
    )  # fmt: skip
    loop = Loop(store, settings, _components(task, texts), partial(RoundFrontier, thrifty=bool(task.settings.max_pages)))
    try:
        yield loop
    finally:
        loop.close()


def _texts(given: pa.Table) -> list[Page]:
    """The pages that were kept of the hosts asked, oldest first."""
    rows = given.filter(pc.equal(given["kind"], tables.KNOWN_TEXT)).sort_by([("host", "ascending"), ("seq", "descending")])
    columns = (rows[name].to_pylist() for name in ("url", "parent", "text"))
    return [Page(url, title, text, text_digest=text_digest(text)) for url, title, text in zip(*columns)]


def _components(task: Task, texts: Sequence[Page]) -> Components:
    """Rules, judges and scorer by what the crawl folder has learned, and an index that knows some pages; nothing here learns."""
    components = default_components(task.settings)
    index, sketcher = components.index, components.sketcher
    if index is not None and sketcher is not None:

        def filled(folder: Path) -> PageIndex:
            made, sketch = index(folder), sketcher().sketch
            for first in range(0, len(texts), TEXTS):
                some = texts[first : first + TEXTS]
                made.ask([page.url for page in some], sketch(some))
            return made

        components.index = filled
    learned = task.folder / "learned"
    judges, scorer = components.judges, components.scorer
    if judges is not None:
        components.judges = lambda _: judges(learned)
    if scorer is not None:
        components.scorer = lambda _: scorer(learned)
    components.learner = None
    return components


def _longest_delay(loop: Loop) -> Callable[[], float]:
    return lambda: max((host.delay for host in loop.frontier.hosts.awake.values()), default=0.0)


def _deliver(task: Task, store: Store, loop: Loop, given: pa.Table, before: known.Known, token: str) -> dict[str, Any]:
    """Put what the worker made where the driver finds it; the figures that go with it."""
    home = task.home / "tasks" / token
    home.mkdir(parents=True)
    asked = given.filter(pc.invert(pc.is_in(given["kind"], pa.array(NO_URLS))))
    address = dict(zip(asked["host"].to_pylist(), asked["address"].to_pylist()))
    met_in = dict(zip(asked["key"].to_pylist(), asked["seq"].to_pylist()))
    db = store.database
    assert isinstance(loop.frontier, RoundFrontier)
    still = [*queued.with_host_names(db), *((entry.host.name, *entry.row()[1:-1]) for entry in loop.frontier.left)]
    changed = known.changes(before, known.read(db), address)
    made = (
        table_of([(*row[:3], task.number + 1, *row[4:]) for row in loop.frontier.links_met], tables.QUEUED),
        table_of([(*row[:3], _place(row, met_in, task.number), *row[4:]) for row in still], tables.QUEUED),
        table_of(
            [(name, site, address[name], *rest) for name, site, *rest in host_rows.all_rows(db) if name in address], tables.HOSTS
        ),
        table_of([(origin, host_of(origin) or "", *rest) for origin, *rest in host_rows.all_robots(db)], tables.ROBOTS),
        table_of([(*named, body, task.number + 1) for named, body in changed], tables.KNOWN),
    )
    for name, table in zip(MADE, made):
        pq.write_table(table, home / f"{name}.parquet")
    rows = {kind: _put_segment(task, store, kind, token) for kind in ("pages", "links")}
    return {"rows": rows, "warcs": _put_records(task, store), "counts": dict(loop.keeper.counts)}


def _place(row: Sequence[Any], met_in: Mapping[int, int], number: int) -> int:
    """The round that a URL counts as met in: one that was tried in vain goes behind what has the same score."""
    key, tries = row[1], row[7]
    return number if tries else met_in.get(key, number)


def _put_segment(task: Task, store: Store, kind: str, token: str) -> int:
    """All rows of a kind as one segment of the crawl folder, aside; how many."""
    target = segments.aside(task.folder, segment_name(kind, task.number, token))
    files = store.page_files() if kind == "pages" else store.link_files()
    written = 0
    with pq.ParquetWriter(target, _schema_of(files, kind), compression="zstd") as writer:
        for batch in segments.batches(files, None):
            writer.write_batch(batch)
            written += batch.num_rows
    fsync(target)
    return written


def _schema_of(files: Sequence[Path], kind: str) -> pa.Schema:
    """The columns of a worker's own segments, extra ones too: they are all of one program."""
    return segments.read_schema(files[0]) if files else segments.SCHEMAS[kind]


def segment_name(kind: str, number: int, token: str) -> str:
    """The name of a worker's segment.

    >>> segment_name("pages", 3, "ab")
    'pages/00000004-ab.parquet'
    """
    return f"{kind}/{number + 1:08d}-{token}.parquet"


def _put_records(task: Task, store: Store) -> dict[str, int]:
    """The WARC files beside those of others; their names and lengths."""
    lengths = {}
    for path in sorted((store.path / "warc").iterdir()):
        target = task.folder / "warc" / path.name
        shutil.copyfile(path, target)
        fsync(target)
        lengths[path.name] = target.stat().st_size
    return lengths
