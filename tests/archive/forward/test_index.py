"""The forward index: golden codewords, round trips, random access, sizes against entropy, and bad input."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.archive.forward import _kernels_codes as kernels
from garimpo.archive.forward.build import build_forward
from garimpo.archive.forward.index import Document, Forward
from garimpo.archive.forward.writer import ForwardWriter
from garimpo.cli.app import run
from garimpo.contract import BadInput

GOLDEN = {
    1: "1 010 011 00100 00101 00110 00111 0001000",
    2: "10 110 111 01000 01001 01010 01011 011000",
    3: "100 1010 1011 1100 1101 1110 1111 0100000",
    4: "1000 10010 10011 10100 10101 10110 10111 11000",
    16 + kernels.MODULI.tolist().index(3): "10 110 111 010 0110 0111 0010 00110",
}


def add_documents(writer, documents):
    some = list(documents)
    starts = np.cumsum([0, *(len(one.terms) for one in some)])
    terms, counts = (np.concatenate([part[i] for part in some] or [np.zeros(0, np.int32)]) for i in (1, 2))
    writer.add(np.array([one.id for one in some], np.int64), starts, terms, counts)


def plain_minimal(value, room):
    if room == 1:
        return ""
    size = (room - 1).bit_length()
    short = 2**size - room
    if value < short:
        return format(value, f"0{size - 1}b") if size > 1 else ""
    return format(value + short, f"0{size}b")


def plain_code(code, value):
    """The codeword as a string, straight from the definition."""
    if code < 16:
        h = (value.bit_length() - 1) // code
        return "0" * h + "1" + plain_minimal(value - 2 ** (h * code), 2 ** ((h + 1) * code) - 2 ** (h * code))
    modulus = int(kernels.MODULI[code - 16])
    return "0" * ((value - 1) // modulus) + "1" + plain_minimal((value - 1) % modulus, modulus)


def written(code, value, at=0):
    stream = np.zeros(40, np.uint64)
    end = kernels.put_code(stream, at, code, value)
    assert kernels.get_code(stream, at, code) == (value, end) and end - at == kernels.size_of(code, value)
    return "".join(format(int(word), "064b") for word in stream)[at:end]


@pytest.mark.parametrize("code", GOLDEN)
def test_golden_codewords(code):
    assert [written(code, value) for value in range(1, 9)] == GOLDEN[code].split()


@given(st.integers(1, kernels.CODES - 1), st.integers(1, 2000), st.integers(0, 70))
@settings(max_examples=200, deadline=None)
def test_codes_are_what_plain_python_writes_anywhere_in_a_word(code, value, at):
    assert written(code, value, at) == plain_code(code, value)


def test_unary_and_minimal_binary():
    assert [plain_minimal(v, 5) for v in range(5)] == ["00", "01", "10", "110", "111"]
    stream = np.zeros(8, np.uint64)
    end = kernels.put_unary(stream, 3, 130)
    assert kernels.get_unary(stream, 3) == (130, end) and end == 134
    for room in range(1, 40):
        for value in range(room):
            stream[:] = 0
            end = kernels.put_minimal(stream, 61, value, room)
            assert kernels.get_minimal(stream, 61, room) == (value, end)


def made_documents(count, seed, gap=1):
    chance = np.random.default_rng(seed)
    ids = np.cumsum(chance.integers(1, 2 * gap, count)) if gap > 1 else np.arange(count)
    for number in ids.tolist():
        terms = np.unique((chance.pareto(1.0, chance.integers(0, 120)) * 5).astype(int).clip(0, 49_999)).astype(np.int32)
        yield Document(number, terms, chance.geometric(0.6, len(terms)).astype(np.int32))


def same(a, b):
    return a.id == b.id and np.array_equal(a.terms, b.terms) and np.array_equal(a.frequencies, b.frequencies)


@pytest.mark.parametrize("skip", [1, 4, 32])
def test_sorted_round_trip_and_random_access(tmp_path, skip):
    documents = list(made_documents(700, 1, gap=7))
    with ForwardWriter(tmp_path / "x.fwd", 50_000, skip=skip) as writer:
        for start in range(0, 700, 90):
            add_documents(writer, documents[start : start + 90])
    index = Forward(tmp_path / "x.fwd")
    assert len(index) == 700 and all(same(a, b) for a, b in zip(index, documents))
    for place in (0, 1, 31, 32, 33, 350, 699):
        assert same(index.by_index(place), documents[place]) and same(index.by_id(documents[place].id), documents[place])
    known = {document.id for document in documents}
    absent = [number for number in range(documents[-1].id + 5) if number not in known]
    assert index.by_id(absent[0]) is None and index.by_id(absent[-1]) is None and index.by_index(700) is None
    assert [document.id for document in index.subset([absent[0], documents[9].id])] == [documents[9].id]


def test_unsorted_round_trip(tmp_path):
    documents = list(made_documents(300, 2, gap=5))[::-1]
    with ForwardWriter(tmp_path / "x.fwd", 50_000, ids_sorted=False) as writer:
        add_documents(writer, documents)
    index = Forward(tmp_path / "x.fwd")
    assert all(same(a, b) for a, b in zip(index, documents))
    assert same(index.by_id(documents[7].id), documents[7]) and index.by_id(10**9) is None


def test_an_empty_index_and_empty_documents(tmp_path):
    with ForwardWriter(tmp_path / "none.fwd", 10):
        pass
    assert len(Forward(tmp_path / "none.fwd")) == 0 and Forward(tmp_path / "none.fwd").by_id(0) is None
    with ForwardWriter(tmp_path / "one.fwd", 10) as writer:
        add_documents(writer, [Document(3, np.zeros(0, np.int32), np.zeros(0, np.int32))])
    assert len(Forward(tmp_path / "one.fwd").by_id(3).terms) == 0


def test_gaps_stay_near_their_entropy(tmp_path):
    with ForwardWriter(tmp_path / "x.fwd", 50_000) as writer:
        add_documents(writer, made_documents(4000, 3))
    fields = Forward(tmp_path / "x.fwd").stat()["fields"]
    assert fields["gaps"]["over"] <= 0.05 and fields["frequencies"]["over"] <= 0.15


def test_the_worked_example(tmp_path):
    text = "Sopra la panca la capra campa, sotto la campa la capra crepa"
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "http://a.example/", "text": text}))
    build_forward(tmp_path / "a.jsonl", tmp_path / "a.fwd")
    index = Forward(tmp_path / "a.fwd")
    words = index.words().to_pylist()
    document = index.by_index(0)
    counts = {words[term]: count for term, count in zip(document.terms.tolist(), document.frequencies.tolist())}
    assert counts == {"campa": 2, "capra": 2, "crepa": 1, "la": 4, "panca": 1, "sopra": 1, "sotto": 1}
    assert index.urls().to_pylist() == ["http://a.example/"]


def test_terms_are_numbered_by_document_frequency_and_pruned(tmp_path):
    rows = enumerate(["a b", "a c", "a b"])
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in rows))
    build_forward(tmp_path / "a.jsonl", tmp_path / "a.fwd")
    assert Forward(tmp_path / "a.fwd").words().to_pylist() == ["a", "b", "c"]
    build_forward(tmp_path / "a.jsonl", tmp_path / "b.fwd", least=2, most=0.9)
    assert Forward(tmp_path / "b.fwd").words().to_pylist() == ["b"]


def test_the_commands(tmp_path, capsys):
    rows = [{"id": i, "text": "gold in the river " * (i + 1)} for i in range(5)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["archive", "build", str(tmp_path / "a.jsonl"), "--out", str(tmp_path / "a.fwd"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["documents"] == 5
    assert run(["archive", "stat", str(tmp_path / "a.fwd")]) == 0
    assert "gaps" in capsys.readouterr().out


def test_bad_input(tmp_path, capsys):
    assert run(["archive", "stat", str(tmp_path / "none")]) == 2
    (tmp_path / "bad").write_bytes(b"\x00\x01 no index")
    assert run(["archive", "stat", str(tmp_path / "bad")]) == 2
    with ForwardWriter(tmp_path / "x.fwd", 50_000) as writer:
        add_documents(writer, made_documents(50, 3))
    (tmp_path / "cut").write_bytes((tmp_path / "x.fwd").read_bytes()[:-64])
    assert run(["archive", "stat", str(tmp_path / "cut")]) == 2
    assert "cut short" in capsys.readouterr().err
    with pytest.raises(BadInput, match="ascend"), ForwardWriter(tmp_path / "y.fwd", 10) as writer:
        add_documents(writer, [Document(3, np.zeros(0, np.int32), np.zeros(0, np.int32))] * 2)
    assert not (tmp_path / "y.fwd").exists() and not list(tmp_path.glob(".y*"))
