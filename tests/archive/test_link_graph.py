"""The link graph: equal to what plain Python makes of the same links, built in little memory, read from disk."""

import random

import numpy as np
import pyarrow as pa
import pytest

from archive.made import answer, crawl, keep
from garimpo.archive import LinkGraph, Store
from garimpo.contract import BadInput
from garimpo.contract.tables import LINKS


def add_links(store, pairs):
    rows = [{"source": a, "target": b, "anchor": "", "rel": None, "context": None} for a, b in pairs]
    with store.commit(links=pa.Table.from_pylist(rows, LINKS)):
        pass


def test_equals_the_plain_graph(tmp_path):
    chance = random.Random(3)
    pairs = [(f"http://h{chance.randrange(40)}.example/é", f"http://h{chance.randrange(60)}.example/é") for _ in range(400)]
    with Store.create(tmp_path / "c") as store:
        for start in range(0, 400, 90):
            add_links(store, pairs[start : start + 90])
        with store.commit(keep(store, [answer(1)])[0]):
            pass
        graph = LinkGraph.build(store, memory_limit="60MB")
    urls = sorted({url for pair in pairs for url in pair} | {answer(1).url})
    assert [graph.url(node) for node in range(len(graph))] == urls
    assert graph.ids([*urls, "http://none.example/"]).tolist() == [*range(len(urls)), -1]
    assert graph.edges == len(set(pairs))
    for node, url in enumerate(urls):
        assert [graph.url(other) for other in graph.out(node)] == sorted({b for a, b in pairs if a == url})
        assert [graph.url(other) for other in graph.into(node)] == sorted({a for a, b in pairs if b == url})
    assert [graph.url(node) for node in np.flatnonzero(graph.fetched)] == [answer(1).url]
    again = LinkGraph.open(tmp_path / "c")
    assert isinstance(again.out_targets, np.memmap) and again.id(urls[3]) == 3
    assert sorted(path.name for path in (tmp_path / "c/state").iterdir() if "graph" in path.name) == ["graph"]


def test_build_elsewhere_and_again(tmp_path):
    with crawl(tmp_path / "c") as store:
        assert LinkGraph.build(store, tmp_path / "g").edges == 12
        add_links(store, [("http://x.example/", "http://y.example/")])
        assert LinkGraph.build(store, tmp_path / "g").edges == 13
    assert LinkGraph.open(tmp_path / "g").nodes == 23 + 2  # number 10 is a page and what page 1 links to


def test_no_links_and_no_graph(tmp_path):
    with Store.create(tmp_path / "c") as store:
        with pytest.raises(BadInput, match="no link graph"):
            LinkGraph.open(tmp_path / "c")
        graph = LinkGraph.build(store)
        assert (len(graph), graph.edges, graph.id("http://a.example/")) == (0, 0, None)
        (tmp_path / "c/state/graph/graph.json").write_text('{"format": 7}')
        with pytest.raises(BadInput, match="format 7"):
            LinkGraph.open(tmp_path / "c")
