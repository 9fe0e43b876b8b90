"""Taking pages out of a crawl folder for good: tables and WARC files are written anew without them.

The new files are written beside the old ones and take their place in one transaction, as in a commit; a kill before it leaves
the folder as it was, a kill after it leaves old files that no commit lists, which the next opening deletes.
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive.folder import dropped, segments, state
from garimpo.archive.folder.store import Store
from garimpo.archive.warc.reader import Place, read_at, read_members
from garimpo.archive.warc.records import exchange, sha1_bytes
from garimpo.contract.errors import BadInput
from garimpo.contract.files import fsync
from garimpo.contract.reading import Counts
from garimpo.contract.results import Result
from garimpo.url import host, normalise

_POINTERS = ("canonical", "redirect", "parent", "duplicate_of")
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]")

Body = tuple[bytes, str, str, str, int]


@dataclass(slots=True)
class Wanted:
    """What is to be removed."""

    urls: frozenset[str]
    hosts: frozenset[str]

    def has(self, url: str | None) -> bool:
        """Whether a URL is one of them."""
        return url is not None and ((normalise(url) or url) in self.urls or host(url) in self.hosts)

    def mask(self, column: pa.ChunkedArray) -> pa.Array:
        """Which rows of a column of URLs are."""
        distinct = {url: self.has(url) for url in column.unique().to_pylist()}
        return pa.array([distinct[url] for url in column.to_pylist()], pa.bool_())


@dataclass(slots=True)
class Change:
    """Files to be put in the place of others, and where records then stand."""

    old: list[str] = field(default_factory=list)
    new: dict[str, int] = field(default_factory=dict)
    places: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    bodies: list[Body] = field(default_factory=list)
    records: int = 0


def remove(folder: str | os.PathLike[str], what: Sequence[str]) -> Result:
    """Remove URLs (`http://...`) and hosts (`a.example`) from a crawl folder for good; says how much went.

    Rows and records of these pages go, and links from or to them; what other rows say about them becomes null. A page that was
    stored as a repetition of a removed one gets its body back. The state keeps a note of what was removed and when.

    Args:
        folder: the crawl folder.
        what: URLs and host names.
    """
    wanted = _wanted(what)
    with Store.open(folder) as store:
        store.log("removing", what=list(what))  # first: a state file made anew goes by it
        result = _take_out(store, wanted, what)
        store.log("removed", what=list(what), **result)
    return Result(result)


def take_out(store: Store, what: Sequence[str]) -> dict[str, int]:
    """The same in a folder that is open, for what was removed before and may have come back.

    Args:
        store: the folder, open to write.
        what: URLs and hosts.
    """
    return _take_out(store, _wanted(what), [])


def _take_out(store: Store, wanted: Wanted, noted: Sequence[str]) -> dict[str, int]:
    warcs = _rewrite_warcs(store, wanted)
    tables, gone = _rewrite_tables(store, wanted, warcs)
    result = {**gone, "records": warcs.records}
    _switch(store, warcs, tables, noted, result)
    _empty_dropped(store.path, wanted)
    return result


def _empty_dropped(folder: Path, wanted: Wanted) -> None:
    """Delete what was dropped at an opening and holds one of the pages, or cannot be read and so might."""
    for path in dropped.files(folder):
        if _may_hold(path, wanted):
            path.unlink()


def _may_hold(path: Path, wanted: Wanted) -> bool:
    try:
        if ".parquet" in path.name:
            names = pq.read_schema(path).names
            columns = [name for name in ("url", "source", "target", *_POINTERS) if name in names]
            table = pq.read_table(path, columns=columns)
            return not columns or any(wanted.mask(table[name]).true_count for name in columns)
        if ".warc" in path.name:
            counts = Counts()
            held = any(wanted.has(place.url) for place, _ in read_members(path, counts))
            return held or bool(+counts) or path.stat().st_size == 0
    except (OSError, ValueError, pa.ArrowException, BadInput):
        return True
    return True


def _wanted(what: Sequence[str]) -> Wanted:
    urls, hosts = set(), set()
    for one in what:
        if "://" in one:
            url = normalise(one)
            if url is None:
                raise BadInput(f"{one}: no http(s) URL")
            urls.add(url)
        elif _HOST.fullmatch(one.lower()):
            hosts.add(one.lower())
        else:
            raise BadInput(f"{one}: neither a URL (http://...) nor a host name")
    if not what:
        raise BadInput("nothing to remove: give URLs or host names")
    return Wanted(frozenset(urls), frozenset(hosts))


def _rewrite_warcs(store: Store, wanted: Wanted) -> Change:
    change = Change()
    lost = _lost_bodies(store, wanted)
    for path in sorted((store.path / "warc").iterdir()):
        if any(_touched(place, wanted, lost) for place, _ in read_members(path, Counts())):
            _rewrite_warc(store, path, wanted, lost, change)
    return change


def _lost_bodies(store: Store, wanted: Wanted) -> set[bytes]:
    rows = store.database.execute("SELECT digest, url FROM bodies")
    return {digest for digest, url in rows if wanted.has(url)}


def _touched(place: Place, wanted: Wanted, lost: set[bytes]) -> bool:
    return wanted.has(place.url) or _repeats(place, lost)


def _repeats(place: Place, lost: set[bytes]) -> bool:
    return place.revisit and sha1_bytes(place.payload_digest) in lost


def _rewrite_warc(store: Store, path: Path, wanted: Wanted, lost: set[bytes], change: Change) -> None:
    """Copy a file's records, byte by byte, but for those that go; a repetition of a body that goes is written in full."""
    name = _successor(path.name)
    restored: set[bytes] = set()
    with (path.parent / name).open("wb") as out:
        for place, member in read_members(path, Counts()):
            if wanted.has(place.url):
                change.records += 1
                continue
            offset = out.tell()
            change.places[path.name, place.offset] = (name, offset)
            if _repeats(place, lost):
                member = _in_full(store, path, place)
                digest = sha1_bytes(place.payload_digest)
                if digest is not None and digest not in restored:
                    restored.add(digest)
                    change.bodies.append((digest, place.url, place.date, name, offset))
            out.write(member)
        out.flush()
        os.fsync(out.fileno())
        change.new[name] = out.tell()
    fsync(path.parent)
    change.old.append(path.name)


