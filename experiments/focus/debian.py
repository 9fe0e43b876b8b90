"""Visits of Debian documentation trees: sections of manuals, by the folders (or file names) their authors put the pages into.

``python experiments/focus/debian.py [TREE...]`` fetches each package with `apt-get download` and writes the tables into
`results.md`. A topic is learned from ten pages of a section and 300 of any kind; the visit begins at the manual's first page.
Recall is of the section's other pages, within 10 % and 25 % of the pages that can be reached. Python's manual was looked at while
the strategy was made; the others were run when it was done.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from record import gains, record, table

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, page_text, walk
from garimpo.page import read

TREES = {
    "python": ("python3.11-doc", "python3.11/html/", "index.html", ("c-api/", "howto/", "tutorial/", "whatsnew/")),
    "django": (
        "python-django-doc", "python-django-doc/html/", "index.html", ("releases/", "topics/", "ref/contrib/", "howto/")
    ),
    "postgresql": (
        "postgresql-doc-15", "postgresql-doc-15/html/", "index.html",
        ("sql-", "infoschema-", "spi-", "ecpg-", "libpq-", "catalog-"),
    ),
    "cmake": ("cmake-doc", "cmake-data/html/", "index.html", ("command/", "module/", "prop_tgt/", "policy/")),
    "qt": (
        "qtbase5-doc-html", "../qt5/doc/", "qtcore/qt.html", ("qtnetwork/", "qtsql/", "qtdbus/", "qtxml/")
    ),
    "apache": ("apache2-doc", "apache2-doc/manual/", "en/index.html", ("en/mod/", "fr/howto/", "ja/", "en/rewrite/")),
    "lilypond": (
        "lilypond-doc-html", "lilypond/html/Documentation/", "internals/index.html",
        ("music-glossary/", "notation/", "learning/", "usage/"),
    ),
    "boost": (
        "libboost1.74-doc", "libboost1.74-doc/doc/html/", "index.html",
        ("boost/interprocess/", "date_time", "boost/accumulators/"),
    ),
    "erlang": ("erlang-doc", "erlang-doc/", "doc/index.html", ("lib/stdlib", "lib/snmp", "lib/kernel", "lib/ssl", "erts")),
}  # fmt: skip
"""Package, folder under /usr/share/doc, first page, and how the paths of each section begin."""
NAMES = ("garimpo", "best", "best-dynamic", "hmm", "bfs")
SITE = "http://docs.example/"
POSITIVES, UNLABELLED, SEEDS = 10, 300, 2


def pages_of(folder: Path, package: str, top: str) -> dict[str, bytes]:
    """Path -> page of the manual in the package."""
    subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
    subprocess.run(["dpkg-deb", "-x", str(next(folder.glob("*.deb"))), "unpacked"], cwd=folder, check=True, capture_output=True)
    root = (folder / "unpacked/usr/share/doc" / top).resolve()
    files = [file for file in sorted(root.rglob("*.html")) if file.is_file() and not file.is_symlink()]
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


def text_of(html: bytes, url: str) -> str:
    page = read(html, url)
    return page_text(page.title, page.text)


def case(folder: Path, paths: np.ndarray, texts: list[str], first: str, section: str, seed: int, names: Sequence[str]) -> list:
    """Recall at both budgets and area, of every strategy."""
    chance = np.random.default_rng(seed)
    inside = np.array([path.startswith(section) for path in paths])
    spoken = np.array([bool(text.strip()) for text in texts])
    shown = chance.choice(np.flatnonzero(inside & spoken), min(POSITIVES, int(inside.sum()) // 2), replace=False)
    some = chance.choice(np.setdiff1d(np.arange(len(paths)), shown), UNLABELLED, replace=False)
    web = Web.load(folder, TopicModel.train([texts[i] for i in shown], [texts[i] for i in some], seed=seed))
    asked = np.flatnonzero(inside & ~np.isin(np.arange(len(paths)), shown))
    number = web.numbers(pa.array([SITE + path for path in paths]))
    labels = np.zeros(len(web), bool)
    labels[number[asked]] = True
    start = [int(number[np.flatnonzero(paths == first)[0]])]
    reached = list(walk(web, STRATEGIES["bfs"](web, seed), start, len(web)))
    found = []
    for name in names:
        order = np.fromiter(walk(web, STRATEGIES[name](web, seed), start, len(reached)), np.int64)
        measures = Measures(labels[order], int(labels[reached].sum()), len(reached))
        found.append([measures.recall(len(reached) // 10), measures.recall(len(reached) // 4), measures.auc])
    return found


def tree(name: str, names: Sequence[str] = NAMES) -> tuple[list[list[str]], np.ndarray]:
    """The rows of a tree's table; and of each strategy recall at both budgets and area, in the mean of the sections."""
    package, top, first, sections = TREES[name]
    with tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        pages = pages_of(folder, package, top)
        urls = [SITE + path for path in pages]
        texts = [text_of(html, url) for html, url in zip(pages.values(), urls)]
        pq.write_table(pa.table({"url": urls, "html": pa.array(pages.values(), pa.binary())}), folder / "pages.parquet")
        import_documents(folder / "pages.parquet", folder / "crawl")
        paths, rows, every = np.array(list(pages)), [], []
        for section in sections:
            draws = [case(folder / "crawl", paths, texts, first, section, seed, names) for seed in range(SEEDS)]
            every.append(np.mean(draws, axis=0))
            size = sum(path.startswith(section) for path in paths)
            rows.append([name, section, f"{size:,} of {len(paths):,}", *(f"{a:.2f} / {b:.2f}" for a, b, _ in every[-1])])
    mean = np.mean(every, axis=0)
    return [*rows, [f"{name}, mean", "", "", *(f"{a:.3f} / {b:.3f}" for a, b, _ in mean)]], mean


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("trees", nargs="*", default=list(TREES))
    parser.add_argument("--quick", action="store_true", help="one tree")
    given = parser.parse_args()
    rows, every = [], []
    for name in given.trees[:1] if given.quick else given.trees:
        more, mean = tree(name)
        rows += more
        every.append(mean)
    mean = np.mean(every, axis=0)
    rows.append([f"mean of {len(every)} trees", "", "", *(f"{a:.3f} / {b:.3f}" for a, b, _ in mean)])
    rows.append(["mean area", "", "", *(f"{c:.3f}" for _, _, c in mean)])
    body = table(["tree", "section", "pages", *NAMES], rows)
    said = f"`python experiments/focus/debian.py`; {SEEDS} draws of examples a section; recall at 10 % / 25 %."
    ours = np.array(every)[:, 0, :2]
    lines = [[name, *gains(ours - np.array(every)[:, at, :2])] for at, name in enumerate(NAMES) if at]
    body += "\n\nOurs minus the other, 95 % over the trees:\n\n" + table(["strategy", "10 %", "25 %"], lines)
    record("Visits of Debian documentation trees", f"{said}\n\n{body}")
    print(body)


if __name__ == "__main__":
    main()
