"""WARC records: written, read back, checked by warcio, and damaged in every way."""

import gzip
import io
import random
import re
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from archive.made import REQUEST, START, answer, check_with_warcio, crawl, keep
from garimpo.archive import Earlier, Store, exchange, read_warc
from garimpo.archive.warc.members import CORRUPT, TOO_LONG
from garimpo.archive.warc.reader import read_at
from garimpo.archive.warc.records import _sha1, date, pack, record, record_id, sha1_bytes
from garimpo.contract import BadInput, Counts
from garimpo.contract.records import Fetched, HeaderLines


def members(numbers, packing="gzip"):
    """The packed records of some answers, response and request by turns."""
    made = [exchange(answer(number), REQUEST, START.timestamp(), packing) for number in numbers]
    return [part for one in made for part in (one.response, one.request)]


def found(path, data):
    path.write_bytes(data)
    counts = Counts()
    return [int(stored.fetched.url.rpartition("/")[2]) for stored in read_warc(path, counts)], counts[CORRUPT]


@given(st.binary(min_size=20, max_size=20))
def test_a_digest_is_written_in_base_32(digest):
    assert sha1_bytes(_sha1(digest)) == digest


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)))
def test_a_time_keeps_its_microseconds(when):
    at = when.replace(tzinfo=UTC)
    assert datetime.fromisoformat(date(at.timestamp())) == at
    assert date((at + timedelta(hours=1)).timestamp())[:10] == (at + timedelta(hours=1)).date().isoformat()


