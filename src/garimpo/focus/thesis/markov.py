"""Strategies that estimate how far a page is from the topic by Markov models over distances.

`Markov` learns while it walks: each relevant page found is followed back over the links of visited pages, which gives those pages
a distance; naive Bayes learns what pages at each distance say, and the Markov model which distances follow each other. `hmm` is
our variant of it, `hmm-literal` does as the source says (`_kernels_hmm` tells what differs).
"""

import os
from typing import Any

import numpy as np

from garimpo.contract.errors import BadInput
from garimpo.contract.model import Model, load_model, save_model
from garimpo.focus.dispensers import Nodes, Ranked
from garimpo.focus.web import Terms, Web


class Distances:
    """The learned part: naive Bayes, the Markov model, and what is known of each page."""

    def __init__(self, web: Web, states: int, terms: Terms, literal: bool = False) -> None:
        self.web, self.states, self.literal = web, states, literal
        self._starts, self._terms, self._weights, vocabulary = terms
        trained = states - 1
        self.labels = np.full(len(web), states, np.int8)
        self.seen, self.observed = np.full(len(web), -1, np.int8), np.full(len(web), -1, np.int8)
        """What each page looks like to naive Bayes now, and what it looked like when it was visited."""
        self.paths = np.zeros((len(web), states), np.float32)
        self.counts = np.zeros((vocabulary, trained), np.float32)
        self.totals, self.documents = np.zeros(trained), np.zeros(trained)
        self.floors = np.full(trained, -1.0)
        self.moves, self.shown = np.zeros((states, states)), np.zeros((states, states))
        self.posterior = np.zeros(trained)
        self.bayes_learns = self.markov_learns = True
        self._recent = np.zeros((trained, 64), np.float32)
        self._placed = np.zeros(trained, np.int64)
        self._queue, self._met = np.zeros(len(web) + 1, np.int32), np.full(len(web), -1, np.int32)

    @property
    def trained(self) -> bool:
        """Whether a relevant page was seen, or a model loaded."""
        return bool(self.documents[0] > 0)

    def visit(self, node: int, parent: int) -> float:
        """Learn from a visited page; its state, 0 being on topic."""
        from garimpo.focus.thesis._kernels_hmm import visit_page

        web = self.web
        relevant = bool(web.quality[node] > 0.5)
        return float(
            visit_page(
                node, parent, relevant, self.literal, self.bayes_learns, self.markov_learns,
                web.offsets, web.targets, *web.transpose,
                self._starts, self._terms, self._weights, self.labels, self.seen, self.paths, self.counts, self.totals,
                self.documents, self.floors, self._recent, self._placed, self.moves, self.shown, self.posterior,
                self._queue, self._met, self.observed,
            )
        )  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keep naive Bayes and the Markov model for other visits of this web."""
        names = ("counts", "totals", "documents", "floors", "moves", "shown")
        arrays = {name: getattr(self, name) for name in names}
        save_model(path, Model("distances", "hmm", {"states": self.states}, arrays))

    def load(self, path: str | os.PathLike[str], markov: bool = True) -> None:
        """Take up a kept model, which then no longer learns.

        Args:
            path: the file.
            markov: whether to take up the Markov model too; else only naive Bayes, and the Markov model begins and learns.
        """
        model = load_model(path, "distances")
        if model.arrays["counts"].shape != self.counts.shape:
            words, states = self.counts.shape
            raise BadInput(f"{path}: not learned on this web ({words:,} words) with {states + 1} states")
        self.counts[:] = model.arrays["counts"]
        names = ("totals", "documents", "floors", *(("moves", "shown") if markov else ()))
        for name in names:
            getattr(self, name)[:] = model.arrays[name]
        self.bayes_learns, self.markov_learns = False, not markov


class Markov(Ranked):
    """The Markov model for context graphs: priority alpha (d - state) / d + (1 - alpha) probability of the page."""

    def __init__(
        self, web: Web, dynamic: bool = True, alpha: float = 0.5, states: int = 6, tfidf: bool = True, literal: bool = False
    ) -> None:
        super().__init__(web, dynamic)
        self.distances, self.alpha = Distances(web, states, web.terms(tfidf), literal), alpha
        self.state = np.full(len(web), states, np.int8)

    def put(self, source: int, targets: Nodes) -> None:
        priority = 0.0 if source < 0 else self._worth(source)
        for target in targets.tolist():
            self.offer(source, target, priority)

    def _worth(self, source: int) -> float:
        probability = float(self.web.quality[source])
        state = self.distances.visit(source, int(self.parent[source]))
        self.state[source] = int(state)
        if not self.distances.trained:
            return probability
        states = self.distances.states
        return self.alpha * (states - state) / states + (1 - self.alpha) * probability


class Liu(Ranked):
    """Liu's Markov model: pages browsed first are clustered in a concept space; the clusters show the distance.

    The first pages (`browse`) are visited best first and stand for what a user would have browsed; then the model is made.
    """

    def __init__(self, web: Web, browse: int = 300, states: int = 5, clusters: int = 5) -> None:
        super().__init__(web)
        self._browse, self.states, self.clusters = browse, states, clusters
        self._order: list[int] = []
        self._model: Any = None
        self._paths: dict[int, Any] = {}

    def put(self, source: int, targets: Nodes) -> None:
        priority = 0.0
        if source >= 0:
            self._order.append(source)
            if self._model is None and len(self._order) >= self._browse:
                self._learn()
            priority = float(self.web.quality[source]) if self._model is None else self._worth(source)
        for target in targets.tolist():
            self.offer(source, target, priority)

    def _worth(self, source: int) -> float:
        """The negative of the distance the page's links are predicted to have."""
        concepts, centres, moves, shown = self._model
        cluster = int(np.argmin(((self._rows([source]) @ concepts - centres) ** 2).sum(axis=1)))
        before = self._paths.get(int(self.parent[source]))
        reach = np.zeros(self.states) if before is None else (before[:, None] + moves).max(axis=0)
        path = reach + shown[:, cluster]
        self._paths[source] = path - path.max()
        return 2.0 + self.states - max(int(np.argmax(path)) - 1, 0)

    def _rows(self, nodes: list[int]) -> Any:
        from scipy import sparse as sp

        starts, terms, weights, vocabulary = self.web.terms()
        cells = [np.arange(starts[node], starts[node + 1]) for node in nodes]
        ends = np.cumsum([0, *(len(cell) for cell in cells)])
        cell = np.concatenate(cells)
        return sp.csr_matrix((weights[cell], terms[cell], ends), shape=(len(nodes), vocabulary))

    def _learn(self) -> None:
        from sklearn.cluster import KMeans
        from sklearn.decomposition import TruncatedSVD

        rows = self._rows(self._order)
        size = max(1, min(100, rows.shape[0] - 1, rows.shape[1] - 1))
        concepts = TruncatedSVD(size, random_state=0).fit(rows).components_.T
        groups = KMeans(min(self.clusters, rows.shape[0]), n_init=5, random_state=0).fit(rows @ concepts)
        label = self._labels()
        moves, shown = np.ones((self.states, self.states)), np.ones((self.states, self.clusters))
        place = {node: at for at, node in enumerate(self._order)}
        for at, node in enumerate(self._order):
            shown[label[at], groups.labels_[at]] += 1
            for target in self.web.targets[self.web.offsets[node] : self.web.offsets[node + 1]].tolist():
                if target in place:
                    moves[label[at], label[place[target]]] += 1
        logs = [np.log(table / table.sum(axis=1, keepdims=True)) for table in (moves, shown)]
        self._model = (concepts, groups.cluster_centers_, *logs)

    def _labels(self) -> Any:
        """The distance of each browsed page to a relevant one, over browsed pages."""
        place = {node: at for at, node in enumerate(self._order)}
        label = np.full(len(self._order), self.states - 1)
        ring = [at for at, node in enumerate(self._order) if self.web.quality[node] > 0.5]
        starts, sources = self.web.transpose
        for far in range(self.states - 1):
            for at in ring:
                label[at] = min(label[at], far)
            into = [sources[starts[node] : starts[node + 1]].tolist() for node in (self._order[at] for at in ring)]
            before = {place[source] for some in into for source in some if source in place}
            ring = [at for at in before if label[at] > far + 1]
        return label
