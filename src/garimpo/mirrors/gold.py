"""Labels by hand: pairs drawn by strata of the score to a CSV, and what the labels say of the method.

Few pairs have a high score and very many a low one, so each tenth of the score gives the same number of pairs; a label then
counts for as many pairs as its tenth has for each drawn. Recall is of the copies among the candidates.
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput

COLUMNS = ("host_a", "host_b", "score", "tenth", "pairs_in_tenth", "label")
YES, NO = {"1", "y", "yes", "true"}, {"0", "n", "no", "false"}
DRAWS = 2000


def draw(pairs: pa.Table, each: int, seed: int = 0) -> list[dict[str, Any]]:
    """So many pairs of each tenth of the score, to be labelled.

    Args:
        pairs: what `find` returned.
        each: pairs of one tenth.
        seed: makes the draw repeatable.
    """
    random = np.random.default_rng(seed)
    score = pairs["score"].to_numpy()
    tenth = np.minimum((10 * score).astype(int), 9)
    out = []
    for number in range(9, -1, -1):
        inside = np.flatnonzero(tenth == number)
        for at in np.sort(random.permutation(inside)[:each]).tolist():
            names = {side: pairs[side][at].as_py() for side in ("host_a", "host_b")}
            out.append({**names, "score": f"{score[at]:.4f}", "tenth": number, "pairs_in_tenth": len(inside), "label": ""})
    return out


def write(rows: list[dict[str, Any]], path: Path) -> None:
    """Write the pairs to label; the column `label` takes 1 for copies, 0 for strangers, and may stay empty."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def read(path: Path, named: bool = False) -> list[dict[str, Any]]:
    """The rows that have a label, as (score, tenth, pairs_in_tenth, label).

    Args:
        path: a CSV of `mirrors sample`.
        named: also tell host_a and host_b, and for how many pairs each row stands (weight).
    """
    out: list[dict[str, Any]] = []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                label = (row.get("label") or "").strip().lower()
                if not label:
                    continue
                if label not in YES | NO:
                    raise BadInput(f"{path}: line {number}: label {label!r} is neither 1 nor 0")
                numbers = {"score": float(row["score"]), "tenth": int(row["tenth"]), "pairs_in_tenth": int(row["pairs_in_tenth"])}
                names = {side: row[side] for side in ("host_a", "host_b")} if named else {}
                out.append({**names, **numbers, "label": label in YES})
    except (KeyError, TypeError, ValueError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path}: not a table of `mirrors sample`: {error}") from None
    if not out:
        raise BadInput(f"{path}: no row has a label")
    if named:
        drawn = Counter(row["tenth"] for row in out)
        out = [{**row, "weight": row["pairs_in_tenth"] / drawn[row["tenth"]]} for row in out]
    return out


def judge(rows: list[dict[str, Any]], cut: float = 0.5, seed: int = 0) -> dict[str, Any]:
    """Precision and recall at a cut of the score, with 95 % intervals by drawing the labels of each tenth again.

    Args:
        rows: what `read` returned.
        cut: from this score on a pair is called copies.
        seed: makes the intervals repeatable.
    """
    random = np.random.default_rng(seed)
    tenth, label = np.array([row["tenth"] for row in rows]), np.array([row["label"] for row in rows], float)
    called = np.array([row["score"] >= cut for row in rows], float)
    size = {row["tenth"]: row["pairs_in_tenth"] for row in rows}
    groups = [np.flatnonzero(tenth == number) for number in sorted(size)]

    def figures(chosen: list[Any]) -> tuple[float, float]:
        found = right = copies = 0.0
        for at in chosen:
            weight = size[int(tenth[at[0]])] / len(at)
            found += weight * called[at].sum()
            right += weight * (called[at] * label[at]).sum()
            copies += weight * label[at].sum()
        return right / found if found else float("nan"), right / copies if copies else float("nan")

    point = figures(groups)
    again = np.array([figures([at[random.integers(0, len(at), len(at))] for at in groups]) for _ in range(DRAWS)])
    out: dict[str, Any] = {"labels": len(rows), "cut": cut}
    for number, name in enumerate(("precision", "recall")):
        known = again[:, number][~np.isnan(again[:, number])]
        bounds = [float(v) for v in np.quantile(known, [0.025, 0.975])] if len(known) else None
        out[name] = None if np.isnan(point[number]) else float(point[number])
        out[f"{name}_interval"] = bounds
    return out
