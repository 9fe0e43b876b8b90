"""The whole room on small made webs: pairs, groups, the host to keep, folds, and what must never be folded."""

import numpy as np
import pyarrow as pa
import pytest

from garimpo.contract import BadInput
from garimpo.mirrors import find, folds
from garimpo.mirrors.groups import group
from garimpo.mirrors.kept_host import Facts, choose
from garimpo.mirrors.names import Names
from garimpo.mirrors.search import METHODS, search
from mirrors import made


@pytest.fixture(scope="module")
def web():
    return made.web(21, hosts=500, copies=0.1)


def judged(pairs, truth):
    """True and found pairs, and those that are both."""
    mine = {(r["host_a"], r["host_b"]) for r in pairs.select(["host_a", "host_b", "replica"]).to_pylist() if r["replica"]}
    return len(mine & truth), len(mine), len(truth)


def without(pages, name):
    kind = pages.schema.field(name).type
    return pages.set_column(pages.column_names.index(name), name, pa.nulls(pages.num_rows, kind))


@pytest.mark.parametrize(("missing", "recall"), [((), 0.75), (("ip",), 0.75), (("digest",), 0.65), (("ip", "digest"), 0.65)])
def test_finds_most_copies_and_few_strangers_whatever_is_known(web, missing, recall):
    pages, truth = web
    for name in missing:
        pages = without(pages, name)
    right, found, wanted = judged(find(pages), truth)
    assert right >= recall * wanted and right >= 0.9 * found


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same_pairs_with_scores(web, method):
    pages, _ = web
    table = find(pages, method=method)
    scores = table["score"].to_numpy()
    assert (np.diff(scores) <= 0).all() and scores.min() >= 0 and scores.max() <= 1
    assert table.num_rows == find(pages).num_rows
    assert (table["host_a"].to_numpy(zero_copy_only=False) < table["host_b"].to_numpy(zero_copy_only=False)).all()
    kept = {r["keep_host"] is None for r in table.filter(pa.compute.invert(table["replica"])).to_pylist()}
    assert kept <= {True}


def test_the_same_pages_give_the_same_table(web):
    pages, _ = web
    shuffled = pages.take(np.random.default_rng(1).permutation(pages.num_rows))
    assert find(pages).equals(find(shuffled))


def test_counts_are_told(web):
    pages, _ = web
    bad = pa.concat_tables([pages, pa.table({"url": ["ftp://x/", "?"]})], promote_options="default")
    result = search(bad)
    assert result.counts["no http(s) URL"] == 2 and result.suppressed["path"] > 0 and result.hosts >= 500


@pytest.mark.parametrize("options", [{"method": "magic"}, {"keep": "the nicest"}, {"block_on": ()}])
def test_wrong_options(web, options):
    with pytest.raises(BadInput):
        find(web[0], **options)


def test_pages_without_urls_is_bad_input():
    with pytest.raises(BadInput, match="url"):
        find(pa.table({"digest": [1]}))


def test_a_chain_is_not_a_group():
    first, second = np.array([0, 1, 2]), np.array([1, 2, 3])
    assert group(first, second, np.array([0.99, 0.7, 0.99]), 4).tolist() == [0, 0, 2, 2]
    everyone = np.array([(a, b) for a in range(4) for b in range(a + 1, 4)])
    assert group(everyone[:, 0], everyone[:, 1], np.full(6, 0.9), 4).tolist() == [0, 0, 0, 0]


def test_what_is_kept_follows_the_policy():
    known = Facts(np.array([5, 9, 0]), np.array([100, 10, 1]), np.array([0.0, 1.0, 0.0]), np.array([-9, -5, -1]), np.zeros(3))
    groups = np.array([0, 0, 2])
    assert choose(groups, known, "inlinks").tolist() == [1, 1, 2]
    assert choose(groups, known, "complete").tolist() == [0, 0, 2]


def test_names_are_compared_by_the_public_suffix_list():
    names = Names.of(["www.x.gov.br", "x.gov.br", "x.com", "10.0.0.1", "10.0.0.2", "a.x.com"])
    assert names.bare[0] == names.bare[1] and names.stem[1] == names.stem[2] and names.site[2] == names.site[5]
    assert names.unnumbered[3] == names.unnumbered[4] == 0


def copy_of(host, pages=30, first=0):
    return [(f"http://{host}/a/{i}", i + 1) for i in range(first, first + pages)]


def table(rows, ips=None):
    urls, digests = zip(*rows)
    return pa.table({"url": urls, "digest": digests, "ip": [(ips or {}).get(url.split("/")[2]) for url in urls]})


def links_to(**counts):
    """Links from so many sites to each host."""
    rows = [(f"http://s{i}.net/", f"http://{host.replace('_', '.')}/") for host, n in counts.items() for i in range(n)]
    return pa.table({"source": [r[0] for r in rows], "target": [r[1] for r in rows]})


def test_a_fold_keeps_the_host_that_sites_link_to():
    pages = table(copy_of("www.x.org") + copy_of("x.org"))
    links = links_to(www_x_org=4, x_org=1)
    rows = folds(find(pages, links=links), pages).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_host"], r["keep_prefix"]) for r in rows] == [("x.org", "/", "www.x.org", "/")]


def test_a_copier_cannot_fold_a_stranger():
    pages = table(copy_of("victim.org") + copy_of("copier.net"))
    assert folds(find(pages), pages).num_rows == 0  # nothing but what can be copied, and no links known
    links = links_to(victim_org=5, copier_net=1)
    rows = folds(find(pages, links=links), pages).to_pylist()
    assert all(r["keep_host"] == "victim.org" for r in rows)


