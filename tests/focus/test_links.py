"""The link scorer: it learns which words lead on, credits tunnels, keeps its state, and can be made from a crawl folder."""

import json

import numpy as np
import pyarrow as pa
import pytest

from garimpo.archive import import_documents
from garimpo.contract import Link, Verdict
from garimpo.engine.columns import hash_strings
from garimpo.focus import BestFirst, LinkScorer
from garimpo.focus import _kernels_links as kernels
from garimpo.focus import _kernels_records as records
from garimpo.focus.features import site_keys
from garimpo.url import key64


def table(rows, scores=None):
    source, target, anchor = zip(*rows)
    scores = [0.0] * len(rows) if scores is None else scores
    return pa.table(
        {
            "source": source, "target": target, "anchor": anchor, "context": pa.nulls(len(rows), pa.string()),
            "source_score": pa.array(scores, pa.float32()), "depth": pa.array([1] * len(rows), pa.int32()),
        }
    )  # fmt: skip


def taught(count=300):
    scorer = LinkScorer()
    rows = [(f"http://s{i % 7}.example/", f"http://h{i}.example/", "gold nugget" if i % 2 else "cake oven") for i in range(count)]
    scorer.score(table(rows))
    for i in range(count):
        scorer.learn(Link(f"http://h{i}.example/"), Verdict(float(i % 2)))
    return scorer


def test_it_learns_which_anchors_lead_on_topic():
    gold, cake = taught().score(table([("http://s.example/", "http://x.example/", "gold nugget"),
                                       ("http://s.example/", "http://y.example/", "cake oven")]))  # fmt: skip
    assert gold > 0.5 and gold > 4 * cake


def test_reward_travels_back_through_a_tunnel():
    scorer = LinkScorer()
    for i in range(200):
        hub, door, gold = f"http://hub{i}.example/", f"http://door{i}.example/", f"http://gold{i}.example/"
        other = f"http://other{i}.example/"
        scorer.score(table([("http://s.example/", hub, "gateway"), ("http://s.example/", other, "elsewhere")]))
        scorer.learn(Link(hub), Verdict(0.0))
        scorer.learn(Link(other), Verdict(0.0))
        scorer.score(table([(hub, door, "enter")]))
        scorer.learn(Link(door), Verdict(0.0))
        scorer.score(table([(door, gold, "nugget")]))
        scorer.learn(Link(gold), Verdict(1.0))
    hub, other = scorer.score(table([("http://t.example/", "http://new1.example/", "gateway"),
                                     ("http://t.example/", "http://new2.example/", "elsewhere")]))  # fmt: skip
    assert hub > 1.5 * other


def test_a_host_that_gives_nothing_is_put_off():
    scorer = LinkScorer(host_budget=10)
    fresh, worn = "http://fresh.example/x", "http://worn.example/x"
    for i in range(60):
        scorer.learn(Link(f"http://worn.example/{i}"), Verdict(0.0))
    new, old = scorer.score(table([("http://s.example/", fresh, "a"), ("http://s.example/", worn, "a")]))
    assert old < new / 4


def test_a_queued_url_keeps_its_best_link_and_leaves_when_read():
    scorer = taught()
    url = "http://x.example/"
    low, high = scorer.score(table([("http://s.example/", url, "cake oven"), ("http://r.example/", url, "gold nugget")]))
    assert high > low
    assert scorer.score(table([("http://s.example/", url, "cake oven")]))[0] == pytest.approx(high)
    scorer.learn(Link(url), Verdict(0.2))
    assert scorer.rescore([key64(url)])[0] == -1 and scorer.score(table([("http://s.example/", url, "gold")]))[0] == 0


def test_saved_state_goes_on_alike(tmp_path):
    scorer = taught()
    scorer.save(tmp_path / "links.model")
    again = LinkScorer.load(tmp_path / "links.model")
    rows = table([(f"http://s{i}.example/", f"http://n{i}.example/", "gold oven") for i in range(50)])
    assert np.array_equal(scorer.score(rows), again.score(rows))


def test_a_resumed_crawl_knows_what_it_knew(tmp_path):
    link = "<p>page <a href='http://h{}.example/'>next gold</a>"
    docs = [{"url": f"http://h{i}.example/", "html": link.format(i + 1)} for i in range(5)]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    import_documents(tmp_path / "docs.jsonl", tmp_path / "crawl")
    scorer = LinkScorer.of_crawl(tmp_path / "crawl")
    assert scorer.rescore([key64("http://h5.example/")])[0] > 0


def test_tables_grow_and_find_every_key():
    scorer = LinkScorer()
    rows = [("http://s.example/", f"http://h.example/{i}", "x") for i in range(5000)]
    scorer.score(table(rows))
    assert (scorer.rescore(hash_strings(pa.array([target for _, target, _ in rows]))) >= 0).all()


