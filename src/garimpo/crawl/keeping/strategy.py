"""How links are scored when no learned scorer does it."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract.protocols import Scorer
from garimpo.contract.records import Link, Verdict


class BreadthFirst:
    """All links are worth the same: what was met first is fetched first."""

    def score(self, links: pa.Table) -> NDArray[np.float32]:
        return np.ones(links.num_rows, np.float32)

    def learn(self, link: Link, verdict: Verdict) -> None:
        """Nothing to learn."""


class BestFirst:
    """A link is worth what the page it stands on is worth."""

    def score(self, links: pa.Table) -> NDArray[np.float32]:
        return links.column("source_score").to_numpy().astype(np.float32)

    def learn(self, link: Link, verdict: Verdict) -> None:
        """Nothing to learn."""


def default_scorer(strategy: str) -> Scorer:
    """The scorer of a strategy without a learned one: `bfs` counts nothing, the others the page a link stands on."""
    return BreadthFirst() if strategy == "bfs" else BestFirst()
