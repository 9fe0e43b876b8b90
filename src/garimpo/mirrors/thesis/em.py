"""Training sets without labels: obvious pairs are seeds, and the labels of all others are flipped until nothing moves.

PU starts with every unlabelled pair negative and flips towards positive; NU the other way round. Flips go one way and seeds
never change, so the process ends. The cut that a pair's membership must pass is one number for all, or its own: the purest
split of the scores of all pairs that share a feature value with it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.mirrors._kernels import count_rules, entropy_cuts, flip_pass, votes
from garimpo.mirrors.thesis.rule_index import RuleIndex

SEED_SHARE = {"pu": 1.0 / 16.0, "nu": 1.0}
"""Weight of all seeds together, as a share of the unlabelled pairs: the ratio of the source."""


class SeedEM:
    """Labels for unlabelled pairs from seeds of one class (`mode` pu: positive, nu: negative), and the scores they give.

    After `fit`: `labels_` (int8), `flips_` (a pass each), `collapsed_` (a pass was undone because it left one class).
    With `passes=0` no label is flipped: the ablation without EM.

    >>> seeds, rest = np.array([[1, 1]]), np.array([[1, 1]] + 15 * [[0, 0]])
    >>> SeedEM("pu", threshold=0.6).fit(seeds, rest).labels_.sum()
    np.int64(1)
    """

    def __init__(
        self,
        mode: str,
        threshold: float | str = "entropy",
        schedule: str = "sequential",
        passes: int = 30,
        max_positive: float = 0.5,
        max_rule_len: int = 5,
        count_zero_rules: bool = False,
        incremental: bool = True,
        seed: int = 0,
    ) -> None:
        if mode not in SEED_SHARE or schedule not in ("sequential", "batch"):
            raise BadInput(f"mode is pu|nu and schedule sequential|batch, not {mode} and {schedule}")
        if isinstance(threshold, str) and threshold != "entropy":
            raise BadInput(f"threshold is a number or 'entropy', not {threshold}")
        self.mode, self.threshold, self.schedule = mode, threshold, schedule
        self.passes, self.max_positive, self.max_rule_len = passes, max_positive, max_rule_len
        self.options = (1.0, 0.0, float(count_zero_rules))
        self.incremental, self.seed = incremental, seed
        self.towards = mode == "pu"

    def fit(self, seeds: NDArray[Any], unlabelled: NDArray[Any]) -> "SeedEM":
        """Flip labels until a pass flips none. Both tables hold binned features, with the same bins."""
        values = np.concatenate([np.asarray(seeds, np.int32), np.asarray(unlabelled, np.int32)])
        self.index, cells = RuleIndex.build(values, self.max_rule_len)
        self._cells = cells[len(seeds) :]
        weight = SEED_SHARE[self.mode] * len(unlabelled) / max(len(seeds), 1)
        of_seeds = self.index.count(cells[: len(seeds)]) * weight
        self._seed_cells = np.bincount(cells[: len(seeds)], minlength=len(self.index.cells)) * weight
        none = np.zeros_like(of_seeds)
        self._seeds_positive, self._seeds_negative = (of_seeds, none) if self.towards else (none, of_seeds)
        self._seed_weight = weight * len(seeds)
        self.labels_ = np.full(len(unlabelled), 0 if self.towards else 1, np.int8)
        self.flips_: list[int] = []
        self.collapsed_ = False
        order = np.random.default_rng(self.seed).permutation(len(unlabelled)).astype(np.int32)
        for _ in range(self.passes):
            before = self.labels_.copy()
            flips = self._pass(order)
            if flips and self._has_collapsed():
                self.labels_, self.collapsed_ = before, True
                break
            self.flips_.append(flips)
            if not flips:
                break
        self._count()
        return self

    def _pass(self, order: NDArray[np.int32]) -> int:
        self._count()
        cuts = self._cuts()
        if self.schedule == "batch":
            alpha = self._alpha(own=1.0)
            passed = alpha <= cuts if self.towards else alpha > cuts
            chosen = passed[self._cells] & (self.labels_ == (0 if self.towards else 1))
            self.labels_[chosen] = 1 if self.towards else 0
            return int(chosen.sum())
        positive = np.rint(self.positive_ - self._seeds_positive).astype(np.int64)
        negative = np.rint(self.negative_ - self._seeds_negative).astype(np.int64)
        return int(
            flip_pass(
                self.index.rules, order, self._cells, self.labels_, self._seeds_positive, self._seeds_negative,
                positive, negative, cuts, self.prior_, self.options, self.towards, not self.incremental,
            )
        )  # fmt: skip

    def _count(self) -> None:
        self.positive_, self.negative_ = np.empty(self.index.size), np.empty(self.index.size)
        count_rules(self.index.rules, self._cells, self.labels_, np.int8(1), self._seeds_positive, self.positive_)
        count_rules(self.index.rules, self._cells, self.labels_, np.int8(0), self._seeds_negative, self.negative_)
        negatives = float((self.labels_ == 0).sum()) + (0.0 if self.towards else self._seed_weight)
        self.prior_ = negatives / max(len(self.labels_) + self._seed_weight, 1.0)

    def _alpha(self, own: float, positive: bool | None = None) -> NDArray[np.float64]:
        """Negative membership of each cell, for an example that is left out of the counts (`own` 1) or is new (0)."""
        positive = not self.towards if positive is None else positive
        out = np.empty(len(self.index.cells), np.float64)
        owns = (own, 0.0) if positive else (0.0, own)
        votes(self.index.rules, self.positive_, self.negative_, *owns, self.prior_, self.options, out)
        return out

    def _cuts(self) -> NDArray[np.float64]:
        cells = len(self.index.cells)
        if not isinstance(self.threshold, str):
            return np.full(cells, float(self.threshold))
        entries = []
        for positive in (False, True):
            mine = self._cells[self.labels_ == int(positive)]
            weight = np.bincount(mine, minlength=cells).astype(np.float64)
            if positive == self.towards:
                weight = weight + self._seed_cells
            entries.append((self._alpha(1.0, positive), weight))
        alpha = np.concatenate([entries[0][0], entries[1][0]])
        weight = np.concatenate([entries[0][1], entries[1][1]])
        of_cell = np.tile(np.arange(cells, dtype=np.int32), 2)
        is_positive = np.repeat([False, True], cells)
        keep = np.flatnonzero(weight > 0)
        keep = keep[np.lexsort((of_cell[keep], is_positive[keep], alpha[keep]))]
        positive_weight = np.where(is_positive[keep], weight[keep], 0.0)
        cuts = np.empty(cells, np.float64)
        entropy_cuts(
            self.index.cells, of_cell[keep], alpha[keep], positive_weight, weight[keep] - positive_weight, self.towards, cuts
        )
        return cuts

    def _has_collapsed(self) -> bool:
        share = float(self.labels_.mean())
        return share > self.max_positive if self.towards else share == 0.0

    def score(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Membership of new pairs (binned alike) in the replicas."""
        cells, inverse = np.unique(np.asarray(values, np.int32), axis=0, return_inverse=True)
        alpha = np.empty(len(cells), np.float64)
        votes(self.index.find(cells), self.positive_, self.negative_, 0.0, 0.0, self.prior_, self.options, alpha)
        return 1.0 - alpha[inverse.ravel()]
