"""What a crawl says of where it stands: in words, the same numbers everywhere."""

from pathlib import Path

import msgspec
import pytest

from crawl.made import StoredPages, html
from crawl.watch.made import SITE, made_crawl, skip_by_rule
from garimpo.archive import Store
from garimpo.cli import app
from garimpo.crawl import Components, Settings, crawl, status
from garimpo.crawl.watch.journal import Journal
from garimpo.crawl.watch.outlook import outlook
from garimpo.crawl.watch.queries.broken import broken
from garimpo.crawl.watch.queries.savings import new_per_fetch, savings, savings_words

KNOWN = {"stored": 50, "pages": 48, "duplicates": 8, "errors": 2, "bytes": 1000, "queued": 20}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_crawl(tmp_path_factory.mktemp("status") / "crawl")


def journal(folder: Path, *lines: tuple[float, str, dict[str, object]]) -> Journal:
    """A log of so many lines, each at its second."""
    told = [{"at": f"2026-01-01T00:{at // 60:02.0f}:{at % 60:06.3f}+00:00", "event": kind, **more} for at, kind, more in lines]
    (folder / "crawl.log").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in told) + b"{half a li")
    return Journal(folder).read()


def progress(stored: int, queued: int, skipped: int = 0) -> dict[str, object]:
    new = stored // 2
    return {
        "stored": stored,
        "pages": stored,
        "duplicates": new,
        "errors": 0,
        "bytes": 0,
        "queued": queued,
        "skipped_dust": skipped,
    }


def test_a_status_says_what_may_still_come_what_was_in_vain_and_how_far_the_learner_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noindex = "<meta name=robots content=noindex>"
    links = "".join(f"<a href='/{kind}/{n}'>go</a>" for n in range(150) for kind in ("a", "b"))
    answers = [html(f"{SITE}/", links)]
    for n in range(150):
        answers += [html(f"{SITE}/a/{n}", " ".join(f"word{n}x{one}" for one in range(50))), html(f"{SITE}/b/{n}", noindex)]
    fetcher = StoredPages(answers)
    settings = Settings(seeds=[f"{SITE}/"], max_requests=202, strategy="bfs", delay=0.01)
    crawl(tmp_path / "c", settings, Components(fetcher=fetcher, clock=fetcher.clock))
    told = status(tmp_path / "c")
    assert told["noindex"] == 100 and told["queued"] == 100
    found = told["saturation"]
    assert (found["fetches"], found["new"], found["expected"]) == (100, 50, 50) and found["low"] < 50 < found["high"]
    assert app.run(["status", str(tmp_path / "c")]) == 0
    shown = capsys.readouterr().out
    assert "to come    40 to 60 new pages" in shown and "100 not to be indexed" in shown
    assert "learner    0 rounds, 201 answers behind" in shown


def test_a_running_crawl_says_since_when_how_far_and_until_when(tmp_path: Path) -> None:
    log = journal(tmp_path, (0, "start", {}), (0, "progress", progress(0, 1)), (60, "progress", progress(60, 20)))
    now = log.points[-1].at
    known = {**KNOWN, "stored": 60}
    told = outlook("c", known, log, Settings(max_pages=240), in_use=True, paused=False, now=now)
    assert told["state"] == "running" and told["rate"] == 1.0 and told["ends_at"] == now + 180
    assert told["sentence"] == "running since 00:00 (1 min): 60 of 240 pages (25 %), ends in about 3 min"
    assert outlook("c", known, log, Settings(), in_use=True, paused=True, now=now)["state"] == "paused"
    endless = outlook("c", known, log, Settings(), in_use=True, paused=False, now=now)
    assert endless["ends_at"] is None and "60 of 80 pages known so far" in endless["sentence"]


def test_one_that_was_cut_off_or_has_ended_says_how_to_go_on(tmp_path: Path) -> None:
    log = journal(tmp_path, (0, "start", {}), (9, "progress", progress(9, 1)))
    cut = outlook("my crawl", KNOWN, log, Settings(), in_use=False, paused=False, now=log.points[-1].at)
    assert cut["state"] == "cut off" and cut["sentence"].endswith("garimpo crawl --resume 'my crawl'")
    log = journal(tmp_path, (0, "start", {}), (9, "end", {"why": "nothing left", **progress(9, 0)}))
    done = outlook("c", KNOWN, log, Settings(), in_use=False, paused=False, now=log.points[-1].at)
    assert done["sentence"] == "ended 00:00 after 9.0 s: nothing is left to fetch"
    assert outlook("c", KNOWN, Journal(tmp_path / "none").read(), Settings(), False, False)["state"] == "not begun"


def test_time_that_nobody_crawled_in_does_not_count(tmp_path: Path) -> None:
    first = [(0, "start", {}), (10, "end", {"why": "stopped", **progress(10, 5)})]
    log = journal(tmp_path, *first, (1000, "start", {}), (1020, "progress", progress(20, 5)))
    assert [point.seconds for point in log.points] == pytest.approx([10, 30])


def test_numbers_of_line_log_status_and_tables_agree(folder: Path) -> None:
    told, log = status(folder), Journal(folder).read()
    last = log.points[-1]
    assert (told["stored"], told["queued"], told["errors"]) == (last.stored, last.queued, last.errors)
    assert told["different"] == last.different == told["pages"] - told["duplicates"]
    assert told["state"] == "ended" and told["begun_at"] == log.begun


def test_the_command_begins_with_a_sentence_and_leaves_zeros_out(folder: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    assert app.run(["status", str(folder)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("ended ") and not [line for line in lines if line.split()[1:] == ["0"]]
    assert app.run(["status", str(folder), "--errors"]) == 0
    assert capsys.readouterr().out == f"404 not found\t{SITE}/missing\t{SITE}/\n"
    assert app.run(["status", str(folder), "--watch"]) == 0


def test_what_failed_comes_with_the_page_that_links_to_it(folder: Path) -> None:
    with Store.open(folder, write=False) as store:
        (row,) = broken(store)
        assert (row["url"], row["status"], row["parent"]) == (f"{SITE}/missing", 404, f"{SITE}/")
        assert broken(store, search="nowhere") == []


def test_savings_are_as_sure_as_their_checks(tmp_path: Path) -> None:
    skip_by_rule(made_crawl(tmp_path / "crawl"))
    with Store.open(tmp_path / "crawl", write=False) as store:
        found = savings(store.database, 1)
    assert (found.checks, found.unequal) == (6, 1) and 0.5 < found.at_most < 0.6
    told = savings_words(found, 4, 3, learns=True)
    assert "saved 1 fetch." in told and "Of 6 checks 1 showed another page" in told
    assert savings_words(found._replace(saved=0), 4, 3, learns=True) == "Learning has saved no fetch so far."


def test_without_learning_what_was_skipped_is_fetched_too(tmp_path: Path) -> None:
    log = journal(tmp_path, (0, "start", {}), (0, "progress", progress(0, 1)), (10, "progress", progress(100, 1, skipped=100)))
    with_it, without = new_per_fetch(log.points, error=0.1)
    assert with_it == [(10.0, 0.5)] and without == [(10.0, pytest.approx(60 / 200))]
