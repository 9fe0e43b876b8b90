"""Near-duplicates on real data: Reuters against brute force, Clough & Stevenson's copy levels, WebKB's equal pages."""

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse, stats
from sklearn.metrics import roc_auc_score

from garimpo.report import Report
from garimpo.similarity import Sets, dedup, exact

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT / ".." / "shared" / "data"))
LEVELS = ("authentic", "heavy", "light", "cut")


def reuters_table() -> pa.Table:
    table = pq.read_table(DATA / "reuters" / "docs.parquet", columns=["id", "title", "body"])
    texts = [f"{title or ''} {body or ''}" for title, body in zip(table["title"].to_pylist(), table["body"].to_pylist())]
    return pa.table({"id": [f"{i:05}" for i in table["id"].to_pylist()], "text": pa.array(texts, pa.large_string())})


def all_pairs(table: pa.Table, least: float) -> dict[tuple[str, str], float]:
    """Every pair with a Jaccard of `least` or more: shared shingles counted for all pairs, nothing sketched."""
    sets = Sets.from_texts(table["text"])
    _, column = np.unique(sets.values, return_inverse=True)
    matrix = sparse.csr_matrix((np.ones(column.size, np.int32), column, sets.offsets), dtype=np.int32)
    ids, sizes, found = table["id"].to_pylist(), sets.sizes, {}
    for start in range(0, len(sets), 1000):
        shared = (matrix[start : start + 1000] @ matrix.T).tocoo()
        row, other = shared.row + start, shared.col
        jaccard = shared.data / (sizes[row] + sizes[other] - shared.data)
        for i in np.flatnonzero((other > row) & (jaccard >= least)):
            found[ids[row[i]], ids[other[i]]] = float(jaccard[i])
    return found


def reuters(report: Report) -> dict[str, Any]:
    table = reuters_table()
    truth = all_pairs(table, 0.5)
    rows, figures = [], {}
    for threshold in (0.5, 0.7, 0.9):
        expected = {pair for pair, value in truth.items() if value >= threshold}
        for sketch in ("fss", "min", "oph", "simhash"):
            slots = 512 if sketch == "simhash" else 128
            result = dedup(table, threshold, sketch=sketch, slots=slots)
            pairs = result.pairs()
            found = set(zip(pairs["a"].to_pylist(), pairs["b"].to_pylist()))
            recall, precision = len(found & expected) / len(expected), len(found & expected) / max(1, len(found))
            summary = result.summary()
            rows.append([threshold, sketch, len(expected), recall, precision, summary["pairs_checked"], summary["removed"]])
            if sketch == "fss":
                figures[f"reuters {threshold}"] = {"pairs": len(expected), "recall": recall, "precision": precision}
    report.heading("Reuters-21578: recall and precision against brute force")
    report.paragraph(
        "Text is title and body; 5-word shingles; all pairs counted exactly. The default settings are fss, 128 slots."
    )
    report.table(["threshold", "sketch", "true pairs", "recall", "precision", "pairs checked", "removed"], rows)
    return figures


def clough(report: Report) -> dict[str, Any]:
    table = pq.read_table(DATA / "clough-stevenson" / "answers.parquet")
    labels = np.array(table["label"].to_pylist())
    copied = labels != "authentic"
    level = np.array([LEVELS.index(label) for label in labels])
    rows, figures = [], {}
    chance = np.random.default_rng(0)
    for width in (1, 2, 3, 5):
        answers, sources = (Sets.from_texts(table[name], width) for name in ("answer", "source"))
        for measure in ("jaccard", "containment"):
            value = exact(answers, sources, measure)
            boot = [_auc(copied, value, chance) for _ in range(1000)]
            low, high = np.percentile(boot, [2.5, 97.5])
            tau = float(stats.kendalltau(level, value).statistic)
            means = [float(value[labels == name].mean()) for name in LEVELS]
            rows.append([width, measure, *means, float(roc_auc_score(copied, value)), f"{low:.3f} to {high:.3f}", tau])
            figures[f"clough {width} {measure}"] = {"auc": rows[-1][6], "tau": tau}
    report.heading("Clough & Stevenson: what the similarity means to people")
    report.paragraph(
        "95 short answers and the article that three fifths of them were to copy from, more or less. Means by level of copying; "
        "AUC of copied against written alone (95 % bootstrap interval); Kendall's tau with the level."
    )
    report.table(["shingle", "measure", *LEVELS, "AUC", "interval", "tau"], rows)
    return figures


def _auc(copied: np.ndarray, value: np.ndarray, chance: np.random.Generator) -> float:
    rows = chance.integers(0, value.size, value.size)
    return float(roc_auc_score(copied[rows], value[rows])) if 0 < copied[rows].sum() < rows.size else 0.5


def webkb(report: Report) -> dict[str, Any]:
    table = pq.read_table(DATA / "webkb" / "pages.parquet", columns=["url", "html"])
    groups: dict[str, list[str]] = defaultdict(list)
    for url, html in zip(table["url"].to_pylist(), table["html"].to_pylist()):
        if url not in groups[re.sub(r"\s+", " ", html).strip()]:
            groups[re.sub(r"\s+", " ", html).strip()].append(url)
    equal = [urls for urls in groups.values() if len(urls) > 1]
    rows, figures = [], {}
    for threshold in (1.0, 0.8):
        near = dedup(table, threshold).near
        kept = dict(zip(near["id"].to_pylist(), near["kept_id"].to_pylist()))
        whole = sum(len({kept[url] for url in urls}) == 1 for urls in equal)
        rows.append([threshold, len(equal), whole, near.num_rows, near.num_rows - int(sum(near["keep"].to_pylist()))])
        figures[f"webkb {threshold}"] = {"groups": len(equal), "found": whole}
    report.heading("WebKB: pages with equal bodies")
    report.paragraph(
        "Groups of URLs whose HTML is equal up to white space; found: all of a group stand under one kept page. A group whose "
        "pages show no text at all is a duplicate of nothing."
    )
    report.table(["threshold", "groups", "found", "pages", "removed"], rows)
    return figures


def run(report: Report) -> dict[str, Any]:
    """All three, into one report; the figures by name. Data that is not here is said to be missing."""
    figures: dict[str, Any] = {}
    for name, study in (("reuters", reuters), ("clough-stevenson", clough), ("webkb", webkb)):
        if (DATA / name).is_dir():
            figures.update(study(report))
        else:
            report.paragraph(f"{name}: the data is not here.")
    return figures


if __name__ == "__main__":
    import json
    import sys

    page = Report("Near-duplicates on real data")
    print(json.dumps(run(page), indent=1))
    page.write(sys.argv[1] if len(sys.argv) > 1 else "real.html")
