"""The loop, closed: a crawl of the made web that learns while it runs, against the truth."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.archive import Store
from garimpo.contract import GarimpoError
from garimpo.crawl import Settings, crawl, skipped, status
from garimpo.crawl.gate.rule_record import first_checks
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.learner import Rounds
from garimpo.crawl.learning.topic_study import TopicStudy
from garimpo.demo.entities import run_sites
from garimpo.demo.measures import Ledger, measure_folder
from garimpo.demo.mirrors import measure_mirrors
from garimpo.focus import train


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loop") / "web"
    webgen.make(folder, profile="small", seed=11, static=True)
    return folder


@pytest.fixture(scope="module")
def server(web: Path) -> Iterator[webgen.Serving]:
    with webgen.serve(web) as serving:
        yield serving


def command(web: Path, server: webgen.Serving, out: Path, *flags: str, delay: str = "1") -> list[str]:
    return [
        sys.executable, "-m", "garimpo", "crawl", f"@{web / 'seeds.txt'}", "--out", str(out), "--scope", "all",
        "--strategy", "bfs", "--delay", delay, "--allow-private", "--resolve-all", server.address,
        "--hosts", str(web / "hosts"), "--json", *flags,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def learning(web: Path, server: webgen.Serving, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl through the command line, stopped when rules that it learned on the way have saved some fetches."""
    out = tmp_path_factory.mktemp("crawl") / "learning"
    process = subprocess.Popen(command(web, server, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not _has_saved(out, 150):
        time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate()
    assert process.returncode == 0, said
    assert json.loads(shown.splitlines()[-1])["learned"].get("rules"), "no rules were published while it ran"
    return out


def _has_stored(folder: Path, pages: int) -> bool:
    try:
        return status(folder)["stored"] >= pages
    except (GarimpoError, sqlite3.Error):
        return False


def _has_saved(folder: Path, fetches: int) -> bool:
    try:
        told = status(folder)
        return told["skipped"].get("dust", 0) >= 10 and told["skipped"]["dust"] + told["postponed"] >= fetches
    except (GarimpoError, sqlite3.Error):  # its first commit is not made yet
        return False


def test_rules_learned_on_the_way_save_fetches_and_lose_nothing(learning: Path, web: Path) -> None:
    found = measure_folder(learning, Ledger.read(web))
    assert found.avoided > 0
    assert found.false_skip_share <= 0.003, found.false_skips


def test_every_skip_names_its_rule_and_version(learning: Path) -> None:
    rows = [row for batch in skipped(learning) for row in batch.to_pylist() if row["reason"] == "dust"]
    assert rows
    assert all(row["rule"] and row["key"] and row["version"] >= 1 for row in rows)


def test_the_first_skips_of_every_rule_are_checked(learning: Path) -> None:
    with Store.open(learning, write=False) as store:
        trust = store.database.execute("select rule, host, skips, checks from trust").fetchall()
        out = Counter(store.database.execute(
            "select s.rule, h.name from skipped s join hosts h on h.id = s.host where s.checked > 0 and s.equal is null"
        ).fetchall())  # fmt: skip
    assert any(skips for _, _, skips, _ in trust)
    assert all(checks + out[rule, host] >= min(skips, first_checks(rule)) for rule, host, skips, checks in trust)


def test_no_wrong_fold_stands(learning: Path, web: Path) -> None:
    """Every fold that stands joins copies of one tree by the truth, or parts of hosts of one site."""
    assert measure_mirrors(learning, web).wrong == 0


def test_near_duplicates_are_seen(learning: Path) -> None:
    with Store.open(learning, write=False) as store:
        found = sum(len(batch) - batch.column(0).null_count for batch in store.pages(["duplicate_of"]))
    assert found > 0


def test_every_version_is_kept_with_its_evidence_and_can_be_rolled_back(learning: Path) -> None:
    with Store.open(learning, write=False) as store:
        versions = store.learned.versions("rules")
        assert store.learned.version("rules") == versions[-1]
        assert store.learned.evidence("rules")["pages"] > 0
    resumed = [sys.executable, "-m", "garimpo", "crawl", "--resume", str(learning), "--rollback", "rules:1", "--max-pages", "1"]
    done = subprocess.run(resumed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Store.open(learning, write=False) as store:
        assert store.learned.version("rules") == 1


def test_a_damaged_learned_folder_is_passed_over(learning: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(learning, copy)
    (copy / "learned" / "current.json").write_text("{ not json")
    resumed = [sys.executable, "-m", "garimpo", "crawl", "--resume", str(copy), "--max-pages", "1", "--no-learn"]
    done = subprocess.run(resumed, capture_output=True, text=True)
    assert done.returncode == 0 and "damaged" in done.stderr, done.stderr


def test_killed_while_learning_nothing_is_lost_and_every_url_is_accounted_for(
    web: Path, server: webgen.Serving, tmp_path: Path
) -> None:
    """Kills of the whole group, learner included, at random instants; then the crawl goes on to its budget."""
    out, chance = tmp_path / "killed", random.Random(5)
    begin = command(web, server, out, "--max-pages", "900", delay="0.3")
    go_on = [sys.executable, "-m", "garimpo", "crawl", "--resume", str(out)]
    for number in range(3):
        process = subprocess.Popen(
            begin if number == 0 else go_on, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and not _has_stored(out, 150 * (number + 1)):
            time.sleep(0.2)
        time.sleep(chance.random())
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    before = _stored(out)
    done = subprocess.run(go_on, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = _stored(out)
    assert after[: len(before)] == before and len(set(after)) == len(after)
    _everything_met_is_somewhere(out)


def _stored(folder: Path) -> list[str]:
    with Store.open(folder, write=False) as store:
        return [url for batch in store.pages(["url"]) for url in batch.column(0).to_pylist()]


def _everything_met_is_somewhere(folder: Path) -> None:
    """Every link target is fetched, queued or skipped."""
    with Store.open(folder, write=False) as store:
        db = store.database
        known = {url for table in ("fetched", "queue", "skipped") for (url,) in db.execute(f"select url from {table}")}
        met = {url for batch in store.links(["target"]) for url in batch.column(0).to_pylist()}
    assert not {url for url in met if url not in known and url.startswith("http://")}


def _focused(web: Path, server: webgen.Serving, out: Path, **settings: object) -> Path:
    seeds = (web / "seeds.txt").read_text().split()
    crawl(out, Settings(seeds=seeds, scope="all", delay=0.05, learn=False, hosts=str(web / "hosts"), max_pages=400,
                        resolve_all=server.address, allow_private=True, connections_per_address=16, **settings))  # fmt: skip
    return out


def _on_topic(folder: Path, topics: dict[str, str], topic: str) -> list[dict[str, str]]:
    with Store.open(folder, write=False) as store:
        rows = [row for batch in store.pages(["url", "status", "text"]) for row in batch.to_pylist()]
    return [row for row in rows if row["status"] == 200 and row["text"] and topics.get(row["url"]) == topic]


@pytest.fixture(scope="module")
def blind(web: Path, server: webgen.Serving, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A breadth-first crawl of few pages."""
    return _focused(web, server, tmp_path_factory.mktemp("blind") / "crawl", strategy="bfs")


def test_a_few_pages_of_a_topic_steer_the_crawl(web: Path, server: webgen.Serving, blind: Path, tmp_path: Path) -> None:
    """Topics learned from pages that a breadth-first crawl met lead to more such pages with the same budget.

    Which pages a crawl meets first depends on who answers first; so the topics are chosen by the truth, and counted together.
    """
    truth = webgen.truth(web)["pages"]
    topics = dict(zip(truth["url"].to_pylist(), truth["topic"].to_pylist()))
    sizes = Counter(topics.values())
    before = after = 0
    for topic in sorted(topic for topic, pages in sizes.items() if 500 <= pages < 600)[:3]:
        pages = _on_topic(blind, topics, topic)
        examples, model = tmp_path / f"{topic}.jsonl", tmp_path / f"{topic}.model"
        examples.write_text("".join(json.dumps({"url": row["url"], "text": row["text"]}) + "\n" for row in pages[:20]))
        train(examples, blind).save(model)
        steered = _focused(web, server, tmp_path / topic, topic=str(model))
        before, after = before + len(pages), after + len(_on_topic(steered, topics, topic))
        with Store.open(steered, write=False) as store:
            scores = [score for batch in store.pages(["score"]) for score in batch.column(0).to_pylist() if score is not None]
            assert store.learned.version("topic") == 1
        assert min(scores) >= 0 and max(scores) > 0.5
    assert after > before


def test_examples_alone_begin_a_crawl_and_the_model_grows_with_it(
    web: Path, server: webgen.Serving, blind: Path, tmp_path: Path
) -> None:
    """The study of the learner makes a better model of the examples and what was corpus."""
    topics = dict(zip(*(webgen.truth(web)["pages"][name].to_pylist() for name in ("url", "topic"))))
    pages = _on_topic(blind, topics, max(set(topics.values()), key=list(topics.values()).count))[:20]
    examples = tmp_path / "examples.jsonl"
    examples.write_text("".join(json.dumps({"url": row["url"], "text": row["text"]}) + "\n" for row in pages))
    out = _focused(web, server, tmp_path / "shown", positive=[str(examples)])
    with Corpus.open(out) as corpus:
        assert corpus.learned.evidence("topic")["method"] == "oneclass"
        Rounds(corpus, [TopicStudy(corpus)]).run()
        assert corpus.learned.version("topic") == 2 and corpus.learned.evidence("topic")["method"] == "auto"


def test_a_crawl_for_sites_finds_more_of_them_than_breadth_first(tmp_path: Path) -> None:
    """With the same pages and the same judge, against the truth, by a model learned on another web."""
    settings = Settings(scope="all", delay=0.05, allow_private=True, connections_per_address=16)
    blind, steered = run_sites(tmp_path, settings, budget=300, seed=13)
    assert steered.found >= max(8, 2 * blind.found), (blind, steered)
    assert steered.wrong <= steered.found / 2, (blind, steered)
