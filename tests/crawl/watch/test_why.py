"""What a crawl folder tells of one URL."""

from pathlib import Path

import pytest

from crawl.watch.made import EVIL, RULE, SITE, made_crawl, skip_by_rule
from garimpo.cli import app
from garimpo.contract import BadInput
from garimpo.crawl import why


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_crawl(tmp_path_factory.mktemp("why") / "crawl")


@pytest.mark.parametrize(
    ("url", "state", "said"),
    [
        (f"{SITE}/one", "fetched", "it was fetched"),
        (f"{SITE}/missing", "fetched", "404"),
        (f"{SITE}/forbidden", "skipped", "robots.txt"),
        (f"{SITE}/later", "queued", "turn"),
        ("http://other.example/", "skipped", "site"),
        (f"{SITE}/nobody-links-here", "never met", "no page that was read links to it"),
        ("http://third.example/", "never met", "would not be fetched: its site is not one of the seeds' sites"),
        ("a.example/two", "fetched", "it was fetched"),
    ],
)
def test_every_fate_has_its_reason(folder: Path, url: str, state: str, said: str) -> None:
    told = why(folder, url)
    assert told["state"] == state and said in told["why"]


def test_a_fetched_page_comes_with_its_history(folder: Path) -> None:
    told = why(folder, f"{SITE}/one")
    assert told["parent"] == f"{SITE}/" and told["depth"] == 1 and told["status"] == 200
    assert [event["event"] for event in told["history"]] == ["met", "fetched"]
    assert told["shape"] == "/*" and told["shape_fetched"] >= 3 and 0 < told["expected_gain"] <= 1


def test_a_skip_names_its_rule_the_evidence_and_who_stands_for_it(tmp_path: Path) -> None:
    url = skip_by_rule(made_crawl(tmp_path / "crawl"))
    told = why(tmp_path / "crawl", url)
    assert told["state"] == "skipped" and told["rule"] == RULE.id and told["owner"] == f"{SITE}/one"
    assert told["rule_in_words"] == "the parameter sid does not count"
    assert told["evidence"] == {"skips": 9, "checks": 6, "unequal": 1, "withdrawn": False} and told["owner_status"] == 200
    later = why(tmp_path / "crawl", f"{SITE}/two?sid=8")
    assert later["state"] == "postponed" and later["score"] == pytest.approx(0.6)


@pytest.mark.parametrize("url", ["ftp://a.example/", "", "http://", "mailto:x"])
def test_what_is_no_url_is_refused(folder: Path, url: str) -> None:
    with pytest.raises(BadInput, match="not an http"):
        why(folder, url)


def test_the_command_says_it_in_lines_without_control_characters(folder: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    assert app.run(["why", str(folder), f"{SITE}/missing"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("fetched: ")
    assert app.run(["why", str(folder), EVIL + "\x1b[2J"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert app.run(["why", str(folder), "nonsense://"]) == 2
