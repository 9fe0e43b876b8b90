"""Which pairs of hosts are worth a look: those that share a path or a content.

Lists of hosts per path and per content are expanded to pairs host by host, so that no pair is ever held twice. A list of more
than `max_list` hosts (a parking page) says nothing about a pair and is not expanded, nor is that of a customary path (`/`,
`/robots.txt`), however short; how many pairs that leaves out is counted. What is shared weighs the less, the more hosts share
it: a pair that has no more in common than one path of eighty hosts is not looked at either, unless asked for.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from garimpo.contract import BadInput
from garimpo.mirrors.on_engine import SpreadLists, meet
from garimpo.mirrors.page_scan import Array, Lists, Scan, item_weight

KINDS = ("path", "digest", "near")
MIN_WEIGHT = 0.25


@dataclass(slots=True)
class Shared:
    """What each pair has in common of one kind: how many items, their weight, on how many both say something, and the same."""

    count: Array
    weight: Array
    both: Array
    same: Array


class Covered(NamedTuple):
    """For each pair the paths that both have, in how many sections, and of each host the URLs in these, and which are too many.

    Too many: more than the shared paths of their section explain, by how often a path of the others is met.
    """

    common: Array
    sections: Array
    inside_a: Array
    inside_b: Array
    idle_a: Array
    idle_b: Array


@dataclass(slots=True)
class Candidates:
    """Pairs of host numbers a < b, in order, with what they share by kind, and how many pairs capped lists left out."""

    first: Array
    second: Array
    shared: dict[str, Shared] = field(default_factory=dict)
    suppressed: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.first)


def candidates(
    found: Scan,
    block_on: tuple[str, ...] = KINDS,
    max_list: int = 100,
    min_weight: float = MIN_WEIGHT,
) -> Candidates:
    """The pairs of hosts that share items of a kind in `block_on` which weigh `min_weight` together, and those of one name but
    for a leading `www.`.

    An item of two hosts weighs 1. Of kinds that are not in `block_on` only what the candidates share is counted.
    """
    if not block_on or any(kind not in KINDS for kind in block_on):
        raise BadInput(f"candidates come from {', '.join(KINDS)}, not from {', '.join(block_on) or 'nothing'}")
    kinds = {kind: found.lists[kind] for kind in KINDS if kind in found.lists}
    chosen = [lists for kind, lists in kinds.items() if kind in block_on]
    spread = [lists for lists in chosen if isinstance(lists, SpreadLists)]
    named = _www(found.hosts)
    if spread:
        pairs = Candidates(*meet(spread, max_list, min_weight, [(found.hosts[a], found.hosts[b]) for a, b in named.tolist()]))
    else:
        pairs = _expanded(chosen, named, len(found.hosts), max_list, min_weight)
    for kind, lists in kinds.items():
        pairs.suppressed[kind] = lists.suppressed(max_list) if isinstance(lists, SpreadLists) else _suppressed(lists, max_list)
        pairs.shared[kind] = shared(lists, pairs, max_list)
    return pairs


def shared(lists: Lists | SpreadLists, pairs: Candidates, max_list: int | None = None) -> Shared:
    """What each candidate shares of all lists; with `max_list`, of those that count for so short lists, and what that weighs."""
    if isinstance(lists, SpreadLists):
        return Shared(*lists.shared(pairs.first, pairs.second, max_list))
    if max_list is None:
        return overlap(lists, pairs)
    short = shortened(lists, max_list)
    return overlap(short, pairs, item_weight(short.df, max_list))


def covered(found: Scan, pairs: Candidates) -> Covered:
    """What the common paths of each candidate, but for customary ones, say of the sections (first folders) that they stand in."""
    lists = found.lists["path"]
    if isinstance(lists, SpreadLists):
        return Covered(*lists.covered(pairs.first, pairs.second))
    from garimpo.mirrors._kernels import covered as kernel

    of, out = found.sections, Covered(*(np.zeros(len(pairs), np.int64) for _ in Covered._fields))
    kernel(pairs.first, pairs.second, of.starts, of.items, of.homes, of.sizes, *out)
    return out


def _www(hosts: list[str]) -> Array:
    """Pairs of hosts whose names differ by a leading `www.` only."""
    number = {host: i for i, host in enumerate(hosts)}
    pairs = [(number[host[4:]], i) for host, i in number.items() if host.startswith("www.") and host[4:] in number]
    return np.sort(np.array(pairs, np.int64).reshape(-1, 2), axis=1)


def _expanded(chosen: list[Lists], named: Array, hosts: int, max_list: int, min_weight: float) -> Candidates:
    found = [_expand(lists, hosts, max_list, min_weight) for lists in chosen]
    keys = np.unique(np.concatenate([*found, named[:, 0] * hosts + named[:, 1]]))
    return Candidates((keys // max(hosts, 1)).astype(np.int32), (keys % max(hosts, 1)).astype(np.int32))


def _suppressed(lists: Lists, max_list: int) -> int:
    return _pairs_of(lists) - _pairs_of(shortened(lists, max_list))


def shortened(lists: Lists, max_list: int) -> Lists:
    """The lists without the items that stand on more than `max_list` hosts, or on every host by custom."""
    keep = (lists.df <= max_list) & ~lists.customary
    hosts = len(lists.starts) - 1
    host = np.repeat(np.arange(hosts, dtype=np.int32), np.diff(lists.starts))[keep]
    return Lists(_starts(host, hosts), lists.items[keep], lists.values[keep], lists.df[keep], lists.customary[keep])


def _pairs_of(lists: Lists) -> int:
    """How many pairs the lists make, those of several lists counted for each."""
    return int((lists.df - 1).sum()) // 2


def _expand(lists: Lists, hosts: int, max_list: int, min_weight: float) -> Array:
    from garimpo.mirrors._kernels import expand

    short = shortened(lists, max_list)
    names, items = np.unique(short.items, return_inverse=True)
    items = items.ravel().astype(np.int32)
    weights = np.zeros(len(names))
    weights[items] = item_weight(short.df, max_list)
    host = np.repeat(np.arange(hosts, dtype=np.int32), np.diff(short.starts))
    by_item = np.argsort(items, kind="stable")  # hosts stay in order inside an item
    return expand(short.starts, items, _starts(items, len(names)), host[by_item], weights, 1, min_weight)


def _starts(groups: Array, count: int) -> Array:
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(groups, minlength=count), out=starts[1:])
    return starts


def overlap(lists: Lists, pairs: Candidates, weights: Array | None = None, largest: bool = False) -> Shared:
    """What each pair shares of the lists; the weight is the sum (or the largest) of the shared entries' weights."""
    from garimpo.mirrors._kernels import overlap as kernel

    count, both, same = (np.zeros(len(pairs), np.int32) for _ in range(3))
    total, top = np.zeros(len(pairs)), np.zeros(len(pairs))
    weights = np.zeros(len(lists.items)) if weights is None else weights
    kernel(pairs.first, pairs.second, lists.starts, lists.items, lists.values, weights, count, total, top, both, same)
    return Shared(count, top if largest else total, both, same)
