"""Visits of WebKB: course, faculty, project and student pages at four universities, sixteen cases by human labels.

``python experiments/focus/webkb.py`` writes the table into `results.md`. The topic is learned from pages of the class at all
other universities (and pages of any kind there); the visit begins at the department page and sees only the university's pages.
Many cannot be reached from there, so recall is of the relevant pages that can, within 10 % and 25 % of the pages that can.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from record import record, table

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, page_text, walk
from garimpo.page import read_text
from garimpo.url import normalise_column

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))
CLASSES = ("course", "faculty", "project", "student")
PLACES = ("cornell", "texas", "washington", "wisconsin")
NAMES = ("garimpo", "best", "best-dynamic", "hmm", "bfs")
POSITIVES, UNLABELLED = 100, 2000


def text_of(html: str, url: str) -> str:
    page = read_text(html, url)
    return page_text(page.title, page.text)


def learn(pages: pa.Table, texts: list[str], place: str, wanted: str) -> TopicModel:
    """The class as other universities show it."""
    chance = np.random.default_rng(0)
    away = np.array(pages["university"].to_pylist()) != place
    good = chance.permutation(np.flatnonzero(away & (np.array(pages["class"].to_pylist()) == wanted)))[:POSITIVES]
    some = chance.permutation(np.setdiff1d(np.flatnonzero(away), good))[:UNLABELLED]
    return TopicModel.train([texts[i] for i in good], [texts[i] for i in some])


def case(
    folder: Path, here: pa.Table, model: TopicModel, wanted: str, names: Sequence[str]
) -> tuple[list[str], list[list[float]]]:
    """What there is and what can be reached; recall at both budgets of every strategy."""
    web = Web.load(folder, model)
    number = web.numbers(normalise_column(here["url"].combine_chunks()))
    kind = np.array(here["class"].to_pylist())
    labels = np.zeros(len(web), bool)
    labels[number[(kind == wanted) & (number >= 0)]] = True
    starts = number[(kind == "department") & (number >= 0)].tolist()
    reached = list(walk(web, STRATEGIES["bfs"](web, 0), starts, len(web)))
    can = int(labels[reached].sum())
    shown = []
    for name in names:
        order = np.fromiter(walk(web, STRATEGIES[name](web, 0), starts, len(reached)), np.int64)
        measures = Measures(labels[order], can, len(reached))
        shown.append([measures.recall(len(reached) // 10), measures.recall(len(reached) // 4), measures.auc])
    return [f"{len(reached):,} of {len(web):,}", f"{can} of {int(labels.sum())}"], shown


def cases(names: Sequence[str] = NAMES) -> Iterator[tuple[list[str], list[list[float]]]]:
    """Of each university and class what there is, and the figures of every strategy."""
    pages = pq.read_table(DATA / "webkb/pages.parquet")
    texts = [text_of(html, url) for url, html in zip(pages["url"].to_pylist(), pages["html"].to_pylist())]
    for place in PLACES:
        here = pages.filter(pc.equal(pages["university"], place))
        with tempfile.TemporaryDirectory() as temp:
            pq.write_table(here.select(["url", "html"]), Path(temp) / "pages.parquet")
            import_documents(Path(temp) / "pages.parquet", Path(temp) / "crawl")
            for wanted in CLASSES:
                counts, found = case(Path(temp) / "crawl", here, learn(pages, texts, place, wanted), wanted, names)
                yield [place, wanted, *counts], found


def main() -> None:
    rows, every = [], []
    for counts, found in cases():
        every.append(found)
        rows.append([*counts, *(f"{one[0]:.2f} / {one[1]:.2f}" for one in found)])
    mean = np.mean(every, axis=0)
    rows.append(["mean", "", "", "", *(f"{one[0]:.3f} / {one[1]:.3f}" for one in mean)])
    rows.append(["mean area", "", "", "", *(f"{one[2]:.3f}" for one in mean)])
    body = table(["university", "class", "pages reached", "relevant reached", *NAMES], rows)
    record("Visits of WebKB", f"`python experiments/focus/webkb.py`; recall at 10 % / 25 % of what can be reached.\n\n{body}")
    print(body)


if __name__ == "__main__":
    main()
