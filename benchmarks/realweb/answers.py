"""Every answer that an application gave, kept: the same URL has the same bytes for ever."""

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DROPPED = {"connection", "content-length", "date", "host", "keep-alive", "server", "set-cookie", "transfer-encoding"}
"""Headers that belong to one connection, one moment or one visitor."""


@dataclass(frozen=True)
class Answer:
    """What an application said about a URL."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """The first header of that name, or the empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")


class Answers:
    """The answers of one application, on disk. Any thread may ask."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.database.execute("pragma journal_mode = wal")
        self.database.execute("pragma synchronous = normal")
        self.database.execute("create table if not exists answers (url text primary key, status int, headers text, body blob)")

    def __len__(self) -> int:
        with self._lock:
            return self.database.execute("select count(*) from answers").fetchone()[0]

    def urls(self) -> Iterator[str]:
        """All URLs, in the order in which they were kept."""
        with self._lock:
            rows = self.database.execute("select url from answers order by rowid").fetchall()
        return (url for (url,) in rows)

    def get(self, url: str) -> Answer | None:
        """What was answered, if the URL was ever asked for."""
        with self._lock:
            row = self.database.execute("select status, headers, body from answers where url = ?", (url,)).fetchone()
        return row and Answer(row[0], [(name, value) for name, value in json.loads(row[1])], zlib.decompress(row[2]))

    def keep(self, url: str, answer: Answer) -> Answer:
        """Keep an answer, unless another thread was faster; returns the one that is kept."""
        headers = json.dumps([(name, value) for name, value in answer.headers if name.lower() not in DROPPED])
        with self._lock:
            self.database.execute(
                "insert or ignore into answers values (?, ?, ?, ?)", (url, answer.status, headers, zlib.compress(answer.body, 1))
            )
        kept = self.get(url)
        assert kept is not None
        return kept

    def close(self) -> None:
        self.database.close()
