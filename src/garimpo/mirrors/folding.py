"""What the frontier may fold: (host, prefix) into the (host, prefix) that is kept.

A pair that is likely is not yet a fold: a wrong one loses pages, and a host may copy another in order to have it folded. So a
fold needs a sure score, equal pages that tell where the copied tree hangs, and two kinds of evidence. Hosts of one site
have one owner. Between sites nobody is folded against his will: either the host that goes itself leads to the other (redirects,
canonical links), or the other was met first, domains that were met before the newcomer link to it, and hardly any link to the
newcomer. What anybody can make (pages, names, links of domains met later, an address) never decides.
"""

from collections import defaultdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from garimpo import engine as engines
from garimpo.contract import check
from garimpo.contract.tables import FOLDS, require
from garimpo.engine import Engine
from garimpo.mirrors.page_scan import Pages
from garimpo.mirrors.prefixes import MOST, Unit, places, unit

KINDS = ("paths", "content", "name", "address", "redirect")
SPEAKS = 0.7
"""A kind of evidence speaks for a pair from this weight on: it doubles the odds."""
SURE = 0.9
"""A whole host is folded from this score on."""
FEW = 5
"""So many equal pages at least tell where a copied tree hangs."""
PART, LARGE, NEARLY_ALL = 20, 40, 0.9
"""A part of a host is folded alone only if it has so many equal pages, and they are this share of what is known of it."""
FEW_THERE = 0.1
"""An address speaks for a fold only if no more than ten others share it: a provider's network says nothing of owners."""
MOVED = 0.05
"""A host that sends this share of its URLs to another says itself that the other stands for it."""
LINKED = 3
"""A host that so many domains link to is folded into another site only if it says so itself."""


def folds(host_pairs: pa.Table, pages: Pages, engine: Engine | None = None, near: Pages | None = None) -> pa.Table:
    """The folds that the pairs allow (table folds, with the pair's `score` and the `evidence` for it).

    `near` is the table of near-duplicates that the pairs were found with, if there was one.

    Args:
        host_pairs: what `find` returned.
        pages: the table it was found in.
        engine: where the job runs; this machine, unless given.
        near: near-duplicates among the pages.

    >>> from garimpo.mirrors.search import find
    >>> pages = pa.table({"url": [f"http://{h}a.org/{i}" for h in ("", "www.") for i in range(9)], "digest": [*range(9)] * 2})
    >>> folds(find(pages), pages).to_pylist()[0]["keep_host"]
    'a.org'
    """
    if engine is None:
        with engines.local() as local:
            return folds(host_pairs, pages, local, near)
    require(host_pairs.column_names, ["host_a", "host_b", "replica", "keep_host", "weight_paths"], "host pairs (method garimpo)")
    rows = _promising(host_pairs)
    known = places(engine, pages, {row[side] for row in rows for side in ("host_a", "host_b")}, near)
    out = []
    for row in rows:
        found = unit(known.get(row["host_a"], {}), known.get(row["host_b"], {}))
        fold = (_whole(row, speaking(row), found) if row["replica"] else None) or _part(row, speaking(row), found)
        out += [fold] if fold is not None else []
    return check(_resolved(out), FOLDS)


def _promising(host_pairs: pa.Table) -> list[dict[str, Any]]:
    partly = pc.greater_equal(host_pairs["tails"], PART)
    return host_pairs.filter(pc.or_kleene(host_pairs["replica"], partly)).to_pylist()


def _keepers(row: dict[str, Any]) -> list[str]:
    """The hosts of a pair that could be kept, the better first: the one its group keeps, else the more linked or larger."""
    a, b = ((row.get(f"linking_{side}") or 0, row[f"urls_{side}"]) for side in ("a", "b"))
    first = "host_b" if row["keep_host"] == row["host_b"] or (row["keep_host"] != row["host_a"] and b > a) else "host_a"
    return [str(row[first]), str(row["host_a" if first == "host_b" else "host_b"])]


def speaking(row: dict[str, Any]) -> set[str]:
    """The kinds of evidence that speak for a pair."""
    kinds = {kind for kind in KINDS if (row.get(f"weight_{kind}") or 0.0) >= SPEAKS}
    return kinds if (row.get("ip4") or 0.0) >= FEW_THERE else kinds - {"address"}


