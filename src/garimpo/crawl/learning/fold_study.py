"""Which hosts a crawl folds: the study that makes folds of what was kept, and keeps them steady.

Each round judges all pairs of hosts again. A fold that stands is kept as long as its hosts are still judged copies, so that two
hosts do not change places when one gets a link more; a fold that failed its checks, or was rolled back, is not made again.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from garimpo import mirrors
from garimpo.archive import Learned
from garimpo.contract import GarimpoError
from garimpo.contract.reading import read_table
from garimpo.contract.tables import FOLDS
from garimpo.crawl.gate.folds import Fold, rule_of_fold
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.study import Finding, FolderStudy


class FoldStudy(FolderStudy):
    """Folds from pairs of hosts that turned out to be copies of each other."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        current = corpus.learned.version("folds")
        self._published = read_folds(corpus.learned, current)
        later = [version for version in corpus.learned.versions("folds") if version > (current or 0)]
        self._refused = {fold.host for version in later for fold in read_folds(corpus.learned, version)}
        self._refused -= {fold.host for fold in self._published}
        given = corpus.settings.folds
        self._given = set(read_fold_file(Path(given))) if given else set()

    def study(self) -> Sequence[Finding]:
        corpus = self._corpus
        near = corpus.near
        pairs = mirrors.find(corpus.pages, near=near, links=corpus.links)
        found = [Fold(*row.values()) for row in mirrors.folds(pairs, corpus.pages, near=near).select(FOLDS.names).to_pylist()]
        copies = pairs.filter(pc.equal(pairs["replica"], True))
        together = set(zip(copies["host_a"].to_pylist(), copies["host_b"].to_pylist()))
        together |= {(min(f.host, f.keep_host), max(f.host, f.keep_host)) for f in self._given}  # stand until a check fails
        failed = {host for rule, host in corpus.withdrawn() if rule == rule_of_fold(host)}
        folds = steady(self._published, found, together, failed | self._refused)
        if folds == self._published:
            why = "the same folds as before" if folds else "no two hosts are surely copies of each other"
            return [Finding("folds", f"{why}; pairs of hosts compared: {pairs.num_rows:,}")]
        evidence = {"pages": corpus.rows, "pairs": pairs.num_rows, "copies": copies.num_rows, "folds": len(folds)}
        self._published = folds
        return [Finding("folds", f"{len(folds)} folds", "parquet", lambda path: _write(folds, path), evidence)]


def steady(old: Iterable[Fold], new: Iterable[Fold], together: set[tuple[str, str]], refused: set[str]) -> list[Fold]:
    """The folds of a new round: those that stand and are still copies, then new ones that do not touch them.

    >>> stands = Fold("b.org", "/", "a.org", "/")
    >>> steady([stands], [Fold("a.org", "/", "b.org", "/")], {("a.org", "b.org")}, set()) == [stands]
    True
    """
    folds = [f for f in old if f.host not in refused and (min(f.host, f.keep_host), max(f.host, f.keep_host)) in together]
    folded, keeping = {fold.host for fold in folds}, {fold.keep_host for fold in folds}
    for fold in new:
        if fold.host in refused or fold.host in folded or fold.host in keeping or fold.keep_host in folded:
            continue
        folds.append(fold)
        folded.add(fold.host)
        keeping.add(fold.keep_host)
    return sorted(folds)


def read_folds(learned: Learned, version: int | None) -> list[Fold]:
    """The folds of a published version; none where it is damaged."""
    path = learned.path("folds", version) if version is not None else None
    if path is None:
        return []
    try:
        return read_fold_file(path)
    except GarimpoError:  # logged when the crawl passed over it
        return []


def read_fold_file(path: Path) -> list[Fold]:
    """The folds of one file, in order."""
    return sorted(Fold(*row.values()) for row in read_table(path, Fold._fields).select(FOLDS.names).to_pylist())


def _write(folds: list[Fold], path: Path) -> None:
    pq.write_table(pa.table([list(column) for column in zip(*folds)] or [[]] * len(FOLDS), schema=FOLDS), path)
