"""Visits of a Debian documentation tree: the sections of Python's manual, by the folders its authors put the pages into.

``python experiments/focus/debian.py`` fetches the package with `apt-get download` and writes the table into `results.md`. A topic
is learned from ten pages of a section and 300 of any kind; the visit begins at the manual's first page. Recall is of the
section's other pages, within 10 % and 25 % of the pages that can be reached.
"""

import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from record import record, table

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, page_text, walk
from garimpo.page import read

PACKAGE, TOP = "python3.11-doc", "./usr/share/doc/python3.11/html/"
SECTIONS = ("c-api", "howto", "tutorial", "whatsnew")
NAMES = ("garimpo", "best", "best-dynamic", "hmm", "bfs")
SITE = "http://docs.example/"
POSITIVES, UNLABELLED, SEEDS = 10, 300, 3


def pages_of(folder: Path) -> dict[str, bytes]:
    """Path -> page of the manual in the package."""
    subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, check=True, capture_output=True)
    archive = next(folder.glob("*.deb"))
    with open(folder / "t.tar", "wb") as unpacked:
        subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], check=True, stdout=unpacked)
    with tarfile.open(folder / "t.tar") as tar:
        found = [member for member in tar if member.isfile() and member.name.endswith(".html") and member.name.startswith(TOP)]
        return {member.name.removeprefix(TOP): tar.extractfile(member).read() for member in found}


def text_of(html: bytes, url: str) -> str:
    page = read(html, url)
    return page_text(page.title, page.text)


def case(folder: Path, paths: np.ndarray, texts: list[str], section: str, seed: int) -> list[list[float]]:
    """Recall at both budgets and area, of every strategy."""
    chance = np.random.default_rng(seed)
    inside = np.array([path.startswith(f"{section}/") for path in paths])
    shown = chance.choice(np.flatnonzero(inside), min(POSITIVES, int(inside.sum()) // 2), replace=False)
    some = chance.choice(np.setdiff1d(np.arange(len(paths)), shown), UNLABELLED, replace=False)
    web = Web.load(folder, TopicModel.train([texts[i] for i in shown], [texts[i] for i in some], seed=seed))
    asked = np.flatnonzero(inside & ~np.isin(np.arange(len(paths)), shown))
    number = web.numbers(pa.array([SITE + path for path in paths]))
    labels = np.zeros(len(web), bool)
    labels[number[asked]] = True
    start = [int(number[np.flatnonzero(paths == "index.html")[0]])]
    reached = list(walk(web, STRATEGIES["bfs"](web, seed), start, len(web)))
    found = []
    for name in NAMES:
        order = np.fromiter(walk(web, STRATEGIES[name](web, seed), start, len(reached)), np.int64)
        measures = Measures(labels[order], int(labels[reached].sum()), len(reached))
        found.append([measures.recall(len(reached) // 10), measures.recall(len(reached) // 4), measures.auc])
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        pages = pages_of(folder)
        urls = [SITE + path for path in pages]
        texts = [text_of(html, url) for html, url in zip(pages.values(), urls)]
        pq.write_table(pa.table({"url": urls, "html": pa.array(pages.values(), pa.binary())}), folder / "pages.parquet")
        import_documents(folder / "pages.parquet", folder / "crawl")
        paths, rows, every = np.array(list(pages)), [], []
        for section in SECTIONS:
            found = np.mean([case(folder / "crawl", paths, texts, section, seed) for seed in range(SEEDS)], axis=0)
            every.append(found)
            size = sum(path.startswith(f"{section}/") for path in paths)
            rows.append([section, str(size), *(f"{one[0]:.2f} / {one[1]:.2f}" for one in found)])
    mean = np.mean(every, axis=0)
    rows.append(["mean", "", *(f"{one[0]:.3f} / {one[1]:.3f}" for one in mean)])
    rows.append(["mean area", "", *(f"{one[2]:.3f}" for one in mean)])
    body = table(["section", "pages", *NAMES], rows)
    said = f"`python experiments/focus/debian.py`; {len(paths):,} pages, {SEEDS} draws of examples; recall at 10 % / 25 %."
    record("Visits of a Debian documentation tree", f"{said}\n\n{body}")
    print(body)


if __name__ == "__main__":
    main()
