"""How much of the main text of single pages is found, and how much else: against extractors made for single pages.

    python experiments/text/main_text.py [--articles DIR] [--typed DIR] [--snippets DIR] [--quick]

`--articles`: a checkout of scrapinghub/article-extraction-benchmark (181 articles). `--typed`: a checkout of
Murrough-Foley/web-content-extraction-benchmark (2,008 pages of seven types; rules were chosen on its part `dev` and are reported
on its part `test`: `--split`). `--snippets`: the folder `tests` of adbar/trafilatura (pieces that must be in the text, and
pieces that must not).

The first two count runs of four words, as the first of these repositories does: precision and recall are means over pages, F1 is
theirs. No page is committed here.
"""

import argparse
import gzip
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from garimpo.page import read
from garimpo.page.main import choice

Extractor = Callable[[bytes], str]
_WORD = re.compile(r"\w+")


def ours(with_extra: bool) -> Extractor:
    def extract(body: bytes) -> str:
        choice.has_trafilatura = lambda: with_extra  # type: ignore[assignment]
        return read(body, "http://page.example/", content_type="text/html; charset=utf-8", main_text=True).main_text or ""

    return extract


def resiliparse(body: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(body.decode("utf-8", "replace"), main_content=True, comments=False)


def extractors() -> dict[str, Extractor]:
    found = {"garimpo": ours(False), "resiliparse, comments off": resiliparse}
    if choice.has_trafilatura():
        import trafilatura

        found["garimpo with [text]"] = ours(True)
        found[f"trafilatura {trafilatura.__version__}"] = lambda body: trafilatura.extract(body, include_comments=False) or ""
    return found


def runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[at : at + 4]) for at in range(max(1, len(words) - 3)) if words)


def matched(true: str, found: str) -> tuple[float | None, float | None]:
    """Precision and recall of a page; None where there is nothing to count."""
    want, have = runs(true), runs(found)
    both = (want & have).total()
    return both / have.total() if have else None, both / want.total() if want else None


def articles(folder: Path) -> Iterator[tuple[str, bytes, str]]:
    for key, truth in json.loads((folder / "ground-truth.json").read_text()).items():
        yield "article", gzip.decompress((folder / "html" / f"{key}.html.gz").read_bytes()), truth.get("articleBody", "")


def typed(folder: Path, split: str) -> Iterator[tuple[str, bytes, str]]:
    types = json.loads((folder / "metadata.json").read_text())["files"]
    for path in sorted((folder / split / "ground-truth").glob("*.json")):
        truth = json.loads(path.read_text())["ground_truth"].get("main_content")
        if truth is None:
            continue
        page = gzip.decompress((folder / split / "html" / f"{path.stem}.html.gz").read_bytes())
        yield types[path.stem]["page_type"], page, truth


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def measure(pages: list[tuple[str, bytes, str]], extract: Extractor) -> dict[str, tuple[float, float, float, float]]:
    """Of each type of page: precision, recall, F1, and milliseconds of CPU a page."""
    found: dict[str, list[tuple[float | None, float | None]]] = {}
    spent: Counter[str] = Counter()
    for kind, body, truth in pages:
        start = time.thread_time()
        text = extract(body)
        spent[kind] += time.thread_time() - start  # type: ignore[assignment]
        found.setdefault(kind, []).append(matched(truth, text))
    out = {}
    for kind, pairs in found.items():
        precision = statistics.mean([one for one, _ in pairs if one is not None] or [0.0])
        recall = statistics.mean([one for _, one in pairs if one is not None] or [0.0])
        out[kind] = (precision, recall, f1(precision, recall), 1000 * spent[kind] / len(pairs))
    return out


def snippets(folder: Path, extract: Extractor, most: int | None) -> tuple[float, float, float]:
    """Precision, recall and F1 over the pieces of all pages."""
    pages = list(json.loads((folder / "evaldata.json").read_text()).values())[:most]
    right = missed = wrong = 0
    for page in pages:
        path = next((path for path in (folder / part / page["file"] for part in ("eval", "cache")) if path.exists()), None)
        if path is None:
            continue
        text = extract(path.read_bytes())
        inside = sum(piece in text for piece in page["with"])
        right, missed = right + inside, missed + len(page["with"]) - inside
        wrong += sum(piece in text for piece in page["without"])
    precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
    return precision, recall, f1(precision, recall)


def report(title: str, pages: list[tuple[str, bytes, str]]) -> None:
    print(f"\n{title}, {len(pages):,} pages\n")
    print("| | type | pages | precision | recall | F1 | CPU ms |")
    print("|---|---|---:|---:|---:|---:|---:|")
    sizes = Counter(kind for kind, _, _ in pages)
    for name, extract in extractors().items():
        for kind, (precision, recall, both, spent) in measure(pages, extract).items():
            print(f"| {name} | {kind} | {sizes[kind]} | {precision:.3f} | {recall:.3f} | {both:.3f} | {spent:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("articles", "typed", "snippets"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--split", default="test", choices=["dev", "test"])
    parser.add_argument("--quick", action="store_true", help="twenty pages of each set")
    given = parser.parse_args()
    most = 20 if given.quick else None
    if given.articles:
        report("Articles", list(articles(given.articles))[:most])
    if given.typed:
        report(f"Pages of seven types ({given.split})", list(typed(given.typed, given.split))[:most])
    if given.snippets:
        print("\nPieces of text\n\n| | precision | recall | F1 |\n|---|---:|---:|---:|")
        for name, extract in extractors().items():
            precision, recall, both = snippets(given.snippets, extract, most)
            print(f"| {name} | {precision:.3f} | {recall:.3f} | {both:.3f} |", flush=True)


if __name__ == "__main__":
    main()
