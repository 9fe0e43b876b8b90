"""The workers read documents themselves, and give the rows, ids and counts that one process gives."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run
from garimpo.contract import BadInput, Counts
from garimpo.dust.engine.clusters import read_spread
from garimpo.dust.inputs.files import read_clusters
from garimpo.dust.inputs.preparation import prepare
from garimpo.focus import TopicModel, score
from garimpo.similarity.clusters.batch import dedup_to
from similarity.made import documents
from spark.test_jobs import WHERE, both, same_rows


@pytest.fixture
def inputs(tmp_path):
    """Of each kind one: ids that repeat, within and between; rows without an id; URLs that are none; text or HTML or both."""
    texts = documents(90, seed=11, lengths=(0, 60, 90))["text"].to_pylist()
    folder = tmp_path / "a folder%20"
    folder.mkdir()
    for number, start in enumerate((0, 20)):
        ids = [f"d{n % 33}" if n % 7 else None for n in range(start, start + 20)]
        urls = [[None, f"http://a.org/{n}", "mailto:x@y", "no url"][n % 4] for n in range(20)]
        table = pa.table({"id": ids, "url": urls, "text": texts[start : start + 20], "score": [n / 7 for n in range(20)]})
        pq.write_table(table, folder / f"part-{number}.parquet", row_group_size=6)
    lines = [{"id": n, "text": texts[n]} if n % 3 else {"html": f"<p>{texts[n]}", "score": n} for n in range(40, 90)]
    body = "\n\n".join(json.dumps(line) for line in lines)
    (tmp_path / "rows.jsonl").write_text("\ufeff" + body)
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(body.encode()))
    html = pa.table({"id": range(9), "html": [f"<title>t</title><p>{text}".encode() for text in texts[:9]]})
    pq.write_table(html, tmp_path / "html.parquet")
    return [str(path) for path in (folder, tmp_path / "rows.jsonl", tmp_path / "html.parquet", tmp_path / "more.jsonl.gz")]


def test_documents_of_many_kinds(spark, inputs, tmp_path) -> None:
    near = same_rows(both(["dedup", *inputs], tmp_path, "parquet"))
    assert any(name.startswith("part-0.parquet:") for name in near["id"].to_pylist())
    assert pq.read_table(tmp_path / "local.parquet").equals(pq.read_table(tmp_path / "spark.parquet"))  # in the same order


def test_the_same_is_counted(spark, inputs, tmp_path) -> None:
    from garimpo.similarity import dedup

    _, counts = dedup_to(spark, tmp_path / "near.parquet", None, inputs)
    here = dedup(inputs).counts
    assert +counts == +here | {"documents": counts["documents"]}
    assert counts["repeated id"] > 10
    assert counts["URL is not http(s)"] == 10


def test_scores_come_in_the_order_of_the_input(spark, inputs, tmp_path) -> None:
    model = TopicModel.train(pa.chunked_array([["gold in the river"] * 3, ["river gold"] * 2]))
    counts = Counts(), Counts()
    score(model, inputs, tmp_path / "here.parquet", counts=counts[0])
    score(model, inputs, tmp_path / "there.parquet", counts=counts[1], engine=spark)
    assert pq.read_table(tmp_path / "here.parquet").equals(pq.read_table(tmp_path / "there.parquet"))
    assert +counts[0] == +counts[1]


def test_a_crawl_folder(spark, tmp_path) -> None:
    texts = documents(60, seed=5, lengths=(0, 80))["text"].to_pylist()
    rows = [{"url": f"http://a.org/{n}", "html": f"<p>{text}"} for n, text in enumerate(texts)]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["archive", "import", str(tmp_path / "pages.jsonl"), "--out", str(tmp_path / "crawl")]) == 0
    near = same_rows(both(["dedup", str(tmp_path / "crawl")], tmp_path, "parquet"))
    assert near.num_rows == 60


def test_bad_lines_and_columns_are_named(spark, tmp_path, capsys) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "a"}\n\n{"text": 3}\n')
    assert run(["dedup", str(tmp_path / "bad.jsonl"), "--out", str(tmp_path / "x.parquet"), *WHERE["spark"]]) == 2
    assert "bad.jsonl:3: text is no string" in capsys.readouterr().err
    pq.write_table(pa.table({"id": ["a"]}), tmp_path / "bare.parquet")
    with pytest.raises(BadInput, match=r"no column text or html \(it has: id\)"):
        dedup_to(spark, tmp_path / "x.parquet", None, tmp_path / "bare.parquet")
    with pytest.raises(BadInput, match=r"absent.parquet: no such file"):
        dedup_to(spark, tmp_path / "x.parquet", None, tmp_path / "absent.parquet")


@pytest.mark.parametrize("suffix", ["tsv", "jsonl.gz", "parquet"])
def test_clusters_are_prepared_by_the_workers(spark, tmp_path, suffix: str) -> None:
    """Numbers and names of clusters, URLs that repeat or join clusters, others that are none, broken lines."""
    rows = [(n % 50 if n % 4 else f"c{n % 9}", f"http://A.org:80/{n % 70}" if n % 11 else "ftp://b") for n in range(300)]
    path = tmp_path / f"clusters.{suffix}"
    if suffix == "tsv":
        lines = [f"{cluster}\t{url}\tdigest".encode() for cluster, url in rows]
        path.write_bytes(b"\n".join([b"no tab", *lines[:100], b"# so what", b"", b"7\t\xff\xfe", b"1\t", *lines[100:]]))
    elif suffix == "parquet":
        pq.write_table(pa.table({"cluster": [str(c) for c, _ in rows], "url": [u for _, u in rows]}), path, row_group_size=70)
    else:
        lines = [json.dumps({"id": cluster, "urls": [url, f"{url}/x"]}) for cluster, url in rows]
        path.write_bytes(gzip.compress("\n".join([*lines, "{}", "[1"]).encode()))
    counts = Counts(), Counts()
    here = prepare(read_clusters(path, counts[0]), counts[0])
    there, _ = read_spread(spark, path, counts[1])
    assert spark.collect(there).sort_by([("cluster", "ascending"), ("url", "ascending")]).cast(here.schema).equals(here)
    assert counts[0] == counts[1]
    assert counts[0]["joined clusters"] > 0


def test_clusters_that_are_none(spark, tmp_path) -> None:
    for name, body, told in (("a.tsv", "", "the file is empty"), ("b.tsv", "x\ny\n", "broken line: 2")):
        (tmp_path / name).write_text(body)
        with pytest.raises(BadInput, match=rf"{name}: no clusters in it \(.*{told}"):
            read_spread(spark, tmp_path / name, Counts())
    with pytest.raises(BadInput, match="no such file"):
        read_spread(spark, tmp_path / "c.tsv", Counts())
