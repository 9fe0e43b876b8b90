"""How far a list of sites can be trusted: a sample for a person to label, its precision, and coverage by a word in names."""

import math
import os
import random
from collections import Counter
from dataclasses import dataclass

import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.sites.evaluation import NO, YES, site_rows

PARTS = ("first", "random", "last")
SAMPLE = pa.schema([("site", pa.string()), ("part", pa.string()), ("rank", pa.int32()), ("entry_url", pa.string()),
                    ("title", pa.string()), ("label", pa.int8())])  # fmt: skip


@dataclass(frozen=True)
class Coverage:
    """Of the sites decided whose name has a word, how many were found; the word stands for being relevant.

    Args:
        word: The word.
        found: All sites found.
        found_with: Those of them with the word in their name.
        missed_with: Sites with the word that were decided and not found.
    """

    word: str
    found: int
    found_with: int
    missed_with: int

    @property
    def as_source(self) -> float:
        """All sites found against those with the word that were missed: two populations, so it comes out too high."""
        return self.found / max(1, self.found + self.missed_with)

    @property
    def of_the_same(self) -> float:
        """Found against missed among the sites with the word only."""
        return self.found_with / max(1, self.found_with + self.missed_with)


def coverage(table: pa.Table, word: str) -> Coverage:
    """Coverage by a word in the names of sites.

    Args:
        table: A table of sites decided.
        word: What the name of a relevant site often has in it.

    >>> decided = pa.table({"site": ["a-casas.com", "b.com", "casas.net"], "relevant": [True, True, False]})
    >>> found = coverage(decided, "Casas")
    >>> found.of_the_same, round(found.as_source, 2)
    (0.5, 0.67)
    """
    counts: Counter[tuple[bool, bool]] = Counter()
    for site, relevant in zip(table.column("site").to_pylist(), table.column("relevant").to_pylist()):
        counts[word.lower() in site, bool(relevant)] += 1
    return Coverage(word, counts[True, True] + counts[False, True], counts[True, True], counts[True, False])


def sample(table: pa.Table, size: int = 100, seed: int = 0) -> pa.Table:
    """The first, some random and the last of the sites found, for a person to label: one row a site, in order of discovery.

    Args:
        table: A table of sites; those found come first, in order of discovery.
        size: How many of each part.
        seed: For the random ones.

    >>> found = pa.table({"site": ["a.com", "b.com", "c.com"], "relevant": [True, True, False]})
    >>> sample(found, 1).select(["site", "label"]).to_pylist()
    [{'site': 'a.com', 'label': None}, {'site': 'b.com', 'label': None}]
    """
    rows = [row for row in table.to_pylist() if row["relevant"]]
    if not rows:
        raise BadInput("no site in it is relevant")
    drawn = set(random.Random(seed).sample(range(len(rows)), min(size, len(rows))))
    chosen = {"first": set(range(size)), "random": drawn, "last": set(range(len(rows) - size, len(rows)))}
    made = []
    for place, row in enumerate(rows):
        if part := " ".join(name for name in PARTS if place in chosen[name]):
            more = {"entry_url": row.get("entry_url"), "title": row.get("title"), "label": None}
            made.append({"site": row["site"], "part": part, "rank": place + 1, **more})
    return pa.Table.from_pylist(made, SAMPLE)


def sample_precision(path: str | os.PathLike[str]) -> dict[str, tuple[int, int, float, float]]:
    """Of each part of a labelled sample: sites labelled, right ones, and the 95 % interval of the precision (Wilson).

    Args:
        path: A sample whose column label was filled in with 1 and 0; rows without a label do not count.
    """
    counts: Counter[tuple[str, bool]] = Counter()
    for row in site_rows(path, ["part", "label"]):
        if row["label"] is None or str(row["label"]) == "":
            continue
        if str(row["label"]) not in YES + NO:
            raise BadInput(f"{path}: label {row['label']!r} is neither 1 (relevant) nor 0")
        counts.update((part, str(row["label"]) in YES) for part in str(row["part"]).split())
    if not counts:
        raise BadInput(f"{path}: no row has a label (1: relevant, 0: not)")
    totals = {part: counts[part, True] + counts[part, False] for part in PARTS}
    return {part: (n, counts[part, True], *wilson(counts[part, True], n)) for part, n in totals.items() if n}


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(end, 2) for end in wilson(90, 100)]
    [0.83, 0.94]
    """
    z2, share = 1.96**2, right / of
    middle, half = share + z2 / (2 * of), 1.96 * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return (middle - half) / (1 + z2 / of), (middle + half) / (1 + z2 / of)
