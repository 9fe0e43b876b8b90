"""The text of every document, whatever it came as."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from garimpo.archive.collection.stream import Paths, cut_batches, documents
from garimpo.contract.reading import Counts


def texts(
    paths: Paths, *, columns: Sequence[str] = (), counts: Counts | None = None, text_column: str | None = None
) -> Iterator[pa.RecordBatch]:
    """Every document as `id, url, text` (and the further `columns`): `text` wins, else what the HTML shows.

    Args:
        paths: files, folders or crawl folders of documents.
        columns: more columns to read.
        text_column: the column that holds the text, where it is not named `text`.
        counts: what is passed over is counted here.

    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "one.jsonl"
    >>> _ = file.write_text('{"url": "http://a.example/", "html": "<p>river <b>gold</b>"}')
    >>> [row["text"] for batch in texts(file) for row in batch.to_pylist()]
    ['river gold']
    """
    for batch in documents(paths, columns=columns, counts=counts, text_column=text_column):
        yield from cut_batches(with_text(batch))


def with_text(rows: pa.RecordBatch | pa.Table) -> pa.Table:
    """Documents as `id, url, text` and what else they have, with what the HTML shows where there is no text."""
    filled = _shown(rows) if rows.column("text").null_count else rows.column("text")
    rest = [name for name in rows.schema.names if name not in ("id", "url", "text", "html")]
    arrays = [rows.column("id"), rows.column("url"), filled, *(rows.column(name) for name in rest)]
    return pa.table(arrays, names=["id", "url", "text", *rest])


def _shown(batch: pa.RecordBatch | pa.Table) -> pa.Array:
    from garimpo.page import read  # compiles kernels, which whoever has texts only does not need

    shown = []
    for url, text, html in zip(*(batch.column(name).to_pylist() for name in ("url", "text", "html"))):
        shown.append(text if text is not None else read(html or b"", url or "").text)
    return pa.array(shown, pa.large_string())
