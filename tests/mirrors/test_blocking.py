"""Scan, candidates and features against dictionaries, and on pages that are hard to read."""

import math
from collections import Counter, defaultdict
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pytest
from rapidfuzz.distance import Levenshtein

from garimpo import engine
from garimpo.contract import BadInput
from garimpo.mirrors.blocking import candidates
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import scan
from garimpo.mirrors.pair_features import features
from mirrors import made, twins


def look(pages, near=None, links=None, **options):
    """Scan, candidates and features of a table of pages."""
    with engine.local() as local:
        found = scan(local, pages, near)
    pairs = candidates(found, **{"min_weight": 0.0, **options})
    return found, pairs, features(found, pairs, links)


@pytest.fixture(scope="module")
def small():
    pages, truth = made.web(3, hosts=150, copies=0.15)
    rows = []
    for row in pages.to_pylist():
        parts = urlsplit(row["url"])
        rows.append({**row, "host": parts.netloc, "path": parts.path})
    return pages, truth, rows, look(pages)


@pytest.mark.parametrize(("kind", "column"), [("path", "path"), ("digest", "digest")])
def test_candidates_equal_their_plain_twin(small, kind, column):
    _, _, rows, (found, pairs, _) = small
    expected, suppressed = twins.pairs_sharing(rows, column)
    names = [(found.hosts[a], found.hosts[b]) for a, b in zip(pairs.first, pairs.second)]
    mine = {pair: int(n) for pair, n in zip(names, pairs.shared[kind].count) if n}
    assert mine == expected and pairs.suppressed[kind] == suppressed


def test_the_five_features_equal_their_plain_twins(small):
    _, _, rows, (found, pairs, table) = small
    paths, ips = defaultdict(set), defaultdict(set)
    for row in rows:
        paths[row["host"]].add(row["path"])
        ips[row["host"]].add(row["ip"])
    path_df = Counter(p for own in paths.values() for p in own)
    segment_df = Counter(s for host in paths for s in set(host.split(".")))
    groups = [Counter(a for own in ips.values() for a in {cut(i) for i in own}) for cut in (str, network)]
    for k in np.random.default_rng(0).choice(len(pairs), 150):
        a, b = found.hosts[pairs.first[k]], found.hosts[pairs.second[k]]
        assert table["ndist"][k] == Levenshtein.distance(a, b)
        segment = twins.cosine(set(a.split(".")), set(b.split(".")), lambda s: math.log(len(s)) / (1 + math.log(segment_df[s])))
        assert table["nmatch"][k] == pytest.approx(segment)
        rare = [{p for p in paths[h] if path_df[p] <= 100} - twins.CUSTOMARY for h in (a, b)]
        assert table["fullpath"][k] == pytest.approx(twins.cosine(*rare, lambda p: 1 + math.log(100 / path_df[p])))
        for name, cut, sizes in (("ip4", str, groups[0]), ("ip3", network, groups[1])):
            shared = {cut(i) for i in ips[a]} & {cut(i) for i in ips[b]}
            assert table[name][k] == pytest.approx(max((1 / (sizes[g] - 1) for g in shared), default=0.0))


def network(ip):
    return ip.rsplit(".", 1)[0]


def test_same_and_both_count_the_common_paths(small):
    _, _, rows, (found, pairs, table) = small
    content = {(row["host"], row["path"]): row["digest"] for row in rows}
    paths = defaultdict(set)
    for host, path in content:
        paths[host].add(path)
    for k in range(0, len(pairs), 7):
        a, b = found.hosts[pairs.first[k]], found.hosts[pairs.second[k]]
        both = [p for p in paths[a] & paths[b] if content[a, p] is not None and content[b, p] is not None]
        assert table["both"][k] == len(both)
        assert table["same"][k] == sum(content[a, p] == content[b, p] for p in both)


def test_blocking_keeps_the_copies_that_share_anything(small):
    _, truth, rows, (found, pairs, _) = small
    mine = {(found.hosts[a], found.hosts[b]) for a, b in zip(pairs.first, pairs.second)}
    share = set(twins.pairs_sharing(rows, "path")[0]) | set(twins.pairs_sharing(rows, "digest")[0])
    assert truth & share <= mine and len(truth & mine) >= 0.8 * len(truth)


def test_blocking_on_one_kind_only(small):
    pages, *_ = small
    every, by_content = look(pages)[1], look(pages, block_on=("digest",))[1]
    named = Names.of(look(pages)[0].hosts).same("bare", by_content)
    assert 0 < len(by_content) < len(every) and ((by_content.shared["digest"].count > 0) | named).all()
    with pytest.raises(BadInput):
        look(pages, block_on=("colour",))


def test_pairs_that_share_only_what_many_have_are_weak(small):
    pages, *_ = small
    every, strong = look(pages)[1], look(pages, min_weight=0.5)[1]
    most = np.maximum(every.shared["path"].weight, every.shared["digest"].weight)
    named = Names.of(look(pages)[0].hosts).same("bare", every)
    assert 0 < len(strong) == ((most >= 0.5) | named).sum() < len(every)


