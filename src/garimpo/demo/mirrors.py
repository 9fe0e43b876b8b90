"""The folds of a crawl against the truth: which stand, what they saved, and which are wrong.

A fold is right if its two hosts are copies of one tree, or if it joins parts of hosts of one site. It is *learned* when it
first skips a URL; what is fetched from its host below its prefix after that is *late*, checks included.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.crawl import skipped
from garimpo.crawl.fold_study import read_folds
from garimpo.crawl.keys import Fold, Folds, rule_of_fold
from garimpo.url import host, site
from garimpo.webgen import truth


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
    groups = _groups(truth(web)["mirrors"])
    standing = [fold for fold in folds if rule_of_fold(fold.host) not in failed]
    right = [fold for fold in standing if is_right(fold, groups)]
    out = Mirrors(folded=len({fold.host for fold in standing}), wrong=len(standing) - len(right))
    out.withdrawn = sum(rule.startswith("fold:") for rule in failed)
    _count_copies(out, fetches, groups)
    _count_saved(out, fetches, _mirror_skips(folder), right)
    return out


def is_right(fold: Fold, groups: dict[str, int]) -> bool:
    """Whether a fold joins copies, or a part of one host with a part of another host of its site.

    >>> is_right(Fold("a.org", "/", "b.org", "/"), {"a.org": 1, "b.org": 2})
    False
    """
    same = groups.get(fold.host, -1) == groups.get(fold.keep_host, -2)
    return same or (site(fold.host) == site(fold.keep_host) and fold.prefix + fold.keep_prefix != "//")


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


def _groups(mirrors: pa.Table) -> dict[str, int]:
    """Host -> number of its group of copies."""
    group: dict[str, int] = {}
    for a, b in zip(mirrors["host_a"].to_pylist(), mirrors["host_b"].to_pylist()):
        number = group.get(a, group.get(b, len(group)))
        group[a] = group[b] = number
    return group


def _count_copies(out: Mirrors, fetches: list[tuple[str, str, Any]], groups: dict[str, int]) -> None:
    first: dict[int, str] = {}
    copies: set[str] = set()
    for _, name, _ in fetches:
        if name in groups and first.setdefault(groups[name], name) != name:
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
