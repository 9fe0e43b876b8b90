"""The source's methods: rules learned from obvious pairs, and the two rankings joined by dominance."""

from dataclasses import dataclass

import numpy as np

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.names import Names, obvious_copies, obvious_strangers
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.mirrors.pair_features import cosine, matrix, name_segments, names_apart, same_address
from garimpo.mirrors.thesis.bins import Bins
from garimpo.mirrors.thesis.choices import Choices
from garimpo.mirrors.thesis.em import SeedEM

TRAINING = 400_000
"""Labels are learned on at most so many unlabelled pairs; all pairs are scored."""


@dataclass(slots=True)
class Seeded:
    """Scores of all candidates by the rules from positive (`pu`) and from negative seeds (`nu`), and how many there were."""

    scores: dict[str, Array]
    labels: dict[str, Array]
    seeds: dict[str, int]


def seeded(
    found: Scan,
    pairs: Candidates,
    names: Names,
    table: dict[str, Array],
    modes: tuple[str, ...] = ("pu", "nu"),
    choices: Choices | None = None,
    seed: int = 0,
) -> Seeded:
    """Learn from `www.` and top-domain variants on one side, from pairs that are surely no copies on the other."""
    choices = choices or Choices()
    values = matrix(table)
    obvious = obvious_copies(names, pairs)
    surely_not = np.zeros(len(pairs), bool)
    if choices.negatives == "shared-path":
        surely_not = ~obvious & (table["paths"] > 0) & (table["digests"] == 0) & (table["both"] > 0)
    bins = Bins(width="equal" if choices.bins == "equal-width" else "frequency").fit(values)
    binned = bins.transform(values)
    out = Seeded({}, {}, {})
    for mode in modes:
        given = obvious if mode == "pu" else surely_not
        if mode == "nu" and choices.negatives == "strangers":
            seeds = bins.transform(_strangers(found, pairs, max(int((~obvious).sum()), 1), seed))[:TRAINING]
            given = obvious  # they are known, and not learned from
        else:
            seeds = binned[given][:TRAINING]
        rest = np.flatnonzero(~(given | obvious))
        sample = np.sort(np.random.default_rng(seed).permutation(rest)[:TRAINING])
        em = SeedEM(mode, choices.cut(mode), seed=seed).fit(seeds, binned[sample])
        score = em.score(binned)
        label = np.where(obvious, 1, np.where(surely_not, 0, score > 0.5)).astype(np.int8)
        label[sample] = em.labels_
        out.scores[mode], out.labels[mode], out.seeds[mode] = score, label, len(seeds)
    return out


def _strangers(found: Scan, pairs: Candidates, wanted: int, seed: int) -> Array:
    """The features of random pairs that share neither a path nor a content."""
    strangers = obvious_strangers(len(found.hosts), pairs, wanted, seed)
    columns = [names_apart(found.hosts, strangers), cosine(*name_segments(found.hosts), strangers)]
    columns += [same_address(found, strangers, 0), same_address(found, strangers, 1), np.zeros(len(strangers))]
    return np.column_stack(columns)
