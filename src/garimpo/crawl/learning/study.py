"""What the studies of a learner have in common: what they are fed, what they say, and how they are kept.

A study *takes* the segments of a crawl one after the other, in the order of their commits. Asked to *study*, it says what there
is to publish, or why nothing. What it has gathered it *saves* to `state/learner/` and *loads* again; it is then fed what came
after. What was saved is never needed: where it is missing or damaged, a study begins with the first segment.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa


class Segment(NamedTuple):
    """The pages of one commit, without their texts."""

    commit: int
    pages: pa.Table


class Finding(NamedTuple):
    """What a study says of one kind: a new version, or why there is none."""

    kind: str
    why: str
    """Why nothing is published; of a new version, in a few words, what it holds."""
    suffix: str = ""
    write: Callable[[Path], object] | None = None
    """Writes the new version; None: there is none."""
    evidence: dict[str, Any] = {}  # noqa: RUF012 (never changed)


class DamagedEvidence(Exception):
    """What a study had saved cannot be read. It is gone already: loading again begins with nothing."""


class Study(Protocol):
    """One kind of learning, or several that share their evidence."""

    def load(self) -> int | None:
        """Take up what was saved; the last commit that is in it, or None where segments are not needed."""

    def take(self, segment: Segment) -> None:
        """Take up the pages of one more commit."""

    def study(self) -> Sequence[Finding]:
        """What is to be published, or why nothing, by all that was taken."""

    def save(self) -> None:
        """Write down what was gathered, so that `load` finds it."""


class FolderStudy:
    """The part of a study that keeps nothing: it reads the crawl folder each time."""

    def load(self) -> int | None:
        return None

    def take(self, segment: Segment) -> None: ...

    def save(self) -> None: ...
