"""Tables without pages: their columns, their truth, and that a seed gives them again."""

from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from garimpo import webgen
from garimpo.contract.errors import BadInput


def _table(path: Path) -> dict[str, list]:  # type: ignore[type-arg]
    return pq.read_table(path).to_pydict()


def test_mirrors(tmp_path: Path) -> None:
    made = webgen.make_tables(tmp_path, "mirrors", seed=1, hosts=1_000)
    pages, truth = _table(tmp_path / "pages.parquet"), _table(tmp_path / "truth.parquet")
    hosts = {url.split("/")[2] for url in pages["url"]}
    assert list(pages) == ["url", "ip", "digest"] and len(pages["url"]) == len(set(pages["url"]))
    assert made["hosts"] == len(hosts) == 1_000
    assert None in pages["digest"]
    assert set(truth["host_a"]) | set(truth["host_b"]) <= hosts
    assert all(a < b for a, b in zip(truth["host_a"], truth["host_b"]))
    assert {"balance", "franchise", "migration", "malicious", "defaults", "lyrics"} <= set(truth["cause"])
    assert 0.0005 < made["prevalence"] < 0.05


def test_locator(tmp_path: Path) -> None:
    webgen.make_tables(tmp_path, "locator", seed=1, sites=1_000)
    sites, links = _table(tmp_path / "sites.parquet"), _table(tmp_path / "links.parquet")
    relevant = {site for site, wanted in zip(sites["site"], sites["relevant"]) if wanted}
    detected = {site for site, found in zip(sites["site"], sites["detected"]) if found}
    assert len(relevant) == 100 and len(relevant & detected) > 75
    assert {url.split("/")[2].removeprefix("www.") for url in links["target"]} <= set(sites["site"])


def test_dust(tmp_path: Path) -> None:
    made = webgen.make_tables(tmp_path, "dust", seed=1, clusters=500)
    lines = [line.split("\t") for line in (tmp_path / "clusters.tsv").read_text().splitlines()]
    truth = _table(tmp_path / "family.parquet")
    assert [url for _, url, _ in lines] == truth["url"] and len(set(truth["url"])) == made["urls"]
    sizes = defaultdict(int)
    for cluster, _, _ in lines:
        sizes[cluster] += 1
    assert sum(size > 1 for size in sizes.values()) == made["clusters"] == 500
    assert made["unique"] > 100


def test_spoilt_labels(tmp_path: Path) -> None:
    webgen.make_tables(tmp_path, "dust", seed=1, clusters=300, false_merge=0.05, missing=0.1)
    lines = [line.split("\t") for line in (tmp_path / "clusters.tsv").read_text().splitlines()]
    truth = _table(tmp_path / "family.parquet")
    label = {url: cluster for cluster, url, _ in lines}
    said, real = defaultdict(set), defaultdict(set)
    for url, key in zip(truth["url"], truth["key"]):
        said[label[url]].add(key)
        real[key].add(label[url])
    assert any(len(keys) > 1 for keys in said.values()) and any(len(labels) > 1 for labels in real.values())


@pytest.mark.parametrize("regime", ["cluster", "islands"])
def test_graph(tmp_path: Path, regime: str) -> None:
    made = webgen.make_tables(tmp_path, "graph", seed=1, pages=3_000, regime=regime)
    docs, links, truth = (_table(tmp_path / f"{name}.parquet") for name in ("docs", "links", "truth"))
    assert docs["url"] == truth["url"] and len(set(docs["url"])) == 3_000
    assert set(links["source"]) | set(links["target"]) <= set(docs["url"])
    topic = dict(zip(truth["url"], truth["topic"]))
    if regime == "islands":
        inside = [
            1
            for source, target in zip(links["source"], links["target"])
            if topic[source] == topic[target] == made["wanted"] and source.split("/")[2] != target.split("/")[2]
        ]
        assert not inside


def test_a_graph_of_sections(tmp_path: Path) -> None:
    webgen.make_tables(tmp_path, "graph", seed=2, pages=3_000, regime="sections")
    docs, links, truth = (_table(tmp_path / f"{name}.parquet") for name in ("docs", "links", "truth"))
    text, topic = dict(zip(docs["url"], docs["text"])), dict(zip(truth["url"], truth["topic"]))
    assert len(text) == 3_000 and set(links["source"]) | set(links["target"]) <= set(text)
    hosts, topics, inside, parallel = defaultdict(set), defaultdict(set), defaultdict(set), defaultdict(list)
    for source, target, anchor in zip(links["source"], links["target"], links["anchor"]):
        parallel[source, target].append(anchor)
        if source.split("/")[2] == target.split("/")[2]:
            inside[source].add(target)
    for url in text:
        host = url.split("/")[2]
        hosts[topic[url]].add(host)
        topics[host].add(topic[url])
    assert all(len(hosts[name]) > 3 for name in hosts) and sum(len(names) > 3 for names in topics.values()) > len(topics) / 2
    assert sum(len(anchors) > 1 for anchors in parallel.values()) > 500 and "" in links["anchor"]
    said = [
        text[target] for _, target, anchor in zip(links["source"], links["target"], links["anchor"]) if len(anchor.split()) == 3
    ]
    assert not any(page.startswith(anchor) for page, anchor in zip(said, (a for a in links["anchor"] if len(a.split()) == 3)))
    assert len(set(links["place"])) < len(links["place"]) / 10
    homes = [url for url in text if url.count("/") == 3 and url.endswith("/")]
    for home in homes:
        met, queue = {home}, [home]
        while queue:
            fresh = inside[queue.pop()] - met
            met |= fresh
            queue += fresh
        assert len(met) == sum(url.startswith(home) for url in text)


def test_a_seed_gives_the_same_tables(tmp_path: Path) -> None:
    for kind, sizes in (
        ("mirrors", {"hosts": 300}),
        ("dust", {"clusters": 200}),
        ("graph", {"pages": 1_000}),
        ("graph", {"pages": 1_000, "regime": "sections"}),
        ("locator", {"sites": 200}),
    ):
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            webgen.make_tables(tmp_path / kind / name, kind, seed=seed, **sizes)
        read = {name: [path.read_bytes() for path in sorted((tmp_path / kind / name).iterdir())] for name in "abc"}
        assert read["a"] == read["b"] != read["c"]


def test_bad_sizes(tmp_path: Path) -> None:
    for kind, sizes in (
        ("stars", {}),
        ("mirrors", {"hosts": 3}),
        ("mirrors", {"prevalence": 2.0}),
        ("dust", {"clusters": 1}),
        ("dust", {"pages": 10}),
        ("graph", {"pages": 1}),
        ("graph", {"regime": "x"}),
        ("locator", {"relevant": 7.0}),
    ):
        with pytest.raises(BadInput):
            webgen.make_tables(tmp_path, kind, **sizes)
