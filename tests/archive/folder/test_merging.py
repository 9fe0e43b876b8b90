"""Small segments become one: the same rows in the same order, at any instant of a kill."""

import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from archive.made import commit, crawl, urls
from garimpo.archive import Store
from garimpo.archive.folder import merging, segments, state
from garimpo.archive.folder.rebuilding import whole_segments
from garimpo.contract.tables import LINKS


def test_a_polite_day_leaves_few_files(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)
    monkeypatch.setattr(merging, "KEPT_SECONDS", -1.0)
    with Store.create(tmp_path / "c") as store:
        most = 0
        for number in range(70):
            commit(store, range(number, number + 1))
            store.merge()
            most = max(most, len(list((tmp_path / "c/pages").iterdir())))
        expected = [f"http://a.example/{n}" for n in range(70)]
        assert urls(store) == expected and store.count() == store.count("links") == 70
        assert most <= 4 * 4 and len(store.page_files()) == len(store.link_files()) <= 3 * 4
        assert not list((tmp_path / "c" / segments.REPLACED / "pages").iterdir())
        assert all(store.record(url).body for url in expected)
        assert segments.commits_of(store.page_files()[0]) == [(number, 1) for number in range(1, 65)]
        commit(store, range(100, 101))
    with Store.open(tmp_path / "c") as store:
        assert urls(store) == [*expected, "http://a.example/100"] and store.messages == []
        commit(store, range(101, 102))  # under a number that no merged segment holds
        assert len(urls(store)) == 72


def test_levels_keep_a_day_of_commits_under_a_hundred_files():
    """43,200 commits, one every two seconds, by the same arithmetic without the files."""
    levels = [0] * 8
    most = 0
    for _ in range(43_200):
        levels[0] += 1
        for level in range(7):
            if levels[level] == merging.FAN:
                levels[level], levels[level + 1] = 0, levels[level + 1] + 1
        most = max(most, sum(levels))
    assert most + 2 * merging.FAN < 100  # with those that wait for their readers


@pytest.mark.parametrize(
    ("owner", "name", "after"),
    [
        (segments, "write_aside", False),
        (segments, "write_aside", True),
        (state, "transaction", False),
        (segments, "put_away", False),
        (segments, "put_away", True),
        (segments, "finish", False),
        (segments, "finish", True),
    ],
)
@pytest.mark.parametrize("state_lost", [False, True])
def test_a_kill_at_any_step_of_a_merge_changes_nothing(tmp_path, monkeypatch, owner, name, after, state_lost):
    monkeypatch.setattr(merging, "FAN", 3)
    store = crawl(tmp_path / "c", commits=3)
    expected = urls(store)
    original = getattr(owner, name)

    def die(*arguments, **named):
        if after:
            original(*arguments, **named)
        raise SystemExit

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(owner, name, die)
        store.merge()
    shutil.copytree(tmp_path / "c", tmp_path / "dead")
    store.close()
    if state_lost:
        (tmp_path / "dead" / state.FILE).unlink()
        for left in (tmp_path / "dead/state").glob("crawl.sqlite-*"):
            left.unlink()
    else:
        with Store.open(tmp_path / "dead", write=False) as reader:
            assert urls(reader) == expected
    with Store.open(tmp_path / "dead") as opened:
        assert urls(opened) == expected and opened.count() == opened.count("links") == 12
        assert not opened.lost
        opened.merge()
        assert urls(opened) == expected
        assert len(whole_segments(tmp_path / "dead", "pages")) == 1


def test_a_damaged_merged_segment_is_made_good_by_those_it_was_merged_from(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 3)
    with Store.create(tmp_path / "c") as store:
        for number in range(9):
            commit(store, range(number, number + 1))
            store.merge()
        expected = urls(store)
    (merged,) = (tmp_path / "c/pages").iterdir()
    merged.write_bytes(merged.read_bytes()[:-9])
    with Store.open(tmp_path / "c") as store:
        assert urls(store) == expected and store.count() == 9 and not store.lost
        assert "those of the segments it was merged from" in store.messages[0]
    with Store.open(tmp_path / "c") as store:
        assert urls(store) == expected and not store.messages


def test_a_reader_that_listed_before_a_merge_still_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 3)
    with crawl(tmp_path / "c", commits=3) as store, Store.open(tmp_path / "c", write=False) as reader:
        files = reader.page_files()
        assert store.merge() == 4  # two fewer in each table
        rows = [url for batch in segments.batches(files, ["url"]) for url in batch.column("url").to_pylist()]
        assert rows == urls(store) == urls(reader)


def test_segments_merged_in_parts_keep_order_and_all_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "PART_BYTES", 1)
    name, paths = "links/00000001-00000003.parquet", []
    (tmp_path / "links").mkdir()
    for number, extra in ((1, {}), (2, {"place": [7]}), (3, {"mine": ["x"]})):
        rows = {"source": ["http://a.org/"], "anchor": [""], "target": [f"http://a.org/{number}"]}
        table = pa.table({**{field.name: pa.nulls(1, field.type) for field in LINKS}, **rows, **extra})
        segments.write_aside(tmp_path, f"links/{number:08d}.parquet", [table])
        paths.append(segments.aside(tmp_path, f"links/{number:08d}.parquet"))
    assert segments.write_aside(tmp_path, name, merging.parts_of(paths), [(1, 1), (2, 1), (3, 1)]) == 3
    whole = segments.read_whole(segments.aside(tmp_path, name))
    assert whole.column("target").to_pylist() == [f"http://a.org/{number}" for number in (1, 2, 3)]
    assert whole.column("mine").to_pylist() == [None, None, "x"]
    assert segments.commits_of(segments.aside(tmp_path, name)) == [(1, 1), (2, 1), (3, 1)]
    assert pq.ParquetFile(segments.aside(tmp_path, name)).num_row_groups == 3
