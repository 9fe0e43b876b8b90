"""A crawl folder made from data that is there already."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo.archive.collection.sources import BOM
from garimpo.archive.collection.stream import Paths, Seen, documents
from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput, spoken
from garimpo.contract.reading import Counts, as_strings
from garimpo.contract.records import Fetched, Page
from garimpo.contract.results import Result
from garimpo.contract.tables import DOCUMENTS, LINKS, PAGES, PLACE, require
from garimpo.url import host, normalise, normalise_column

_OURS = ("url", "host", "status", "length", "digest", "text_digest", "text", "warc_file", "warc_offset")
_GIVEN = tuple(name for name in PAGES.names if name not in _OURS)
"""Columns of the pages table that an input may bring along; the others are worked out."""


def import_documents(
    paths: Paths,
    out: str | os.PathLike[str],
    *,
    links: str | os.PathLike[str] | None = None,
    counts: Counts | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> Result:
    """Make the crawl folder `out` from documents: rows of status 200, their bodies as WARC records, and links.

    Links come from the Parquet file `links` (columns source, target; anchor, rel, context and place if it has them), else from
    the HTML. Further columns of Parquet input are kept: those named as in the pages table fill it, others stand beside.
    A document without a URL gets one made from its id. The folder is there whole or not at all.

    Args:
        paths: the documents.
        out: the crawl folder to make.
        links: a Parquet file with source and target; without it links are read from the HTML.
        counts: what is passed over is counted here.
        progress: called with the number of documents read since.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.jsonl").write_text('{"url": "http://a.example/", "html": "<a href=b>gold</a>"}')
    >>> import_documents(folder / "a.jsonl", folder / "crawl")
    Result(pages=1, links=1)
    """
    counts = Counts() if counts is None else counts
    inputs = [Path(paths)] if isinstance(paths, str | os.PathLike) else [Path(path) for path in paths]
    link_file = None if links is None else _open_links(Path(links))
    with whole_folder(Path(out)) as temporary, Store.create(temporary, {"imported": [path.name for path in inputs]}) as store:
        add_pages(store, inputs, link_file is None, counts, progress)
        if link_file is not None:
            _add_links(store, link_file, counts)
        return Result(pages=store.count("pages"), links=store.count("links"))


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A folder beside `out` that takes its place when the block ends well.

    Args:
        out: a path where nothing is yet, or an empty folder.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out}: exists already (choose another {spoken('`out`', '--out')})")
    temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        if out.exists():
            out.rmdir()
        temporary.rename(out)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def add_pages(
    store: Store, inputs: Sequence[Path], with_links: bool, counts: Counts, progress: Callable[[int], None],
    only: pa.Array | None = None,
) -> None:  # fmt: skip
    """Store the documents of some inputs, each URL once.

    Args:
        store: the crawl folder that is being made.
        inputs: the documents.
        with_links: whether links are read from the HTML.
        counts: what is passed over is counted here.
        progress: called with the number of documents read since.
        only: URLs; others are passed over (all are taken, unless given).
    """
    seen = Seen()
    for batch in documents(inputs, columns=_further(inputs), bodies=True, counts=counts):
        if only is not None:
            batch = batch.filter(pc.is_in(batch.column("url"), only))
        urls = pa.array([normalise(url) if url else _made_url(name, counts) for name, url in _pairs(batch)], pa.string())
        first = seen.first(urls)
        counts["repeated URL"] += len(first) - int(first.sum())
        batch = batch.set_column(1, DOCUMENTS.field("url"), urls).filter(pa.array(first))
        pages = [_keep(store, document) for document in batch.to_pylist()]
        rows = pa.Table.from_pylist([row for row, _ in pages], _schema(batch.schema))
        with store.commit(rows, _links([(row["url"], page) for row, page in pages] if with_links else [])):
            pass
        progress(batch.num_rows)


def _pairs(batch: pa.RecordBatch) -> Iterator[tuple[str, str | None]]:
    return zip(batch.column("id").to_pylist(), batch.column("url").to_pylist())


def _made_url(name: str, counts: Counts) -> str | None:
    counts["URL made from the id"] += 1
    return normalise("http://import.invalid/" + quote(name))


def _further(inputs: Sequence[Path]) -> list[str]:
    """The further columns to be kept: all of Parquet files, and those of the pages table from anything else."""
    names = dict.fromkeys(_GIVEN)
    for path in inputs:
        if path.suffix == ".parquet" and path.is_file():
            try:
                names.update(dict.fromkeys(pq.read_schema(path).names))
            except (pa.ArrowInvalid, OSError):
                continue  # said with its name when it is read
    return [name for name in names if name not in DOCUMENTS.names and name not in _OURS]


def _schema(given: pa.Schema) -> pa.Schema:
    more = [field for field in given if field.name not in DOCUMENTS.names and field.name not in PAGES.names]
    return pa.schema([*PAGES, *(field for field in more if not pa.types.is_null(field.type))])


def _keep(store: Store, document: dict[str, Any]) -> tuple[dict[str, Any], Page]:
    """Store one document's body and make its row."""
    url, body, content_type = document["url"], *_body(document)
    page = _read(document, url, content_type)
    at = _time(document.pop("fetched_at", None))
    fetched = Fetched(url, 200, body, [("Content-Type", content_type)], document.get("ip"))
    file, offset = store.warc.write_response(fetched, at=at)
    text = page.text if document["text"] is None else document["text"]
    row = {**document, "host": host(url) or "", "fetched_at": at, "status": 200, "text": text}
    row |= {"length": len(body), "digest": page.digest, "text_digest": page.text_digest}
    row |= {"warc_file": file, "warc_offset": offset, "depth": document.get("depth") or 0}
    for name in ("title", "language", "canonical", "content_type"):
        row[name] = document.get(name) or getattr(page, name)
    return row, page


