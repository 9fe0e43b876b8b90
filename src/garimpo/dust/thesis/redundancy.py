"""Rules that say nothing new: all they join, another rule joins too."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from garimpo.dust.rules.ruleset import Rule
from garimpo.engine.base import Engine
from garimpo.engine.columns import hash_strings

MEMBERS = pa.schema([("rule", pa.int64()), ("url", pa.int64()), ("canonical", pa.int64())])
_JOINED = """
select m.rule, m.url, m.canonical
from members m join (select rule, canonical from members group by rule, canonical having count(*) > 1) as buckets
on buckets.rule = m.rule and buckets.canonical = m.canonical
"""
_SIZES = "select rule, count(*) as urls, count(distinct canonical) as buckets from joined group by rule"
# A rule lies inside another if that one joins all its URLs, and no bucket of it falls into two: then there are as many meetings
# of buckets as it has buckets.
_INSIDE = """
select meet.rule as rule, other
from (
    select rule, other, cast(sum(urls) as bigint) as urls, count(*) as meetings
    from (
        select x.rule as rule, y.rule as other, x.canonical as own, y.canonical as its, count(*) as urls
        from joined x join joined y on x.url = y.url where y.rule < x.rule
        group by x.rule, y.rule, x.canonical, y.canonical
    ) as buckets group by rule, other
) as meet join sizes on sizes.rule = meet.rule
where meet.urls = sizes.urls and meet.meetings = sizes.buckets
"""


def drop_redundant(engine: Engine, rules: Sequence[Rule], validation: Any) -> list[Rule]:
    """The rules, in their order, without those whose instances are all instances of one kept before."""
    members = engine.map(validation, partial(_members, rules=rules), MEMBERS)
    joined = engine.sql(_JOINED, members=members)
    sizes = engine.sql(_SIZES, joined=joined)
    inside = engine.collect(engine.sql(_INSIDE, joined=joined, sizes=sizes)).to_pydict()
    joining = engine.collect(sizes)["rule"].to_pylist()
    return [rules[number] for number in survivors(joining, zip(inside["rule"], inside["other"]))]


def _members(table: pa.Table, rules: Sequence[Rule]) -> pa.Table:
    from garimpo.dust.thesis.methods import canonical_rows

    urls = hash_strings(table.column("url")).view(np.int64)
    parts = [
        pa.table([np.full(len(rows), number), urls[rows], canonical.view(np.int64)], schema=MEMBERS)
        for number, rows, canonical in canonical_rows(table, rules)
    ]
    return pa.concat_tables(parts) if parts else MEMBERS.empty_table()


def survivors(joining: Iterable[int], inside: Iterable[tuple[int, int]]) -> list[int]:
    """Of the rules that join something, those that join two URLs that no single one before them joins.

    `inside` names pairs of a rule and one before it that joins all it joins. The first of equal ones survives.

    >>> survivors([0, 1, 2, 3], [(1, 0), (3, 2)])
    [0, 2]
    """
    wider: dict[int, set[int]] = {}
    for rule, other in inside:
        wider.setdefault(rule, set()).add(other)
    kept: set[int] = set()
    for rule in sorted(joining):
        if not wider.get(rule, set()) & kept:
            kept.add(rule)
    return sorted(kept)
