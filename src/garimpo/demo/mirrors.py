"""The folds of a crawl against the truth: which stand, what they saved, and which are wrong.

A fold is right if its two hosts hold copies of one tree and its prefixes lay them on each other, or if it joins parts of hosts
of one site. It is *learned* when it first skips a URL; what is fetched from its host below its prefix after that is *late*,
checks included.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from garimpo.archive import Store
from garimpo.crawl import skipped
from garimpo.crawl.gate.folds import Fold, Folds, rule_of_fold
from garimpo.crawl.learning.fold_study import read_folds
from garimpo.url import host, site
from garimpo.webgen import truth


class Tree(NamedTuple):
    """The copy that a host holds: of which group of copies, and below which prefix."""

    group: int
    prefix: str


@dataclass
class Mirrors:
    """What folds did in a crawl."""

    copies: int = 0
    """Hosts fetched from that are copies of another host fetched from."""
    folded: int = 0
    wrong: int = 0
    withdrawn: int = 0
    avoided: int = 0
    """URLs of rightly folded hosts that were skipped and not fetched as a check."""
    late: int = 0
    fetched: int = 0
    """All fetches from hosts that are copies but for the first host of each group that was fetched from."""

    @property
    def share(self) -> float:
        """The part of the fetches on folded copies that was avoided after the fold was learned."""
        return self.avoided / max(1, self.avoided + self.late)

    @property
    def share_of_all(self) -> float:
        """The part of all fetches on copies that was avoided: also before a fold was learned, and where none was."""
        return self.avoided / max(1, self.avoided + self.fetched)


def measure_mirrors(folder: str | Path, web: str | Path) -> Mirrors:
    """Count the folds of a crawl folder by the truth of the made web."""
    with Store.open(folder, write=False) as store:
        folds = read_folds(store.learned, store.learned.version("folds"))
        failed = {rule for (rule,) in store.database.execute("select rule from trust where withdrawn = 1")}
        fetches = _fetches(store)
    trees = trees_of(truth(web)["mirrors"])
    standing = [fold for fold in folds if rule_of_fold(fold.host) not in failed]
    right = [fold for fold in standing if is_right(fold, trees)]
    out = Mirrors(folded=len({fold.host for fold in standing}), wrong=len(standing) - len(right))
    out.withdrawn = sum(rule.startswith("fold:") for rule in failed)
    _count_copies(out, fetches, trees)
    _count_saved(out, fetches, _mirror_skips(folder), right)
    return out


def is_right(fold: Fold, trees: dict[str, Tree]) -> bool:
    """Whether a fold joins copies page by page, or a part of one host with a part of another host of its site.

    >>> trees = {"a.org": Tree(1, "/old/"), "b.org": Tree(1, "/")}
    >>> [is_right(Fold("a.org", prefix, "b.org", "/"), trees) for prefix in ("/old/", "/")]
    [True, False]
    """
    ours, theirs = trees.get(fold.host), trees.get(fold.keep_host)
    if ours is None or theirs is None or ours.group != theirs.group:
        return site(fold.host) == site(fold.keep_host) and fold.prefix + fold.keep_prefix != "//"
    below = fold.prefix.removeprefix(ours.prefix), fold.keep_prefix.removeprefix(theirs.prefix)
    return below[0] == below[1] and fold.prefix.startswith(ours.prefix) and fold.keep_prefix.startswith(theirs.prefix)


def _fetches(store: Store) -> list[tuple[str, str, Any]]:
    """(URL, host, time) of every page that was fetched well, in order."""
    found = []
    for batch in store.pages(["url", "host", "fetched_at", "status", "redirect"]):
        rows = zip(*(column.to_pylist() for column in batch.columns))
        found += [(url, name, at) for url, name, at, status, redirect in rows if status == 200 and redirect is None]
    return found


def _mirror_skips(folder: str | Path) -> list[tuple[str, Any, bool]]:
    """(URL, time, whether it was fetched as a check) of all that folds skipped."""
    found = []
    for batch in skipped(folder):
        rows = zip(*(batch.column(name).to_pylist() for name in ("url", "reason", "at", "checked")))
        found += [(url, at, checked) for url, reason, at, checked in rows if reason == "mirror"]
    return found


def trees_of(mirrors: pa.Table) -> dict[str, Tree]:
    """Host -> the tree it holds a copy of, and below which prefix."""
    trees: dict[str, Tree] = {}
    for row in mirrors.to_pylist():
        known = trees.get(row["host_a"]) or trees.get(row["host_b"])
        group = known.group if known is not None else len(trees)
        for side in ("a", "b"):
            trees[row[f"host_{side}"]] = Tree(group, row[f"prefix_{side}"])
    return trees


def _count_copies(out: Mirrors, fetches: list[tuple[str, str, Any]], trees: dict[str, Tree]) -> None:
    first: dict[int, str] = {}
    copies: set[str] = set()
    for _, name, _ in fetches:
        if name in trees and first.setdefault(trees[name].group, name) != name:
            copies.add(name)
            out.fetched += 1
    out.copies = len(copies)


def _count_saved(
    out: Mirrors, fetches: list[tuple[str, str, Any]], skips: list[tuple[str, Any, bool]], right: list[Fold]
) -> None:
    folds = Folds(right)
    learned: dict[str, Any] = {}
    for url, at, checked in skips:
        name = host(url) or ""
        if folds.fold(url, name) is not None:
            out.avoided += not checked
            learned[name] = min(at, learned.get(name, at))
    for url, name, at in fetches:
        out.late += name in learned and at > learned[name] and folds.fold(url, name) is not None