def test_a_name_that_is_alike_does_not_make_an_owner():
    larger = copy_of("victim2.org", 60)
    pages = table(copy_of("victim.org") + larger)
    pairs = find(pages)
    assert pairs["replica"].to_pylist() == [True] and folds(pairs, pages).num_rows == 0
    rows = folds(find(pages, links=links_to(victim_org=2, victim2_org=1)), pages).to_pylist()
    assert [(r["host"], r["keep_host"]) for r in rows] == [("victim2.org", "victim.org")]


@pytest.mark.parametrize(("mover", "folded"), [("old.org", ["old.org"]), ("new.net", [])])
def test_a_host_that_leads_to_another_may_be_folded_into_it(mover, folded):
    rows = copy_of("old.org") + copy_of("new.net", 40)
    moves = [f"http://{'new.net' if mover == 'old.org' else 'old.org'}/" if mover in url else None for url, _ in rows]
    pages = table(rows).append_column("canonical", pa.array(moves, pa.string()))
    pairs = find(pages, keep="complete")
    assert pairs["keep_host"].to_pylist() == ["new.net"]
    assert folds(pairs, pages)["host"].to_pylist() == folded


def test_one_software_on_two_hosts_is_no_copy_where_pages_are_not_even_alike():
    rows = [(f"http://{host}/view.php?id={i}", more + i) for host, more in (("a.org", 0), ("b.net", 1000)) for i in range(30)]
    pages = table(rows)
    near = pa.table({"id": ["http://x.org/"], "cluster": [0]})
    titled = pages.append_column("title", pa.array([f"page {digest}" for _, digest in rows]))
    for found in (find(pages, near=near), find(titled)):
        assert found["replica"].to_pylist() == [False]
    alike = pa.table({"id": [url for url, _ in rows], "cluster": [digest % 1000 for _, digest in rows]})
    assert find(titled, near=alike)["replica"].to_pylist() == [True]


def test_one_common_path_of_hosts_hardly_known_is_no_copy():
    shared = [f"http://{host}/products.html" for host in ("maxtor.com", "odi.net", "steptools.org")]
    others = [f"http://h{i}.example{i}.com/own/{i}.html" for i in range(50)]
    pairs = find(pa.table({"url": shared + others}))
    assert pairs.num_rows == 3 and not any(pairs["replica"].to_pylist())
    assert pairs["weight_company"].to_pylist() == [0.0] * 3


def test_contents_alone_never_fold_across_sites():
    moved = [(f"http://other.net/z/{i}/{i}.html", i + 1) for i in range(30)]
    pages = table(copy_of("victim.org") + moved)
    links = links_to(victim_org=5)
    assert folds(find(pages, links=links), pages).num_rows == 0


def test_a_moved_tree_is_folded_with_its_prefix():
    ips = {"x.com.br": "10.0.0.1", "x.net.br": "10.0.0.1"}
    moved = [(f"http://x.net.br/old/a/{i}", i + 1) for i in range(30)]
    pages = table(copy_of("x.com.br") + moved, ips)
    rows = folds(find(pages, links=links_to(x_com_br=3)), pages).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_host"], r["keep_prefix"]) for r in rows] == [("x.net.br", "/old/", "x.com.br", "/")]


def test_a_moved_tree_of_changing_pages_is_folded_by_near_duplicates():
    moved = [(f"http://x.net.br/old/a/{i}", 500 + i) for i in range(30)]
    pages = table(copy_of("x.com.br") + moved, {"x.com.br": "10.0.0.1", "x.net.br": "10.0.0.1"})
    near = pa.table({"id": pages["url"], "cluster": [*range(30)] * 2})
    rows = folds(find(pages, near=near, links=links_to(x_com_br=3)), pages, near=near).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_prefix"]) for r in rows] == [("x.net.br", "/old/", "/")]


@pytest.mark.parametrize("known", [1, 2])
def test_few_equal_pages_at_other_places_do_not_fold_the_tops(known):
    part = [(f"http://x.net/old/a/{i}", i + 1) for i in range(known)]
    pages = table(copy_of("www.x.net") + part)
    assert folds(find(pages, links=links_to(www_x_net=3)), pages).num_rows == 0


def test_a_part_of_a_host_is_folded_alone():
    def with_part(host, own):
        rest = [(f"http://{host}/{own}/{i}", 10_000 * ord(own) + i) for i in range(200)]
        return rest + [(f"http://{host}/debian/p/{i}", 5000 + i) for i in range(40)]

    pages = table(with_part("ftp.a.org", "x") + with_part("ftp.b.net", "y"))
    pairs = find(pages, links=links_to(ftp_a_org=3, ftp_b_net=1))
    rows = folds(pairs, pages).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_host"]) for r in rows] == [("ftp.b.net", "/debian/p/", "ftp.a.org")]


def test_pages_of_one_software_fold_nothing():
    def site_of(host, own):
        rest = [(f"http://{host}/{own}/{i}", 10_000 * ord(own) + i) for i in range(40)]
        return rest + [(f"http://{host}/manual/{i}.html", 5000 + i) for i in range(10)]

    pages = table(site_of("a.org", "x") + site_of("b.net", "y") + site_of("c.com", "z"))
    assert folds(find(pages, links=links_to(a_org=3, b_net=1)), pages).num_rows == 0


def test_two_releases_of_one_manual_are_not_folded():
    newer = [(f"http://v12.x.org/a/{i}", i + 1 if i % 10 == 0 else 1000 + i) for i in range(60)]
    pages = table([(url.replace("v12", "v11"), i + 1) for i, (url, _) in enumerate(newer)] + newer)
    assert folds(find(pages), pages).num_rows == 0


def test_no_pairs_no_folds():
    pages = table(copy_of("a.org", 3) + copy_of("b.org", 3, first=50))
    assert folds(find(pages), pages).num_rows == 0
