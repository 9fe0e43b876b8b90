"""Topics over documents of any kind: learn one from files, score files by one."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa

from garimpo.archive import texts
from garimpo.archive.collection.on_engine import placed_texts
from garimpo.archive.collection.stream import Paths
from garimpo.contract.reading import Counts
from garimpo.contract.results import Result
from garimpo.contract.tables import SCORES
from garimpo.engine import Engine, local
from garimpo.focus.topic import TopicModel

SCORED = SCORES.append(pa.field("place", pa.int64()))


def train(
    positive: Paths, unlabelled: Paths | None = None, *, method: str = "auto", seed: int = 0, counts: Counts | None = None
) -> TopicModel:
    """A topic model from documents: `positive` ones, and `unlabelled` ones of which some may be positive.

    Args:
        positive: documents about the topic.
        unlabelled: documents of any kind.
        method: auto, bprtfidf, or svmc with a mapper.
        seed: makes a run repeatable.
        counts: what is passed over is counted here.

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
    progress: Callable[[float], None] | None = None, engine: Engine | None = None,
) -> Result:  # fmt: skip
    """Write the scores table of documents; returns how many there are and how many are on topic.

    Args:
        model: the topic.
        documents: files, folders or crawl folders.
        out: the table to write; its suffix decides the format.
        counts: what is passed over is counted here.
        progress: called with the number of documents read since.
        engine: where the job runs; this machine, unless given.
    """
    if engine is None:
        with local() as here:
            return score(model, documents, out, counts=counts, progress=progress, engine=here)
    counts = Counts() if counts is None else counts
    read = placed_texts(engine, documents, {}, partial(_scored, model), SCORED, counts, progress)
    query = f"select {', '.join(f's.{name}' for name in SCORES.names)} from scored s"
    if read.repeated:
        query += " join firsts f on f.place = s.place order by f.place"
        scored = engine.sql(query, scored=read.rows, firsts=read.firsts(engine, counts))
    else:
        scored = engine.sql(query, scored=read.rows)
    written = engine.write(scored, out, SCORES)
    relevant = engine.collect(engine.sql("select count(*) as n from scored where relevant", scored=scored))
    return Result(documents=written, relevant=int(relevant["n"][0].as_py()))


def _scored(model: TopicModel, table: pa.Table) -> pa.Table:
    scores = model.score(table["text"].combine_chunks())
    return pa.table([table["id"], pa.array(scores), pa.array(scores > model.threshold), table["place"]], schema=SCORED)


def _column(documents: Paths, counts: Counts | None) -> pa.ChunkedArray:
    return pa.chunked_array([batch.column("text") for batch in texts(documents, counts=counts)], pa.large_string())
