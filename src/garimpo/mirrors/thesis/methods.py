"""The source's methods: rules learned from obvious pairs, and the two rankings joined by dominance."""

from dataclasses import dataclass

import numpy as np

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.names import Names, obvious_copies, obvious_strangers
from garimpo.mirrors.page_scan import Array, Scan
from garimpo.mirrors.pair_features import cosine, matrix, name_segments, names_apart, same_address
from garimpo.mirrors.thesis.bins import Bins
from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.pareto import dominance

TRAINING = 400_000
"""Labels are learned on at most so many unlabelled pairs; all pairs are scored."""


@dataclass(slots=True)
class Seeded:
    """Scores of all candidates by the rules from positive (`pu`) and from negative seeds (`nu`), and their joint rank."""

    pu: Array
    nu: Array
    pu_label: Array
    nu_label: Array
    pnu: Array


def seeded(
    found: Scan, pairs: Candidates, names: Names, table: dict[str, Array], threshold: float | str = "entropy", seed: int = 0
) -> Seeded:
    """Learn from `www.` and top-domain variants on one side, from random pairs that share nothing on the other."""
    values = matrix(table)
    obvious = obvious_copies(names, pairs)
    strangers = obvious_strangers(len(found.hosts), pairs, max(int((~obvious).sum()), 1), seed)
    far = np.column_stack(
        [
            names_apart(found.hosts, strangers),
            cosine(*name_segments(found.hosts), strangers),
            same_address(found, strangers, 0),
            same_address(found, strangers, 1),
            np.zeros(len(strangers)),
        ]
    )
    bins = Bins().fit(values)
    binned, far = bins.transform(values), bins.transform(far)
    rest = np.flatnonzero(~obvious)
    sample = np.sort(np.random.default_rng(seed).permutation(rest)[:TRAINING])
    scores, labels = [], []
    for mode, seeds in (("pu", binned[obvious]), ("nu", far[:TRAINING])):
        em = SeedEM(mode, threshold, seed=seed).fit(seeds, binned[sample])
        scores.append(em.score(binned))
        label = np.where(obvious, 1, (scores[-1] > 0.5).astype(np.int8)).astype(np.int8)
        label[sample] = em.labels_
        labels.append(label)
    joint = dominance(*scores) / max(len(pairs) - 1, 1)
    return Seeded(scores[0], scores[1], labels[0], labels[1], joint)
