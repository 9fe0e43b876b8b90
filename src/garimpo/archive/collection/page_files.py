"""Pages as files for people and programs that read text: Markdown or plain text, one file a page, and one Parquet data set."""

import os
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.archive.collection.main_texts import COLUMNS, MainTexts
from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput, spoken
from garimpo.contract.files import publish
from garimpo.contract.reading import Counts
from garimpo.page.main import plain_text, to_markdown
from garimpo.page.pdf import says_pdf

_READ = [*COLUMNS, "title", "language", "fetched_at", "duplicate_of"]
_ROWS = 1000
_LONGEST_NAME = 120
_UNSAFE = re.compile(r"[^\w.=,+-]+", re.ASCII)

DATA_SET = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("text", pa.large_string()),
        ("title", pa.string()),
        ("date", pa.string()),
        ("language", pa.string()),
        ("host", pa.string()),
        ("dump", pa.string()),
        ("file_path", pa.string()),
    ]
)
"""The columns that `datasets` and datatrove know by name; `date` is ISO 8601, `dump` the crawl folder, `file_path` the WARC."""


def survivors(store: Store, every: bool) -> Iterator[dict[str, Any]]:
    """The newest good row of each URL, without pages that repeat another one unless `every` is asked for.

    Args:
        store: the crawl folder.
        every: repetitions too.
    """
    for batch in store.latest(_READ):
        for row in batch.to_pylist():
            if every or row["duplicate_of"] is None:
                yield row


def write_folder(
    store: Store, to: Literal["markdown", "txt"], out: Path, counts: Counts, main_text: bool = False, every: bool = False
) -> int:
    """Write one file a page and `index.jsonl`, which names the URL of each; the folder is there whole or not at all.

    Args:
        store: the crawl folder.
        to: the format of the files.
        out: the folder to make.
        counts: gets what was passed over.
        main_text: without navigation, banners and footers.
        every: pages that repeat another one, too.
    """
    if out.exists():
        raise BadInput(f"{out}: is there already (choose another {spoken('`out`', '--out')})")
    aside = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    aside.mkdir()
    try:
        written = _write_pages(store, to, aside, MainTexts(store, main_text, counts), counts, every)
        aside.replace(out)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return written


def _write_pages(store: Store, to: str, folder: Path, texts: MainTexts, counts: Counts, every: bool) -> int:
    taken: set[str] = {"index.jsonl"}
    written = 0
    with (folder / "index.jsonl").open("wb") as index:
        for row in survivors(store, every):
            found = texts.passages(row)
            if not found:
                counts[_why_empty(row)] += 1
                continue
            name = file_name(row["url"], ".md" if to == "markdown" else ".txt", taken)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            text = _head(row) + to_markdown(found) if to == "markdown" else plain_text(found) + "\n"
            (folder / name).write_text(text, encoding="utf-8", errors="replace")
            entry = {"file": name, "url": row["url"], "title": row["title"], "language": row["language"]}
            index.write(msgspec.json.encode({**entry, "fetched_at": _date(row["fetched_at"])}) + b"\n")
            written += 1
    return written


def _why_empty(row: dict[str, Any]) -> str:
    if says_pdf(row["content_type"]):
        return "PDF without text (it takes garimpo[pdf] and --content-types application/pdf)"
    return "no text"


def _head(row: dict[str, Any]) -> str:
    """Front matter: JSON strings are YAML."""
    entries = [("url", row["url"]), ("title", row["title"]), ("language", row["language"]), ("date", _date(row["fetched_at"]))]
    lines = [f"{name}: {msgspec.json.encode(value).decode()}\n" for name, value in entries if value]
    return "---\n" + "".join(lines) + "---\n\n"


def _date(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def file_name(url: str, suffix: str, taken: set[str]) -> str:
    """A file for a URL, by host and path; no name leads out of the folder, and none is given twice whatever its case.

    Args:
        url: of the page.
        suffix: of the file.
        taken: the names in use, in lower case; the new one is added.

    >>> file_name("http://a.org/docs/../x/?page=2", ".md", set()), file_name("http://a.org/", ".md", {"a.org/index.md"})
    ('a.org/docs/x/page=2.md', 'a.org/index-1e24039f49cadde4.md')
    """
    host, _, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    parts = [_UNSAFE.sub("_", part).strip(".")[:_LONGEST_NAME] for part in (host, *path.split("/"))]
    *folders, last = parts
    last = re.sub(r"\.(html?|php|aspx?|jsp|md|txt)$", "", last, flags=re.IGNORECASE)
    last = "-".join(part for part in (last, _UNSAFE.sub("_", query).strip(".")) if part)[:_LONGEST_NAME] or "index"
    folders = [part + "_" if part.endswith(suffix) else part for part in folders if part]  # never both a file and a folder
    stem = "/".join([*folders, last])[-800:].lstrip("/")
    name = stem + suffix
    if name.lower() in taken:
        name = f"{stem}-{xxhash.xxh64_hexdigest(url.encode())}{suffix}"
    taken.add(name.lower())
    return name


def write_data_set(store: Store, out: Path, counts: Counts, main_text: bool = False, every: bool = False) -> int:
    """Write pages with their text as one Parquet file.

    Args:
        store: the crawl folder.
        out: the file.
        counts: gets what was passed over.
        main_text: without navigation, banners and footers.
        every: pages that repeat another one, too.
    """
    texts, written, rows = MainTexts(store, main_text, counts), 0, list[dict[str, Any]]()
    dump = store.path.resolve().name
    with publish(out) as temporary, pq.ParquetWriter(temporary, DATA_SET, compression="zstd") as writer:
        for row in survivors(store, every):
            text = texts.text(row)
            if not text:
                counts[_why_empty(row)] += 1
                continue
            known = {name: row[name] for name in ("url", "title", "language", "host")}
            date = _date(row["fetched_at"])
            rows.append({**known, "id": row["url"], "text": text, "date": date, "dump": dump, "file_path": row["warc_file"]})
            written += 1
            if len(rows) == _ROWS:
                writer.write_table(pa.Table.from_pylist(rows, DATA_SET))
                rows.clear()
        writer.write_table(pa.Table.from_pylist(rows, DATA_SET))
    return written
