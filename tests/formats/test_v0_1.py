"""Files written by the first release still open: a crawl folder, rules, a topic model and a sites model."""

import shutil
from pathlib import Path

from garimpo.archive import Store
from garimpo.crawl import resume, status
from garimpo.dust import RuleSet
from garimpo.focus import TopicModel
from garimpo.sites import SiteModel

OLD = Path(__file__).parent / "v0_1"


def test_a_crawl_folder_opens_and_reads(tmp_path):
    shutil.copytree(OLD / "crawl", tmp_path / "c")
    with Store.open(tmp_path / "c", write=False) as store:
        urls = [url for batch in store.pages(["url"]) for url in batch.column("url").to_pylist()]
        assert len(urls) == 61
        assert store.record(urls[0]) is not None
    assert status(tmp_path / "c")["stored"] == 60


def test_a_crawl_folder_goes_on(tmp_path):
    shutil.copytree(OLD / "crawl", tmp_path / "c")
    resume(tmp_path / "c", {"max_seconds": 1})  # nothing answers there any more
    assert status(tmp_path / "c")["stored"] == 60


def test_rules_are_applied():
    rules = RuleSet.load(OLD / "rules.json")
    assert rules.key("http://a.org/q?sid=5") == rules.key("http://a.org/q?sid=6") != rules.key("http://a.org/r?sid=5")


def test_models_open():
    assert TopicModel.load(OLD / "topic.model").score(["telescope star galaxy"])[0] >= 0
    assert SiteModel.load(OLD / "sites.model") is not None
