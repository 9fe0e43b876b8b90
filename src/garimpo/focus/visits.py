"""Simulated visits: walk over a stored web by a strategy, within a budget, and measure what was found when."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.results import Result
from garimpo.focus.dispensers import Backlink, Best, Chance, Dispenser, Distiller, Fifo, Garimpo, Hot, Lifo, PageRank, Shark
from garimpo.focus.measures import Measures
from garimpo.focus.thesis.context import Context
from garimpo.focus.thesis.markov import Liu, Markov
from garimpo.focus.topic import TopicModel
from garimpo.focus.web import Web
from garimpo.url import host_column, normalise

CONTINUE, SKIP, STOP = "continue", "skip", "stop"
Visitor = Callable[[int], str]
HOSTS = 40
"""So many hosts of a visit are told apart."""

STRATEGIES: dict[str, Callable[[Web, int], Dispenser]] = {
    "garimpo": lambda web, seed: Garimpo(web),
    "bfs": lambda web, seed: Fifo(web),
    "dfs": lambda web, seed: Lifo(web),
    "random": lambda web, seed: Chance(web, seed),
    "best": lambda web, seed: Best(web, dynamic=False),
    "best-dynamic": lambda web, seed: Best(web),
    "shark": lambda web, seed: Shark(web),
    "distiller": lambda web, seed: Distiller(web),
    "backlink": lambda web, seed: Backlink(web),
    "pagerank": lambda web, seed: PageRank(web),
    "hot": lambda web, seed: Hot(web, seed),
    "context": lambda web, seed: Context(web),
    "liu": lambda web, seed: Liu(web),
    "hmm": lambda web, seed: Markov(web),
    "hmm-static": lambda web, seed: Markov(web, dynamic=False),
    "hmm-literal": lambda web, seed: Markov(web, literal=True),
}
MARKOV = ("hmm", "hmm-static", "hmm-literal")


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the Markov models of a visit are set, what they begin with, and what is written of them.

    Args:
        alpha: how much the estimated distance counts beside the page's probability.
        states: distances to the topic that are told apart.
        tfidf: whether words are weighed by their rarity.
        keep: the file to write what was learned to.
        trace: the file to write each page's observation and state to.
    """

    alpha: float = 0.5
    states: int = 6
    tfidf: bool = True
    kept: Path | None = None
    """A model kept before; it then no longer learns."""
    kept_words: Path | None = None
    """The same, of which only naive Bayes is taken up; the Markov model begins anew and learns."""
    keep: Path | None = None
    trace: Path | None = None

    def check(self, strategies: list[str]) -> None:
        """`BadInput` for what cannot be."""
        if not 0 <= self.alpha <= 1:
            raise BadInput(f"alpha {self.alpha}: from 0 to 1")
        if not 2 <= self.states <= 100:
            raise BadInput(f"{self.states} states: from 2 to 100")
        markov = [name for name in strategies if name in MARKOV]
        if self != DEFAULT and not markov:
            raise BadInput(f"alpha, states, words, kept models and traces are of the strategies {', '.join(MARKOV)}")
        if self.kept is not None and self.kept_words is not None:
            raise BadInput("a kept model with all it has, or its words alone: one of the two")
        if (self.keep or self.trace) and len(markov) > 1:
            raise BadInput("one model or trace file, but several strategies to write of")


DEFAULT = Tuning()


def walk(web: Web, dispenser: Dispenser, seeds: Iterable[int], budget: int, visitor: Visitor | None = None) -> Iterator[int]:
    """The pages in the order of the visit. The visitor may have a page's links passed over, or end the visit.

    Args:
        web: the stored pages and their links.
        dispenser: what says which page comes next.
        seeds: nodes to begin with.
        budget: pages to visit, at most.
        visitor: called with each page visited.
    """
    dispenser.put(-1, np.fromiter(seeds, np.int32))
    if visitor is None and isinstance(dispenser, Garimpo):
        yield from dispenser.ahead(budget)
        return
    offsets, targets = web.offsets, web.targets
    for _ in range(budget):
        node = dispenser.get()
        if node < 0:
            return
        verdict = CONTINUE if visitor is None else visitor(node)
        if verdict == STOP:
            return
        yield node
        if verdict != SKIP:
            dispenser.put(node, targets[offsets[node] : offsets[node + 1]])


