"""A forward index from documents, out of core: count the words, number them by document frequency, write the documents."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from garimpo.archive.collection.stream import Paths
from garimpo.archive.collection.text_stream import texts
from garimpo.archive.forward.index import Forward
from garimpo.archive.forward.writer import ForwardWriter
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.engine.columns import hash_strings

Longs = NDArray[np.int64]
Terms = NDArray[np.int32]


def build_forward(
    documents: Paths, out: str | os.PathLike[str], *, least: int = 1, most: float = 1.0, skip: int = 1,
    memory_limit: str = "1GB", counts: Counts | None = None, progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Write the forward index of documents (a crawl folder, or any other kind); returns what `Forward.stat` tells.

    Words of fewer than `least` documents, or of over the share `most`, are left out.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.jsonl").write_text('{"id": "1", "text": "la panca la capra"}')
    >>> build_forward(folder / "a.jsonl", folder / "a.fwd")["tokens"]
    4
    >>> index = Forward(folder / "a.fwd")
    >>> {index.words()[int(t)].as_py(): int(f) for t, f in zip(*index.by_index(0)[1:])}
    {'capra': 1, 'la': 2, 'panca': 1}
    """
    if not 0 < most <= 1 or least < 1:
        raise BadInput("a word is kept by how many documents have it: at least 1, and at most a share of 1")
    with TemporaryDirectory(prefix=".forward-", dir=Path(out).absolute().parent) as folder:
        vocabulary = _number_words(documents, Path(folder), least, most, memory_limit, counts)
        keys = hash_strings(vocabulary)
        order = np.argsort(keys)
        urls: list[pa.Array] = []
        done = 0
        with ForwardWriter(out, len(vocabulary), skip=skip) as writer:
            for batch in texts(documents):
                starts, terms, found = _pairs(batch.column("text"), keys[order], order)
                writer.add(np.arange(done, done + batch.num_rows), starts, terms, found)
                urls.append(batch.column("url").fill_null("").cast(pa.large_string()))
                done += batch.num_rows
                if progress is not None:
                    progress(batch.num_rows)
            writer.finish(vocabulary, pa.concat_arrays(urls))
    return Forward(out).stat()


def _number_words(documents: Paths, folder: Path, least: int, most: float, memory_limit: str, counts: Counts | None) -> pa.Array:
    """The words in order of decreasing document frequency (then of their text): counted in parts, added up on disk."""
    schema = pa.schema([("word", pa.string()), ("documents", pa.int64())])
    total = 0
    with pq.ParquetWriter(folder / "words.parquet", schema, compression="zstd") as writer:
        for batch in texts(documents, counts=counts):
            total += batch.num_rows
            writer.write_table(_frequencies(batch.column("text"), schema))
    with duckdb.connect(config={"memory_limit": memory_limit, "temp_directory": str(folder / "spill")}) as database:
        query = (
            f"SELECT word FROM read_parquet('{folder / 'words.parquet'}') GROUP BY word "
            f"HAVING sum(documents) >= {least} AND sum(documents) <= {most * total} ORDER BY sum(documents) DESC, word"
        )
        column = database.sql(query).to_arrow_table().column("word").cast(pa.large_string())
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], pa.large_string())


def _frequencies(column: pa.Array, schema: pa.Schema) -> pa.Table:
    """The distinct words of some texts, and how many of the texts have each."""
    from garimpo.page import words

    found: dict[str, int] = {}
    for text in column.to_pylist():
        for word in set(words(text or "")):
            found[word] = found.get(word, 0) + 1
    return pa.table([list(found), list(found.values())], schema=schema)


def _pairs(column: pa.Array, keys: NDArray[np.uint64], numbers: Longs) -> tuple[Longs, Terms, Terms]:
    """(term, frequency) of each text: where each begins, the terms ascending, and how often each occurs."""
    from garimpo.page import word_hashes

    hashes, offsets = word_hashes(column)
    rows = np.repeat(np.arange(len(column)), np.diff(offsets))
    place = np.minimum(np.searchsorted(keys, hashes), max(0, len(keys) - 1))
    known = keys[place] == hashes if len(keys) else np.zeros(len(hashes), bool)
    codes = rows[known] * (len(keys) + 1) + numbers[place[known]]
    codes, found = np.unique(codes, return_counts=True)
    starts = np.searchsorted(codes, np.arange(len(column) + 1) * (len(keys) + 1))
    return starts.astype(np.int64), (codes % (len(keys) + 1)).astype(np.int32), found.astype(np.int32)
