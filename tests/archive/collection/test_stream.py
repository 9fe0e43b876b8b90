"""Documents from every kind of input, and what bad input says."""

import gzip
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from archive.made import crawl
from garimpo.archive import Store, documents, texts
from garimpo.archive.collection.stream import LARGEST_BATCH, Seen
from garimpo.contract import BadInput, Counts
from garimpo.contract.tables import DOCUMENTS


def rows(paths, **options):
    return [row for batch in documents(paths, **options) for row in batch.to_pylist()]


def test_jsonl_plain_gzip_and_zstd_read_alike(tmp_path):
    lines = b'{"id": 7, "text": "a"}\n\n{"url": "http://a.example/", "html": "<p>\xc3\xa9"}\r\n{"text": "c"}'
    (tmp_path / "x.jsonl").write_bytes(b"\xef\xbb\xbf" + lines)
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(lines))
    with pa.output_stream(str(tmp_path / "x.jsonl.zst"), compression="zstd") as file:
        file.write(lines)
    for name in ("x.jsonl", "x.jsonl.gz", "x.jsonl.zst"):
        found = rows(tmp_path / name)
        assert [row["id"] for row in found] == ["7", "http://a.example/", f"{name}:4"]
        assert found[0]["text"] == "a" and found[0]["url"] is None
        assert found[1]["html"] == b"\xef\xbb\xbf<p>\xc3\xa9"


def test_the_schema_is_the_documents_schema(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"text": "a", "score": 0.5}')
    batch = next(documents(tmp_path / "x.jsonl", columns=["score", "label"]))
    assert pa.schema(list(batch.schema)[:4]) == DOCUMENTS
    assert batch.to_pylist()[0] == {"id": "x.jsonl:1", "url": None, "text": "a", "html": None, "score": 0.5, "label": None}


@pytest.mark.parametrize("kind", [pa.int32(), pa.string(), pa.dictionary(pa.int32(), pa.string()), pa.binary()])
def test_parquet_is_read_kindly(tmp_path, kind):
    ids = pa.array([1, 2, 1]).cast(pa.string()).cast(kind) if kind != pa.int32() else pa.array([1, 2, 1], kind)
    table = pa.table({"id": ids, "text": pa.array([b"a", b"\xff", None], pa.binary()), "other": [1, 2, 3]})
    pq.write_table(table, tmp_path / "x.parquet")
    counts = Counts()
    found = rows(tmp_path / "x.parquet", counts=counts, columns=["other"])
    assert [(row["id"], row["text"], row["other"]) for row in found] == [("1", "a", 1), ("2", "�", 2)]
    assert counts["repeated id"] == 1


def test_urls_that_are_none_are_null_and_other_schemes_are_dropped_both_counted(tmp_path):
    urls = ["http://a.example/", "ftp://a.example/", "no url", "http://[", None, "file:///x"]
    pq.write_table(pa.table({"url": urls, "html": ["x"] * 6}), tmp_path / "x.parquet")
    counts = Counts()
    found = rows(tmp_path / "x.parquet", counts=counts)
    assert [row["id"] for row in found] == ["http://a.example/", "x.parquet:3", "x.parquet:4", "x.parquet:5"]
    assert counts["URL is not http(s)"] == 2 and counts["URL does not parse"] == 2


