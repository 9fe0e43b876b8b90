"""The index: equal to the batch, whole after a kill, and refusing what does not fit."""

import random
import subprocess
import sys
import textwrap

import pytest

from garimpo.contract import BadInput
from garimpo.similarity import Index, Sets, Sketcher, dedup
from similarity.made import documents


def batch_answers(table, threshold, cap=64):
    near = dedup(table, threshold, cap=cap).near
    return [None if keep else kept for keep, kept in zip(near["keep"].to_pylist(), near["kept_id"].to_pylist())]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cap", [1, 3, 64])
def test_answers_are_those_of_the_batch(tmp_path, seed, cap):
    table = documents(350, seed)
    ids, texts = table["id"].to_pylist(), table["text"].to_pylist()
    sketcher, chance = Sketcher(), random.Random(seed)
    index = Index.open(tmp_path, sketcher, threshold=0.7, cap=cap)
    answers, at = [], 0
    while at < len(ids):
        count = chance.choice([1, 1, 7, 60])
        answers += index.ask_add(ids[at : at + count], *sketcher.read(texts[at : at + count]))
        at += count
        if chance.random() < 0.3:
            index.commit()
        if chance.random() < 0.1:
            index.commit()
            index.close()
            index = Index.open(tmp_path, sketcher, threshold=0.7, cap=cap)
    assert answers == batch_answers(table, 0.7, cap)


def test_what_was_not_committed_is_forgotten(tmp_path):
    table = documents(200, 9)
    ids, texts = table["id"].to_pylist(), table["text"].to_pylist()
    sketcher = Sketcher()
    index = Index.open(tmp_path, sketcher)
    first = index.ask_add(ids[:100], *sketcher.read(texts[:100]))
    index.commit()
    index.ask_add(ids[100:], *sketcher.read(texts[100:]))
    index.close()
    with Index.open(tmp_path, sketcher) as index:
        again = index.ask_add(ids[100:], *sketcher.read(texts[100:]))
    assert first + again == batch_answers(table, 0.8)
    assert len(list((tmp_path / "runs").iterdir())) % 2 == 0


def test_a_kill_in_the_middle_loses_only_what_was_not_committed(tmp_path):
    program = textwrap.dedent(
        """
        import os, signal, sys
        from garimpo.similarity import Index, Sketcher
        from similarity.made import documents
        table, sketcher = documents(300, 3), Sketcher()
        ids, texts = table["id"].to_pylist(), table["text"].to_pylist()
        index = Index.open(sys.argv[1], sketcher)
        for at in range(0, 300, 20):
            index.ask_add(ids[at:at+20], *sketcher.read(texts[at:at+20]))
            if at == 200:
                os.kill(os.getpid(), signal.SIGKILL)
            index.commit()
        """
    )
    path = [*sys.path]
    ended = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{program}", str(tmp_path)], check=False)
    assert ended.returncode == -9
    table, sketcher = documents(300, 3), Sketcher()
    ids, texts = table["id"].to_pylist(), table["text"].to_pylist()
    with Index.open(tmp_path, sketcher) as index:
        answers = index.ask_add(ids[200:], *sketcher.read(texts[200:]))
    assert answers == batch_answers(table, 0.8)[200:]


def test_ask_lists_all_similar_kept_documents(tmp_path):
    sketcher = Sketcher(shingle=1)
    words = [f"w{i}" for i in range(40)]
    texts = [" ".join(words[:30]), " ".join(words[10:]), "nothing alike", " ".join(words)]
    with Index.open(tmp_path, sketcher, threshold=0.6, recall=0.999) as index:
        assert index.ask_add(["a", "b", "c"], *sketcher.read(texts[:3])) == [None, None, None]
        (found,) = index.ask(*sketcher.read(texts[3:]))
        assert found == [("a", 0.75), ("b", 0.75)]
        assert index.ask(*sketcher.read([texts[0], ""])) == [[("a", 1.0)], []]


def test_a_page_fetched_again_is_no_duplicate_of_itself(tmp_path):
    sketcher = Sketcher()
    text = " ".join(f"w{i}" for i in range(50))
    with Index.open(tmp_path, sketcher) as index:
        assert index.ask_add(["a"], *sketcher.read([text])) == [None]
        assert index.ask_add(["a", "b"], *sketcher.read([text, text])) == [None, "a"]
        assert index.ask_add(["a"], *sketcher.read([text + " more"])) == [None]


def test_another_setting_is_refused_by_name(tmp_path):
    Index.open(tmp_path, Sketcher()).close()
    with pytest.raises(BadInput, match="threshold 4/5, now 9/10"):
        Index.open(tmp_path, Sketcher(), threshold=0.9)
    index = Index.open(tmp_path, Sketcher())
    with pytest.raises(BadInput, match="seed 0 and 5"):
        index.ask_add(["a"], Sketcher(seed=5).sketch(Sets.of([[1]])), Sets.of([[1]]))
    with pytest.raises(BadInput, match="not of the same documents"):
        index.ask_add(["a", "b"], Sketcher().sketch(Sets.of([[1]])), Sets.of([[1]]))


def test_a_damaged_index_is_named(tmp_path):
    sketcher = Sketcher()
    with Index.open(tmp_path, sketcher) as index:
        index.ask_add(["a"], *sketcher.read(["one two three four five six"]))
    (tmp_path / "documents").write_bytes(b"")
    with pytest.raises(BadInput, match="damaged"):
        Index.open(tmp_path, sketcher)
    (tmp_path / "state.json").write_text("{")
    with pytest.raises(BadInput, match=r"state.json: damaged"):
        Index.open(tmp_path, sketcher)
