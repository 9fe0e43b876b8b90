"""Every job gives the same rows on both engines, asked for as a person does; the commands share the session of the tests."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run
from garimpo.sites.training import train_on_sites
from mirrors.made import Maker
from similarity.made import documents
from sites.made import bad, good, html

WHERE = {"local": [], "spark": ["--engine", "spark", "--master", "local[2]"]}


def both(arguments: list[str], folder, suffix: str) -> list:
    """Where the two engines wrote."""
    paths = []
    for name, flags in WHERE.items():
        paths.append(folder / f"{name}.{suffix}")
        assert run([*arguments, "--out", str(paths[-1]), *flags]) == 0
    return paths


def same_rows(paths) -> pa.Table:
    tables = [pq.read_table(path) for path in paths]
    order = [(name, "ascending") for name in tables[0].column_names[:2]]
    first, second = (table.sort_by(order) for table in tables)
    assert first.equals(second)
    return first


def test_dedup(spark, tmp_path) -> None:
    pq.write_table(documents(120, seed=3, lengths=(0, 80, 120)), tmp_path / "docs.parquet")
    near = same_rows(both(["dedup", str(tmp_path / "docs.parquet"), "--keep", "score"], tmp_path, "parquet"))
    assert 0 < near["keep"].to_pylist().count(False) < near.num_rows
    assert any(0.8 <= value < 1 for value in near["similarity"].to_pylist())


@pytest.mark.parametrize("method", ["duster", "garimpo"])
def test_dust_rules_are_equal_one_by_one(spark, tmp_path, method: str) -> None:
    forms = ("story?id={0}", "story_{0}.html")
    lines = [f"{h}{n}\thttp://{h}.org/{form.format(n * 37 + 1000)}" for h in "ab" for n in range(150) for form in forms]
    (tmp_path / "clusters.tsv").write_text("\n".join(lines) + "\n")
    command = ["dust", "learn", str(tmp_path / "clusters.tsv"), "--method", method, "--seed", "5"]
    first, second = (json.loads(path.read_text())["rules"] for path in both(command, tmp_path, "json"))
    assert first == second
    assert first


@pytest.mark.parametrize("method", ["dustlin", "garimpo"])
def test_dust_rules_of_a_made_web(spark, tmp_path, method: str) -> None:
    """Aliases, folders, parameters, rewrites, over some hundred hosts."""
    assert run(["web", "tables", str(tmp_path / "made"), "--kind", "dust", "--clusters", "1500", "--seed", "5"]) == 0
    command = ["dust", "learn", str(tmp_path / "made" / "clusters.tsv"), "--method", method, "--min-support", "2"]
    first, second = (json.loads(path.read_text())["rules"] for path in both(command, tmp_path, "json"))
    assert first == second
    assert first


def test_mirrors(spark, tmp_path) -> None:
    maker = Maker(1)
    rows = [
        (f"http://{host}{path}", f"10.0.0.{number}", digest)
        for number in range(4)
        for host, path, digest in _copied(maker, number)
    ]
    urls, ips, digests = map(list, zip(*rows))
    table = pa.table({"url": urls, "ip": ips, "digest": pa.array(digests, pa.uint64())})
    pq.write_table(table, tmp_path / "pages.parquet")
    pq.write_table(pa.table({"id": urls[::3], "cluster": [n // 2 for n in range(len(urls[::3]))]}), tmp_path / "near.parquet")
    pq.write_table(pa.table({"source": urls, "target": [*urls[7:], *urls[:7]]}), tmp_path / "links.parquet")
    beside = ["--near", str(tmp_path / "near.parquet"), "--links", str(tmp_path / "links.parquet")]
    pairs = same_rows(both(["mirrors", "find", str(tmp_path / "pages.parquet"), *beside], tmp_path, "parquet"))
    assert "linking_a" in pairs.column_names
    assert pairs["replica"].to_pylist().count(True) >= 4


def _copied(maker: Maker, number: int):
    pages = maker.site(20)
    for host in (f"site{number}.org", f"www.site{number}.org"):
        for path, content in pages.items():
            yield host, path, 2**64 - 1 - (content % 2**32) * 8 - number


def test_topic_scores(spark, tmp_path) -> None:
    good = [{"id": f"g{i}", "text": f"gold in the river number {i}"} for i in range(12)]
    rest = [{"id": f"r{i}", "text": f"the cat and the dog number {i}"} for i in range(60)]
    for name, rows in {"good": good, "rest": rest}.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    model, good_file, rest_file = (str(tmp_path / name) for name in ("gold.model", "good.jsonl", "rest.jsonl"))
    assert run(["topic", "train", "--positive", good_file, "--unlabelled", rest_file, "--out", model]) == 0
    scores = same_rows(both(["topic", "score", model, good_file, rest_file], tmp_path, "parquet"))
    assert scores["relevant"].to_pylist().count(True) >= 12


def test_paths_of_a_hadoop_file_system(spark, mounted, tmp_path) -> None:
    pq.write_table(documents(60, seed=4, lengths=(0, 80)), mounted / "docs.parquet")
    where = WHERE["spark"]
    assert run(["dedup", str(mounted / "docs.parquet"), "--out", str(tmp_path / "here.parquet")]) == 0
    assert run(["dedup", "viewfs://made/data/docs.parquet", "--out", "viewfs://made/data/near", *where]) == 0
    assert run(["dedup", (mounted / "docs.parquet").as_uri(), "--out", (tmp_path / "there.parquet").as_uri(), *where]) == 0
    same_rows([tmp_path / "here.parquet", mounted / "near"])
    same_rows([tmp_path / "here.parquet", tmp_path / "there.parquet"])
    lines = [f"{n}\thttp://a.org/{form.format(n + 1000)}" for n in range(60) for form in ("s?id={0}", "s_{0}.html")]
    (mounted / "clusters.tsv").write_text("\n".join(lines) + "\n")
    learn = ["dust", "learn", "viewfs://made/data/clusters.tsv"]
    assert run([*learn, "--out", "viewfs://made/data/rules.json", *where]) == 0
    assert json.loads((mounted / "rules.json").read_text())["rules"]
    assert run(["dedup", "viewfs://made/data/absent.parquet", "--out", str(tmp_path / "x.parquet"), *where]) == 2
    assert run([*learn, "--out", str(tmp_path / "r.json")]) == 2


def test_one_path_on_every_host(spark, tmp_path) -> None:
    rows = [(f"http://h{n}.org{path}", f"10.0.{n}.1", n) for n in range(300) for path in ("/", "/index.html")]
    urls, ips, digests = map(list, zip(*rows))
    table = pa.table({"url": urls, "ip": ips, "digest": pa.array(digests, pa.uint64())})
    pq.write_table(table, tmp_path / "pages.parquet")
    same_rows(both(["mirrors", "find", str(tmp_path / "pages.parquet")], tmp_path, "parquet"))


def test_sites(spark, tmp_path) -> None:
    train_on_sites(good(5), bad(5)).save(tmp_path / "sites.model")
    rows = [{"url": page.url, "html": html(page)} for pages in [*good(7).values(), *bad(7).values()] for page in pages]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["archive", "import", str(tmp_path / "pages.jsonl"), "--out", str(tmp_path / "crawl")]) == 0
    named = [*good(7), *bad(7), "nowhere.com.br"]
    decide = ["sites", "detect", str(tmp_path / "sites.model"), *named, "--archive", str(tmp_path / "crawl")]
    sites = same_rows(both(decide, tmp_path, "parquet"))
    assert {True, False, None} == set(sites["relevant"].to_pylist())


def test_master_without_spark_is_refused(capsys) -> None:
    assert run(["topic", "score", "m", "d", "--out", "s.parquet", "--master", "local[2]"]) == 2
    assert run(["dedup", "d", "--out", "s.parquet", "--master", "local[2]"]) == 2
    assert "--master local[2] goes with --engine spark" in capsys.readouterr().err


def test_a_master_that_does_not_answer_is_one_line(capsys, monkeypatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    assert run(["dedup", "d", "--out", "s.parquet", "--engine", "spark", "--master", "spark://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.strip().count("\n") == 0