def test_ids_count_once_over_all_inputs(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(f'{{"id": "same", "text": "{name}"}}\n{{"text": "own"}}')
    assert [row["id"] for row in rows([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])] == ["same", "a.jsonl:2", "b.jsonl:2"]


def test_a_folder_of_pages(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.html").write_bytes(b"<p>\xe9")
    (tmp_path / "b.TXT").write_bytes(b"caf\xc3\xa9 \xff")
    (tmp_path / "c.png").write_bytes(b"no")
    found = rows(tmp_path)
    assert [(row["id"], row["text"], row["html"]) for row in found] == [
        ("b.TXT", "café �", None),
        ("deep/a.html", None, b"<p>\xe9"),
    ]


def test_a_crawl_folder_and_its_warc(tmp_path):
    crawl(tmp_path / "c").close()
    found = rows(tmp_path / "c")
    assert len(found) == 12 and found[3]["id"] == "http://a.example/3" and found[3]["html"] is None
    assert found[3]["text"].startswith("<title>3")
    assert rows(tmp_path / "c", bodies=True)[3]["html"].startswith(b"<title>3")
    counts = Counts()
    pages = rows(tmp_path / "c/warc/garimpo-000001.warc.gz", counts=counts)
    assert [row["id"] for row in pages] == [row["id"] for row in found]
    assert pages[3]["html"].startswith(b"\xef\xbb\xbf<title>3")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.jsonl", b'{"text": "a"}\n{"text": ', "x.jsonl:2: not JSON"),
        ("x.jsonl", b'{"text": "a"}\n[1]', "x.jsonl:2: not a JSON object"),
        ("x.jsonl", b'{"text": 5}', "x.jsonl:1: text is no string"),
        ("x.jsonl", b'{"id": [], "text": "a"}', "x.jsonl:1: id is neither"),
        ("x.jsonl", b'{"id": 1}', "x.jsonl:1: neither text nor html"),
        ("x.jsonl", b'{"text": "\xff"}', "x.jsonl:1: not JSON"),
        ("x.jsonl", b"", "x.jsonl: no documents in it"),
        ("x.jsonl.gz", b"plain", "x.jsonl.gz:1: damaged"),
        ("x.jsonl.gz", gzip.compress(b'{"text": "a"}\n' * 9, mtime=0)[:-12], r"x.jsonl.gz:\d+: damaged"),
        ("x.jsonl.zst", b"plain", "x.jsonl.zst:1: damaged"),
        ("x.parquet", b"PAR1 not", "x.parquet: not a Parquet file"),
        ("x.warc.gz", b"nothing of the kind", "x.warc.gz: not a WARC file"),
        ("x.warc", b"", "x.warc: no documents in it"),
        ("x.doc", b"", "x.doc: not a kind of documents"),
    ],
)
def test_bad_input_names_file_and_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=message):
        rows(tmp_path / name)


def test_missing_files_columns_and_rows(tmp_path):
    with pytest.raises(BadInput, match=r"nowhere\.jsonl: no such file"):
        rows(tmp_path / "nowhere.jsonl")
    pq.write_table(pa.table({"url": ["http://a.example/"]}), tmp_path / "x.parquet")
    with pytest.raises(BadInput, match=r"no column text or html .it has: url"):
        rows(tmp_path / "x.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="empty: no documents"):
        rows(tmp_path / "empty")
    Store.create(tmp_path / "c").close()
    with pytest.raises(BadInput, match="no documents"):
        rows(tmp_path / "c")


def test_batches_and_memory_stay_bounded(tmp_path):
    big = "x" * (3 << 20)
    with gzip.open(tmp_path / "x.jsonl.gz", "wt", compresslevel=1) as file:
        for _ in range(40):
            file.write(f'{{"text": "{big}"}}\n')
        file.write(f'{{"text": "{big * 7}", "html": "{big}"}}\n')
    counts = Counts()
    tracemalloc.start()
    sizes = [batch.nbytes for batch in documents(tmp_path / "x.jsonl.gz", counts=counts)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(sizes) > 8 and max(sizes) <= LARGEST_BATCH and counts["document cut at 15 MB"] == 1
    assert peak < 200 << 20


def test_seen_equals_a_set():
    import random

    seen, plain = Seen(), set()
    for size in (5, 1, 300, 2, 2, 50, 1000):
        strings = [str(random.randrange(900)) for _ in range(size)]
        expected = []
        for text in strings:
            expected.append(text not in plain)
            plain.add(text)
        assert seen.first(pa.array(strings)).tolist() == expected


def test_real_pages_are_read_as_the_data_sheet_says(shared_data):
    counts = Counts()
    found = sum(batch.num_rows for batch in documents(shared_data / "webkb/pages.parquet", counts=counts))
    assert counts["URL is not http(s)"] == 52
    assert found + counts["repeated id"] + 52 == 8281 and counts["repeated id"] <= 7


def test_texts_win_over_html_and_html_is_read(tmp_path):
    lines = ['{"text": "t", "html": "<p>h"}', '{"url": "http://a.example/", "html": "<meta charset=latin-1><p>é <b>b</b>"}']
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    found = [row for batch in texts(tmp_path / "x.jsonl") for row in batch.to_pylist()]
    assert [row["text"] for row in found] == ["t", "é b"]
    assert list(found[0]) == ["id", "url", "text"]
