"""The evidence for and against a pair, cut into levels: what a weight of the room's own method is given to.

Each kind of evidence puts a pair on one of its levels; level 0 means that the pages say nothing of this kind, and weighs
nothing. `paths` and `content` are grids: how much is shared, by what share of what could be shared that is. Paths count in
a second grid where pages were fetched from both hosts under common paths and not one is the same: many hosts number
their pages alike.
"""

import numpy as np

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.mirrors.pair_features import Table

COUNTS = (1, 2, 3, 5, 9, 17)
AMOUNTS = (0.12, 0.5, 1.0, 1.8, 3.5, 8.0)
"""How much is shared, in items of two hosts: the more hosts have an item, the less it counts."""
SHARES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7)
AGREEMENT = (0.02, 0.1, 0.3, 0.6, 0.9)
ADDRESS = (1e-9, 0.02, 0.1, 0.3, 0.9)
SIZES = (4, 8, 16, 32, 64, 128)
NAMES = (
    "far apart", "begin alike up to a hyphen", "one continues the other", "same registered name", "same site", "alike",
    "same first name", "differ by a number", "differ by the top", "differ by www",
)  # fmt: skip
GRID = (len(AMOUNTS) + 1) * (len(SHARES) + 1)
LEVELS = {
    "paths": 2 * GRID + 1,
    "shapes": GRID + 1,
    "content": GRID + 1,
    "agreement": (len(COUNTS) + 1) * (len(AGREEMENT) + 1) + 1,
    "name": len(NAMES) + 1,
    "address": 2 * len(ADDRESS) + 2,
    "folders": len(SHARES) + 2,
    "size": len(SIZES) + 2,
}
"""Kinds of evidence that have learned weights -> how many levels they have."""


def evidence(found: Scan, pairs: Candidates, names: Names, table: Table) -> dict[str, Array]:
    """The level of each pair for each kind of evidence."""
    fetched = np.minimum(table["fetched_a"], table["fetched_b"])
    tails, digests, amount = shared_contents(table)
    both, same = agreed(table)
    amount = amount * tails / np.maximum(digests, 1)
    return {
        "paths": _grid(table["path_weight"], AMOUNTS, table["contained"], SHARES) + GRID * ((both > 0) & (same + tails == 0)),
        "shapes": _grid(table["shape_weight"], AMOUNTS, table["shapes"], SHARES),
        "content": np.where(fetched > 0, _grid(amount, AMOUNTS, amount / np.maximum(fetched, 1), SHARES), 0),
        "agreement": np.where(both > 0, _grid(both, COUNTS, same / np.maximum(both, 1), AGREEMENT), 0),
        "name": _name_level(pairs, names, table),
        "address": _address_level(found, pairs, table),
        "folders": 1 + np.digitize(table["folders"], SHARES),
        "size": 1 + np.digitize(np.minimum(table["urls_a"], table["urls_b"]), SIZES),
    }


def shared_contents(table: Table) -> tuple[Array, Array, Array]:
    """Contents shared at places of one name, contents shared, and what these weigh.

    Where near-duplicates are known they count as one content, so that text that changes at each fetch does no harm.
    """
    tails, digests, weight = table["tails"], table["digests"], table["digest_weight"]
    if "near" in table:
        more = table["near_tails"] > tails
        tails, digests = np.where(more, table["near_tails"], tails), np.where(more, table["near"], digests)
        weight = np.where(more, table["near_weight"], weight)
    return tails, digests, weight


def agreed(table: Table) -> tuple[Array, Array]:
    """Common paths that were fetched on both hosts, and those of them that show the same."""
    if "near" not in table:
        return table["both"], table["same"]
    return table["both"], np.minimum(np.maximum(table["same"], table["near_same"]), table["both"])


def _grid(count: Array, counts: tuple[float, ...], share: Array, shares: tuple[float, ...]) -> Array:
    return 1 + np.digitize(count, counts) * (len(shares) + 1) + np.digitize(share, shares)


def _name_level(pairs: Candidates, names: Names, table: Table) -> Array:
    longest = np.maximum(names.length[pairs.first], names.length[pairs.second])
    alike = (table["ndist"] <= 3) | (table["ndist"] <= 0.15 * longest)
    steps = [names.same("head", pairs), names.continued(pairs), names.same("label", pairs), names.same("site", pairs), alike]
    steps += [names.same(respect, pairs) for respect in ("first", "unnumbered", "stem", "bare")]
    level = np.ones(len(pairs), np.int64)
    for number, chosen in enumerate(steps, 2):
        level[chosen] = number
    return level


def _address_level(found: Scan, pairs: Candidates, table: Table) -> Array:
    """1 where the pair shares no network; then the levels of ip3, and of ip4 where it shares an address; 0: not known."""
    known = np.zeros(len(found.hosts), bool)
    known[found.addresses["host"].to_numpy()] = True
    four, three = np.digitize(table["ip4"], ADDRESS), np.digitize(table["ip3"], ADDRESS)
    level = np.where(four > 0, 1 + len(ADDRESS) + four, 1 + three)
    return np.where(known[pairs.first] & known[pairs.second], level, 0)
