"""What a person says of pages: lines that are added, and the newest counts."""

from pathlib import Path

from garimpo.crawl import labels


def test_the_later_word_counts(tmp_path: Path) -> None:
    assert labels.read(tmp_path) == {}
    labels.say(tmp_path, "http://A.example/x#top", good=True)
    labels.say(tmp_path, "http://b.example/", good=True)
    labels.say(tmp_path, "http://a.example/x", good=False)
    assert labels.read(tmp_path) == {"http://a.example/x": False, "http://b.example/": True}


def test_lines_that_say_nothing_are_passed_over(tmp_path: Path) -> None:
    labels.say(tmp_path, "http://a.example/", good=True)
    with (tmp_path / "control" / "labels.jsonl").open("ab") as file:
        file.write(
            b'{"url": 7}\nnonsense\n\xff\xfe\n{"url": "http://b.example/", "good": true, "by": "me"}\n{"url": "http://c.exa'
        )
    assert labels.read(tmp_path) == {"http://a.example/": True, "http://b.example/": True}
