"""The loader of METER's folder layout, on a made folder: slashes and blanks in its lists, stories, labels, outlets."""

import json
from pathlib import Path

import pytest

from garimpo.cli.app import run
from garimpo.contract import BadInput

EXPERIMENTS = Path(__file__).parents[2] / "experiments" / "similarity"


@pytest.fixture
def corpora(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    return pytest.importorskip("corpora")


@pytest.fixture
def meter(tmp_path: Path) -> Path:
    texts = {
        "PA/rawtexts/courts/12.07.99/banker/banker1.txt": "A banker was fined seven hundred pounds today for caf\xe9 theft",
        "PA/rawtexts/showbiz/13.07.99/singer/singer1.txt": "The singer opened a tour of twelve towns on Monday night",
        "newspapers/rawtexts/courts/12.07.99/banker/banker2_sun.txt": "Banker fined seven hundred pounds for caf\xe9 theft",
        "newspapers/rawtexts/showbiz/13.07.99/singer/singer9_times.txt": "Nobody saw it coming, says the mayor of towns",
    }
    for name, text in texts.items():
        path = tmp_path / "meter" / "meter_corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1"))
    lists = {
        "courts/PA_court_files.txt": ["/meter_corpus/PA/rawtexts/courts/12.07.99/banker/banker1.txt "],
        "courts/wholly_derived.txt": ["meter_corpus/newspapers/rawtexts/courts/12.07.99/ banker/banker2_sun.txt", ""],
        "showbiz/PA_showbiz_files.txt": ["PA/rawtexts/showbiz/13.07.99/singer/singer1.txt"],
        "showbiz/non_derived.txt": ["newspapers/rawtexts/showbiz/13.07.99/singer/singer9_times.txt"],
    }
    for name, lines in lists.items():
        path = tmp_path / "meter" / "file_index" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines))
    return tmp_path / "meter"


def test_stories_labels_and_outlets(corpora, meter):
    rows = corpora.read(meter)
    assert [(row["group"], row["outlet"], row["label"], row["story"]) for row in rows] == [
        ("produced", "PA", None, "courts/12.07.99/banker"),
        ("published", "sun", "wholly", "courts/12.07.99/banker"),
        ("produced", "PA", None, "showbiz/13.07.99/singer"),
        ("published", "times", "non", "showbiz/13.07.99/singer"),
    ]
    assert "caf\xe9" in rows[0]["text"]
    made = corpora.as_news(rows)
    assert made.derived.tolist() == [0] and made.relevant.tolist() == [[True, False]]


def test_it_goes_through_the_commands(corpora, meter, tmp_path, capsys):
    corpora.write(corpora.read(meter), tmp_path / "out")
    ranking, out = str(tmp_path / "ranking.parquet"), tmp_path / "out"
    assert run(["rank", str(out / "articles.jsonl"), str(out / "sources.jsonl"), "--out", ranking]) == 0
    capsys.readouterr()
    assert run(["evaluate", ranking, str(out / "truth.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["queries"], found["without_answer"], found["map"]) == (1, 1, 1.0)


def test_what_is_wrong_is_named(corpora, meter, tmp_path):
    (meter / "meter_corpus/PA/rawtexts/showbiz/13.07.99/singer/singer1.txt").unlink()
    with pytest.raises(BadInput, match=r"singer1\.txt, which is not there"):
        corpora.read(meter)
    lines = tmp_path / "own.jsonl"
    lines.write_text('{"text": "a b", "story": "s", "group": "produced"}\n{"text": "a b", "group": "published"}\n')
    with pytest.raises(BadInput, match="line 2: no story"):
        corpora.read(lines)
