"""Who links to whom, by Common Crawl's host graph: two text files, `id<tab>reversed.host` and `from<tab>to`, also packed."""

import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.url import site_column

DIGITS = 18
LINES = 1 << 17
"""So many lines are read at a time."""


def vertices(path: Path) -> Iterator[pa.Table]:
    """The number, root page and site of each host, piece by piece."""
    for rows in _rows(path):
        hosts = [".".join(reversed(name.split("."))) for _, name in rows]
        numbers = _numbers(path, [number for number, _ in rows])
        yield pa.table({"id": numbers, "root": [f"http://{host}/" for host in hosts], "site": site_column(pa.array(hosts))})


def edges(path: Path) -> Iterator[pa.Table]:
    """The two numbers of each edge, piece by piece."""
    for rows in _rows(path):
        yield pa.table({name: _numbers(path, [row[i] for row in rows]) for i, name in enumerate(("source", "target"))})


def _numbers(path: Path, texts: list[str]) -> pa.Array:
    wrong = next((text for text in texts if not text.isdecimal() or len(text) > DIGITS), None)
    if wrong is not None:
        raise BadInput(f"{path}: {wrong!r} is no number of a host")
    return pa.array([int(text) for text in texts], pa.int64())


def _rows(path: Path) -> Iterator[list[tuple[str, str]]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            read = 0
            while lines := list(islice(file, LINES)):
                yield [_two(path, read + i, line) for i, line in enumerate(lines, 1)]
                read += len(lines)
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise BadInput(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _two(path: Path, number: int, line: str) -> tuple[str, str]:
    fields = line.split(None, 2)
    if len(fields) < 2:
        raise BadInput(f"{path}:{number}: not two fields")
    return fields[0], fields[1]
