"""The commands as a user runs them: results, explanations, a report, and bad input."""

import csv
import json
from collections import Counter
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.contract.tables import LINKS, PAGES
from mirrors import made


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirrors")
    pages, truth = made.web(31, hosts=300, copies=0.4)
    pq.write_table(pages, folder / "pages.parquet")
    return folder, truth


@pytest.mark.parametrize("method", ["garimpo", "pnu", "nu", "normpaths"])
def test_find_and_explain(files, method, capsys):
    folder, truth = files
    out = folder / f"{method}.parquet"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out), "--method", method, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    table = pq.read_table(out)
    assert summary["candidates"] == table.num_rows > 0 and summary["replicas"] == sum(table["replica"].to_pylist())
    best = table.slice(0, 1).to_pylist()[0]
    assert method != "garimpo" or (best["host_a"], best["host_b"]) in truth
    assert run(["mirrors", "explain", str(out), best["host_b"], best["host_a"], "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["pair"]["host_a"] == best["host_a"] and told["reasons"]
    rules = {"garimpo": set(), "normpaths": set(), "pnu": {"pu rule", "nu rule"}, "nu": {"nu rule"}}[method]
    assert {reason["what"] for reason in told["reasons"] if "rule" in reason["what"]} == rules
    assert ("layer" in table.column_names) == (method == "pnu")
    assert run(["mirrors", "explain", str(out), best["host_a"], best["host_b"]]) == 0
    assert "score" in capsys.readouterr().out


def test_choices_of_the_published_methods(files, capsys):
    folder, _ = files
    out = folder / "choices.parquet"
    command = ["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out), "--method", "pnu", "--bins", "equal-width"]
    command += [
        "--schedule",
        "fixed",
        "--threshold",
        "0.6",
        "--negatives",
        "shared-path",
        "--block-on",
        "content",
        "--max-list",
        "50",
    ]
    assert run(command) == 0
    table = pq.read_table(out)
    assert set(table["bins"].to_pylist()) == {"equal-width"} and (table["digests"].to_numpy() > 0).mean() > 0.9
    assert run([*command[:5], "--threshold", "1.5"]) == 2
    assert "threshold is above 0 and below 1" in capsys.readouterr().err


def test_few_seeds_are_told(tmp_path, capsys):
    urls = [f"http://{host}.org/{i}/x" for host in ("a", "b", "c") for i in range(9)]
    pq.write_table(pa.table({"url": urls, "digest": [*range(9)] * 3}), tmp_path / "pages.parquet")
    command = ["mirrors", "find", str(tmp_path / "pages.parquet"), "--out", str(tmp_path / "o.parquet"), "--method", "pu"]
    assert run(command) == 0
    assert "pu has 0 seeds" in capsys.readouterr().err


def test_labels_by_hand(files, capsys):
    folder, truth = files
    out, gold = folder / "sampled.parquet", folder / "gold.csv"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out)]) == 0
    assert run(["mirrors", "sample", str(out), "--out", str(gold), "--each", "5"]) == 0
    assert run(["mirrors", "sample", str(out), "--labels", str(gold)]) == 2  # no label yet
    rows = list(csv.DictReader(gold.open()))
    assert max(Counter(row["tenth"] for row in rows).values()) == 5
    for row in rows:
        row["label"] = str(int((row["host_a"], row["host_b"]) in truth))
    with gold.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()
    assert run(["mirrors", "sample", str(out), "--labels", str(gold), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    low, high = result["precision_interval"]
    assert result["labels"] == len(rows) and 0.7 <= low <= result["precision"] <= high <= 1.0 and 0 < result["recall"] <= 1.0
    gold.write_text("host_a,host_b,score,tenth,pairs_in_tenth,label\na,b,0.5,5,9,perhaps\n")
    assert run(["mirrors", "sample", str(out), "--labels", str(gold)]) == 2
    assert "line 2" in capsys.readouterr().err


def test_report_and_folds(files):
    folder, truth = files
    out, html, folds = folder / "p.parquet", folder / "r.html", folder / "f.parquet"
    command = ["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out), "--html", str(html), "--folds", str(folds)]
    assert run(command) == 0
    text = html.read_text()
    assert "common paths" in text and "<script" not in text
    rows = pq.read_table(folds).to_pylist()
    assert rows and all(tuple(sorted((row["host"], row["keep_host"]))) in truth for row in rows)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda p: pq.write_table(pa.table({"digest": [1]}), p), "no column url"),
        (lambda p: p.write_bytes(b"nonsense"), "not a Parquet file"),
        (lambda p: p.mkdir(), "no crawl folder"),
        (lambda p: None, "no such file"),
    ],
)
def test_bad_pages(tmp_path, capsys, make, said):
    path = tmp_path / "pages.parquet"
    make(path)
    assert run(["mirrors", "find", str(path), "--out", str(tmp_path / "o.parquet")]) == 2
    error = capsys.readouterr().err
    assert said in error and len(error.strip().splitlines()) == 1
    assert not (tmp_path / "o.parquet").exists()