def visit(
    folder: str | Path, topic: TopicModel, seeds: Iterable[str], strategies: Iterable[str] = ("garimpo",), *,
    budget: int | None = None, relevant: Iterable[str] | None = None, seed: int = 0,
    progress: Callable[[float], None] | None = None, hosts: bool = False, tuning: Tuning = DEFAULT,
    written: "Written | None" = None, roots: Iterable[str] | None = None,
) -> Result:  # fmt: skip
    """Visit a crawl folder by each strategy from the same seeds; what was found when, by labels or by the classifier.

    With `hosts` each visit also tells at which hosts it was, what it found there and how they are linked. `tuning` is of
    the Markov models.

    Args:
        folder: the crawl folder.
        topic: the model that scores pages.
        seeds: URLs to begin with.
        strategies: names of strategies, each walks once.
        budget: pages to visit, at most.
        relevant: URLs that are relevant; without them the topic decides.
        seed: makes a run repeatable.
        progress: called with the number of pages visited since.
        hosts: whether to tell of the hosts visited.
        tuning: of the Markov model.
        written: takes the order of each visit, and what it had after each page.
        roots: of the context graph, URLs of examples; without them the pages that the topic is surest of.
    """
    strategies = list(strategies)
    unknown = [name for name in strategies if name not in STRATEGIES]
    if unknown or not strategies:
        raise BadInput(f"no strategy {', '.join(unknown) or 'given'} (there are: {', '.join(STRATEGIES)})")
    tuning.check(strategies)
    if roots is not None and "context" not in strategies:
        raise BadInput("roots are of the strategy context")
    web = Web.load(folder, topic)
    starts, unknown_seeds = _nodes(web, seeds, "seed")
    labels, unknown_relevant = web.quality > topic.threshold, 0
    if relevant is not None:
        nodes, unknown_relevant = _nodes(web, relevant, "relevant")
        labels = np.isin(np.arange(len(web)), nodes)
    begun = None if roots is None else _nodes(web, roots, "root")[0]
    visits = []
    for name in strategies:
        dispenser = _dispenser(web, name, seed, tuning, begun)
        order = _visited(web, dispenser, starts, budget or len(web), progress)
        shown = {"strategy": name, "relevance": "classifier" if relevant is None else "file"}
        measures = Measures(labels[order], int(labels.sum()), len(web))
        visits.append(shown | measures.as_dict() | ({"hosts": _by_host(web, order, labels)} if hosts else {}))
        if written is not None:
            written.add(name, web, order, measures)
        if isinstance(dispenser, Markov):
            _written(web, dispenser, order, tuning)
    counted = {"seeds": unknown_seeds, "relevant": unknown_relevant}
    return Result(pages=len(web), links=len(web.targets), dangling=web.dangling, unknown=counted, visits=visits)


@dataclass(slots=True)
class Written:
    """Visits page by page, as tables: the order each strategy went in (`orders`), and what it had found by when (`curves`)."""

    orders: list[pa.Table] = field(default_factory=list)
    curves: list[pa.Table] = field(default_factory=list)

    def add(self, strategy: str, web: Web, order: NDArray[np.int64], measures: Measures) -> None:
        """Take a visit.

        Args:
            strategy: what it went by.
            web: where it was.
            order: the pages it visited, one after the other.
            measures: what it found.
        """
        name = pa.array([strategy] * len(order), pa.string())
        columns = {
            "strategy": name, "t": np.arange(1, len(order) + 1), "url": web.urls.take(pa.array(order)),
            "score": web.quality[order], "relevant": measures.hits,
        }  # fmt: skip
        self.orders.append(pa.table(columns))
        self.curves.append(pa.table({"strategy": name, **measures.table()}))


