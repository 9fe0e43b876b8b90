"""The promise of recall on texts of one template, against comparing all pairs.

    python experiments/similarity/families.py [FOLDER...] [--most 3000]

Families: the licences of the packages on this machine, SWDE pages site by site, and any folder of `.txt`, `.md` or `.html` files
that is named. Equal sets are counted once.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from real import DATA
from scipy import sparse

from garimpo.archive import texts
from garimpo.page import read_text
from garimpo.similarity import Sets, dedup

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
LICENCES = Path("/usr/share/doc")


def licences() -> list[str]:
    return [path.read_text("utf-8", "replace") for path in sorted(LICENCES.glob("*/copyright")) if path.is_file()]


def swde() -> list[str]:
    path = DATA / "swde" / "pages.parquet"
    return (
        [read_text(html, "").text for html in pq.read_table(path, columns=["html"])["html"].to_pylist()] if path.exists() else []
    )


def folder(path: Path) -> list[str]:
    return [text or "" for batch in texts(path) for text in batch.column("text").to_pylist()]


def distinct(found: list[str], most: int) -> tuple[list[str], Sets]:
    sets = Sets.from_texts(pa.array(found, pa.large_string()))
    _, first = np.unique(sets.digests, return_index=True)
    chosen = np.sort(first[sets.sizes[first] > 0])[:most]
    return [found[i] for i in chosen], sets.take(chosen)


def similarities(sets: Sets) -> dict[tuple[int, int], float]:
    """The Jaccard of every pair from the least threshold on, nothing sketched."""
    _, column = np.unique(sets.values, return_inverse=True)
    matrix = sparse.csr_matrix((np.ones(column.size), column, sets.offsets))
    found = {}
    for start in range(0, len(sets), 500):
        shared = (matrix[start : start + 500] @ matrix.T).tocoo()
        row, other = shared.row + start, shared.col
        jaccard = shared.data / (sets.sizes[row] + sets.sizes[other] - shared.data)
        for i in np.flatnonzero((other > row) & (jaccard >= THRESHOLDS[0])):
            found[int(row[i]), int(other[i])] = float(jaccard[i])
    return found


def study(found: list[str], most: int) -> list[dict[str, object]]:
    kept, sets = distinct(found, most)
    truth = similarities(sets)
    table = pa.table({"id": [f"{i:06}" for i in range(len(kept))], "text": pa.array(kept, pa.large_string())})
    rows = []
    for threshold in THRESHOLDS:
        wanted = {pair for pair, value in truth.items() if value >= threshold}
        result = dedup(table, threshold)
        pairs = result.pairs()
        got = {(int(a), int(b)) for a, b in zip(pairs["a"].to_pylist(), pairs["b"].to_pylist())}
        recall, precision = len(got & wanted) / max(1, len(wanted)), len(got & wanted) / max(1, len(got))
        rows.append(
            {
                "texts": len(kept),
                "threshold": threshold,
                "pairs": len(wanted),
                "recall": round(recall, 4),
                "precision": round(precision, 4),
                "bands": f"{result.bands.bands} of {result.bands.rows}",
                "capped_pairs": result.capped.pairs,
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=3000)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    options.most = 100 if options.quick else options.most
    families = {"licences": licences, "SWDE": swde, **{str(path): lambda path=path: folder(path) for path in options.folders}}
    for name, read in families.items():
        found = read()
        for row in study(found, options.most) if found else []:
            print(json.dumps({"family": name, **row}), flush=True)


if __name__ == "__main__":
    main()