def test_a_pair_that_is_not_there(files, capsys):
    folder, _ = files
    out = folder / "there.parquet"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out)]) == 0
    assert run(["mirrors", "explain", str(out), "a.org", "b.org"]) == 2
    assert "no pair a.org b.org" in capsys.readouterr().err
    assert run(["mirrors", "explain", str(folder / "nothing.parquet"), "a.org", "b.org"]) == 2
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out), "--method", "magic"]) == 2


def test_international_names_and_addresses_as_hosts(tmp_path, capsys):
    hosts = ("münchen.de", "www.münchen.de", "[2001:db8::5]", "v6.example.net", "10.1.2.3:81", "a.example.com")
    rows = [(f"http://{host}/p/{i}", i + 100 * (at // 2)) for at, host in enumerate(hosts) for i in range(12)]
    rows += [(None, None), ("", 1), ("http://[::1", 2), ("ftp://x/", 3)]
    ips = ["2001:db8::1", "2001:db8::1", "2001:db8::5", "2001:db8::5", None, "not an address"]
    table = {"url": [url for url, _ in rows], "digest": [digest for _, digest in rows]}
    table["ip"] = [ip for ip in ips for _ in range(12)] + [None] * 4
    pq.write_table(pa.table(table), tmp_path / "pages.parquet")
    out = tmp_path / "o.parquet"
    assert run(["mirrors", "find", str(tmp_path / "pages.parquet"), "--out", str(out), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["hosts"] == 6 and summary["passed_over"] == {"no http(s) URL": 4}
    names = [(row["host_a"], row["host_b"]) for row in pq.read_table(out).to_pylist() if row["replica"]]
    assert ("www.xn--mnchen-3ya.de", "xn--mnchen-3ya.de") in names and ("10.1.2.3", "a.example.com") in names
    assert run(["mirrors", "explain", str(out), "WWW.MÜNCHEN.DE", "http://münchen.de/"]) == 0
    assert "xn--mnchen-3ya.de" in capsys.readouterr().out


@pytest.mark.parametrize(("flag", "has", "lacks"), [("--near", "id", "cluster"), ("--links", "source", "target")])
def test_missing_columns_of_other_tables(files, tmp_path, capsys, flag, has, lacks):
    folder, _ = files
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({has: ["http://a.org/"]}), other)
    out = tmp_path / "o.parquet"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out), flag, str(other)]) == 2
    error = capsys.readouterr().err
    assert f"no column {lacks}" in error and len(error.strip().splitlines()) == 1 and not out.exists()


def test_folds_need_the_weights_of_the_own_method(files, tmp_path, capsys):
    folder, _ = files
    command = ["mirrors", "find", str(folder / "pages.parquet"), "--out", str(tmp_path / "o.parquet"), "--method", "pnu"]
    assert run([*command, "--folds", str(tmp_path / "f.parquet")]) == 2
    error = capsys.readouterr().err
    assert "--folds" in error and len(error.strip().splitlines()) == 1 and not (tmp_path / "o.parquet").exists()


def test_one_host_with_very_many_urls_beside_small_ones(tmp_path):
    many = pa.array([f"http://big.org/p/{i}" for i in range(200_000)])
    few = [f"http://{name}.big.org/p/{i}" for name in ("www", "other") for i in range(40)]
    digests = [*range(200_000), *range(40), *range(1_000_000, 1_000_040)]
    pq.write_table(pa.table({"url": [*many.to_pylist(), *few], "digest": digests}), tmp_path / "pages.parquet")
    out, folds = tmp_path / "o.parquet", tmp_path / "f.parquet"
    assert run(["mirrors", "find", str(tmp_path / "pages.parquet"), "--out", str(out), "--folds", str(folds)]) == 0
    assert [row["host"] for row in pq.read_table(folds).to_pylist()] == ["www.big.org"]


def test_a_crawl_folder_brings_its_links_and_near_duplicates(tmp_path):
    def page(host, number, first=None):
        row = {"url": f"http://{host}/a/{number}", "host": host, "status": 200, "depth": 0, "duplicate_of": first}
        digest = 100 * len(host) + number  # other bytes on every host
        return {field.name: None for field in PAGES} | row | {"fetched_at": datetime(2030, 1, 1, tzinfo=UTC), "digest": digest}

    rows = [page("x.org", i) for i in range(20)] + [page("old.x.org", i, f"http://x.org/a/{i}") for i in range(20)]
    edges = [{"source": f"http://s{i}.net/", "target": "http://x.org/", "anchor": ""} for i in range(3)]
    tables = pa.Table.from_pylist(rows, PAGES), pa.Table.from_pylist(edges, LINKS)
    with Store.create(tmp_path / "crawl") as store, store.commit(*tables):
        pass
    out, folds = tmp_path / "o.parquet", tmp_path / "f.parquet"
    assert run(["mirrors", "find", str(tmp_path / "crawl"), "--out", str(out), "--folds", str(folds)]) == 0
    assert pq.read_table(out)["near_same"].to_pylist() == [20]
    assert [(row["host"], row["keep_host"]) for row in pq.read_table(folds).to_pylist()] == [("old.x.org", "x.org")]


def test_no_rows(tmp_path, capsys):
    pq.write_table(pa.table({"url": pa.array([], pa.string())}), tmp_path / "none.parquet")
    assert run(["mirrors", "find", str(tmp_path / "none.parquet"), "--out", str(tmp_path / "o.parquet")]) == 0
    assert pq.read_table(tmp_path / "o.parquet").num_rows == 0


def test_against_a_truth(files, capsys):
    folder, truth = files
    out, known = folder / "judged.parquet", folder / "truth.parquet"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out)]) == 0
    rows = pq.read_table(out).to_pylist()
    others = [(row["host_a"], row["host_b"]) for row in rows if (row["host_a"], row["host_b"]) not in truth][:200]
    hosts = [*sorted(truth), *others]
    labels = [True] * len(truth) + [False] * len(others)
    table = pa.table({"host_a": [a for a, _ in hosts], "host_b": [b for _, b in hosts], "replica": labels})
    pq.write_table(table, known)
    capsys.readouterr()
    command = ["mirrors", "test", str(out), str(known)]
    plots = ["--plot", str(folder / "pr.svg"), "--roc", str(folder / "roc.svg")]
    assert run([*command, *plots, "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    called = {(row["host_a"], row["host_b"]) for row in rows if row["replica"]}
    assert told["copies"] == len(truth) and told["pairs"] == len(hosts)
    assert told["recall"] == pytest.approx(len(called & truth) / len(truth)) and told["recall"] > 0.5
    assert told["precision"] == pytest.approx(len(called & truth) / len(called & set(hosts)))
    score = {(row["host_a"], row["host_b"]): row["score"] for row in rows}
    y, s = [pair in truth for pair in hosts], [score.get(pair, 0.0) for pair in hosts]
    assert told["average_precision"] == pytest.approx(average_precision_score(y, s))
    assert told["auc"] == pytest.approx(roc_auc_score(y, s))
    for name in ("pr.svg", "roc.svg"):
        assert "<polyline" in (folder / name).read_text()
    pq.write_table(table.filter(table["replica"]).select(["host_a", "host_b"]), known)
    assert run([*command, "--cut", "0.99", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["pairs"] == len(truth | set(score)) and told["called"] == sum(value >= 0.99 for value in score.values())


def test_labels_by_hand_as_a_truth(files, capsys):
    folder, truth = files
    out, gold = folder / "drawn.parquet", folder / "drawn.csv"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out)]) == 0
    assert run(["mirrors", "sample", str(out), "--out", str(gold), "--each", "30"]) == 0
    with gold.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with gold.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "label": int((row["host_a"], row["host_b"]) in truth)} for row in rows)
    capsys.readouterr()
    assert run(["mirrors", "test", str(out), str(gold), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["pairs"] == pq.read_table(out).num_rows and 0.5 < told["precision"] <= 1.0


def test_truths_that_cannot_judge(files, capsys):
    folder, _ = files
    out, none = folder / "garimpo.parquet", folder / "none.parquet"
    assert run(["mirrors", "find", str(folder / "pages.parquet"), "--out", str(out)]) == 0
    pq.write_table(pa.table({"host_a": ["a"], "host_b": ["b"], "replica": [False]}), none)
    typed = folder / "typed.parquet"
    pq.write_table(pa.table({"host_a": ["a"], "host_b": ["b"], "replica": ["yes"]}), typed)
    for truth, options, words in (
        (none, [], "no pair of copies"),
        (typed, [], "not true and false"),
        (folder / "nothing.parquet", [], "no such file"),
        (folder / "nothing.csv", [], "no such file"),
        (none, ["--plot", "curve.gif"], "a plot is .svg"),
    ):
        capsys.readouterr()
        assert run(["mirrors", "test", str(out), str(truth), *options]) == 2
        assert words in capsys.readouterr().err
