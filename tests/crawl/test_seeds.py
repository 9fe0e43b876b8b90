"""The URLs a crawl begins with."""

from pathlib import Path

import pytest

from garimpo.contract.errors import BadInput
from garimpo.crawl.seeds import read_seeds


def test_files_of_seeds_stand_in_their_place(tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("# two\nhttp://b.example/x\n\nc.example\n")
    assert read_seeds(["a.example", f"@{tmp_path / 'seeds'}", "http://d.example"]) == [
        "http://a.example/", "http://b.example/x", "http://c.example/", "http://d.example/",
    ]  # fmt: skip


def test_what_is_no_url_names_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("http://b.example/\nftp://no\n")
    with pytest.raises(BadInput, match=r"seeds:2"):
        read_seeds([f"@{tmp_path / 'seeds'}"])
    (tmp_path / "seeds").write_text("# nothing\n")
    with pytest.raises(BadInput, match="no URL in it"):
        read_seeds([f"@{tmp_path / 'seeds'}"])
    with pytest.raises(BadInput, match=r"absent"):
        read_seeds([f"@{tmp_path / 'absent'}"])
