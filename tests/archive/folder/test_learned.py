"""What was learned: numbered, replaced whole, rolled back."""

import json

import pytest

from garimpo.archive import Learned, Store
from garimpo.contract import BadInput


def write(text):
    return lambda path: path.write_text(text)


def test_versions_are_numbered_and_the_newest_is_in_force(tmp_path):
    learned = Learned(tmp_path)
    assert learned.version("rules") is None and learned.path("rules") is None
    assert learned.publish("rules", "json", write("a"), {"n": 1}) == 1
    assert learned.publish("rules", ".json", write("b"), {"n": 2}) == 2
    assert learned.publish("topic", "model", write("c"), {}) == 1
    assert learned.path("rules").read_text() == "b" and learned.evidence("rules") == {"n": 2}
    assert learned.kinds() == ["rules", "topic"] and learned.versions("rules") == [1, 2]
    current = json.loads((tmp_path / "current.json").read_text())
    assert current["rules"]["version"] == 2 and set(current["rules"]) == {"version", "time", "evidence"}


def test_another_process_sees_the_change(tmp_path):
    writer, reader = Learned(tmp_path), Learned(tmp_path)
    assert not reader.refresh()
    writer.publish("rules", "json", write("a"), {})
    assert reader.refresh() and reader.version("rules") == 1
    assert not reader.refresh()


def test_rollback(tmp_path):
    learned = Learned(tmp_path)
    for text in "abc":
        learned.publish("rules", "json", write(text), {})
    learned.rollback("rules", 1)
    assert learned.path("rules").read_text() == "a"
    assert learned.publish("rules", "json", write("d"), {}) == 4
    learned.rollback("rules", 0)
    assert learned.version("rules") is None
    with pytest.raises(BadInput, match=r"no version 9 .there is: 1, 2, 3, 4"):
        learned.rollback("rules", 9)


def test_a_writer_that_fails_leaves_nothing(tmp_path):
    learned = Learned(tmp_path)
    with pytest.raises(ZeroDivisionError):
        learned.publish("rules", "json", lambda path: 1 / 0, {})
    assert learned.version("rules") is None and list((tmp_path / "rules").iterdir()) == []


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"rules": 1}', b"\xff", b'{"rules": {"version": "1"}}'])
def test_a_damaged_current_json_is_said_and_left_out(tmp_path, content):
    Store.create(tmp_path / "c").close()
    (tmp_path / "c/learned/current.json").write_bytes(content)
    with Store.open(tmp_path / "c") as store:
        assert store.learned.version("rules") is None
        assert "damaged" in store.learned.messages[0]
        assert store.learned.publish("rules", "json", write("a"), {}) == 1
    assert "damaged" in (tmp_path / "c/crawl.log").read_text()