def may_fold(row: dict[str, Any], kinds: set[str], keep: str) -> bool:
    """Whether the evidence suffices to fold the other host of a pair into `keep`."""
    ours, theirs = ("a", "b") if keep == row["host_a"] else ("b", "a")
    if len(kinds) < 2:
        return False
    return bool(row.get("same_site")) or (row.get(f"moved_{theirs}") or 0.0) >= MOVED or _is_newcomer(row, ours, theirs)


def _is_newcomer(row: dict[str, Any], ours: str, theirs: str) -> bool:
    """Whether the host that would go was met later, and only the other had links from domains met before."""
    if not 0 < row.get(f"first_{ours}", 0) < row.get(f"first_{theirs}", 0):
        return False
    linked, known = row.get(f"linking_{theirs}") or 0, row.get(f"linking_{ours}") or 0
    return linked < LINKED <= known and known > 2 * linked


def _whole(row: dict[str, Any], kinds: set[str], found: Unit | None) -> dict[str, Any] | None:
    if row["score"] < SURE or found is None or found.equal < FEW or found.different > found.equal:
        return None
    for keep in _keepers(row):
        if may_fold(row, kinds, keep):
            return _fold(row, kinds, keep, (found.prefix_a, found.prefix_b))
    return None


def _part(row: dict[str, Any], kinds: set[str], found: Unit | None) -> dict[str, Any] | None:
    """The fold of a part: the same tree below two prefixes of hosts that are no copies of each other.

    Nearly all that is known below the prefix that goes must be equal. Between sites the tree must be all that one of the hosts
    has, or large: any software brings some pages of its own.
    """
    if found is None or found.equal < PART or found.prefix_a == "/" == found.prefix_b:
        return None
    all_of_one = found.inside_a >= MOST * _pages(found)[0] or found.inside_b >= MOST * _pages(found)[1]
    if not row.get("same_site") and not all_of_one and found.equal < LARGE:
        return None
    kinds = kinds | {"paths", "content"}
    larger = "host_a" if (found.inside_a, row["host_b"]) >= (found.inside_b, row["host_a"]) else "host_b"
    for keep in (larger, "host_b" if larger == "host_a" else "host_a"):
        going = found.inside_b if keep == "host_a" else found.inside_a
        if found.equal >= NEARLY_ALL * going and may_fold(row, kinds, row[keep]):
            return _fold(row, kinds, row[keep], (found.prefix_a, found.prefix_b))
    return None


def _pages(found: Unit) -> tuple[int, int]:
    return found.inside_a + found.outside_a, found.inside_b + found.outside_b


def _fold(row: dict[str, Any], kinds: set[str], keep: str, prefixes: tuple[str, str]) -> dict[str, Any]:
    ours, theirs = (0, 1) if keep == row["host_a"] else (1, 0)
    other = row["host_b"] if keep == row["host_a"] else row["host_a"]
    rank = (keep == row["keep_host"], row.get(f"linking_{'ab'[ours]}") or 0, row[f"urls_{'ab'[ours]}"])
    return {
        "rank": rank, "host": other, "prefix": prefixes[theirs], "keep_host": keep, "keep_prefix": prefixes[ours],
        "score": row["score"], "evidence": ", ".join(sorted(kinds)),
    }  # fmt: skip


def _resolved(out: list[dict[str, Any]]) -> pa.Table:
    """Each (host, prefix) folded once, into the highest that may keep it, and never into something that is folded itself."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for fold in sorted(sorted(out, key=lambda f: (f["host"], f["keep_host"])), key=lambda f: f["rank"], reverse=True):
        best.setdefault((fold["host"], fold["prefix"]), fold)
    folded = defaultdict(list)
    for host, prefix in best:
        folded[host].append(prefix)
    kept = [f for f in best.values() if not any(f["keep_prefix"].startswith(p) for p in folded.get(f["keep_host"], []))]
    names = [*FOLDS.names, "score", "evidence"]
    kinds = pa.schema([*FOLDS, ("score", pa.float32()), ("evidence", pa.string())])
    return pa.table({name: [fold[name] for fold in kept] for name in names}, schema=kinds)
