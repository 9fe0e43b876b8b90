"""The context-graph crawler (Diligenti and others 2000): a classifier of distances, trained before the visit."""

import numpy as np
from numpy.typing import NDArray

from garimpo.focus.dispensers import Nodes, Ranked
from garimpo.focus.web import Web

LAYERS, A_LAYER = 5, 300
"""Distances that are told apart, and so many pages of each at most for one root."""
ROOTS = 10
"""Where no roots are named, so many pages that the topic is surest of stand for the examples of the user."""
WORDS = 40
"""So many words of a page count, those of largest tf-idf."""
LEAST = 5
"""From so many pages of a layer on, what looks less like it than the least of them belongs to no layer."""


class Context(Ranked):
    """One queue a distance; a page's links go to the queue just inside the page's own layer.

    Before the visit each root is followed back over the links of the whole stored web, which answers as a search engine does when
    asked who links to a page; the layers of all roots together are the context graph, on which naive Bayes learns what pages
    at each distance say. A page that looks like no layer goes to the last queue. Within a queue the likelihood of the page that
    shows a link decides; a link is moved when another page shows it nearer. The context graph of each page that is found on topic
    is added.
    """

    def __init__(self, web: Web, roots: NDArray[np.int64] | None = None) -> None:
        super().__init__(web)
        self._starts, self._terms, self._weights, vocabulary = web.terms(most=WORDS)
        self.layer = np.full(len(web), LAYERS, np.int8)
        self._counts, self._totals = np.zeros((vocabulary, LAYERS)), np.zeros(LAYERS)
        self._documents, self._floors = np.zeros(LAYERS), np.full(LAYERS, -np.inf)
        given = np.argsort(-web.quality, kind="stable")[:ROOTS] if roots is None else roots
        for root in given.tolist():
            self._add(root)
        for layer in range(LAYERS):
            inside = np.flatnonzero(self.layer == layer)
            if len(inside) >= LEAST:
                self._floors[layer] = min(self._likelihoods(page)[layer] for page in inside.tolist())

    def put(self, source: int, targets: Nodes) -> None:
        priority = 0.0
        if source >= 0:
            layer, likelihood = self.look(source)
            priority = LAYERS - max(layer - 1, 0) + min(likelihood, 0.999)
            if layer == 0 and self.web.quality[source] > 0.5:
                self._add(source)
        for target in targets.tolist():
            self.offer(source, target, priority)

    def look(self, page: int) -> tuple[int, float]:
        """The layer a page looks like (`LAYERS`: none), and how much it does.

        Args:
            page: its number.
        """
        likelihoods = self._likelihoods(page)
        layer = int(np.argmax(likelihoods))
        return (layer, float(likelihoods[layer])) if likelihoods[layer] >= self._floors[layer] else (LAYERS, 0.0)

    def _likelihoods(self, page: int) -> NDArray[np.float64]:
        """The posterior of each layer by naive Bayes."""
        cells = slice(self._starts[page], self._starts[page + 1])
        shares = (1 + self._counts[self._terms[cells]]) / (len(self._counts) + self._totals)
        logs = np.log((1 + self._documents) / (LAYERS + self._documents.sum())) + self._weights[cells] @ np.log(shares)
        odds = np.exp(logs - logs.max())
        return np.asarray(odds / odds.sum())

    def _add(self, root: int) -> None:
        """Add the context graph of a page: the pages that lead to it, layer by layer; each stays where it is nearest."""
        starts, sources = self.web.transpose
        ring, met = [root], {root}
        for layer in range(LAYERS):
            for page in ring:
                self._teach(page, layer)
            into = (int(source) for page in ring for source in sources[starts[page] : starts[page + 1]])
            ring = [page for page in dict.fromkeys(into) if page not in met and self.layer[page] > layer + 1][:A_LAYER]
            met.update(ring)

    def _teach(self, page: int, layer: int) -> None:
        """Put a page into a layer, and take it out of the farther one it was in."""
        cells = slice(self._starts[page], self._starts[page + 1])
        terms, weights = self._terms[cells], self._weights[cells]
        for where, sign in ((int(self.layer[page]), -1), (layer, 1)):
            if where < LAYERS:
                self._counts[terms, where] += sign * weights
                self._totals[where] += sign * weights.sum()
                self._documents[where] += sign
        self.layer[page] = layer
