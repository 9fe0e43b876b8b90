"""The evidence for and against a pair, as amounts: what a weight of the room's own method is multiplied by.

All of it is about the two hosts at hand. What they share counts by how rare it is over all hosts, and in proportion to what each
has. Where the pages say nothing of a kind (no address, nothing fetched), its amount is zero.

- *Contents* that both show at places of one name speak for a copy, the more the larger their share of what was fetched, the fewer
  other hosts have them, and the more of both hosts lies in the sections where they share something.
- *Agreement*: pages fetched under one path on both. Copies show the same nearly everywhere, so each page that differs speaks
  against the pair. That pages agree which many hosts have says little. How many copies change their pages at each fetch is
  learned from the collection: from pairs that are sure by other signs.
- *Missing*: sections (first folders) of one host in which the other has not one path, though elsewhere they share most. A crawl
  that saw a part of two copies would have met common paths there too; two hosts that carry one manual have the rest of
  their pages there.
- *Paths* that both have, the less the more of them were compared: once pages were read, paths are no news.
- *Names* and *addresses* hint; they never decide.
"""

import numpy as np
from scipy.special import betaln

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.mirrors.pair_features import Table

PARTS = {
    "content": ("equal", "equal_share"),
    "agreement": ("agreement",),
    "missing": ("missing",),
    "paths": ("open_paths", "paths", "open_shapes"),
    "name": ("www", "top", "number"),
    "address": ("address", "network"),
    "redirect": ("redirect",),
    "titles": ("titles",),
    "links": ("links",),
}
"""Kind of evidence, as it is told -> the amounts that make it up."""
CHANGING, TRIED = 0.2, 5
"""Part of all copies whose pages change at each fetch, before any are known, and for how many copies that guess counts."""
LEADS = 0.25
"""Part of a host's pages from which on, if they redirect to or call canonical those of another, it leads there."""
FEW = 5.0
"""So many more URLs that were not met are reckoned with on each host: a share of very few URLs says little."""


def amounts(found: Scan, pairs: Candidates, names: Names, table: Table) -> dict[str, Array]:
    """The amount of each piece of evidence for each pair; positive speaks for a copy."""
    both, same = agreed(table)
    tails, digests, amount = shared_contents(table)
    rare, few = amount * tails / np.maximum(digests, 1), amount / np.maximum(digests, 1)
    smaller = np.minimum(table["urls_a"], table["urls_b"])
    paths = np.log1p(table["path_weight"]) * table["contained"] * smaller / (smaller + FEW)
    unread = 3.0 / (3.0 + both)
    bare = names.same("bare", pairs)
    fetched = np.minimum(table["fetched_a"], table["fetched_b"])
    agreement = _agreement(both, same, sure(names, pairs, table))
    out = {
        "equal": np.log1p(rare) * few**2 * spread(table),
        "equal_share": np.log1p(rare) * np.minimum(rare / np.maximum(fetched, 1), 1.0),
        "agreement": np.where(agreement > 0, agreement * few, agreement),
        "missing": -np.sqrt(np.clip(missing(table) - 2.0, 0.0, 80.0)),
        "open_paths": paths * unread,
        "paths": paths,
        "open_shapes": np.log1p(table["shape_weight"]) * table["shapes"] * unread,
        "www": bare.astype(np.float64),
        "top": (names.same("stem", pairs) & ~bare).astype(np.float64),
        "number": (names.same("unnumbered", pairs) & ~bare).astype(np.float64),
        "redirect": np.minimum(2.0 * table["redirects"], 1.0),
    }
    return out | _addresses(found, pairs, table) | _stated(table)


def sure(names: Names, pairs: Candidates, table: Table) -> Array:
    """Pairs that are copies whatever their pages say: names that differ by `www.` only, or one host leads to the other.

    One of each site, the first: whoever makes hundreds of hosts on one domain teaches no more than others.
    """
    leads = table["redirects"] >= LEADS
    found = np.flatnonzero(names.same("bare", pairs) | leads)
    leading = np.where(table["moved_b"] > table["moved_a"], pairs.second, pairs.first)[found]
    out = np.zeros(len(pairs), bool)
    out[found[np.unique(names.site[leading], return_index=True)[1]]] = True
    return out


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


