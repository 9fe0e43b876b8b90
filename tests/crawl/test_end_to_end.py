"""Crawls of the made web over a real socket, from the command line."""

import os
import random
import signal
import subprocess
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from protego import Protego

from crawling import command, contents, run
from garimpo import webgen
from garimpo.webgen import Serving


def test_a_crawl_keeps_every_page_once_and_its_records(web: Path, server: Serving, flags: list[str], tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    result = msgspec.json.decode(run("crawl", *flags, "--out", out, "--json").splitlines()[-1])
    rows = contents(out)
    assert result["ended"] == "nothing left" and result["queued"] == 0
    assert len(rows) == len({url for url, _, _ in rows}) == result["stored"] + result["redirects"]
    asked = Counter(f"http://{host}{target}" for _, host, target, _ in server.log())
    assert {asked[url] for url, _, _ in rows} == {1}
    assert '"plain_share":1.0' in (out / "crawl.log").read_text().splitlines()[-1]  # pages of the made web are plain
    shown = run("status", out)
    assert f"stored     {result['stored']:,}" in shown and shown.startswith("ended ")
    from garimpo.archive import Store

    with Store.open(out, write=False) as store:
        url = next(url for url, status, _ in rows if status == 200)
        assert store.record(url).status == 200


def starts(folder: Path) -> int:
    log = folder / "crawl.log"
    return log.read_text().count('"event":"start"') if log.exists() else 0


@pytest.mark.parametrize("workers", [0, 2])
def test_kills_lose_nothing_and_store_nothing_twice(
    web: Path, server: Serving, flags: list[str], tmp_path: Path, workers: int
) -> None:
    draw = random.Random(workers)
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    run("crawl", *flags, "--out", calm)
    arguments: list[object] = ["crawl", *flags, "--out", killed, "--workers", workers, "--bandwidth", 400_000]
    for _ in range(4):
        process = subprocess.Popen(command(*arguments), stderr=subprocess.DEVNULL, start_new_session=True)
        started_before = starts(killed)
        while starts(killed) == started_before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.random() * 1.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        arguments = ["crawl", "--resume", killed]
    run("crawl", "--resume", killed, "--bandwidth", 0)
    assert contents(killed) == contents(calm)


def test_the_access_log_shows_no_delay_and_no_robots_violation(
    web: Path, server: Serving, flags: list[str], tmp_path: Path
) -> None:
    delay = 0.2
    start = flags.index("--delay")
    polite = [*flags[:start], *flags[start + 2 : -2], "--delay", str(delay), "--max-pages", "150"]
    run("crawl", *polite, "--out", tmp_path / "crawl")
    addresses = dict(reversed(line.split()[:2]) for line in (web / "hosts").read_text().splitlines() if line.strip())
    times: dict[str, list[float]] = defaultdict(list)
    for at, host, _, _ in server.log():
        times[host].append(at)
        times[addresses.get(host, host)].append(at)
    gaps = [later - sooner for several in times.values() for sooner, later in pairwise(several)]
    assert len(gaps) > 50
    assert min(gaps) >= delay - 0.002
    world = webgen.open_world(web)
    hosts = {host for _, host, _, _ in server.log()}
    files = {host: world.answer(f"http://{host}/robots.txt").body for host in hosts}
    rules = {host: Protego.parse(body.decode("utf-8", "replace")) for host, body in files.items()}
    asked = [(host, f"http://{host}{target}") for _, host, target, _ in server.log() if target != "/robots.txt"]
    assert all(rules[host].can_fetch(url, "garimpo") for host, url in asked)


def test_ctrl_c_stops_soon_and_resume_goes_on(web: Path, server: Serving, flags: list[str], tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    process = subprocess.Popen(command("crawl", *flags, "--out", out, "--bandwidth", 100_000), stderr=subprocess.PIPE)
    while not any((out / "pages").glob("*.parquet")) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0  # at this bandwidth the whole web would take minutes
    before = contents(out)
    run("crawl", "--resume", out, "--bandwidth", 0)
    after = contents(out)
    assert before and set(before) < set(after) and len(after) == len(set(after))


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_ends_a_crawl_with_its_last_commit(
    server: Serving, flags: list[str], tmp_path: Path, number: int
) -> None:
    out = tmp_path / "crawl"
    process = subprocess.Popen(command("crawl", *flags, "--out", out, "--bandwidth", 100_000), stderr=subprocess.PIPE)
    while not any((out / "pages").glob("*.parquet")) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(60) == 0 and '"event":"end"' in (out / "crawl.log").read_text()


def test_a_folder_that_loses_its_tables_while_it_is_crawled_ends_with_a_line(
    web: Path, server: Serving, flags: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "crawl"
    process = subprocess.Popen(command("crawl", *flags, "--out", out, "--bandwidth", 100_000), stderr=subprocess.PIPE, text=True)
    while not any((out / "pages").glob("*.parquet")) and process.poll() is None:
        time.sleep(0.05)
    (out / "pages").rename(tmp_path / "away")
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "Traceback" not in told and "pages" in told.splitlines()[-1]
    for path in (tmp_path / "away").iterdir():
        (out / "pages").mkdir(exist_ok=True)
        path.rename(out / "pages" / path.name)
    run("crawl", "--resume", out, "--bandwidth", 0)
    run("crawl", *flags, "--out", tmp_path / "calm")
    assert contents(out) == contents(tmp_path / "calm")


def test_budgets_hold(web: Path, server: Serving, flags: list[str], tmp_path: Path) -> None:
    result = msgspec.json.decode(run("crawl", *flags, "--out", tmp_path / "a", "--max-pages", 37, "--json").splitlines()[-1])
    assert result["stored"] == 37 and result["ended"] == "page budget spent"
    run("crawl", *flags, "--out", tmp_path / "b", "--max-pages-per-host", 3)
    per_host: dict[str, int] = defaultdict(int)
    for url, status, _ in contents(tmp_path / "b"):
        per_host[url.split("/")[2]] += status < 300 or status >= 400
    assert max(per_host.values()) == 3
    run("crawl", *flags, "--out", tmp_path / "c", "--max-depth", 0)
    assert len(contents(tmp_path / "c")) <= len((web / "seeds.txt").read_text().split())


def test_a_damaged_state_file_is_rebuilt_from_the_tables(web: Path, server: Serving, flags: list[str], tmp_path: Path) -> None:
    out, calm = tmp_path / "crawl", tmp_path / "calm"
    run("crawl", *flags, "--out", calm)
    run("crawl", *flags, "--out", out, "--max-pages", 100)
    state = out / "state" / "crawl.sqlite"
    state.write_bytes(state.read_bytes()[:4096] + b"x" * (state.stat().st_size - 4096))  # it opens, and is damaged inside
    told = subprocess.run(command("status", out), capture_output=True, text=True)
    assert told.returncode == 1 and len(told.stderr.splitlines()) == 1 and "rebuilds it" in told.stderr
    state.write_bytes(b"not a database" * 1000)
    done = subprocess.run(command("crawl", "--resume", out, "--max-pages", 0), capture_output=True, text=True)
    assert done.returncode == 0 and "rebuilt from the tables" in done.stderr
    assert contents(out) == contents(calm)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x"], "no seed given"),
        (["http://a.example/"], "--out"),
        (["ftp://a.example/", "--out", "x"], "not an http(s) URL"),
        (["@nothing.txt", "--out", "x"], "nothing.txt: No such file"),
        (["http://127.0.0.1/", "--out", "x"], "--allow-private"),
        (["http://a.example/", "--out", "x", "--delay", "-1"], "--delay: must not be negative"),
        (["http://a.example/", "--out", "x", "--include", "("], "no regular expression"),
        (["--resume", "nowhere"], "no crawl folder"),
        (["http://a.example/", "--out", "x", "--schemes", "ftp"], "neither http nor https"),
        (["http://a.example/", "--out", "x", "--metrics-port", "70000"], "is no port"),
        (["http://a.example/", "--out", "x", "--hosts", "junk"], "junk:1: 'junk' is not an IP address"),
        (["http://a.example/", "--out", "x", "--known", "."], "no crawl folder"),
        (["http://a.example/", "--out", "x", "--sign-key", "junk"], "no private key"),
        (["http://a.example/", "--out", "x", "--rules", "junk"], "junk"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "junk").write_text("junk\n")
    done = subprocess.run(command("crawl", *arguments), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_a_seed_file_with_a_broken_line_names_it(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("# mine\nhttp://a.example/\n:::\n")
    assert "seeds.txt:3" in run("crawl", f"@{tmp_path / 'seeds.txt'}", "--out", tmp_path / "x", code=2)


def test_an_unreachable_seed_is_said(tmp_path: Path) -> None:
    error = run("crawl", "http://a.example/", "--out", tmp_path / "x", "--resolve-all", "127.0.0.1:1", "--delay", 0, code=1)
    assert "no seed could be reached" in error and "no connection" in error


def test_a_folder_with_another_crawl_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "crawl.toml").write_text("format = 1\n")
    assert "holds a crawl already" in run("crawl", "http://a.example/", "--out", tmp_path / "x", code=2)


def test_an_unknown_setting_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text('max-page = 3\nseeds = ["http://a.example/"]\n')
    error = run("crawl", "--settings", tmp_path / "crawl.toml", "--out", tmp_path / "x", code=2)
    assert "did you mean max-pages" in error