def test_scores_are_what_plain_python_says():
    scorer = taught(40)
    link = table([("http://s1.example/", "http://z.example/", "gold cake")], [0.7])
    shown = float(scorer.score(link)[0])
    size = int(scorer._sizes[0])
    node = int(np.flatnonzero(scorer._known[0][:size] == np.uint64(key64("http://z.example/")))[0])
    source, count, own = (int(scorer._ties[node, column]) for column in (records.SOURCE, records.SIZE, records.OWN))
    dense = np.empty(kernels.DENSE, np.float32)
    weights = scorer._weights
    mean = (weights[kernels.SPARSE + kernels.DENSE] + 0.02) / (weights[kernels.SPARSE + kernels.DENSE + 1] + 1)
    records.look(node, source, scorer._nodes, scorer._records, scorer._ties, np.float32(mean), dense)
    grams = scorer._grams[node, :count]
    words = weights[grams[:own]].sum() / np.sqrt(own) + weights[grams[own:]].sum() / np.sqrt(count - own)
    total = float(dense @ weights[kernels.SPARSE : kernels.SPARSE + kernels.DENSE] + words)
    given = 1 / (1 + np.exp(-total))
    assert shown == pytest.approx(given + (1 - given) * scorer.explore, rel=1e-4)  # the first page of a host not met yet


def test_best_first_static_counts_the_first_link_only():
    rows = [("http://a.example/", "http://t.example/", ""), ("http://b.example/", "http://t.example/", "")]
    scores = [0.25, 0.75]
    assert BestFirst().score(table(rows, scores)).tolist() == [0.25, 0.75]
    assert BestFirst(dynamic=False).score(table(rows, scores)).tolist() == [0.25, 0.0]


def test_one_page_of_a_new_host_is_tried_first():
    scorer = LinkScorer(explore=0.2)
    rows = [("http://s.example/", f"http://new.example/{i}", "cake") for i in range(5)]
    first, *others = scorer.score(table(rows)).tolist()
    assert first > 0.2 > max(others)
    keys = [key64(target) for _, target, _ in rows]
    assert scorer.rescore(keys).argmax() == 0
    scorer.learn(Link("http://new.example/0"), Verdict(0.0))
    assert scorer.rescore(keys[1:]).max() < 0.2, "once a page of it was read its record counts"


def test_parallel_links_are_one_link_with_the_words_of_all():
    together = taught().score(table([("http://s.example/", "http://x.example/", "gold nugget")]))
    image, words = taught().score(
        table([("http://s.example/", "http://x.example/", ""), ("http://s.example/", "http://x.example/", "gold nugget")])
    )
    assert image == words == together[0]


def test_means_are_drawn_from_host_to_directory_to_source():
    scorer = LinkScorer(explore=0.0)
    scorer.score(table([("http://s.example/", f"http://a.example/{d}/{i}", "x") for d in ("good", "dry") for i in range(9)]))
    for i in range(4):
        scorer.learn(Link(f"http://a.example/good/{i}"), Verdict(1.0))
        scorer.learn(Link(f"http://a.example/dry/{i}"), Verdict(0.0))
    good, dry, new = scorer.score(
        table([("http://t.example/", f"http://a.example/{name}/z", "") for name in ("good", "dry", "unknown")])
    )
    assert good > new > dry


def test_what_a_page_turned_out_to_be_reaches_those_beside_it_at_once():
    scorer = LinkScorer()
    urls = [f"http://a.example/list/{i}" for i in range(200)]
    scorer.score(table([("http://s.example/", url, "x") for url in urls] + [("http://s.example/", "http://b.example/", "x")]))
    before = scorer.rescore(hash_strings(pa.array(urls)))
    hosts, folders = site_keys(pa.array(urls[:1]))
    node = scorer.learn_key(key64(urls[0]), int(hosts[0]), int(folders[0]), 1.0)
    beside, scores = np.empty(3 * kernels.SIBLINGS, np.int32), np.empty(3 * kernels.SIBLINGS, np.float32)
    parts = (scorer._nodes, scorer._records, scorer._ties, scorer._heads, scorer._grams, scorer._weights)
    count = kernels.score_siblings(node, *parts, np.float32(0.1), np.float32(100), beside, scores)
    keys = hash_strings(pa.array([*urls, "http://b.example/"]))
    assert kernels.SIBLINGS <= count <= 2 * kernels.SIBLINGS  # bounded, and by source and by directory
    assert set(scorer._known[0][beside[:count]].tolist()) <= set(keys[1:].tolist())
    of_list = np.isin(scorer._known[0][beside[:count]], keys[:200])
    assert (scores[:count][of_list] > before.max()).all()


def test_a_host_with_a_directory_for_every_page_is_not_tried_without_end():
    scorer = LinkScorer()
    diary = [("http://s.example/", f"http://diary.example/2018/{i}/", "cake") for i in range(40)]
    scorer.score(table(diary))
    for _, target, _ in diary[:30]:
        scorer.learn(Link(target), Verdict(0.0))
    waiting, unmet = diary[30][1], "http://unmet.example/"
    scorer.score(table([("http://s.example/", unmet, "cake")]))
    tried, new = scorer.rescore([key64(waiting), key64(unmet)]).tolist()
    assert new > scorer.explore / 2 and tried < new / 5, "thirty directories of that host gave nothing"
    for _, target, _ in diary[31:40]:
        scorer.learn(Link(target), Verdict(1.0))
    assert scorer.rescore([key64(waiting)])[0] > 3 * tried