def spread(table: Table) -> Array:
    """The part of the host that has less of it, of URLs in sections that hold what the two share; as a part of what so many
    common paths would be spread over if they fell anywhere."""
    out = np.ones(len(table["common"]))
    for side in ("a", "b"):
        anywhere = 1.0 - (1.0 - 1.0 / np.maximum(table[f"folders_{side}"], 1.0)) ** table["common"]
        held = (table[f"inside_{side}"] - table[f"idle_{side}"]) / (table[f"urls_{side}"] + FEW)
        out = np.minimum(out, np.divide(held, anywhere, out=np.zeros(len(out)), where=anywhere > 0))
    return np.maximum(out, 0.0)


def missing(table: Table) -> Array:
    """How many common paths two copies would have shown where these hosts have none, beyond what chance leaves out.

    How often a path of one host is met on the other is counted in the sections where they share some; of each section one shared
    path is left out of the count, as it is what made the section count. Where a section holds many more URLs than its shared
    paths explain, the rest is as if outside: a stray common path does not make a section common.

    Chance leaves out small sections: of `n` paths that are met with a probability `p` each, none is with `(1 - p)^n`. So one
    adds `-n log(1 - p) (1 - p)^n` on average, never more than 1/e; that of each section is taken off.
    """
    total = np.zeros(len(table["common"]))
    beyond = table["common"] - table["sections"]
    for side, other in (("a", "b"), ("b", "a")):
        inside, folders = table[f"inside_{side}"], table[f"folders_{side}"]
        rate = np.clip(beyond / np.maximum(inside - table["sections"], 1), 0.0, 1.0)
        each = -np.log1p(-0.95 * rate)
        outside = np.maximum(table[f"urls_{side}"] - inside, 0)
        size = outside / np.maximum(folders - table["sections"], 1)
        chance = folders * np.minimum(np.exp(-1.0), size * each * np.exp(-size * each))
        told = table[f"inside_{other}"] * np.log((inside + outside) / np.maximum(inside - table[f"idle_{side}"], 1.0))
        total += np.minimum(np.maximum((outside + table[f"idle_{side}"]) * each - chance, 0.0), told)
    return total


def _agreement(both: Array, same: Array, sure: Array) -> Array:
    """Log odds of the pages that agree among those compared: strangers agree in any share of them, copies in 95 of 100, and those
    whose pages change in 74, give or take 10."""
    tried = sure & (both >= 5)
    changing = (CHANGING * TRIED + (tried & (same < 0.8 * both)).sum()) / (TRIED + tried.sum())
    steady = np.log1p(-changing) + _beta_binomial(same, both, 20.0, 1.0)
    copies = np.logaddexp(steady, np.log(changing) + _beta_binomial(same, both, 14.0, 5.0))
    return np.where(both > 0, copies - _beta_binomial(same, both, 1.0, 1.0), 0.0)


def _beta_binomial(same: Array, both: Array, a: float, b: float) -> Array:
    return betaln(same + a, both - same + b) - betaln(a, b)


def _addresses(found: Scan, pairs: Candidates, table: Table) -> Table:
    """An address that few others share; and against a pair, networks that are known to be different."""
    known = np.zeros(len(found.hosts), bool)
    known[found.addresses["host"].to_numpy()] = True
    told = known[pairs.first] & known[pairs.second]
    four = table["ip4"]
    shared = np.where(four > 0, np.maximum(0.0, 1.0 + np.log10(np.maximum(four, 1e-9)) / 2.0), 0.0)
    return {"address": np.where(told, shared, 0.0), "network": -(told & (table["ip3"] == 0)).astype(np.float64)}


def _stated(table: Table) -> Table:
    """Evidence that few collections carry; its weight is one, and low."""
    out: Table = {}
    if "titles_both" in table:
        titles = table["titles_both"]
        share = table["titles_same"] / np.maximum(titles, 1)
        out["titles"] = np.where(titles >= 3, np.where(share >= 0.8, 1.0, np.where(share < 0.2, -np.log1p(titles), 0.0)), 0.0)
    if "outlinks" in table:
        out["links"] = np.where(table["outlinks"] >= 0.5, 0.5, 0.0) + np.where(table["inlinks"] >= 0.5, 0.5, 0.0)
    return out
