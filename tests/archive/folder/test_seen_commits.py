"""A table read as it grows gives every row once, while its segments are merged."""

from archive.made import commit
from garimpo.archive import Store
from garimpo.archive.folder import merging
from garimpo.archive.folder.seen_commits import SeenCommits
from garimpo.archive.folder.segments import open_segment


def test_rows_of_merged_segments_come_once(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)
    seen, found = SeenCommits(), []
    with Store.create(tmp_path / "c") as store:
        for number in range(40):
            commit(store, range(number, number + 1))
            store.merge()
            if number % 3 == 0:
                for file, commits in seen.unseen(store.page_files()):
                    table = open_segment(file).read(["url"])
                    found += [url for one in commits for url in table.slice(one.begin, one.rows)["url"].to_pylist()]
        assert len(store.page_files()) < 10
    assert found == [f"http://a.example/{number}" for number in range(40)]
