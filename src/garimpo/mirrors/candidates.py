"""Which pairs of hosts are worth a look: those that share a path or a content.

Lists of hosts per path and per content are expanded to pairs host by host, so that no pair is ever held twice. A list of more
than `max_list` hosts (`/`, `/robots.txt`, a parking page) says nothing about a pair and is not expanded; how many
pairs that leaves out is counted.
"""

from dataclasses import dataclass, field

import numpy as np

from garimpo.contract import BadInput
from garimpo.mirrors.scan import Array, Lists, Scan, path_weight

KINDS = ("path", "digest", "near")


@dataclass(slots=True)
class Shared:
    """What each pair has in common of one kind: how many items, their weight, on how many both say something, and the same."""

    count: Array
    weight: Array
    both: Array
    same: Array


@dataclass(slots=True)
class Candidates:
    """Pairs of host numbers a < b, in order, with what they share by kind, and how many pairs capped lists left out."""

    first: Array
    second: Array
    shared: dict[str, Shared] = field(default_factory=dict)
    suppressed: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.first)


def candidates(found: Scan, block_on: tuple[str, ...] = KINDS, max_list: int = 100, min_shared: int = 1) -> Candidates:
    """The pairs of hosts that share at least `min_shared` items of a kind in `block_on`.

    Of kinds that are not in `block_on` only what the candidates share is counted.
    """
    if not block_on or any(kind not in KINDS for kind in block_on):
        raise BadInput(f"candidates come from {', '.join(KINDS)}, not from {', '.join(block_on) or 'nothing'}")
    kinds = [kind for kind in KINDS if kind in found.lists]
    expanded, suppressed = {}, {}
    for kind in kinds:
        expanded[kind], suppressed[kind] = _expand(found.lists[kind], len(found.hosts), max_list)
    chosen = [keys[shared.count >= min_shared] for kind, (keys, shared) in expanded.items() if kind in block_on]
    keys = np.unique(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64)
    hosts = max(len(found.hosts), 1)
    pairs = Candidates((keys // hosts).astype(np.int32), (keys % hosts).astype(np.int32), suppressed=suppressed)
    pairs.shared = {kind: _placed(keys, *expanded[kind]) for kind in kinds}
    return pairs


def _expand(lists: Lists, hosts: int, max_list: int) -> tuple[tuple[Array, Shared], int]:
    from garimpo.mirrors._kernels import expand

    _, first_entry, sizes = np.unique(lists.items, return_index=True, return_counts=True)
    sizes = lists.df[first_entry].astype(np.int64) if len(lists.items) else sizes
    suppressed = int((sizes * (sizes - 1) // 2)[sizes > max_list].sum())
    keep = lists.df <= max_list
    host = np.repeat(np.arange(hosts, dtype=np.int32), np.diff(lists.starts))[keep]
    names, items = np.unique(lists.items[keep], return_inverse=True)
    items, values = items.ravel().astype(np.int32), lists.values[keep]
    by_item = np.argsort(items, kind="stable")  # hosts stay in order inside an item
    weights = np.zeros(len(names))
    weights[items] = path_weight(lists.df[keep], max_list) ** 2
    result = expand(
        _starts(host, hosts), items, values, _starts(items, len(names)), host[by_item], values[by_item], weights
    )
    return (result[0], Shared(*result[1:])), suppressed


def _starts(groups: Array, count: int) -> Array:
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(groups, minlength=count), out=starts[1:])
    return starts


def _placed(keys: Array, mine: Array, shared: Shared) -> Shared:
    """What was counted for the pairs `mine`, in the order of `keys`; zero where a pair is not among them."""
    if not len(mine):
        nothing = np.zeros(len(keys), np.int32)
        return Shared(nothing, np.zeros(len(keys)), nothing, nothing)
    at = np.minimum(np.searchsorted(mine, keys), len(mine) - 1)
    hit = mine[at] == keys
    columns = (shared.count, shared.weight, shared.both, shared.same)
    return Shared(*(np.where(hit, column[at], 0).astype(column.dtype) for column in columns))
