"""How good a ranking is, against what is known to be right: any system's ranking, not only ours.

Queries are judged one by one and averaged. Documents with equal scores have no order, so every figure is its mean over some
random ones. Intervals come from drawing queries again (bootstrap), because another day brings other queries.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import BadInput, Summarised
from garimpo.contract.reading import as_strings
from garimpo.similarity.inputs.given_rows import Rows, read_rows

Floats = NDArray[np.float64]
Policy = Literal["answered", "zero", "related"]
Interpolation = Literal["standard", "source"]
LEVELS = np.arange(11) / 10
FIGURES = ("precision", "recall", "f", "map", "map_retrieved", "first", "area")
"""`map` divides by all relevant documents, `map_retrieved` by those that were retrieved; `first`: a relevant one comes first."""


@dataclass(frozen=True, repr=False)
class Evaluation(Summarised):
    """Figures of each query, one row a query; columns as in `FIGURES`, then precision at the eleven levels of recall.

    Args:
        queries: the queries that count.
        figures: a row each.
        curves: precision at eleven levels of recall, a row each.
        without_answer: queries for which nothing is right.
        not_ranked: queries that the ranking has no row for.
        intervals: of the means, with 95 % confidence.
    """

    queries: list[str]
    figures: Floats
    curves: Floats
    without_answer: int
    not_ranked: int
    intervals: dict[str, tuple[float, float]]

    def mean(self, name: str) -> float:
        """One figure, averaged over queries."""
        return float(self.figures[:, FIGURES.index(name)].mean())

    def curve(self) -> list[tuple[float, float]]:
        """(recall, precision), averaged over queries at each of the eleven levels."""
        return list(zip(LEVELS.tolist(), self.curves.mean(axis=0).tolist()))

    def summary(self) -> dict[str, Any]:
        """The figures by their names in ``--json``."""
        out: dict[str, Any] = {
            "queries": len(self.queries),
            "without_answer": self.without_answer,
            "not_ranked": self.not_ranked,
        }
        for name in FIGURES:
            out[name] = self.mean(name)
            out[f"{name}_interval"] = list(self.intervals[name])
        return {**out, "curve": [list(point) for point in self.curve()]}


def evaluate(
    ranking: Rows,
    truth: Rows,
    *,
    cut: int | None = None,
    threshold: float | None = None,
    policy: Policy = "answered",
    interpolation: Interpolation = "standard",
    orders: int = 10,
    rounds: int = 1000,
    seed: int = 0,
) -> Evaluation:
    """Precision, recall, F, mean average precision, the 11-point curve and its area, with 95 % intervals.

    Args:
        ranking: `query, id` and `similarity` (or `score`) or `rank`: a table, or the path of one.
        truth: `query, id` and, if some are no answers, `grade`: above 0 is relevant, 0 is not.
        cut: only the first so many documents of a query count as retrieved.
        threshold: only documents with at least this similarity count as retrieved.
        policy: what becomes of queries without a relevant document: "answered" leaves them out, "zero" counts them with 0,
            "related" takes their documents of grade 0 for relevant.
        interpolation: "standard", or "source": precision 1 at recall 0, and the last one held beyond the recall reached.
        orders: random orders of documents with equal scores that are averaged.
        rounds: draws of the bootstrap.
        seed: of both.

    >>> ranked = pa.table({"query": ["q", "q"], "id": ["a", "b"], "rank": [1, 2]})
    >>> found = evaluate(ranked, pa.table({"query": ["q"], "id": ["b"]}))
    >>> found.mean("map"), found.mean("precision"), found.mean("recall")
    (0.5, 0.5, 1.0)
    """
    _require(cut, orders, rounds, policy, interpolation)
    table = read_rows(ranking, "ranking", ("query", "id"), ("similarity", "score", "rank"))
    if threshold is not None and not {"similarity", "score"} & set(table.column_names):
        raise BadInput("a threshold needs a ranking with a column similarity or score")
    listed = _lists(table, _called(ranking, "the ranking"))
    answers = read_rows(truth, "truth", ("query", "id"), ("grade",))
    relevant, related = _answers(answers, _called(truth, "the truth"))
    chance = np.random.default_rng(seed)
    names, rows, curves, unanswered = [], [], [], 0
    for query in sorted({*listed, *relevant, *related}):
        right = relevant.get(query) or (related.get(query, set()) if policy == "related" else set())
        unanswered += not relevant.get(query)
        if not right and policy != "zero":
            continue
        scored = listed.get(query, ([], np.empty(0)))
        names.append(query)
        row, curve = _judge(*scored, right, cut, threshold, orders, interpolation, chance)
        rows.append(row)
        curves.append(curve)
    if not names:
        raise BadInput("no query of the ranking or the truth has a relevant document: nothing to judge")
    figures = np.array(rows)
    return Evaluation(
        names,
        figures,
        np.array(curves),
        unanswered,
        sum(name not in listed for name in names),
        {name: interval(figures[:, place], rounds, chance) for place, name in enumerate(FIGURES)},
    )


def interval(values: Floats, rounds: int, chance: np.random.Generator) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean."""
    means = np.array([values[chance.integers(0, values.size, values.size)].mean() for _ in range(rounds)])
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def curve_of(hits: NDArray[np.bool_], total: int, interpolation: str = "standard") -> Floats:
    """Interpolated precision at the eleven levels of recall, of one ranking; `hits` says which places are relevant."""
    found = np.cumsum(hits)[hits]
    precision = found / (np.flatnonzero(hits) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    place = np.searchsorted(found / max(total, 1), LEVELS - 1e-9)
    beyond = precision[-1] if interpolation == "source" and precision.size else 0.0
    out = np.where(place < best.size, best[np.minimum(place, best.size - 1)], beyond) if best.size else np.zeros(11)
    if interpolation == "source":
        out[0] = 1.0
    return out


def _require(cut: int | None, orders: int, rounds: int, policy: str, interpolation: str) -> None:
    if (cut is not None and cut < 1) or orders < 1 or rounds < 1:
        raise BadInput("cut, orders and rounds are at least 1")
    if policy not in ("answered", "zero", "related"):
        raise BadInput(f"no policy is called {policy}: one of answered, zero, related")
    if interpolation not in ("standard", "source"):
        raise BadInput(f"no interpolation is called {interpolation}: one of standard, source")


Lists = dict[str, tuple[list[str], Floats]]


def _called(given: object, otherwise: str) -> str:
    """What errors call a table: its file, if it came from one."""
    return otherwise if isinstance(given, pa.Table) else str(given)


def _lists(table: pa.Table, where: str) -> Lists:
    """Ids and scores of each query; of an id listed twice the better score counts."""
    name = next((name for name in ("similarity", "score", "rank") if name in table.column_names), None)
    if name is None:
        raise BadInput(f"{where}: no column similarity, score or rank")
    values = _numbers(table[name], f"{where}: {name}") * (-1 if name == "rank" else 1)
    best: dict[str, dict[str, float]] = {}
    for query, document, value in zip(*_names(table, where), values.tolist()):
        found = best.setdefault(query, {})
        found[document] = max(value, found.get(document, -np.inf))
    return {query: (list(found), np.array(list(found.values()))) for query, found in best.items()}


def _answers(table: pa.Table, where: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Of each query the relevant documents, and those of grade 0."""
    grades = _numbers(table["grade"], f"{where}: grade") if "grade" in table.column_names else np.ones(table.num_rows)
    relevant: dict[str, set[str]] = {}
    related: dict[str, set[str]] = {}
    for query, document, grade in zip(*_names(table, where), grades.tolist()):
        (relevant if grade > 0 else related).setdefault(query, set()).add(document)
    return relevant, related


def _names(table: pa.Table, where: str) -> Iterator[list[str]]:
    for name in ("query", "id"):
        column = as_strings(table[name])
        if column.null_count:
            raise BadInput(f"{where}: a row without {name}")
        yield column.to_pylist()


def _numbers(column: pa.ChunkedArray, where: str) -> Floats:
    try:
        values = column.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadInput(f"{where} is no number") from None
    if np.isnan(values).any():
        raise BadInput(f"{where} is missing in a row")
    return values


def _judge(
    ids: list[str],
    scores: Floats,
    right: set[str],
    cut: int | None,
    threshold: float | None,
    orders: int,
    interpolation: str,
    chance: np.random.Generator,
) -> tuple[Floats, Floats]:
    """The figures and the curve of one query, averaged over orders of equal scores."""
    hits = np.array([name in right for name in ids], bool)
    if threshold is not None:
        hits, scores = hits[scores >= threshold], scores[scores >= threshold]
    tied = np.unique(scores).size < scores.size
    rows, curves = [], []
    for _ in range(orders if tied else 1):
        order = np.lexsort((chance.random(scores.size), -scores))[:cut]
        rows.append(_figures(hits[order], len(right)))
        curves.append(curve_of(hits[order], len(right), interpolation))
    curve = np.mean(curves, axis=0)
    return np.append(np.mean(rows, axis=0), np.trapezoid(curve, dx=0.1)), curve


def _figures(hits: NDArray[np.bool_], total: int) -> list[float]:
    found = int(hits.sum())
    precision = found / hits.size if hits.size else 0.0
    recall = found / total if total else 0.0
    f = 2 * precision * recall / (precision + recall) if found else 0.0
    at_hits = float((np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)).sum())
    first = float(hits[0]) if hits.size else 0.0
    return [precision, recall, f, at_hits / total if total else 0.0, at_hits / found if found else 0.0, first]
