"""Simulated visits on a small made web: every strategy, the measures, the command, and bad input."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from garimpo.archive import import_documents
from garimpo.cli.app import run
from garimpo.contract import BadInput
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, visit, walk
from garimpo.focus._kernels_walk import offer, take
from garimpo.focus.dispensers import Best, Garimpo
from garimpo.focus.thesis.context import Context
from garimpo.focus.thesis.markov import Markov
from garimpo.focus.visits import CONTINUE, SKIP, STOP

TOPICS = {"gold": "gold river nugget pan gravel", "mine": "shaft lamp rail cart", "cake": "flour sugar oven butter"}


def _page(host, place, chance):
    topic = "gold" if host % 10 == 0 else "mine" if host % 10 < 3 else "cake"
    words = chance.choice(TOPICS[topic].split(), 12).tolist() + [f"word{i}" for i in chance.integers(0, 300, 20)]
    return topic, " ".join(words)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return made_crawl(tmp_path_factory.mktemp("visit"), 5)


def made_crawl(folder, seed):
    """60 hosts of 8 pages: gold hosts are linked from mines only; everything is linked inside its host."""
    chance = np.random.default_rng(seed)
    folder.mkdir(exist_ok=True)
    docs, links, topic_of = [], [], {}
    for host in range(60):
        for place in range(8):
            url = f"http://h{host}.example/{place or ''}"
            topic_of[url], text = _page(host, place, chance)
            docs.append({"url": url, "text": text})
            links += [(url, f"http://h{host}.example/{other or ''}") for other in chance.integers(0, 8, 3).tolist()]
            allowed = [h for h in range(60) if h % 10 or topic_of[url] == "mine"]
            links += [(url, f"http://h{int(h)}.example/") for h in chance.choice(allowed, 2)]
    links.append(("http://h1.example/", "http://nowhere.example/"))
    titles = {doc["url"]: " ".join(doc["text"].split()[:3]) for doc in docs}
    (folder / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    table = pa.table({"source": [a for a, _ in links], "target": [b for _, b in links],
                      "anchor": [titles.get(b, "x") for _, b in links]})  # fmt: skip
    pa.parquet.write_table(table, folder / "links.parquet")
    import_documents(folder / "docs.jsonl", folder / "crawl", links=folder / "links.parquet")
    gold = [doc["text"] for doc in docs if topic_of[doc["url"]] == "gold"]
    TopicModel.train(gold[:12], [doc["text"] for doc in docs][::2]).save(folder / "gold.model")
    (folder / "seeds.txt").write_text("# begin\nhttp://h5.example/\nhttp://h16.example/\n")
    (folder / "gold.txt").write_text("".join(f"{url}\n" for url, topic in topic_of.items() if topic == "gold"))
    return folder


def test_every_strategy_visits_each_page_once_and_repeats_itself(crawl):
    topic = TopicModel.load(crawl / "gold.model")
    web = Web.load(crawl / "crawl", topic)
    start = web.numbers(pa.array(["http://h5.example/"])).tolist()
    assert web.dangling > 0
    sets = []
    for make in STRATEGIES.values():
        order = list(walk(web, make(web, 1), start, len(web)))
        assert len(order) == len(set(order)) and order[0] == start[0]
        assert order == list(walk(web, make(web, 1), start, len(web)))
        sets.append(frozenset(order))
    assert len(set(sets)) == 1


def areas(folder, names):
    topic, gold = TopicModel.load(folder / "gold.model"), (folder / "gold.txt").read_text().split()
    seeds = ["http://h5.example/", "http://h16.example/"]
    return {one["strategy"]: one["auc"] for one in visit(folder / "crawl", topic, seeds, names, relevant=gold)["visits"]}


def test_focused_beats_blind(crawl):
    auc = areas(crawl, ["bfs", "garimpo", "best", "hmm", "hmm-literal", "context", "shark", "distiller"])
    assert min(auc, key=auc.get) == "bfs"


def test_ours_is_the_best_in_the_mean_of_several_webs(crawl, tmp_path):
    folders = [crawl, *(made_crawl(tmp_path / str(seed), seed) for seed in (6, 7, 8))]
    found = [areas(folder, ["garimpo", "best", "best-dynamic", "hmm"]) for folder in folders]
    mean = {name: np.mean([one[name] for one in found]) for name in found[0]}
    assert max(mean, key=mean.get) == "garimpo"
    assert all(one["garimpo"] > 0.9 * max(one.values()) for one in found)  # one of each small host is tried, which can cost


def test_without_weight_on_states_the_markov_model_is_best_first(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    for dynamic in (True, False):
        orders = [list(walk(web, made, [3], 200)) for made in (Markov(web, dynamic, alpha=0.0), Best(web, dynamic))]
        assert orders[0] == orders[1]


def test_markov_labels_are_distances_over_visited_pages(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    made = Markov(web)
    visited = list(walk(web, made, [3], 250))
    inside = np.zeros(len(web), bool)
    inside[visited] = True
    far = np.where(inside & (web.quality > 0.5), 0, 6)
    for _ in range(6):
        for node in visited:
            near = [far[t] for t in web.targets[web.offsets[node] : web.offsets[node + 1]] if inside[t]]
            if near and min(near) < 6:
                far[node] = min(far[node], min(near) + 1, 5)
    known = made.distances.labels[visited] < 6
    assert np.array_equal(made.distances.labels[visited][known], far[visited][known])
    assert made.distances.moves.min() >= 0 and made.distances.shown.sum() == known.sum()


def test_kept_models_are_frozen(crawl, tmp_path):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    first = Markov(web)
    list(walk(web, first, [3], 300))
    first.distances.save(tmp_path / "distances.model")
    second = Markov(web)
    second.distances.load(tmp_path / "distances.model")
    before = second.distances.moves.copy()
    assert len(list(walk(web, second, [3], 300))) == 300
    assert np.array_equal(before, second.distances.moves)
    third = Markov(web)
    third.distances.load(tmp_path / "distances.model", markov=False)
    words = third.distances.counts.copy()
    assert len(list(walk(web, third, [3], 300))) == 300
    assert third.distances.moves.any() and np.array_equal(words, third.distances.counts)


def test_the_literal_model_learns_from_relevant_pages_alone_and_back_so_many_links(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    made = Markov(web, states=3, literal=True)
    visited = list(walk(web, made, [3], 300))
    rank = {node: at for at, node in enumerate(visited)}
    far = {}
    for node in [node for node in visited if web.quality[node] > 0.5]:
        ring = {node}
        for step in range(4):
            for page in ring:
                far[page] = min(far.get(page, 9), step, 2)
            into = [s for t in ring for s in web.transpose[1][web.transpose[0][t] : web.transpose[0][t + 1]].tolist()]
            ring = {page for page in into if rank.get(page, 999) <= rank[node]}
    labels = made.distances.labels
    assert {page: int(labels[page]) for page in visited if labels[page] < 3} == far
    assert made.distances.shown.sum() == len(far) and made.distances.moves.min() >= 0


def test_a_trace_has_what_was_observed_at_the_time(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    made = Markov(web)
    dispensed = []
    for node in walk(web, made, [3], 300):
        if dispensed:
            assert made.distances.observed[dispensed[-1][0]] >= 0
        dispensed.append((node, 0))
    seen, observed = (array[[node for node, _ in dispensed[:-1]]] for array in (made.distances.seen, made.distances.observed))
    assert (seen != observed).any()  # pages that turned out to be nearer are looked at again


def test_the_context_graph_is_made_before_the_visit(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    roots = np.flatnonzero(web.quality > 0.5)[:2]
    made = Context(web, roots)
    far = np.full(len(web), 5)
    far[roots] = 0
    for step in range(1, 5):
        for page in np.flatnonzero(far == step - 1):
            into = web.transpose[1][web.transpose[0][page] : web.transpose[0][page + 1]]
            far[into] = np.minimum(far[into], step)
    assert np.array_equal(made.layer, far)


def test_the_markov_model_is_set_kept_and_traced_from_the_command(crawl, capsys, tmp_path):
    common = ["visit", str(crawl / "crawl"), "--topic", str(crawl / "gold.model"), "--seeds", str(crawl / "seeds.txt"), "--json"]
    model, trace = tmp_path / "distances.model", tmp_path / "trace.tsv"
    first = ["--strategy", "hmm", "--states", "5", "--alpha", "0.75", "--no-tfidf"]
    assert run([*common, *first, "--keep", str(model), "--trace", str(trace)]) == 0
    visited = json.loads(capsys.readouterr().out.splitlines()[-1])["visited"]
    assert run([*common, *first, "--kept", str(model), "--budget", "100"]) == 0
    rows = [line.split("\t") for line in trace.read_text().splitlines()]
    assert len(rows) == visited and {int(state) for *_, state in rows} <= set(range(6)) and {len(row) for row in rows} == {4}
    for wrong in (
        ["--strategy", "hmm", "--kept", str(model)],  # made with five states
        ["--strategy", "hmm", "--kept", str(crawl / "gold.model")],
        ["--strategy", "hmm", "--alpha", "2"],
        ["--strategy", "hmm", "--states", "1"],
        ["--strategy", "hmm,hmm-static", "--keep", str(model)],
        ["--strategy", "bfs", "--alpha", "0.3"],
    ):
        capsys.readouterr()
        assert run([*common, *wrong]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_of_a_page_the_weightiest_words_can_be_kept(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    (every, terms, weights, _), (few, kept, heavy, _) = web.terms(), web.terms(most=4)
    for page in range(0, len(web), 50):
        ours, theirs = slice(few[page], few[page + 1]), slice(every[page], every[page + 1])
        assert sorted(heavy[ours]) == sorted(weights[theirs])[-4:] and set(kept[ours]) <= set(terms[theirs])


def test_static_priority_is_the_first_discoverers(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    made = Best(web, dynamic=False)
    list(walk(web, made, [3], 300))
    found = np.flatnonzero(made.parent >= 0)
    assert np.allclose(made.priority[found], web.quality[made.parent[found]])


def test_a_visitor_can_skip_and_stop(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    assert list(walk(web, Best(web), [3, 4], 100, lambda node: SKIP)) == [3, 4]
    assert list(walk(web, Best(web), [3, 4], 100, lambda node: STOP)) == []


def test_the_scorer_of_a_visit_is_the_scorer_of_the_crawl(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    made = Garimpo(web)
    list(walk(web, made, [3], 100))
    assert made.scorer.rescore(web.keys).max() > 0


def test_a_visit_with_somebody_looking_on_goes_the_same_way(crawl):
    web = Web.load(crawl / "crawl", TopicModel.load(crawl / "gold.model"))
    alone = list(walk(web, Garimpo(web, first_order=50), [3], 400))
    seen = []
    watched = list(walk(web, Garimpo(web, first_order=50), [3], 400, lambda node: seen.append(node) or CONTINUE))
    assert alone == watched == seen
    assert list(walk(web, Garimpo(web), [3, 4], 100, lambda node: SKIP)) == [3, 4]


def test_the_queue_of_ours_gives_what_a_sorted_list_gives():
    chance, size = np.random.default_rng(1), 300
    heap, place, order = np.empty(size, np.int32), np.full(size, -1, np.int32), np.zeros(size, np.int64)
    priority, state, waiting = np.full(size, -np.inf), np.zeros(4, np.int64), {}
    for turn in range(3000):
        node, worth = int(chance.integers(size)), float(chance.integers(5))
        if chance.random() < 0.4:
            expected = min(waiting, key=waiting.get, default=-1)
            assert take(heap, place, priority, order, state) == expected
            waiting.pop(expected, None)
        elif node not in waiting or -worth < waiting[node][0]:  # a page is put or raised, never lowered
            offer(node, worth, heap, place, priority, order, state)
            waiting[node] = (-worth, turn)


def test_measures():
    hits = np.array([1, 0, 0, 1, 0], bool)
    measures = Measures(hits, total=3, pages=10)
    assert measures.f1[-1] == pytest.approx(2 * 2 / (5 + 3)) and measures.harvest == pytest.approx(0.4)
    assert measures.pref == pytest.approx(1 - 2 / 30) and measures.auc == pytest.approx(1 - (2 + 7) / 21)
    assert measures.recall(4) == pytest.approx(2 / 3)
    assert measures.curve()[-1] == [5, 2]
    assert Measures(np.zeros(0, bool), 0, 0).auc == 0.0


def test_the_command_prints_the_promised_fields(crawl, capsys, tmp_path):
    common = ["visit", str(crawl / "crawl"), "--topic", str(crawl / "gold.model"), "--seeds", str(crawl / "seeds.txt")]
    assert run([*common, "--budget", "50", "--json"]) == 0
    one = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"visited", "relevant", "relevant_total", "relevance", "pref", "auc", "curve"} <= set(one)
    assert one["relevance"] == "classifier" and one["visited"] == 50 and one["curve"][-1][0] == 50
    more = ["--strategy", "garimpo,bfs", "--relevant", str(crawl / "gold.txt"), "--plot", str(tmp_path / "v.html"), "--json"]
    assert run(common + more) == 0
    both = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [one["strategy"] for one in both["visits"]] == ["garimpo", "bfs"] and both["visits"][0]["relevance"] == "file"
    drawn = (tmp_path / "v.html").read_text()
    assert drawn.count("<svg") >= 3 and "Relevant pages found over pages visited." in drawn
    assert sum(visited for _, visited, _ in both["visits"][1]["hosts"]["pages"]) <= both["visits"][1]["visited"]


def test_the_order_of_each_visit_is_written_and_unknown_urls_are_said(crawl, capsys, tmp_path):
    (tmp_path / "seeds.txt").write_text("http://h5.example/\nhttp://gone.example/\n")
    (tmp_path / "gold.txt").write_text((crawl / "gold.txt").read_text() + "http://h0.example/none\nhttp://x.example/\n")
    order, curve = tmp_path / "order.parquet", tmp_path / "curve.csv"
    given = [
        "--topic",
        str(crawl / "gold.model"),
        "--seeds",
        str(tmp_path / "seeds.txt"),
        "--relevant",
        str(tmp_path / "gold.txt"),
    ]
    files = ["--strategy", "hmm,dfs", "--out", str(order), "--curve", str(curve), "--plot", str(tmp_path / "v.html"), "--json"]
    assert run(["visit", str(crawl / "crawl"), *given, *files]) == 0
    shown = capsys.readouterr()
    result = json.loads(shown.out.splitlines()[-1])
    assert result["unknown"] == {"seeds": 1, "relevant": 2} and "2 relevant URLs are no page" in shown.err
    table, found = pa.parquet.read_table(order), pa.csv.read_csv(curve).to_pylist()
    for one in result["visits"]:
        rows = [row for row in table.to_pylist() if row["strategy"] == one["strategy"]]
        assert len({row["url"] for row in rows}) == one["visited"] == rows[-1]["t"]
        assert sum(row["relevant"] for row in rows) == one["relevant"]
        last = [row for row in found if row["strategy"] == one["strategy"]][-1]
        assert last["found"] == one["relevant"] and last["pref"] == pytest.approx(one["pref"])
    assert "Pref(t)" in (tmp_path / "v.html").read_text()


def test_a_visit_that_finds_nothing_has_no_pref():
    assert Measures(np.zeros(5, bool), total=2, pages=5).pref == 0.0
    assert Measures(np.array([False, True]), total=2, pages=4).prefs.tolist() == [0.0, 1 - 1 / 8]


def test_bad_input_exits_2(crawl, capsys, tmp_path):
    common = ["visit", str(crawl / "crawl"), "--topic", str(crawl / "gold.model"), "--seeds"]
    (tmp_path / "far.txt").write_text("http://far.example/\n")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    for arguments in (
        [*common, str(tmp_path / "far.txt")],
        [*common, str(tmp_path / "empty.txt")],
        [*common, str(tmp_path / "none.txt")],
        [*common, str(crawl / "seeds.txt"), "--strategy", "magic"],
        [*common, str(crawl / "seeds.txt"), "--budget", "0"],
        [*common, str(crawl / "seeds.txt"), "--plot", str(tmp_path / "x.pdf")],
        [*common, str(crawl / "seeds.txt"), "--out", str(tmp_path / "order.txt")],
        [*common, str(crawl / "seeds.txt"), "--curve", str(tmp_path / "none" / "curve.csv")],
    ):
        assert run(arguments) == 2
    with pytest.raises(BadInput):
        visit(crawl / "crawl", TopicModel.load(crawl / "gold.model"), ["http://h5.example/"], [])
    assert "Traceback" not in capsys.readouterr().err


def test_links_that_lead_nowhere_are_said_and_passed_over(crawl, capsys, tmp_path):
    docs = [{"url": f"http://a.example/{i}", "text": f"gold river {i}"} for i in range(4)]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    (tmp_path / "seeds.txt").write_text("http://a.example/0\n")
    sources = ["http://a.example/0", "http://a.example/0", "http://gone.example/", "", None, "7"]
    targets = ["http://a.example/1", "http://nowhere.example/", "http://a.example/2", "http://a.example/3", "no url", "99999"]
    pa.parquet.write_table(pa.table({"source": sources, "target": targets}), tmp_path / "links.parquet")
    common = ["--topic", str(crawl / "gold.model"), "--seeds", str(tmp_path / "seeds.txt"), "--strategy", ",".join(STRATEGIES)]
    given = ["archive", "import", str(tmp_path / "docs.jsonl"), "--links", str(tmp_path / "links.parquet")]
    assert run([*given, "--out", str(tmp_path / "some")]) == 0
    assert run(["visit", str(tmp_path / "some"), *common, "--json"]) == 0
    shown = capsys.readouterr()
    visits = json.loads(shown.out.splitlines()[-1])["visits"]
    assert {one["visited"] for one in visits} == {2} and "lead to pages that are not stored" in shown.err
    assert run(["archive", "import", str(tmp_path / "docs.jsonl"), "--out", str(tmp_path / "bare")]) == 0
    assert run(["visit", str(tmp_path / "bare"), *common]) == 0
    assert "no link between its pages" in capsys.readouterr().err


@pytest.mark.parametrize("labels", ["http://none.example/\n", "\n", None])
def test_labels_that_are_missing_are_said(labels, crawl, capsys, tmp_path):
    if labels is not None:
        (tmp_path / "relevant.txt").write_text(labels)
    common = ["visit", str(crawl / "crawl"), "--topic", str(crawl / "gold.model"), "--seeds", str(crawl / "seeds.txt")]
    assert run([*common, "--relevant", str(tmp_path / "relevant.txt")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_links_are_followed_in_the_order_of_the_page_and_nothing_is_written(tmp_path):
    page = "<a href='/z'><img></a> <a href='/m'>m</a> <a href='/z'>gold river</a> <a href='/a'>a</a>"
    docs = [{"url": "http://o.example/", "html": page}] + [{"url": f"http://o.example/{n}", "html": "<p>gold"} for n in "amz"]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    import_documents(tmp_path / "docs.jsonl", tmp_path / "crawl")
    before = {path for path in (tmp_path / "crawl").rglob("*") if "sqlite" not in path.name}
    web = Web.load(tmp_path / "crawl", TopicModel.train(["gold river", "river gold"], None))
    start = int(web.numbers(pa.array(["http://o.example/"]))[0])
    order = [web.urls[node].as_py()[-1] for node in walk(web, STRATEGIES["bfs"](web, 0), [start], 9)]
    assert order == ["/", "z", "m", "a"]
    offsets = web.links.anchors[1]
    assert np.diff(offsets).tolist() == [2, 1, 1]  # the image and the words beside it are one link
    assert {path for path in (tmp_path / "crawl").rglob("*") if "sqlite" not in path.name} == before