def test_record_ids_are_uuids_and_differ():
    names = {record_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(re.fullmatch(r"<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}>", name) for name in names)


def test_answers_come_back_as_they_were(tmp_path):
    with crawl(tmp_path / "c", commits=1, each=2) as store:
        odd = Fetched(
            "http://a.example/odd?q=1",
            200,
            b"\x00\xff",
            [("Content-Encoding", "gzip"), ("X-Odd", "two\r\nlines"), ("", "no name"), ("Transfer-Encoding", "chunked")],
            truncated=True,
            http_version="2",
        )
        with store.commit(*keep(store, [odd, answer(5, b"")])):
            pass
        stored = store.record(odd.url)
        assert stored.body == odd.body and stored.truncated and stored.status == 200
        assert stored.headers == [
            ("X-Archive-Orig-Content-Encoding", "gzip"),
            ("X-Odd", "two  lines"),
            ("X-Archive-Orig-Transfer-Encoding", "chunked"),
            ("Content-Length", "2"),
        ]
        assert store.record(answer(1).url).header("content-type") == "text/html"
        assert store.record(answer(5).url).body == b""
    check_with_warcio(tmp_path / "c")


def test_warcio_reads_the_same(tmp_path):
    crawl(tmp_path / "c", commits=1, each=2).close()
    with (tmp_path / "c/warc/garimpo-000001.warc.gz").open("rb") as file:
        seen = [(one.rec_type, one.rec_headers["WARC-Target-URI"], one.content_stream().read()) for one in ArchiveIterator(file)]
    assert [kind for kind, _, _ in seen] == ["warcinfo", "response", "request", "response", "request"]
    assert seen[1][1:] == (answer(0).url, answer(0).body)


def test_a_request_line_is_what_was_asked():
    made = exchange(Fetched("http://me:pw@a.example:8080?q=/x", 200), REQUEST, START.timestamp())
    block = gzip.decompress(made.request).partition(b"\r\n\r\n")[2]
    assert block.startswith(b"GET /?q=/x HTTP/1.1\r\nHost: a.example:8080\r\nUser-Agent: garimpo-test/1\r\n")


def test_equal_bodies_are_stored_once(tmp_path):
    with Store.create(tmp_path / "c") as store:
        body = random.Random(1).randbytes(50_000)
        for number in range(3):  # the second in the same commit, the third in the next
            tables = keep(store, [answer(number, body)])
            if number:
                with store.commit(*tables):
                    pass
        assert store.warc.length < 60_000
        kinds = [stored.revisit for stored in read_warc(tmp_path / "c/warc/garimpo-000001.warc.gz")]
        assert kinds == [False, True, True]
        assert store.record(answer(2).url).body == body
    check_with_warcio(tmp_path / "c")


def test_an_unchanged_page_is_a_revisit(tmp_path):
    with Store.create(tmp_path / "c") as store:
        place = store.warc.write_response(answer(1, b"", 304), at=START, unchanged=Earlier(answer(1).url, START.timestamp()))
        with store.commit():
            pass
        stored = read_at(tmp_path / "c/warc" / place[0], place[1])
        assert stored.revisit and stored.fetched.status == 304
    text = gzip.decompress((tmp_path / "c/warc/garimpo-000001.warc.gz").read_bytes())
    assert b"revisit/server-not-modified" in text and b"WARC-Refers-To-Date: 2030-01-01T00:00:00.000000Z" in text
    check_with_warcio(tmp_path / "c")


def test_files_roll_over_by_size_and_appending_goes_on(tmp_path):
    Store.create(tmp_path / "c").close()
    for number in range(6):
        with Store.open(tmp_path / "c", roll_at=8000) as store:
            bodies = [random.Random(number * 9 + i).randbytes(1000) for i in range(2)]
            with store.commit(*keep(store, [answer(number * 2 + i, body) for i, body in enumerate(bodies)])):
                pass
    files = sorted(path.name for path in (tmp_path / "c/warc").iterdir())
    assert files == [f"garimpo-{number:06d}.warc.gz" for number in range(1, len(files) + 1)] and len(files) == 3
    with Store.open(tmp_path / "c", write=False) as store:
        assert store.record(answer(11).url).body == random.Random(46).randbytes(1000)
    check_with_warcio(tmp_path / "c")


def test_zstd_packing(tmp_path):
    with Store.create(tmp_path / "c", {"warc_packing": "zstd"}) as store:
        with store.commit(*keep(store, [answer(1), answer(2), answer(3, answer(1).body)])):
            pass
        assert store.record(answer(3).url).body == answer(1).body
    with Store.open(tmp_path / "c") as store:
        with store.commit(*keep(store, [answer(4)])):
            pass
        assert store.record(answer(2).url).body == answer(2).body
    assert [path.name for path in (tmp_path / "c/warc").iterdir()] == ["garimpo-000001.warc.zst"]
    assert len(list(read_warc(tmp_path / "c/warc/garimpo-000001.warc.zst"))) == 4


@pytest.mark.parametrize("name", ["x.warc.gz", "x.warc"])
def test_damaged_records_are_skipped_and_counted(tmp_path, name):
    parts = members(range(5))
    if name == "x.warc":
        parts = [gzip.decompress(part) for part in parts]
    path, whole = tmp_path / name, b"".join(parts)
    assert found(path, whole) == ([0, 1, 2, 3, 4], 0)
    damaged = bytes([0] * 20) + parts[4][20:]
    assert found(path, b"".join([*parts[:4], damaged, *parts[5:]])) == ([0, 1, 3, 4], 1)
    assert found(path, b"".join(parts[:9]) + parts[9][:40]) == ([0, 1, 2, 3, 4], 1)
    assert found(path, b"".join([*parts[:2], b"garbage between records", *parts[2:]]))[0] == [0, 1, 2, 3, 4]


def test_damage_inside_a_gzip_member(tmp_path):
    parts = members(range(5))
    middle = len(parts[4]) // 2
    parts[4] = parts[4][:middle] + bytes(8) + parts[4][middle + 8 :]
    assert found(tmp_path / "x.warc.gz", b"".join(parts)) == ([0, 1, 3, 4], 1)


def test_a_file_packed_as_one_gzip_member_or_as_it_pleased_is_read(tmp_path):
    whole = b"".join(gzip.decompress(part) for part in members(range(3)))
    assert found(tmp_path / "x.warc.gz", gzip.compress(whole)) == ([0, 1, 2], 0)
    pieces = [whole[start : start + 700] for start in range(0, len(whole), 700)]
    assert found(tmp_path / "x.warc.gz", b"".join(map(gzip.compress, pieces))) == ([0, 1, 2], 0)


def test_any_mutation_is_survived(tmp_path):
    chance = random.Random(7)
    whole = b"".join(members(range(8)))
    plain = gzip.decompress(whole)
    for turn in range(150):
        name, data = [("x.warc.gz", bytearray(whole)), ("x.warc", bytearray(plain))][turn % 2]
        for _ in range(chance.randrange(1, 6)):
            place = chance.randrange(len(data))
            kind = chance.randrange(3)
            if kind == 0:
                data[place] ^= 1 << chance.randrange(8)
            elif kind == 1:
                del data[place : place + chance.randrange(200)]
            else:
                data[place:place] = chance.randbytes(chance.randrange(30))
        try:
            found(tmp_path / name, bytes(data))
        except BadInput as error:
            assert "not a WARC file" in str(error)
        except ValueError as error:  # a URL whose number was hit
            assert "invalid literal" in str(error)


def test_lengths_that_lie(tmp_path):
    good = [gzip.decompress(part) for part in members(range(3))]
    for lie in (b"99999999999999999999", b"-5", b"words", b"5000000000"):
        lying = good[2].replace(b"Content-Length: ", b"Content-Length: " + lie + b"\r\nX-Was: ", 1)
        numbers, _ = found(tmp_path / "x.warc.gz", b"".join(pack(part, "gzip") for part in [*good[:2], lying, *good[4:]]))
        assert numbers[0] == 0 and 2 in numbers


def test_bombs_do_not_fill_the_memory(tmp_path):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([packer.compress(bytes(1 << 20)) for _ in range(300)]) + packer.flush()
    target = "WARC-Target-URI: http://a.example/1\r\n"
    kind = "application/http; msgtype=response"
    inner = record("response", record_id(), "2030-01-01T00:00:00Z", kind, (head, bomb), target)
    outer = record("response", record_id(), "2030-01-01T00:00:00Z", kind, (head, bytes(65 << 20)), target)
    (tmp_path / "x.warc.gz").write_bytes(pack(inner, "gzip") + pack(outer, "gzip") + b"".join(members([3])))
    counts = Counts()
    stored = list(read_warc(tmp_path / "x.warc.gz", counts))
    assert [len(one.fetched.body) for one in stored] == [64 << 20, len(answer(3).body)] and stored[0].fetched.truncated
    assert counts[TOO_LONG] == 1


def test_records_of_other_programs(tmp_path):
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")], protocol="HTTP/1.1")
    chunked = b"4\r\ngold\r\n0\r\n\r\n"
    writer.write_record(writer.create_warc_record("http://a.example/0", "response", io.BytesIO(chunked), http_headers=http))
    wrong = b"zz\r\nnot chunked at all"
    writer.write_record(writer.create_warc_record("http://a.example/1", "response", io.BytesIO(wrong), http_headers=http))
    resource = writer.create_warc_record("http://a.example/2", "resource", io.BytesIO(b"<p>x"), warc_content_type="text/html")
    writer.write_record(resource)
    (tmp_path / "x.warc.gz").write_bytes(file.getvalue())
    stored = {one.fetched.url[-1]: one.fetched for one in read_warc(tmp_path / "x.warc.gz")}
    assert stored["0"].body == b"gold"
    assert stored["2"].body == b"<p>x" and stored["2"].header("content-type") == "text/html"


def test_a_missing_record_is_none(tmp_path):
    with crawl(tmp_path / "c") as store:
        (tmp_path / "c/warc/garimpo-000001.warc.gz").write_bytes(b"")
        assert store.record(answer(1).url) is None


def test_headers_are_stored_as_they_came(tmp_path):
    block = b"X-One:1\r\nVia: caf\xe9\r\nno colon\r\nTransfer-Encoding: chunked\r\ncontent-length: 9\r\nX-Content-Length: 7\r\n"
    fetched = Fetched("http://a.example/", 200, b"gold", HeaderLines(block))
    renamed = block.replace(b"Transfer", b"X-Archive-Orig-Transfer").replace(b"content-", b"X-Archive-Orig-content-")
    assert exchange(fetched, [], 0.0).head == b"HTTP/1.1 200 OK\r\n" + renamed + b"Content-Length: 4\r\n\r\n"
    with crawl(tmp_path / "c", commits=0, each=0) as store:
        with store.commit(*keep(store, [fetched])):
            pass
        stored = store.record(fetched.url)
    assert stored.body == b"gold" and stored.named()["x-one"] == "1" and stored.header("content-length") == "4"
    check_with_warcio(tmp_path / "c")
