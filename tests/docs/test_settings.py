"""The settings are written once: help, `crawl.toml` and the documents say the same."""

import tomllib
from pathlib import Path

from docs.made import ROOT
from garimpo.archive.folder.configuration import read_settings, write_settings
from garimpo.crawl.settings import Settings, comments, from_dict, reference, setting_texts


def test_every_setting_has_a_text_and_a_group() -> None:
    texts = setting_texts()
    assert list(texts) == list(Settings.__struct_fields__)
    assert all(text.text.endswith(".") and text.group for text in texts.values())


def test_the_page_of_the_documents_is_up_to_date() -> None:
    written = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert written == reference() + "\n", "make it anew: the page says how"


def test_crawl_toml_says_what_each_setting_is_for(tmp_path: Path) -> None:
    settings = Settings(seeds=["http://a.org/"], delay=0.5, include=["a", "b"])
    (tmp_path / "state").mkdir()
    write_settings(tmp_path, settings.to_dict(), comments())
    text = (tmp_path / "crawl.toml").read_text()
    assert "# Seconds between two requests to one host, and to one address.\ndelay = 0.5\n" in text
    assert tomllib.loads(text)["include"] == ["a", "b"]
    assert from_dict(read_settings(tmp_path)[0], "crawl.toml") == settings