def _body(document: dict[str, Any]) -> tuple[bytes, str]:
    html = document["html"]
    if html is None:
        return (document["text"] or "").encode(), "text/plain; charset=utf-8"
    if html.startswith(BOM):
        return html.removeprefix(BOM), "text/html; charset=utf-8"
    return html, "text/html"


def _read(document: dict[str, Any], url: str, content_type: str) -> Page:
    from garimpo.page import digest, read, text_digest

    body, _ = _body(document)
    if document["html"] is None:
        return Page(url, content_type=content_type, digest=digest(body), text_digest=text_digest(document["text"] or ""))
    page = read(body, url, content_type=content_type)
    if document["text"] is not None:
        page.text_digest = text_digest(document["text"])
    return page


def _time(value: Any) -> datetime:
    try:
        given = datetime.fromisoformat(value) if isinstance(value, str) else value
        return given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (AttributeError, ValueError):
        return datetime.now(UTC)


def _links(pages: Sequence[tuple[str, Page]]) -> pa.Table:
    """The links table of some pages, with the place of each link."""
    from garimpo.page import link_columns

    found = link_columns([page.links for _, page in pages])
    sources = pa.array([pages[row][0] for row in found.column("row").to_pylist()], pa.string())
    return found.set_column(0, "source", sources).cast(LINKS.append(PLACE))


def _open_links(path: Path) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(path, pre_buffer=False)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"{path}: not a Parquet file ({str(error).splitlines()[0]})") from None
    require(file.schema_arrow.names, ["source", "target"], str(path))
    return file


def _holds_places(file: pq.ParquetFile) -> bool:
    """Whether the links say where they stand: a column `place` of whole numbers from 0 on."""
    schema = file.schema_arrow
    return PLACE.name in schema.names and pa.types.is_unsigned_integer(schema.field(PLACE.name).type)


def _add_links(store: Store, file: pq.ParquetFile, counts: Counts) -> None:
    names = file.schema_arrow.names
    known = [*LINKS.names, *([PLACE.name] if _holds_places(file) else [])]
    for batch in file.iter_batches(1 << 16, columns=[name for name in known if name in names]):
        columns = {name: as_strings(batch.column(name)) for name in LINKS.names if name in names}
        ends = [normalise_column(columns[name].combine_chunks()) for name in ("source", "target")]
        anchor = pc.fill_null(columns["anchor"], "") if "anchor" in names else pa.array([""] * batch.num_rows)
        more = [columns.get(name, pa.nulls(batch.num_rows, pa.string())) for name in ("rel", "context")]
        table = pa.table([*ends, anchor, *more], names=LINKS.names)
        if PLACE.name in known:
            table = table.append_column(PLACE, batch.column(PLACE.name).cast(PLACE.type))
        good = table.filter(pc.and_(pc.is_valid(table["source"]), pc.is_valid(table["target"])))
        counts["link is not http(s)"] += table.num_rows - good.num_rows
        with store.commit(links=good):
            pass
