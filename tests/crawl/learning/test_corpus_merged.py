"""The learner's view of a crawl whose segments are merged under its hands."""

from archive.made import commit, crawl, urls
from garimpo.archive import Store
from garimpo.archive.folder import merging
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.settings import Settings


def test_a_learner_reads_no_row_twice_when_segments_are_merged(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 3)
    with crawl(tmp_path / "c", commits=2) as store, Store.open(tmp_path / "c", write=False) as reader:
        kept = Corpus(reader, Settings())
        assert kept.grow() == 8
        commit(store, range(8, 12))
        store.merge()
        assert kept.grow() == 4 and kept.grow() == 0
        assert kept.pages["url"].to_pylist() == urls(store)
