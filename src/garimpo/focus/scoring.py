"""Topics over documents of any kind: learn one from files, score files by one."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import texts
from garimpo.archive.documents import Paths
from garimpo.contract.files import publish
from garimpo.contract.reading import Counts
from garimpo.contract.tables import SCORES, check
from garimpo.focus.topic import TopicModel


def train(
    positive: Paths, unlabelled: Paths | None = None, *, method: str = "auto", seed: int = 0, counts: Counts | None = None
) -> TopicModel:
    """A topic model from documents: `positive` ones, and `unlabelled` ones of which some may be positive.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "gold.jsonl"
    >>> _ = file.write_text('{"text": "gold in the river"}\\n{"text": "river gold"}\\n')
    >>> train(file).method
    'oneclass'
    """
    rest = None if unlabelled is None else _column(unlabelled, counts)
    return TopicModel.train(_column(positive, counts), rest, method, seed)


def score(
    model: TopicModel, documents: Paths, out: Path, *, counts: Counts | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, int]:  # fmt: skip
    """Write the scores table of documents; returns how many there are and how many are on topic."""
    rows = relevant = 0
    with publish(out) as temporary, pq.ParquetWriter(temporary, SCORES, compression="zstd") as writer:
        for batch in texts(documents, counts=counts):
            scores = model.score(batch.column("text"))
            judged = scores > model.threshold
            table = pa.table([batch.column("id"), pa.array(scores), pa.array(judged)], names=SCORES.names)
            writer.write_table(check(table, SCORES))
            rows, relevant = rows + len(scores), relevant + int(np.sum(judged))
            if progress is not None:
                progress(len(scores))
    return {"documents": rows, "relevant": relevant}


def _column(documents: Paths, counts: Counts | None) -> pa.ChunkedArray:
    return pa.chunked_array([batch.column("text") for batch in texts(documents, counts=counts)], pa.large_string())