def _in_full(store: Store, path: Path, place: Place) -> bytes:
    """The packed response record that a revisit record stands for."""
    stored = read_at(path, place.offset)
    whole = store.record_at(path.name, place.offset)
    if stored is None or whole is None:
        raise BadInput(f"{path}: the record at {place.offset} cannot be read")
    packing = "zstd" if path.suffix == ".zst" else "gzip"
    whole.headers = [(name, value) for name, value in whole.headers if name.lower() != "content-length"]
    return exchange(whole, (), datetime.fromisoformat(place.date).timestamp(), packing).response


def _rewrite_tables(store: Store, wanted: Wanted, warcs: Change) -> tuple[Change, dict[str, int]]:
    import pyarrow.compute as pc

    change, gone = Change(), {"pages": 0, "links": 0}
    for path in store.page_files():
        before = pq.read_table(path)
        kept = before.filter(pc.invert(wanted.mask(before["url"])))
        after = _moved(_without_pointers(kept, wanted), warcs)
        if not after.equals(before):
            gone["pages"] += before.num_rows - after.num_rows
            _replace(store, f"pages/{path.name}", after, change)
    for path in store.link_files():
        before = pq.read_table(path)
        after = before.filter(pc.invert(pc.or_(wanted.mask(before["source"]), wanted.mask(before["target"]))))
        if after.num_rows < before.num_rows:
            gone["links"] += before.num_rows - after.num_rows
            _replace(store, f"links/{path.name}", after, change)
    return change, gone


def _without_pointers(table: pa.Table, wanted: Wanted) -> pa.Table:
    import pyarrow.compute as pc

    for name in _POINTERS:
        mask = wanted.mask(table[name])
        if mask.true_count:
            column = pc.if_else(mask, pa.scalar(None, table[name].type), table[name])
            table = table.set_column(table.column_names.index(name), table.schema.field(name), column)
    return table


def _moved(table: pa.Table, warcs: Change) -> pa.Table:
    """The rows with the places where their records stand now; a record that was damaged and is gone has none."""
    old = set(warcs.old)
    files, offsets = table["warc_file"].to_pylist(), table["warc_offset"].to_pylist()
    if old.isdisjoint(files):
        return table
    pairs = zip(files, offsets)
    moved = [warcs.places.get(pair, (None, None)) if pair[0] in old else pair for pair in pairs]
    for name, values in (("warc_file", [file for file, _ in moved]), ("warc_offset", [offset for _, offset in moved])):
        kind = table.schema.field(name)
        table = table.set_column(table.column_names.index(name), kind, pa.array(values, kind.type))
    return table


def _replace(store: Store, name: str, table: pa.Table, change: Change) -> None:
    change.old.append(name)
    if table.num_rows:
        successor = _successor(name)
        segments.write_aside(store.path, successor, [table])
        change.new[successor] = table.num_rows


def _successor(name: str) -> str:
    """The name of the file that takes the place of another, next to it in order.

    >>> _successor("pages/00000007.parquet"), _successor("garimpo-000001-2.warc.gz")
    ('pages/00000007-1.parquet', 'garimpo-000001-3.warc.gz')
    """
    stem, dot, suffix = name.partition(".")
    found = re.fullmatch(r"(.*\d{6,})(?:-(\d+))?", stem)
    base, number = (found[1], int(found[2] or 0)) if found else (stem, 0)
    return f"{base}-{number + 1}{dot}{suffix}"


def _switch(store: Store, warcs: Change, tables: Change, what: Iterable[str], result: dict[str, int]) -> None:
    now = datetime.now(UTC).isoformat()
    with state.transaction(store.database) as database:
        state.unlist_segments(database, tables.old)
        state.list_segments(database, store.path, tables.new)
        database.executemany("DELETE FROM warcs WHERE name = ?", [(name,) for name in warcs.old])
        state.list_warcs(database, store.path, warcs.new)
        _move_bodies(store, warcs)
        old = [*tables.old, *(f"warc/{name}" for name in warcs.old)]
        database.executemany("INSERT OR REPLACE INTO replaced VALUES (?)", [(name,) for name in old])
        removed = [(one, now, result["pages"], result["links"]) for one in what]
        database.executemany("INSERT INTO removed VALUES (?, ?, ?, ?)", removed)
    segments.finish(store.path, list(tables.new))
    for name in old:
        (store.path / name).unlink(missing_ok=True)
        (store.path / segments.REPLACED / name).unlink(missing_ok=True)


def _move_bodies(store: Store, warcs: Change) -> None:
    database = store.database
    for name in warcs.old:
        query = "SELECT digest, url, at, warc_offset FROM bodies WHERE warc_file = ?"
        stood = database.execute(query, (name,)).fetchall()
        database.execute("DELETE FROM bodies WHERE warc_file = ?", (name,))
        stand = [(*body, *warcs.places[name, offset]) for *body, offset in stood if (name, offset) in warcs.places]
        database.executemany("INSERT INTO bodies VALUES (?, ?, ?, ?, ?)", stand)
    database.executemany("INSERT OR IGNORE INTO bodies VALUES (?, ?, ?, ?, ?)", warcs.bodies)
