"""A crawl of the made web against its truth.

*Avoidable* is a fetch of a page that had been fetched under another URL before, where the truth gives both URLs one key: a
perfect set of URL rules would have skipped it. A *false skip* is a page that was met, whose every URL met so far was skipped,
so that it would never be fetched; a page skipped on a mirror stands on the host that is kept and is not counted here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.crawl import skipped
from garimpo.webgen import truth


@dataclass
class Ledger:
    """The truth by URL. A URL the truth does not know (a trap, an error page) is a page of its own."""

    content: dict[str, int]
    key: dict[str, str]

    @classmethod
    def read(cls, web: str | Path) -> "Ledger":
        tables = truth(web)
        pages, dust = tables["pages"], tables["dust"]
        return cls(_map(pages, "url", "content"), _map(dust, "url", "key"))

    def content_of(self, url: str) -> int | str:
        return self.content.get(url, url)

    def key_of(self, url: str) -> str:
        return self.key.get(url, url)


@dataclass
class Measures:
    """What a crawl fetched, saved and lost; `curve` holds (fetches, unique pages, avoidable duplicates) on the way."""

    fetched: int = 0
    unique: int = 0
    duplicates: int = 0
    avoidable: int = 0
    avoidable_late: int = 0
    """Avoidable duplicates in the last third of the fetches."""
    avoided: int = 0
    postponed: int = 0
    """URLs left for the end, because they probably repeat a page, and not fetched."""
    false_skips: int = 0
    curve: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def avoidable_rate(self) -> float:
        """Avoidable duplicates per 1,000 fetches."""
        return 1000 * self.avoidable / max(1, self.fetched)

    @property
    def avoidable_rate_late(self) -> float:
        """The same, in the last third of the crawl."""
        return 3000 * self.avoidable_late / max(1, self.fetched)

    @property
    def false_skip_share(self) -> float:
        """Lost pages among all pages met."""
        return self.false_skips / max(1, self.unique + self.false_skips)


def measure(fetched: Sequence[str], standing: Sequence[tuple[str, str]], queued: Iterable[str], ledger: Ledger) -> Measures:
    """Count a crawl's fetches in their order, its standing skips (URL, reason) and what is still queued.

    >>> ledger = Ledger({"a": 1, "a/": 1, "b": 2, "b/": 2}, {"a": "a", "a/": "a", "b": "b", "b/": "b"})
    >>> found = measure(["a", "a/"], [("b/", "dust")], [], ledger)
    >>> found.unique, found.avoidable, found.avoided, found.false_skips
    (1, 1, 1, 1)
    """
    result, contents, keys = Measures(fetched=len(fetched)), set[int | str](), set[str]()
    step = max(1, len(fetched) // 200)
    for number, url in enumerate(fetched, 1):
        content, key = ledger.content_of(url), ledger.key_of(url)
        result.duplicates += content in contents
        if content in contents and key in keys:
            result.avoidable += 1
            result.avoidable_late += 3 * number > 2 * len(fetched)
        contents.add(content)
        keys.add(key)
        if number % step == 0 or number == len(fetched):
            result.curve.append((number, len(contents), result.avoidable))
    result.unique = len(contents)
    waiting = {ledger.content_of(url) for url in queued}
    by_rules = [url for url, reason in standing if reason == "dust"]
    result.avoided = len(standing)
    result.false_skips = len({ledger.content[url] for url in by_rules if url in ledger.content} - contents - waiting)
    return result


def measure_folder(folder: str | Path, ledger: Ledger) -> Measures:
    """The measures of a crawl folder."""
    with Store.open(folder, write=False) as store:
        fetched = [
            url
            for batch in store.pages(["url", "status", "redirect"])
            for url, status, redirect in zip(*(column.to_pylist() for column in batch.columns))
            if status == 200 and redirect is None
        ]
        queued = store.database.execute("select url, score from queue").fetchall()
    result = measure(fetched, standing_skips(folder), [url for url, _ in queued], ledger)
    result.postponed = sum(score < 0 for _, score in queued)
    return result


def standing_skips(folder: str | Path) -> list[tuple[str, str]]:
    """The URLs that a learned rule or fold skips and that were not fetched as a check, with the reason."""
    found: list[tuple[str, str]] = []
    for batch in skipped(folder):
        rows = zip(*(batch.column(name).to_pylist() for name in ("url", "reason", "checked")))
        found += [(url, reason) for url, reason, checked in rows if reason in ("dust", "mirror") and not checked]
    return found


def _map(table: pa.Table, key: str, value: str) -> dict[str, Any]:
    return dict(zip(table.column(key).to_pylist(), table.column(value).to_pylist()))
