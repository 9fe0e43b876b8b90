"""How well Garimpo tells which pages are one: its index of pages over the kept answers, in their order, against the judge."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import xxhash

from garimpo.page import read
from garimpo.page.text.blocks import read_blocks
from garimpo.similarity import Sketcher
from garimpo.similarity.stores.page_index import PageIndex, ReadPages, masked_sets
from garimpo.url import host
from realweb.answers import Answer
from realweb.judge import Judge, main_text, shingles_of
from realweb.upstream import Source

BATCH = 32
GROSS = 0.9


@dataclass
class Equality:
    """The figures of one application."""

    pages: int = 0
    repeats: int = 0
    """Pages that show what an earlier one showed, by the judge."""
    seen: int = 0
    """Those of them that the index names, with a page that is the same indeed."""
    called: int = 0
    """Pages that the index calls a repeat."""
    wrong: int = 0
    gross: int = 0
    """Wrong ones whose main texts have a Jaccard coefficient below .9."""

    def __str__(self) -> str:
        recall, wrong = self.seen / max(1, self.repeats), self.wrong / max(1, self.called)
        return (
            f"{self.pages} pages, {self.repeats} repeats, {recall:.3f} of them seen; "
            f"{self.called} called, {wrong:.3f} of them wrong, {self.gross} grossly"
        )


def measure(source: Source) -> Equality:
    """Run one application's answers through an index."""
    judge, sketcher, result = Judge(source.application, source.answers), Sketcher(), Equality()
    first: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        index = PageIndex.open(Path(folder) / "index", sketcher)
        for some in _batches(source):
            answers = index.ask_add([url for url, _ in some], _read(some, sketcher))
            for (url, answer), same in zip(some, answers):
                page = judge.verdict(url, answer).page
                if page is None:
                    continue
                result.pages += 1
                result.repeats += page in first
                first.add(page)
                if same is None:
                    continue
                other = source.answers.get(same)
                assert other is not None
                right = judge.verdict(same, other).page == page
                result.called += 1
                result.seen += right
                result.wrong += not right
                result.gross += not right and _jaccard(answer, other, source) < GROSS
        index.close()
    return result


def _batches(source: Source) -> Iterator[list[tuple[str, Answer]]]:
    some: list[tuple[str, Answer]] = []
    for url in source.answers.urls():
        answer = source.answers.get(url)
        if answer is None or answer.status != 200 or "html" not in answer.header("content-type"):
            continue
        some.append((url, answer))
        if len(some) == BATCH:
            yield some
            some = []
    if some:
        yield some


def _read(some: Sequence[tuple[str, Answer]], sketcher: Sketcher) -> ReadPages:
    pages = [read(answer.body, url, headers=answer.headers) for url, answer in some]
    blocks = read_blocks(pa.array([page.text for page in pages], pa.large_string()))
    hosts = np.array([xxhash.xxh64_intdigest((host(url) or "").encode()) for url, _ in some], np.uint64)
    titles = np.array([xxhash.xxh64_intdigest((page.title or "").encode()) for page in pages], np.uint64)
    texts = np.array([page.text_digest or 0 for page in pages], np.uint64)
    return ReadPages(hosts, texts, titles, blocks, sketcher.sketch(masked_sets(blocks)))


def _jaccard(left: Answer, right: Answer, source: Source) -> float:
    a, b = (shingles_of(main_text(one, source.application.masks)) for one in (left, right))
    common = len(np.intersect1d(a, b, assume_unique=True))
    return common / max(1, len(a) + len(b) - common)
