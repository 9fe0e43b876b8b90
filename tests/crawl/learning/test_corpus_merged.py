"""The learner's view of a crawl whose segments are merged under its hands."""

import pyarrow as pa

from archive.made import commit, crawl, urls
from garimpo.archive import Store
from garimpo.archive.folder import merging
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.settings import Settings


def test_a_learner_reads_no_row_twice_when_segments_are_merged(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 3)
    with crawl(tmp_path / "c", commits=2) as store, Store.open(tmp_path / "c", write=False) as reader:
        kept = Corpus(reader, Settings())
        met = [segment.pages for segment in kept.segments()]
        assert kept.rows == 8
        commit(store, range(8, 12))
        store.merge()
        met += [segment.pages for segment in kept.segments()]
        assert kept.rows == 12 and not list(kept.segments())
        assert pa.concat_tables(met)["url"].to_pylist() == urls(store)


def test_a_learner_that_begins_again_is_given_what_it_has_not_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 3)
    with crawl(tmp_path / "c", commits=4) as store, Store.open(tmp_path / "c", write=False) as reader:
        store.merge()
        kept = Corpus(reader, Settings())
        commits = [segment.commit for segment in kept.segments()]
        kept.rewind(commits[1])
        assert [segment.commit for segment in kept.segments()] == commits[2:]
        assert kept.rows == 16
