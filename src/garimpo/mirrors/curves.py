"""How right a table of pairs is against a truth: precision and recall, and the curves over all cuts of the score."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract import BadInput, read_table
from garimpo.contract.tables import HOST_PAIRS
from garimpo.mirrors import gold
from garimpo.mirrors.page_scan import Array

POINTS = 500
"""A plot shows at most so many points of a curve."""


class Judged(NamedTuple):
    """Pairs that have a label: their score, whether they were called copies, whether they are, and how many each stands for."""

    score: Array
    called: Array
    copies: Array
    weight: Array


def judged(host_pairs: Path, truth: Path, cut: float | None = None) -> Judged:
    """The pairs of a truth with what a table of `find` says of them; a pair that is not in the table has score 0.

    Args:
        host_pairs: what `find` wrote.
        truth: .parquet with host_a, host_b and replica (without it, or if none is false, whatever the truth does not name is no
            copy); or a .csv of `mirrors sample` with labels, which count for as many pairs as they were drawn from.
        cut: from this score on a pair counts as called copies; unless given, as the table says.
    """
    if not truth.is_file():
        raise BadInput(f"{truth}: no such file")
    pairs = read_table(host_pairs, HOST_PAIRS.names)
    if truth.suffix == ".csv":
        rows = gold.read(truth, named=True)
        named = [(row["host_a"], row["host_b"]) for row in rows]
        copies, weight = np.array([row["label"] for row in rows]), np.array([row["weight"] for row in rows])
        complete = False
    else:
        named, copies = _of_table(truth)
        weight, complete = np.ones(len(copies)), bool(copies.all())
    label = {(min(pair), max(pair)): at for at, pair in enumerate(named)}
    at = np.array([label.get(pair, -1) for pair in zip(pairs["host_a"].to_pylist(), pairs["host_b"].to_pylist())], np.int64)
    score = pairs["score"].to_numpy().astype(np.float64)
    called = pairs["replica"].to_numpy(zero_copy_only=False) if cut is None else score >= cut
    met = np.flatnonzero(at >= 0)
    missed = np.setdiff1d(np.arange(len(copies)), at[met])
    others = np.flatnonzero(at < 0) if complete else np.zeros(0, np.int64)
    nothing = np.zeros(len(missed))
    return Judged(
        np.concatenate([score[met], score[others], nothing]),
        np.concatenate([called[met], called[others], nothing.astype(bool)]),
        np.concatenate([copies[at[met]], np.zeros(len(others), bool), copies[missed]]),
        np.concatenate([weight[at[met]], np.ones(len(others)), weight[missed]]),
    )


def _of_table(truth: Path) -> tuple[list[tuple[str, str]], Array]:
    has_label = truth.suffix == ".parquet" and "replica" in _names(truth)
    table = read_table(truth, ["host_a", "host_b", *(["replica"] if has_label else [])])
    named = list(zip(table["host_a"].to_pylist(), table["host_b"].to_pylist()))
    if not has_label:
        return named, np.ones(len(named), bool)
    if not pa.types.is_boolean(table.schema.field("replica").type):
        raise BadInput(f"{truth}: column replica holds {table.schema.field('replica').type}, not true and false")
    return named, table["replica"].fill_null(False).to_numpy().astype(bool)


def _names(truth: Path) -> list[str]:
    try:
        return list(pq.read_schema(truth).names)
    except pa.ArrowInvalid:
        return []  # reading it says what is wrong


def figures(pairs: Judged) -> dict[str, Any]:
    """Precision and recall of what was called copies, average precision, and the area under the ROC; None where there is none."""
    right = (pairs.weight * (pairs.called & pairs.copies)).sum()
    precision, recall = precision_recall(pairs)
    false, true = roc(pairs)
    known, all_copies = pairs.weight.sum(), (pairs.weight * pairs.copies).sum()
    called = (pairs.weight * pairs.called).sum()
    both = 0 < all_copies < known
    return {
        "pairs": round(float(known)),
        "copies": round(float(all_copies)),
        "called": round(float(called)),
        "precision": float(right / called) if called else None,
        "recall": float(right / all_copies) if all_copies else None,
        "average_precision": float(np.sum(np.diff(recall, prepend=0.0) * precision)) if all_copies else None,
        "auc": float(np.sum(np.diff(false) * (true[1:] + true[:-1]) / 2)) if both else None,
    }


def precision_recall(pairs: Judged) -> tuple[Array, Array]:
    """Precision and recall at each score that occurs, from the highest down.

    >>> pairs = Judged(*map(np.array, ([0.9, 0.8, 0.1], [True, True, False], [True, False, True], [1.0, 1.0, 1.0])))
    >>> [column.round(2).tolist() for column in precision_recall(pairs)]
    [[1.0, 0.5, 0.67], [0.5, 0.5, 1.0]]
    """
    right, wrong = _counted(pairs)
    return right / np.maximum(right + wrong, 1e-300), right / max(float(right[-1]) if len(right) else 0.0, 1e-300)


def roc(pairs: Judged) -> tuple[Array, Array]:
    """The part of strangers, and of copies, above each score that occurs, from the highest down; begins at 0, 0."""
    right, wrong = (np.concatenate([[0.0], counted]) for counted in _counted(pairs))
    return wrong / max(float(wrong[-1]), 1e-300), right / max(float(right[-1]), 1e-300)


def _counted(pairs: Judged) -> tuple[Array, Array]:
    """Copies and strangers at or above each score; pairs of one score come together."""
    order = np.argsort(-pairs.score, kind="stable")
    score = pairs.score[order]
    last = np.flatnonzero(np.append(np.diff(score) != 0, True)) if len(score) else np.zeros(0, np.int64)
    weight = pairs.weight[order]
    return np.cumsum(weight * pairs.copies[order])[last], np.cumsum(weight * ~pairs.copies[order])[last]


def points(x: Array, y: Array) -> list[tuple[float, float]]:
    """A curve with few enough points to draw: evenly chosen, first and last among them."""
    at = np.unique(np.linspace(0, len(x) - 1, min(POINTS, len(x))).round().astype(np.int64)) if len(x) else np.zeros(0, np.int64)
    return [(float(a), float(b)) for a, b in zip(x[at], y[at])]