def _dispenser(web: Web, name: str, seed: int, tuning: Tuning, roots: NDArray[np.int64] | None) -> Dispenser:
    if name == "context" and roots is not None:
        return Context(web, roots)
    if name not in MARKOV:
        return STRATEGIES[name](web, seed)
    made = Markov(web, name != "hmm-static", tuning.alpha, tuning.states, tuning.tfidf, name == "hmm-literal")
    if (kept := tuning.kept or tuning.kept_words) is not None:
        made.distances.load(kept, markov=tuning.kept is not None)
    return made


def _visited(web: Web, dispenser: Dispenser, starts: NDArray[np.int64], budget: int, progress: Any) -> NDArray[np.int64]:
    order = []
    for node in walk(web, dispenser, starts.tolist(), budget):
        order.append(node)
        if progress is not None:
            progress(1)
    return np.array(order, np.int64)


def _written(web: Web, made: Markov, order: NDArray[np.int64], tuning: Tuning) -> None:
    """Keep what the Markov model learned, and of each page visited its URL, probability, observation and state."""
    if tuning.keep is not None:
        made.distances.save(tuning.keep)
    if tuning.trace is not None:
        urls = web.urls.take(pa.array(order)).to_pylist()
        rows = zip(urls, web.quality[order].tolist(), made.distances.observed[order].tolist(), made.state[order].tolist())
        with publish(tuning.trace) as temporary:
            temporary.write_text("".join(f"{url}\t{quality:.6f}\t{seen}\t{state}\n" for url, quality, seen, state in rows))


def _by_host(web: Web, order: NDArray[np.int64], labels: NDArray[np.bool_]) -> dict[str, list[Any]]:
    """The hosts most visited: name, pages visited, relevant ones; and which of them link to which, by place."""
    names, of = np.unique(np.array(host_column(web.urls).to_pylist(), dtype=object).astype(str), return_inverse=True)
    visited = np.bincount(of[order], minlength=len(names))
    relevant = np.bincount(of[order], labels[order], len(names))
    chosen = np.argsort(-visited, kind="stable")[:HOSTS]
    chosen = chosen[visited[chosen] > 0]
    place = np.full(len(names), -1)
    place[chosen] = np.arange(len(chosen))
    a, b = place[of[np.repeat(np.arange(len(web)), np.diff(web.offsets))]], place[of[web.targets]]
    kept = (a >= 0) & (b >= 0) & (a != b)
    arcs = np.unique(np.stack([a[kept], b[kept]], axis=1), axis=0)
    rows = [[str(names[host]), int(visited[host]), int(relevant[host])] for host in chosen]
    return {"pages": rows, "links": arcs.tolist()}


def _nodes(web: Web, urls: Iterable[str], what: str) -> tuple[NDArray[np.int64], int]:
    """The pages of some URLs, each once, and how many URLs are no page of the crawl folder."""
    given = list(dict.fromkeys(normalise(url) or url for url in urls))
    numbers = web.numbers(pa.array(given, pa.string()))
    found = numbers[numbers >= 0]
    if not len(found):
        raise BadInput(f"none of the {len(given)} {what} URLs is a page of the crawl folder")
    return found[np.sort(np.unique(found, return_index=True)[1])], int((numbers < 0).sum())


def read_urls(path: str | Path) -> list[str]:
    """The URLs of a file, one a line; blank lines and those that begin with # are passed over.

    Args:
        path: a file with one URL a line.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "seeds.txt"
    >>> _ = file.write_text("# seeds\\n\\nhttp://a.example/\\n")
    >>> read_urls(file)
    ['http://a.example/']
    """
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (IsADirectoryError, UnicodeDecodeError):
        raise BadInput(f"{path}: not a text file") from None
    urls = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not urls:
        raise BadInput(f"{path}: no URL in it")
    return urls
