"""Why a URL was fetched, waits, was skipped, or was never met: all that a crawl folder knows of it.

Everything is found by the keys of the state's tables, and the row of a page by the times in the statistics of the segments, so
an answer costs about the same in a large folder. The shape and the gain that is expected of it are made from a sample of the
host's URLs: of a page fetched it is only known whether it was new, not how much of it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from garimpo.archive import Store
from garimpo.archive.folder.segments import open_segment
from garimpo.contract.errors import BadInput
from garimpo.contract.results import Result
from garimpo.crawl.frontier.shape_records import HostWorth
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.removed import Removed
from garimpo.crawl.state import fetched, host_rows, queued, rule_rows, schema, skipped
from garimpo.crawl.state.entry import CHECK, LATER
from garimpo.crawl.state.host import NEVER
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch.queries.rule_words import reason_words, rule_words
from garimpo.crawl.watch.stored_settings import settings_of
from garimpo.url import host as host_of
from garimpo.url import key64, normalise

NO_HOST = 0
"""Under this number stand the skipped URLs of hosts that the crawl never entered."""
State = Literal["fetched", "queued", "postponed", "skipped", "never met"]
SAMPLE = 600
"""URLs of a host, of each kind, that its shapes are made from."""


def why(folder: str | Path, url: str) -> Result:
    """What became of a URL in a crawl, and why, by its last commit.

    Args:
        folder: the crawl folder.
        url: any URL; it is brought into normal form as the crawl does.

    >>> why("no-such-folder", "http://a.org/")
    Traceback (most recent call last):
    garimpo.contract.errors.BadInput: no-such-folder: no crawl folder (no crawl.toml in it)
    """
    with Store.open(folder, write=False, fault=find_fault, quick=True) as store:
        return Result(why_of(store, url))


def why_of(store: Store, url: str) -> dict[str, Any]:
    """As `why`, of an opened crawl folder.

    Args:
        store: the crawl folder.
        url: any URL.
    """
    normal = normalise(url) or (None if "://" in url else normalise(f"http://{url}"))
    if normal is None:
        raise BadInput(f"{url!r} is not an http(s) URL")
    db = store.database
    if not schema.has_table(db, "queue"):
        raise BadInput(f"{store.path}: holds tables but no crawl (it was imported)")
    name, key = host_of(normal) or "", schema.signed(key64(normal))
    host = host_rows.named(db, name)
    told: dict[str, Any] = {"url": normal, "host": name, "state": "never met", "why": "", "history": []}
    skip = skipped.find(db, host.id if host else NO_HOST, key) or skipped.find(db, NO_HOST, key)
    got, waits = (fetched.find(db, host.id, key), queued.find_shown(db, host.id, key)) if host else (None, None)
    if skip is not None:
        told |= _of_skip(store, skip, name)
    if host is not None and waits is not None:
        told |= _of_queue(waits, host)
    if got is not None:
        told |= _of_fetch(store, got, skip)
    elif skip is not None and waits is None:
        told |= {"state": "skipped", "why": _why_skipped(store, skip)}
    if host is not None:
        told |= _worth(store, host.id, normal)
    told["history"] = _history(told, skip, got, waits)
    if told["state"] == "never met":
        told["why"] = _why_never_met(store, normal, name)
    return told


def _of_skip(store: Store, row: dict[str, Any], host: str) -> dict[str, Any]:
    """What a skip, or a check, of a URL rests on."""
    rule = row["rule"]
    told = {"reason": row["reason"], "rule": rule, "key": row["key"], "version": row["version"], "owner": row["owner"]}
    told |= {"depth": row["depth"], "parent": row["parent"], "score": row["score"]}
    told |= {"checked": bool(row["checked"]), "equal": None if row["equal"] is None else bool(row["equal"])}
    if rule is not None and row["reason"] == "dust":
        told["rule_in_words"] = rule_words(store, rule, row["version"])
    record = rule_rows.record_of(store.database, rule, host) if rule is not None else None
    if record is not None:
        told["evidence"] = dict(zip(("skips", "checks", "unequal"), record)) | {"withdrawn": bool(record[3])}
    owner = _row_of(store, row["owner"]) if row["owner"] else None
    if owner is not None:
        told["owner_status"], told["owner_duplicate_of"] = owner["status"], owner["duplicate_of"]
    return told


def _of_queue(row: tuple[Any, ...], host: host_rows.HostRow) -> dict[str, Any]:
    """What is known of a URL that waits."""
    _, score, _, _, depth, parent, tries, _, kind, _ = row
    state: State = "postponed" if score < 0 else "queued"
    if kind == CHECK:
        words = "it waits to be fetched as a check of the rule that would skip it"
    elif score < 0:
        words = "it may well repeat a page that is fetched, so it waits behind all that nothing speaks against"
    else:
        words = "it waits for its turn"
    if tries:
        words += f"; it was tried {_times(tries)} and gave no answer"
    told = {"depth": depth, "parent": parent, "score": score + LATER if score < 0 else score, "tries": tries}
    return {"state": state, "why": words, **told, "host_delay": host.delay, "host_next_at": _time(host.next_at)}


def _of_fetch(store: Store, row: dict[str, Any], skip: dict[str, Any] | None) -> dict[str, Any]:
    """What a fetched URL showed."""
    status = row["status"]
    words = "it was fetched" if skip is None else "it was fetched to check the rule that would have skipped it"
    if skip is not None and skip["equal"] is not None:
        words += ", and it showed " + ("the same page" if skip["equal"] else "another page")
    if status == 0:
        words += "; there was no answer"
    elif row["redirect"]:
        words += f"; it redirects to {row['redirect']}"
    elif status != 200:
        words += f"; the answer was {status}"
    elif row["duplicate_of"]:
        words += f"; it repeats {row['duplicate_of']}"
    told = {name: row[name] for name in ("status", "score", "duplicate_of", "redirect")}
    page = page_row(store, row["url"], row["at"])
    more: dict[str, Any] = {name: page[name] for name in ("title", "error", "parent", "depth") if name in page}
    return {"state": "fetched", "why": words, "fetched_at": _time(row["at"]), **told, **more}


def _why_skipped(store: Store, row: dict[str, Any]) -> str:
    words = reason_words(row["reason"], row["rule"])
    if row["reason"] == "dust" and (said := rule_words(store, row["rule"], row["version"])):
        words += f" ({said})"
    return words + (f": {row['owner']}" if row["owner"] else "")


def _why_never_met(store: Store, url: str, host: str) -> str:
    settings = settings_of(store)
    refusal = Entrance(settings, settings.seeds, Removed(store.removed())).refusal(url, host, depth=0)
    if refusal is None:
        return "no page that was read links to it"
    return f"no page that was read links to it, and it would not be fetched: {reason_words(*refusal)}"


def _worth(store: Store, host: int, url: str) -> dict[str, Any]:
    """The shape of a URL, and the gain that is expected of one of that shape."""
    db = store.database
    read = fetched.some_gains(db, host, SAMPLE)
    known = [url for url, _ in read] + queued.some_of(db, host, SAMPLE) + skipped.some_of(db, host, SAMPLE)
    worth = HostWorth.remembered(known, read)
    shape = worth.shape(url)
    seen = [new for one, new in read if worth.shape(one) == shape]
    told = {"shape": str(shape), "shape_fetched": len(seen), "shape_new": int(sum(seen))}
    return told | {"expected_gain": round(worth.expect(url), 2)}


def _history(
    told: dict[str, Any], skip: dict[str, Any] | None, got: dict[str, Any] | None, waits: tuple[Any, ...] | None
) -> list[dict[str, Any]]:
    """What happened to a URL, in order."""
    events: list[dict[str, Any]] = []
    if told.get("parent"):
        parent = {"event": "met", "on": told["parent"], "depth": told["depth"]}
        events.append(parent)
    if skip is not None:
        event = "chosen as a check" if skip["checked"] else "skipped"
        events.append({"event": event, "at": _time(skip["at"]), "rule": skip["rule"]})
    if waits is not None:
        events.append({"event": told["state"], "score": told["score"]})
    if got is not None:
        events.append({"event": "fetched", "at": _time(got["at"]), "status": got["status"]})
    return events


def _row_of(store: Store, url: str) -> dict[str, Any] | None:
    host = host_rows.named(store.database, host_of(url) or "")
    return None if host is None else fetched.find(store.database, host.id, schema.signed(key64(url)))


def page_row(store: Store, url: str, at: float, columns: Sequence[str] = ("title", "error", "parent", "depth")) -> dict[str, Any]:
    """Columns of the row of a page in the tables: only the parts of segments that hold its time are read.

    Args:
        store: the crawl folder.
        url: the URL.
        at: when it was fetched.
        columns: what is wanted.
    """
    for file in store.page_files():
        for group, (first, last) in enumerate(_times_of(file, file.stat().st_mtime_ns if file.exists() else 0)):
            if not first - 1 <= at <= last + 1:
                continue
            with open_segment(file) as segment:
                urls = segment.read_row_group(group, ["url"])["url"]
                if (place := urls.index(url).as_py()) >= 0:
                    wide = segment.read_row_group(group, list(columns))
                    return wide.slice(place, 1).to_pylist()[0]
    return {}


@lru_cache(10_000)
def _times_of(file: Path, changed: int) -> list[tuple[float, float]]:
    """The first and the last time in each row group of a segment, which never changes."""
    with open_segment(file) as segment:
        column = segment.schema_arrow.get_field_index("fetched_at")
        found = [segment.metadata.row_group(group).column(column).statistics for group in range(segment.num_row_groups)]
    return [(_seconds(one.min), _seconds(one.max)) if one is not None and one.has_min_max else (0.0, NEVER) for one in found]


def _seconds(value: Any) -> float:
    return value.replace(tzinfo=value.tzinfo or UTC).timestamp() if isinstance(value, datetime) else value / 1_000_000


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
