"""Small crawl folders for tests."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from garimpo.archive import Store
from garimpo.contract.records import Fetched
from garimpo.contract.tables import LINKS, PAGES

START = datetime(2030, 1, 1, tzinfo=UTC)
REQUEST = [("User-Agent", "garimpo-test/1"), ("Accept", "*/*")]


def answer(number: int, body: bytes | None = None, status: int = 200, host: str = "a.example") -> Fetched:
    body = f"<title>{number}</title> page {number} ".encode() * 40 if body is None else body
    headers = [("Content-Type", "text/html"), ("Content-Length", "7")]
    return Fetched(f"http://{host}/{number}", status, body, headers, "10.0.0.1")


def row(fetched: Fetched, place: tuple[str, int], at: datetime, **more: object) -> dict[str, object]:
    values: dict[str, object] = {field.name: None for field in PAGES}
    host = fetched.url.split("/")[2]
    values.update(url=fetched.url, host=host, ip=fetched.ip, fetched_at=at, status=fetched.status, depth=0)
    values.update(length=len(fetched.body), text=fetched.body.decode("latin-1"), warc_file=place[0], warc_offset=place[1])
    return {**values, **more}


def keep(store: Store, answers: list[Fetched], at: datetime = START) -> tuple[pa.Table, pa.Table]:
    """Write the answers to the WARC and make their tables; each page links to the next number."""
    rows = [row(one, store.warc.write_response(one, REQUEST, at=at), at) for one in answers]
    links = [{"source": one.url, "target": one.url + "0", "anchor": "next", "rel": None, "context": None} for one in answers]
    return pa.Table.from_pylist(rows, PAGES), pa.Table.from_pylist(links, LINKS)


def commit(store: Store, numbers: range, at: datetime = START) -> None:
    pages, links = keep(store, [answer(number) for number in numbers], at)
    with store.commit(pages, links):
        pass


def crawl(path: Path, commits: int = 3, each: int = 4) -> Store:
    """A folder with some commits, open."""
    store = Store.create(path, {"max_pages": 9})
    for number in range(commits):
        commit(store, range(number * each, (number + 1) * each), START + timedelta(seconds=number))
    return store


def urls(store: Store) -> list[str]:
    return [url for batch in store.pages(["url"]) for url in batch.column("url").to_pylist()]


def check_with_warcio(folder):
    """warcio's own checker finds nothing wrong."""
    from warcio.cli import main

    files = [str(path) for path in sorted((folder / "warc").iterdir())]
    with pytest.raises(SystemExit) as ended, contextlib.redirect_stdout(None):
        main(["check", *files])
    assert ended.value.code == 0
