"""The whole room on small made webs: pairs, groups, the host to keep, folds, and what must never be folded."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest

from garimpo import engine
from garimpo.contract import BadInput
from garimpo.mirrors import find, folds
from garimpo.mirrors.blocking import candidates
from garimpo.mirrors.evidence import sure
from garimpo.mirrors.groups import group
from garimpo.mirrors.kept_host import Facts, choose
from garimpo.mirrors.names import Names
from garimpo.mirrors.page_scan import scan
from garimpo.mirrors.pair_features import features
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


@pytest.mark.parametrize("missing", [(), ("ip",)])
def test_is_sure_of_copies_with_many_equal_pages_and_of_few_strangers(web, missing):
    """Copies whose pages change at each fetch are left out: only near-duplicates tell them from two releases."""
    pages, truth = web
    for name in missing:
        pages = without(pages, name)
    pairs = find(pages)
    right, found, _ = judged(pairs, truth)
    strong = {(r["host_a"], r["host_b"]) for r in pairs.to_pylist() if r["same"] >= max(7, 0.8 * r["both"])} & truth
    called = {(r["host_a"], r["host_b"]) for r in pairs.to_pylist() if r["replica"]}
    assert right >= 0.95 * found > 0 and len(strong) >= 6 and len(strong & called) >= 0.8 * len(strong)


def test_urls_alone_give_no_bold_answer(web):
    pages, truth = web
    pairs = find(without(pages, "digest"))
    right, found, _ = judged(pairs, truth)
    assert pairs["score"].to_numpy().max() < 0.75 and right >= 0.9 * found > 0
    assert folds(pairs, without(pages, "digest")).num_rows == 0


def test_hosts_known_by_few_urls_are_no_copies():
    words = ["index", "about", "news", "products", "contact", "page1", "page2", "links", "team", "shop"]
    random = np.random.default_rng(5)
    urls = [f"http://www.h{i}.com/{w}.html" for i in range(600) for w in random.choice(words, 6, replace=False)]
    assert not any(find(pa.table({"url": urls}))["replica"].to_pylist())


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


def table(rows, ips=None, linkers=25, first=("s",)):
    """Pages of hosts met in the order of their rows, and before them the sites that link to them (`first`: of these names)."""
    urls, digests = zip(*rows)
    hosts = [url.split("/")[2] for url in urls]
    times = {host: 100 * number for number, host in enumerate(dict.fromkeys(hosts), 1)}
    early = [f"http://{name}{i}.net/" for name in first for i in range(linkers)]
    at = [
        datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds) for seconds in [times[h] for h in hosts] + [1] * len(early)
    ]
    ip = [(ips or {}).get(host) for host in hosts] + [None] * len(early)
    return pa.table({"url": [*urls, *early], "digest": [*digests, *[None] * len(early)], "ip": ip, "fetched_at": at})


def links_to(by="s", **counts):
    """Links from so many sites to each host."""
    rows = [(f"http://{by}{i}.net/", f"http://{host.replace('_', '.')}/") for host, n in counts.items() for i in range(n)]
    return pa.table({"source": [r[0] for r in rows], "target": [r[1] for r in rows]})


def folded(pages, links=None, **options):
    return [
        (f["host"], f["prefix"], f["keep_host"], f["keep_prefix"])
        for f in folds(find(pages, links=links, **options), pages).to_pylist()
    ]


def test_a_fold_keeps_the_host_that_sites_link_to():
    pages = table(copy_of("www.x.org") + copy_of("x.org"))
    assert folded(pages, links_to(www_x_org=4, x_org=1)) == [("x.org", "/", "www.x.org", "/")]


def test_a_copy_that_came_later_is_folded():
    pages = table(copy_of("victim.org") + copy_of("copier.net"))
    assert folded(pages) == []  # nothing but what can be copied, and no links known
    assert folded(pages, links_to(victim_org=5, copier_net=1)) == [("copier.net", "/", "victim.org", "/")]


@pytest.mark.parametrize(("theirs", "ours"), [(2, 3), (5, 6), (20, 25), (1, 25)])
@pytest.mark.parametrize("faster", [False, True])
def test_a_copier_with_more_links_folds_nobody(theirs, ours, faster):
    """Its links come from domains that were met after its victim; it may even have been met before the victim itself."""
    pair = [copy_of("copier.net"), copy_of("victim.org")]
    pages = table(pair[0] + pair[1] if faster else pair[1] + pair[0])
    late = pa.table({"url": [f"http://farm{i}.com/" for i in range(ours)]})
    late = late.append_column("fetched_at", pa.array([datetime(2031, 1, 1, tzinfo=UTC)] * ours))
    pages = pa.concat_tables([pages, late], promote_options="default")
    farm = pa.table({"source": late["url"], "target": ["http://copier.net/"] * ours})
    links = pa.concat_tables([links_to(victim_org=theirs), farm])
    pairs = find(pages, links=links)
    assert pairs["replica"].to_pylist() == [True]  # they are copies; which of them goes is another question
    assert all(fold["host"] == "copier.net" for fold in folds(pairs, pages).to_pylist())
    assert faster or theirs < 3 or folds(pairs, pages).num_rows == 1


def test_a_victim_that_is_linked_to_is_never_folded_into_another_site():
    pages = table(copy_of("copier.net") + copy_of("victim.org"))
    assert folded(pages, links_to(copier_net=25, victim_org=3)) == []


def test_free_names_of_one_provider_count_once():
    """Nine names that a provider gives away are one domain, and one domain is not enough."""
    pages = table(copy_of("copier.net") + copy_of("victim.org"))
    free = [f"http://n{i}.github.io/" for i in range(9)]
    early = pa.table({"url": free, "fetched_at": [datetime(2029, 1, 1, tzinfo=UTC)] * 9})
    pages = pa.concat_tables([early, pages], promote_options="default")
    links = pa.table({"source": free, "target": ["http://copier.net/"] * 9})
    pairs = find(pages, links=links)
    assert {pairs["linking_a"][0].as_py(), pairs["linking_b"][0].as_py()} == {0, 1}
    assert folds(pairs, pages).num_rows == 0


def test_without_times_nothing_is_folded_across_sites():
    pages = table(copy_of("victim.org") + copy_of("copier.net")).drop_columns(["fetched_at"])
    assert folded(pages, links_to(victim_org=20)) == []


@pytest.mark.parametrize("mover", ["old.org", "new.net"])
def test_a_host_that_leads_to_another_may_be_folded_into_it(mover):
    rows = copy_of("old.org") + copy_of("new.net", 40)
    kept = "new.net" if mover == "old.org" else "old.org"
    pages = table(rows, linkers=0)
    moves = [f"http://{kept}/" if mover in url else None for url in pages["url"].to_pylist()]
    pages = pages.append_column("canonical", pa.array(moves, pa.string()))
    assert folded(pages, keep="complete") == [(mover, "/", kept, "/")]


def test_one_software_on_two_hosts_is_no_copy():
    rows = [(f"http://{host}/view.php?id={i}", more + i) for host, more in (("a.org", 0), ("b.net", 1000)) for i in range(30)]
    pages = table(rows, linkers=0)
    near = pa.table({"id": ["http://x.org/"], "cluster": [0]})
    titled = pages.append_column("title", pa.array([f"page {digest}" for _, digest in rows]))
    for found in (find(pages), find(pages, near=near), find(titled)):
        assert found["replica"].to_pylist() == [False] and found["score"].to_pylist()[0] < 0.1
    alike = pa.table({"id": [url for url, _ in rows], "cluster": [digest % 1000 for _, digest in rows]})
    assert find(titled, near=alike)["replica"].to_pylist() == [True]


def test_pages_that_differ_speak_the_more_against_a_pair_the_more_there_are():
    def weight(count):
        rows = [(f"http://{h}.wiki.org/{i}/p", more + i) for h, more in (("es", 0), ("de", 1000)) for i in range(count)]
        return find(table(rows, linkers=0))["weight_agreement"].to_pylist()[0]

    assert weight(2) > weight(10) > weight(100)


def test_a_manual_that_two_hosts_carry_is_a_shared_folder():
    def site_of(host, own):
        rest = [(f"http://{host}/{own}/{i}", 10_000 * ord(own) + i) for i in range(1000)]
        return rest + [(f"http://{host}/manual/{i}.html", 5000 + i) for i in range(200)]

    pages = table(site_of("a.org", "x") + site_of("b.net", "y"))
    pairs = find(pages, links=links_to(a_org=5))
    assert pairs["replica"].to_pylist() == [False] and pairs["weight_missing"].to_pylist()[0] < -5
    rows = folds(pairs, pages).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_host"], r["keep_prefix"]) for r in rows] == [
        ("b.net", "/manual/", "a.org", "/manual/")
    ]


def _of(site, host, known):
    return [(f"http://{host}{path}", content) for number, (path, content) in enumerate(site.items()) if known(number)]


def _beside_strangers(rows):
    """The pairs of some hosts among many that share only what a supplier gave to all."""
    given = {f"/wire/{number}": f"given {number}" for number in range(40)}
    for number in range(30):
        own = {f"/{number}-{page}/": f"own {number} {page}" for page in range(20)} | given
        rows = rows + _of(own, f"stranger{number}.org", lambda n, number=number: n < 20 or n % 3 == number % 3)
    urls, texts = zip(*rows)
    return find(pa.table({"url": urls, "text": texts}))


def test_copies_of_which_other_parts_are_known_are_copies_though_each_page_has_a_folder():
    site = {f"/{number}-title/": f"text {number}" for number in range(120)}
    rows = _of(site, "one.org", lambda n: n % 3) + _of(site, "two.net", lambda n: n % 4)
    pairs = _beside_strangers(rows)
    assert [(row["host_a"], row["host_b"]) for row in pairs.to_pylist() if row["replica"]] == [("one.org", "two.net")]


@pytest.mark.parametrize("equal", [3, 10])
def test_two_releases_of_which_half_is_equal_are_no_copies_however_much_there_is(equal):
    """Two releases of a large manual, or two languages that share their pictures."""
    rows = []
    for host in ("v1.one.org", "v2.one.org"):
        pages = {f"/api/{number}.html": f"text {number % 20 < equal or host} {number}" for number in range(1200)}
        rows += _of(pages, host, lambda n: True)
    assert _beside_strangers(rows).to_pylist()[0]["score"] < 0.6


def test_a_stray_common_path_does_not_hide_that_the_rest_is_not_there():
    manual = {f"/manual/{number}.html": f"text {number}" for number in range(60)}
    rows = []
    for host in ("one.org", "two.net"):
        own = {f"/{host[:3]}{number}.html": f"{host} {number}" for number in range(100)}
        rows += _of(manual | own | {"/contact.html": host}, host, lambda n: True)
    pairs = _beside_strangers(rows)
    assert not any(pairs["replica"].to_pylist())


def test_one_common_path_of_hosts_hardly_known_is_no_copy():
    shared = [f"http://{host}/products.html" for host in ("maxtor.com", "odi.net", "steptools.org")]
    others = [f"http://h{i}.example{i}.com/own/{i}.html" for i in range(50)]
    pairs = find(pa.table({"url": shared + others}))
    assert pairs.num_rows == 3 and not any(pairs["replica"].to_pylist())


def test_contents_alone_never_fold_across_sites():
    moved = [(f"http://other.net/z/{i}/{i}.html", i + 1) for i in range(30)]
    pages = table(copy_of("victim.org") + moved)
    assert folded(pages, links_to(victim_org=5)) == []


def test_a_tree_at_another_place_is_folded_with_its_prefix():
    moved = [(f"http://x.net.br/old/a/{i}", i + 1) for i in range(30)]
    pages = table(copy_of("x.com.br") + moved, {"x.com.br": "10.0.0.1", "x.net.br": "10.0.0.1"})
    assert folded(pages, links_to(x_com_br=3)) == [("x.net.br", "/old/", "x.com.br", "/")]


def test_a_tree_of_changing_pages_at_another_place_is_folded_by_near_duplicates():
    moved = [(f"http://x.net.br/old/a/{i}", 500 + i) for i in range(30)]
    pages = table(copy_of("x.com.br") + moved, {"x.com.br": "10.0.0.1", "x.net.br": "10.0.0.1"})
    near = pa.table({"id": pages["url"].slice(0, 60), "cluster": [*range(30)] * 2})
    rows = folds(find(pages, near=near, links=links_to(x_com_br=3)), pages, near=near).to_pylist()
    assert [(r["host"], r["prefix"], r["keep_prefix"]) for r in rows] == [("x.net.br", "/old/", "/")]


@pytest.mark.parametrize("known", [1, 2])
def test_few_equal_pages_at_other_places_do_not_fold_the_tops(known):
    part = [(f"http://x.net/old/a/{i}", i + 1) for i in range(known)]
    pages = table(copy_of("www.x.net") + part)
    assert folded(pages, links_to(www_x_net=3)) == []


def test_pages_of_one_software_fold_nothing():
    def site_of(host, own):
        rest = [(f"http://{host}/{own}/{i}", 10_000 * ord(own) + i) for i in range(40)]
        return rest + [(f"http://{host}/manual/{i}.html", 5000 + i) for i in range(10)]

    pages = table(site_of("a.org", "x") + site_of("b.net", "y") + site_of("c.com", "z"))
    assert folded(pages, links_to(a_org=3, b_net=1)) == []


def test_two_releases_of_one_manual_are_not_folded():
    newer = [(f"http://v12.x.org/a/{i}", i + 1 if i % 10 == 0 else 1000 + i) for i in range(60)]
    pages = table([(url.replace("v12", "v11"), i + 1) for i, (url, _) in enumerate(newer)] + newer)
    assert folds(find(pages), pages).num_rows == 0


def test_no_pairs_no_folds():
    pages = table(copy_of("a.org", 3) + copy_of("b.org", 3, first=50))
    assert folds(find(pages), pages).num_rows == 0


def test_hosts_of_one_domain_teach_once():
    rows = [f"http://{host}.org/{turn}" for host in ("a", "www.a", "b", "www.b") for turn in range(4)]
    rows += [f"http://{www}h{turn}.evil.net/{turn}" for turn in range(20) for www in ("", "www.")]
    with engine.local() as local:
        found = scan(local, pa.table({"url": rows}))
    pairs = candidates(found)
    names, table = Names.of(found.hosts), features(found, pairs)
    assert names.same("bare", pairs).sum() == 22
    chosen = sure(names, pairs, table)
    assert sorted(found.hosts[at] for at in pairs.first[chosen])[:2] == ["a.org", "b.org"] and chosen.sum() == 3
