"""The add-on beside other people's: scrapy-poet's, and the fingerprinter of duplicate-url-discarder."""

import json
from pathlib import Path

import pytest

from integrations.scrapy.made import ADDON, Site, crawl, serving

pytest.importorskip("scrapy")

PAGES = 60


def test_beside_scrapy_poet(tmp_path: Path) -> None:
    pytest.importorskip("scrapy_poet")
    with serving(Site(PAGES)) as site:
        found = crawl(site, tmp_path / "out.jl", {"ADDONS": {**ADDON["ADDONS"], "scrapy_poet.Addon": 300}})
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert found.stats["garimpo/rules"] >= 1 and found.stats["garimpo/skipped/dust"] > PAGES


def test_beside_duplicate_url_discarder(tmp_path: Path) -> None:
    """It takes `other` off for its fingerprints; `sid`, which it does not know, is learned."""
    pytest.importorskip("duplicate_url_discarder")
    rules = tmp_path / "rules.json"
    known = {"args": ["other"], "order": 1, "processor": "queryRemoval", "urlPattern": {"include": []}}
    rules.write_text(json.dumps([known]))
    settings = {
        **ADDON,
        "REQUEST_FINGERPRINTER_CLASS": "duplicate_url_discarder.Fingerprinter",
        "DUD_LOAD_RULE_PATHS": [str(rules)],
        "LOG_LEVEL": "CRITICAL",  # its list of suffixes may want the network
    }
    with serving(Site(PAGES)) as site:
        found = crawl(site, tmp_path / "out.jl", settings)
    assert found.stats["reason"] == "finished" and found.names(site) == site.names()
    assert found.stats["garimpo/rules"] >= 1 and found.stats["garimpo/skipped/dust"] > PAGES
    with serving(Site(PAGES, "other")) as site:
        found = crawl(site, tmp_path / "known.jl", settings)
    assert found.stats["reason"] == "finished" and len(site.asked) <= PAGES + 2
