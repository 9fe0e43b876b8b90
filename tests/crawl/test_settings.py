"""Settings, as they are kept and given."""

from pathlib import Path

import pytest

from garimpo.contract.errors import BadInput
from garimpo.crawl.settings import Settings, from_dict, from_toml, merged


def test_settings_come_back_as_they_were_kept(tmp_path: Path) -> None:
    settings = Settings(seeds=["http://a.example/"], max_pages=3, scope="host", headers=["A: b"])
    assert from_dict(settings.to_dict(), "x") == settings
    (tmp_path / "broken.toml").write_text("max-pages = [")
    with pytest.raises(BadInput, match=r"broken\.toml"):
        from_toml(tmp_path / "broken.toml")
    with pytest.raises(BadInput, match="max-pages"):
        from_dict({"max-pages": "many"}, "x")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"strategy": "deep"}, "Settings: strategy: .*'deep'.*garimpo, bfs, best"),
        ({"max_pages": "many"}, "Settings: max_pages: "),
        ({"max_pages": -1}, "Settings: max_pages: must not be negative"),
        ({"include": "("}, "Settings: include: "),
    ],
)
def test_what_python_gives_is_checked_and_named_as_there(values: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Settings(**values).check()  # type: ignore[arg-type]
    assert Settings(hosts=Path(__file__)).check()  # type: ignore[arg-type]


def test_what_conflicts_is_refused_and_what_is_given_replaces_its_other() -> None:
    shown = Settings(seeds=["http://a.example/"], positive=["good.jsonl"])
    with pytest.raises(BadInput, match="give one of them"):
        merged(Settings(seeds=["http://a.example/"]), {"topic": "t.model", "positive": ["good.jsonl"]})
    with pytest.raises(BadInput, match="best needs a topic"):
        Settings(seeds=["http://a.example/"], strategy="best").check()
    assert merged(shown, {"strategy": "best"}).strategy == "best"
    other = merged(shown, {"topic": "t.model"})
    assert other.topic == "t.model" and not other.positive
    assert merged(other, {"positive": ["good.jsonl"]}).topic is None
