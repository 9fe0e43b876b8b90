"""Topics over documents of any kind: learn one from files, score files by one, say how good one is."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.archive import texts
from garimpo.archive.collection.on_engine import placed_texts
from garimpo.archive.collection.stream import Paths
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.contract.results import Result
from garimpo.contract.tables import SCORES
from garimpo.engine import Engine, local
from garimpo.focus.topic import Method, TopicModel

BINS = 10
"""Of so many equal parts from 0 to 1 it is told how many scores lie in each."""
SCORED = SCORES.append(pa.field("place", pa.int64()))


def train(
    positive: Paths, unlabelled: Paths | None = None, *, method: Method = "auto", seed: int = 0, counts: Counts | None = None,
    threshold: float | None = None,
) -> TopicModel:  # fmt: skip
    """A topic model from documents: `positive` ones, and `unlabelled` ones of which some may be positive.

    Args:
        positive: documents about the topic.
        unlabelled: documents of any kind.
        method: auto, bprtfidf, or svmc with a mapper.
        seed: makes a run repeatable.
        counts: what is passed over is counted here.
        threshold: what would score above it is on topic, in place of what the documents say (see `TopicModel.cut_at`).

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "gold.jsonl"
    >>> _ = file.write_text('{"text": "gold in the river"}\\n{"text": "river gold"}\\n')
    >>> train(file).method
    'oneclass'
    """
    rest = None if unlabelled is None else _column(unlabelled, counts)
    model = TopicModel.train(_column(positive, counts), rest, method, seed)
    if threshold is not None:
        model.cut_at(within_bounds(threshold))
    return model


def score(
    model: TopicModel, documents: Paths, out: Path, *, counts: Counts | None = None,
    progress: Callable[[float], None] | None = None, engine: Engine | None = None, threshold: float | None = None,
) -> Result:  # fmt: skip
    """Write the scores table of documents; returns how many there are, how many are on topic, and how the scores lie.

    Args:
        model: the topic.
        documents: files, folders or crawl folders.
        out: the table to write; its suffix decides the format.
        counts: what is passed over is counted here.
        progress: called with the number of documents read since.
        engine: where the job runs; this machine, unless given.
        threshold: what scores above it is on topic; the model's own, unless given.
    """
    line = model.threshold if threshold is None else within_bounds(threshold)
    if engine is None:
        with local() as here:
            return score(model, documents, out, counts=counts, progress=progress, engine=here, threshold=line)
    counts = Counts() if counts is None else counts
    read = placed_texts(engine, documents, {}, partial(_scored, model, line), SCORED, counts, progress)
    query = f"select {', '.join(f's.{name}' for name in SCORES.names)} from scored s"
    if read.repeated:
        query += " join firsts f on f.place = s.place order by f.place"
        scored = engine.sql(query, scored=read.rows, firsts=read.firsts(engine, counts))
    else:
        scored = engine.sql(query, scored=read.rows)
    written = engine.write(scored, out, SCORES)
    sizes = engine.collect(engine.sql(_SIZES, scored=scored)).to_pydict()
    spread = np.bincount(np.array(sizes["bin"], np.int64), sizes["n"], BINS).astype(int).tolist()
    return Result(documents=written, relevant=int(sum(sizes["good"])), threshold=line, distribution=spread)


_SIZES = f"""select cast(least({BINS - 1}, floor(score * {BINS})) as int) as bin, count(*) as n,
sum(case when relevant then 1 else 0 end) as good from scored group by 1"""


def _scored(model: TopicModel, threshold: float, table: pa.Table) -> pa.Table:
    scores = model.score(table["text"].combine_chunks())
    return pa.table([table["id"], pa.array(scores), pa.array(scores > threshold), table["place"]], schema=SCORED)


def test(
    model: TopicModel, positive: Paths, negative: Paths, *, threshold: float | None = None, counts: Counts | None = None
) -> Result:
    """How well a model tells documents that are known to be on topic from others.

    Gives the four counts, accuracy, precision, recall, F1 and false positive rate by the threshold; `auc`, the chance that a
    positive document scores above a negative one; the threshold with the best F1 and that F1 (in hindsight: by these very
    documents); and of both kinds how many scores lie in each tenth.

    Args:
        model: the topic.
        positive: documents that are on topic.
        negative: documents that are not.
        threshold: what scores above it is on topic; the model's own, unless given.
        counts: what is passed over is counted here.
    """
    line = model.threshold if threshold is None else within_bounds(threshold)
    good, bad = (_scores(model, documents, name, counts) for documents, name in ((positive, "positive"), (negative, "negative")))
    right, wrong = int((good > line).sum()), int((bad > line).sum())
    best, at = best_f1(good, bad)
    order = np.sort(bad)
    above, equal = np.searchsorted(order, good), np.searchsorted(order, good, "right")
    return Result(
        positives=len(good), negatives=len(bad), threshold=line,
        true_positives=right, false_negatives=len(good) - right, false_positives=wrong, true_negatives=len(bad) - wrong,
        accuracy=(right + len(bad) - wrong) / (len(good) + len(bad)), precision=right / max(1, right + wrong),
        recall=right / len(good), f1=2 * right / (len(good) + right + wrong), false_positive_rate=wrong / len(bad),
        auc=float((above + equal).sum() / (2 * len(good) * len(bad))), best_f1=best, best_threshold=at,
        distribution={"positive": spread_of(good), "negative": spread_of(bad)},
    )  # fmt: skip


def _scores(model: TopicModel, documents: Paths, name: str, counts: Counts | None) -> NDArray[np.float64]:
    column = _column(documents, counts)
    if not len(column):
        raise BadInput(f"no {name} document")
    return model.score(column.combine_chunks())


def best_f1(good: NDArray[np.float64], bad: NDArray[np.float64]) -> tuple[float, float]:
    """The largest F1 that any threshold gives, and the one in the middle of the gap that gives it.

    Args:
        good: scores of documents on topic.
        bad: scores of the others.

    >>> best_f1(np.array([0.9, 0.8, 0.3]), np.array([0.5, 0.1]))
    (0.8571428571428571, 0.2)
    """
    cuts = np.unique(np.concatenate([good, bad]))
    right = len(good) - np.searchsorted(np.sort(good), cuts)
    taken = right + len(bad) - np.searchsorted(np.sort(bad), cuts)
    f1 = 2 * right / (len(good) + taken)
    best = int(np.argmax(f1))
    return float(f1[best]), float(cuts[best] + (cuts[best - 1] if best else 0.0)) / 2


def spread_of(scores: NDArray[np.float64]) -> list[int]:
    """How many scores lie in each tenth from 0 to 1.

    Args:
        scores: from 0 to 1.
    """
    return np.bincount(np.minimum(BINS - 1, (scores * BINS).astype(np.int64)), minlength=BINS).tolist()


def within_bounds(threshold: float) -> float:
    """The threshold, or `BadInput` where it is none.

    Args:
        threshold: above 0, below 1.
    """
    if not 0 < threshold < 1:
        raise BadInput(f"threshold {threshold}: above 0, below 1")
    return threshold


def _column(documents: Paths, counts: Counts | None) -> pa.ChunkedArray:
    return pa.chunked_array([batch.column("text") for batch in texts(documents, counts=counts)], pa.large_string())
