"""Simulated visits: walk over a stored web by a strategy, within a budget, and measure what was found when."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.focus.dispensers import Backlink, Best, Chance, Dispenser, Distiller, Fifo, Garimpo, Hot, Lifo, PageRank, Shark
from garimpo.focus.markov import Context, Liu, Markov
from garimpo.focus.measures import Measures
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
}


def walk(web: Web, dispenser: Dispenser, seeds: Iterable[int], budget: int, visitor: Visitor | None = None) -> Iterator[int]:
    """The pages in the order of the visit. The visitor may have a page's links passed over, or end the visit."""
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
    progress: Callable[[float], None] | None = None, hosts: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Visit a crawl folder by each strategy from the same seeds; what was found when, by labels or by the classifier.

    With `hosts` each visit also tells at which hosts it was, what it found there and how they are linked.
    """
    strategies = list(strategies)
    unknown = [name for name in strategies if name not in STRATEGIES]
    if unknown or not strategies:
        raise BadInput(f"no strategy {', '.join(unknown) or 'given'} (there are: {', '.join(STRATEGIES)})")
    web = Web.load(folder, topic)
    starts = _nodes(web, seeds, "seed")
    labels = web.quality > topic.threshold if relevant is None else _labelled(web, relevant)
    return {
        "pages": len(web), "links": len(web.targets), "dangling": web.dangling,
        "visits": [_one(web, name, starts, labels, budget, seed, relevant is not None, progress, hosts) for name in strategies],
    }  # fmt: skip


def _one(
    web: Web, name: str, starts: NDArray[np.int64], labels: NDArray[np.bool_], budget: int | None, seed: int, file: bool,
    progress: Any, hosts: bool,
) -> dict[str, Any]:
    dispenser = STRATEGIES[name](web, seed)
    order = []
    for node in walk(web, dispenser, starts.tolist(), budget or len(web)):
        order.append(node)
        if progress is not None:
            progress(1)
    measures = Measures(labels[np.array(order, np.int64)], int(labels.sum()), len(web))
    shown = {"strategy": name, "relevance": "file" if file else "classifier", **measures.as_dict()}
    return shown | ({"hosts": _by_host(web, np.array(order, np.int64), labels)} if hosts else {})


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


def _nodes(web: Web, urls: Iterable[str], what: str) -> NDArray[np.int64]:
    given = [normalise(url) or url for url in urls]
    numbers = web.numbers(pa.array(given, pa.string()))
    found = numbers[numbers >= 0]
    if not len(found):
        raise BadInput(f"none of the {len(given)} {what} URLs is a page of the crawl folder")
    return found[np.sort(np.unique(found, return_index=True)[1])]


def _labelled(web: Web, urls: Iterable[str]) -> NDArray[np.bool_]:
    labels = np.zeros(len(web), bool)
    labels[_nodes(web, urls, "relevant")] = True
    return labels


def read_urls(path: str | Path) -> list[str]:
    """The URLs of a file, one a line; blank lines and those that begin with # are passed over.

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
