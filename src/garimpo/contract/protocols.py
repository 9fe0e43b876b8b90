"""The parts of a crawl that can be exchanged. Each has one default, in the room that its name suggests."""

from typing import Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract.records import Fetched, Link, Page, Verdict


class Fetcher(Protocol):
    """Gets the bytes of one URL, politely. Never raises for what a server does: the answer says it."""

    def get(self, url: str) -> Fetched: ...


class Judge(Protocol):
    """Reads one page and says what it is worth; pure but for the model it was made with."""

    def read(self, page: Page) -> Verdict: ...


class Scorer(Protocol):
    """Scores links, and learns what they led to.

    `score` takes the links table with two more columns, `source_score` (float32: the verdict on the page they stand on) and
    `depth` (int32), and answers one float32 in [0, 1] a row. `learn` is called once the target of a link was read.
    """

    def score(self, links: pa.Table) -> NDArray[np.float32]: ...

    def learn(self, link: Link, verdict: Verdict) -> None: ...


@runtime_checkable
class Rescorer(Protocol):
    """A `Scorer` whose opinion of what is queued changes as it learns.

    When it is `due` (asked often), or `renewed` by a model that was published since (asked after commits), the crawl commits,
    hands over the keys of queued URLs, and gives them the scores that come back, but for those below zero, of which the scorer
    knows nothing.
    """

    def due(self) -> bool: ...

    def renewed(self) -> bool: ...

    def rescore(self, keys: NDArray[np.uint64]) -> NDArray[np.float32]: ...
