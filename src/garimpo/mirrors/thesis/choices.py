"""What the source leaves open."""

from dataclasses import dataclass

from garimpo.contract import BadInput

BINS, SCHEDULES, NEGATIVES = ("equal-frequency", "equal-width"), ("entropy", "fixed"), ("strangers", "shared-path")
FIXED = {"pu": 0.6, "nu": 0.5}


@dataclass(frozen=True, slots=True)
class Choices:
    """What the source leaves open: the intervals of features, how a label flips, and which pairs are surely no copies.

    `schedule` entropy gives every pair a cut of its own; fixed cuts all at `threshold` (unless given, where the source found it
    best: 0.6 for pu, 0.5 for nu). `negatives` strangers are random pairs that share nothing; shared-path are
    candidates with a common path and no common content.
    """

    bins: str = "equal-frequency"
    schedule: str = "entropy"
    threshold: float | None = None
    negatives: str = "strangers"

    def __post_init__(self) -> None:
        wanted = {"bins": BINS, "schedule": SCHEDULES, "negatives": NEGATIVES}
        for name, values in wanted.items():
            if getattr(self, name) not in values:
                raise BadInput(f"{name} is one of {', '.join(values)}, not {getattr(self, name)}")
        if self.threshold is not None and not 0.0 < self.threshold < 1.0:
            raise BadInput(f"threshold is above 0 and below 1, not {self.threshold}")

    def cut(self, mode: str) -> float | str:
        """The cut of label flips for rules from positive (pu) or negative seeds (nu)."""
        return "entropy" if self.schedule == "entropy" else self.threshold or FIXED[mode]
