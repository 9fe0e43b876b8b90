"""Corpora of one's own: METER's folder, or JSON lines, as the news that the experiments run on.

    python experiments/similarity/corpora.py CORPUS --out DIR
    garimpo rank DIR/articles.jsonl DIR/sources.jsonl --out ranking.parquet
    garimpo evaluate ranking.parquet DIR/truth.csv

A line of JSON has `text`, `story`, and `group`: "produced" (an agency's text) or "published" (an article).
Articles may have `label`:
wholly, partially or non (derived); else they count as derived. `domain`, `outlet` and `date` are kept if they are there.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from news import News

from garimpo.contract import BadInput
from garimpo.page import words

LABELS = ("wholly", "partially", "non")
LISTS = {"courts": "PA_court_files.txt", "showbiz": "PA_showbiz_files.txt"}
Row = dict[str, Any]


def read(path: Path) -> list[Row]:
    """The rows of a corpus, each with an `id`."""
    rows = list(_meter(path) if (path / "file_index").is_dir() else _lines(path))
    if not any(row["group"] == "produced" for row in rows) or not any(row["group"] == "published" for row in rows):
        raise BadInput(f"{path}: a corpus has texts of both groups, produced and published")
    return rows


def _lines(path: Path) -> Iterator[Row]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        row = json.loads(line)
        missing = [name for name in ("text", "story", "group") if not row.get(name)]
        if missing or row["group"] not in ("produced", "published") or row.get("label", "wholly") not in LABELS:
            raise BadInput(f"{path}, line {number}: {f'no {missing[0]}' if missing else 'an unknown group or label'}")
        yield {"id": str(row.get("id", f"row {number}")), "label": "wholly" if row["group"] == "published" else None, **row}


def _meter(folder: Path) -> Iterator[Row]:
    """Texts named by the lists in `file_index`; some copies have slashes before names and blanks around them."""
    for domain, agency in LISTS.items():
        for name, label in ((agency, None), *((f"{label}_derived.txt", label) for label in LABELS)):
            listed = folder / "file_index" / domain / name
            for line in listed.read_text("latin-1").splitlines() if listed.is_file() else ():
                if line.strip():
                    yield _meter_text(folder, line.strip().replace(" ", "").lstrip("/"), domain, label)


def _meter_text(folder: Path, name: str, domain: str, label: str | None) -> Row:
    path = next((p for p in (folder / name, folder / "meter_corpus" / name) if p.is_file()), None)
    if path is None:
        raise BadInput(f"{folder}: the lists name {name}, which is not there")
    date, catchline = path.parts[-3:-1]
    return {
        "id": name,
        "text": path.read_text("latin-1"),
        "group": "produced" if label is None else "published",
        "story": f"{domain}/{date}/{catchline}",
        "domain": domain,
        "date": date,
        "outlet": "PA" if label is None else path.stem.rpartition("_")[2],
        "label": label,
    }


def as_news(rows: list[Row]) -> News:
    """Words as numbers, the most frequent first; digits left out, as the source's own group did."""
    tokens = [[word for word in words(row["text"]) if not word.isdigit()] for row in rows]
    order = [word for word, _ in Counter(word for text in tokens for word in text).most_common()]
    number = {word: place for place, word in enumerate(order)}
    stories = {story: place for place, story in enumerate(sorted({row["story"] for row in rows}))}
    sides: dict[str, list[int]] = {
        group: [i for i, row in enumerate(rows) if row["group"] == group and tokens[i]] for group in ("produced", "published")
    }
    lists, story = (
        {group: [make(i) for i in chosen] for group, chosen in sides.items()}
        for make in (lambda i: np.array([number[word] for word in tokens[i]]), lambda i: stories[rows[i]["story"]])
    )
    told = set(story["produced"])
    label = [LABELS.index(rows[i]["label"]) if stories[rows[i]["story"]] in told else 2 for i in sides["published"]]
    ends = np.array(story["produced"]), np.array(story["published"])
    return News(lists["produced"], lists["published"], *ends, np.array(label), np.zeros(len(label), np.int64), len(order))


def write(rows: list[Row], out: Path) -> None:
    """What `garimpo rank` and `garimpo evaluate` read: articles, sources, and the sources of each article's story."""
    out.mkdir(parents=True, exist_ok=True)
    for group, name in (("published", "articles"), ("produced", "sources")):
        chosen = [json.dumps(row, ensure_ascii=False) for row in rows if row["group"] == group]
        (out / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in chosen), "utf-8")
    with (out / "truth.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["query", "id", "grade"])
        for row in rows:
            if row["group"] == "published":
                sources = [other["id"] for other in rows if other["group"] == "produced" and other["story"] == row["story"]]
                table.writerows([row["id"], source, 0 if row["label"] == "non" else 1] for source in sources)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows = read(options.corpus)
    write(rows, options.out)
    print(json.dumps({"texts": len(rows), **Counter(row["label"] or row["group"] for row in rows)}))


if __name__ == "__main__":
    main()
