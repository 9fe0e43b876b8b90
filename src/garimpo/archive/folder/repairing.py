"""Making a crawl folder whole after a kill or a loss, by the one rule that the state file is the truth about its tables.

Nothing is deleted: what no commit lists, and what can no longer be read, goes to `state/dropped/`. What is lost is named, so
that a crawl can ask for it again.
"""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from garimpo.archive.folder import dropped, segments, state
from garimpo.archive.warc.members import CORRUPT
from garimpo.archive.warc.reader import whole_records
from garimpo.contract.errors import BadInput, spoken
from garimpo.contract.reading import Counts

_OURS = {"warc", "pages", "links", "state", "learned", "crawl.log"}


@dataclass(slots=True)
class Repaired:
    """What was done, a line each, and the listed files whose rows or records are lost (`pages/...`, `links/...`, `warc/...`)."""

    messages: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def repair(folder: Path, database: sqlite3.Connection, check: bool = True) -> Repaired:
    """Finish the renames that are listed, drop what is not listed or not whole, cut the WARC files.

    Args:
        folder: the crawl folder, locked.
        database: its state file, open to write.
        check: whether to read the listed segments, to find what is damaged.
    """
    done = Repaired()
    listed = [name for (name,) in database.execute("SELECT name FROM segments")]
    done.messages += [f"finished the rename of {name}" for name in segments.finish(folder, listed)]
    for path in segments.unlisted(folder, {*listed, *state.replaced(database)}):
        name = path.relative_to(folder)
        done.messages.append(f"dropped {name}: it was never committed (kept as {dropped.drop(folder, path)})")
    if check:
        _drop_damaged(folder, database, listed, done)
    _forget_replaced(folder, database)
    _check_warcs(folder, database, done)
    return done


def faults(folder: Path, database: sqlite3.Connection, names: list[str], quick: bool = False) -> dict[str, str]:
    """The listed segments that are missing or damaged, each with what is wrong.

    Args:
        folder: the crawl folder.
        database: its state file.
        names: the segments to look at.
        quick: believe a file of the right size that was not touched since it was written.
    """
    known, found = state.checksums(database), {}
    for name in names:
        path = segments.location(folder, name)
        try:
            stat = path.stat()
        except FileNotFoundError:
            found[name] = "missing"
            continue
        if name not in known:
            whole = segments.is_whole(path)
        else:
            size, time, digest = known[name]
            untouched = quick and (stat.st_size, stat.st_mtime_ns) == (size, time)
            whole = stat.st_size == size and (untouched or segments.checksum(path) == digest)
        if not whole:
            found[name] = "damaged"
    return found


def is_older(folder: Path, database: sqlite3.Connection) -> bool:
    """Whether the tables hold a whole segment that was renamed, as only a committed one is, and that the state does not list.

    Args:
        folder: the crawl folder.
        database: its state file.
    """
    there = [f"{kind}/{path.name}" for kind in segments.SCHEMAS for path in segments.files_in(folder / kind)]
    listed = {name for (name,) in database.execute("SELECT name FROM segments")} | state.replaced(database)
    strange = [name for name in there if name not in listed and segments.is_name(name)]
    return any(segments.is_whole(folder / name) for name in strange)