def test_www_and_bare_names_are_compared_by_name():
    found, pairs, _ = look(pa.table({"url": ["http://www.a.org/", "http://a.org/", "http://b.org/"]}))
    assert [(found.hosts[a], found.hosts[b]) for a, b in zip(pairs.first, pairs.second)] == [("a.org", "www.a.org")]


def test_sections_that_hold_a_common_path_are_counted(small):
    _, _, rows, (found, pairs, table) = small
    paths = defaultdict(list)
    for row in rows:
        paths[row["host"]].append(row["path"])
    section = lambda path: "/".join(path.split("/")[:2]) if path.count("/") > 1 else "/"  # noqa: E731
    for k in range(0, len(pairs), 5):
        a, b = (paths[found.hosts[host]] for host in (pairs.first[k], pairs.second[k]))
        common = (set(a) & set(b)) - twins.CUSTOMARY
        sections = {section(path) for path in common}
        assert (table["common"][k], table["sections"][k]) == (len(common), len(sections))
        for side, own in (("a", a), ("b", b)):
            sizes = Counter(section(path) for path in own)
            assert table[f"inside_{side}"][k] == sum(sizes[name] for name in sections)
            assert table[f"folders_{side}"][k] == len(sizes)
            assert table[f"idle_{side}"][k] == _idle(sizes, Counter(map(section, common)))


def _idle(sizes, shared):
    """The URLs of sections that are more than the shared ones there explain."""
    known, met = (sum(counts[name] - 1 for name in shared) for counts in (sizes, shared))
    explained = {name: (n + 2.0 * n**0.5 + 1.0) * known / met for name, n in shared.items()} if met else {}
    return sum(int(max(sizes[name] - most, 0.0)) for name, most in explained.items())


def test_hard_pages_are_read_and_counted():
    urls = ["http://a.org/x", "http://b.org/x", "ftp://c.org/x", None, "http://[2001:db8::1]/x", "http://bücher.example/x?q=ü",
            "http://a.org:8080/x#top", "nonsense", "http://d.org/"]  # fmt: skip
    ips = ["2001:db8::1", "2001:db8::2", None, None, "not an address", "10.0.0.1", None, None, ""]
    found, pairs, table = look(pa.table({"url": urls, "ip": ips}))
    assert found.counts["no http(s) URL"] == 3
    assert found.hosts == ["[2001:db8::1]", "a.org", "b.org", "d.org", "xn--bcher-kva.example"]
    both = [(found.hosts[a], found.hosts[b]) for a, b in zip(pairs.first, pairs.second)]
    assert len(both) == 3 and ("a.org", "b.org") in both
    assert table["ip4"][both.index(("a.org", "b.org"))] == 1.0  # one /64


def test_error_pages_count_for_nothing():
    pages = pa.table(
        {"url": ["http://a.org/x", "http://b.org/x", "http://a.org/y", "http://b.org/y"], "status": [404, 404, 200, 301]}
    )
    found, pairs, _ = look(pages)
    assert found.counts["no page behind the URL"] == 2 and pairs.shared["path"].count.tolist() == [1]


@pytest.mark.parametrize("hosts", [3, 300])
def test_a_path_of_every_host_makes_no_pairs(hosts):
    urls = [f"http://h{i}.org{path}" for i in range(hosts) for path in ("/", "/robots.txt")]
    _, pairs, _ = look(pa.table({"url": urls}))
    assert len(pairs) == 0 and pairs.suppressed["path"] == 2 * hosts * (hosts - 1) // 2


@pytest.mark.parametrize("rows", [0, 1])
def test_no_pages_and_one_page(rows):
    found, pairs, table = look(pa.table({"url": pa.array(["http://a.org/"][:rows], pa.string())}))
    assert len(found.hosts) == rows and len(pairs) == 0 and len(table["ndist"]) == 0


def test_near_titles_redirects_and_links():
    urls = [f"http://{h}/p{i}" for h in ("a.org", "b.org") for i in range(4)]
    pages = pa.table(
        {
            "url": [*urls, "http://c.org/p0"],
            "title": [f"t{i}" for i in range(4)] * 2 + ["other"],
            "redirect": [None] * 4 + ["http://a.org/p0", "http://a.org/p1", None, None, None],
            "text": [f"text {i}" for i in range(9)],
        }
    )
    near = pa.table({"id": urls, "cluster": [0, 1, 2, 3, 0, 1, 2, 7]})
    links = pa.table(
        {"source": ["http://z.org/", "http://z.org/", "http://a.org/p0", "http://b.org/p0"],
         "target": ["http://a.org/p0", "http://b.org/p0", "http://y.org/", "http://y.org/"]}
    )  # fmt: skip
    found, pairs, table = look(pages, near, links)
    k = [(found.hosts[a], found.hosts[b]) for a, b in zip(pairs.first, pairs.second)].index(("a.org", "b.org"))
    wanted = {"near": 3, "near_both": 4, "near_same": 3, "titles_both": 4, "titles_same": 4, "redirects": 0.5}
    wanted |= {"moved_a": 0.0, "moved_b": 0.5}
    assert {name: table[name][k] for name in wanted} == wanted
    assert table["inlinks"][k] == pytest.approx(1.0) and table["outlinks"][k] == pytest.approx(1.0)