def refuse_used(folder: Path) -> None:
    """Raise `BadInput` where no crawl folder can be made, as there is something already."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: is a file")
    if (folder / "crawl.toml").exists():
        way = spoken(f"garimpo.crawl.resume({str(folder)!r})", f"garimpo crawl --resume {folder}")
        raise BadInput(f"{folder}: holds a crawl already (go on with it: {way})")
    if folder.exists() and not _left_by_failed_create(folder):
        raise BadInput(f"{folder}: is not empty (choose another folder)")


def _left_by_failed_create(folder: Path) -> bool:
    """Whether a folder holds nothing but what a creation that was killed leaves."""
    names = {path.name for path in folder.iterdir()}
    kept = [path for name in ("warc", "pages", "links") if (folder / name).is_dir() for path in (folder / name).iterdir()]
    return names <= _OURS and not kept


def _forget_replaced(folder: Path, database: sqlite3.Connection) -> None:
    """Delete what a commit put others in the place of: their rows and records stand there."""
    for name in state.replaced(database):
        for path in (folder / name, folder / segments.REPLACED / name):
            path.unlink(missing_ok=True)
    database.execute("DELETE FROM replaced")


def _drop_damaged(folder: Path, database: sqlite3.Connection, listed: list[str], done: Repaired) -> None:
    found = faults(folder, database, listed)
    for name, fault in found.items():
        (rows,) = database.execute("SELECT rows FROM segments WHERE name = ?", (name,)).fetchone()
        kept = f" (kept as {dropped.drop(folder, folder / name)})" if (folder / name).exists() else ""
        merged = _merged_into(folder, database, name)
        with state.transaction(database):
            state.unlist_segments(database, [name])
            state.list_segments(database, folder, merged)
            database.executemany("DELETE FROM replaced WHERE name = ?", [(one,) for one in merged])
        for one in merged:
            segments.location(folder, one, patience=0).replace(folder / one)
        if sum(merged.values()) == rows:
            done.messages.append(f"{name} is {fault}: its {rows:,} rows are those of the segments it was merged from{kept}")
            continue
        done.messages.append(f"{name} is {fault}: {rows - sum(merged.values()):,} of its {rows:,} rows are lost{kept}")
        done.lost.append(name)


def _merged_into(folder: Path, database: sqlite3.Connection, name: str) -> dict[str, int]:
    """The segments that one was merged from, where they lie whole still, and their rows. After a take-down there are none."""
    kind, span = name.partition("/")[0], segments.span_of(name)
    if span is None or span.generation:
        return {}
    known = [(one, segments.span_of(one)) for one in state.replaced(database) if one.startswith(f"{kind}/")]
    parts = [(part.first - part.last, part, one) for one, part in known if part is not None and not part.generation]
    chosen: list[segments.Span] = []
    found = {}
    for _, part, one in sorted(parts):  # the widest first: it may be of several itself
        path = segments.location(folder, one, patience=0)
        outside = part.first < span.first or span.last < part.last
        if outside or any(part.first <= other.last and other.first <= part.last for other in chosen):
            continue
        if path.exists() and segments.is_whole(path):
            chosen.append(part)
            found[one] = segments.count_rows(path)
    return found


def _check_warcs(folder: Path, database: sqlite3.Connection, done: Repaired) -> None:
    lengths = state.warcs(database)
    known = state.checksums(database)
    for name in [name for name in lengths if not (folder / "warc" / name).exists()]:
        _look_into(folder, folder / "warc" / name, database, done)
    for path in segments.files_in(folder / "warc"):
        if path.name not in lengths:
            kept = dropped.drop(folder, path)
            done.messages.append(f"dropped warc/{path.name}: it was never committed (kept as {kept})")
            continue
        stat, length = path.stat(), lengths[path.name]
        if stat.st_size > length:
            kept = dropped.drop_tail(folder, path, length)
            extra = stat.st_size - length
            told = f"cut warc/{path.name} at {length:,} bytes: {extra:,} were never committed (kept as {kept})"
            done.messages.append(told)
        noted = known.get(f"warc/{path.name}")
        if stat.st_size < length or (noted is not None and noted[:2] != (stat.st_size, stat.st_mtime_ns)):
            _look_into(folder, path, database, done)


def _look_into(folder: Path, path: Path, database: sqlite3.Connection, done: Repaired) -> None:
    """A WARC file was changed since its last commit: list it up to its last whole record, or not at all."""
    counts, name = Counts(), path.name
    whole = whole_records(path, counts)
    end = max(whole.values(), default=0)
    if path.exists() and end == 0:
        dropped.drop(folder, path)
    elif path.exists() and path.stat().st_size > end:
        dropped.drop_tail(folder, path, end)
    stood = dict(database.execute("SELECT digest, warc_offset FROM bodies WHERE warc_file = ?", (name,)))
    gone = [(digest,) for digest, offset in stood.items() if offset not in whole]
    length = state.warcs(database)[name]
    with state.transaction(database):
        database.executemany("DELETE FROM bodies WHERE digest = ?", gone)
        if end:
            state.list_warcs(database, folder, {name: end})
        else:
            database.execute("DELETE FROM warcs WHERE name = ?", (name,))
    if not end:
        done.messages.append(f"warc/{name} is lost: its {length:,} bytes are gone")
    elif end < length or counts[CORRUPT]:
        done.messages.append(f"warc/{name} is damaged: {len(whole):,} of its records are whole, the others are lost")
    else:
        return
    done.lost.append(f"warc/{name}")
