"""The dashboard is a process of its own: hung or killed, it changes nothing in the crawl."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from crawl.made import StoredPages, html
from garimpo.archive import Store
from garimpo.crawl import Components, Settings, crawl, resume
from ui.made import Shown

SITE = "http://a.example"
PAGES = 40


def site() -> StoredPages:
    links = "".join(f"<a href='/{number}'>go</a>" for number in range(PAGES))
    pages = [html(f"{SITE}/{number}", f"<title>{number}</title>page {number} with words of its own") for number in range(PAGES)]
    return StoredPages([html(f"{SITE}/", links), *pages])


def stored(folder: Path) -> list[str]:
    with Store.open(folder, write=False) as store:
        return sorted(url for batch in store.pages(["url"]) for url in batch.column("url").to_pylist())


def test_a_dashboard_that_hangs_and_is_killed_changes_nothing(tmp_path: Path) -> None:
    folder, fetcher = tmp_path / "crawl", site()
    crawl(folder, Settings(seeds=[f"{SITE}/"], learn=False, max_pages=5), Components(fetcher=fetcher, clock=fetcher.clock))
    command = [sys.executable, "-m", "garimpo", "ui", str(folder), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
    try:
        assert process.stdout is not None
        served = Shown(msgspec.json.decode(process.stdout.readline())["address"])
        assert served.ask("/api/now").json["status"]["stored"] == 5
        process.send_signal(signal.SIGSTOP)
        fetcher = site()
        result = resume(folder, {"max_pages": 0}, Components(fetcher=fetcher, clock=fetcher.clock))
        assert result["stored"] == PAGES + 1 and result["ended"] == "nothing left"
        process.send_signal(signal.SIGCONT)
        assert served.ask("/api/now").json["status"]["stored"] == PAGES + 1
    finally:
        process.kill()
        process.wait()
    assert stored(folder) == sorted([f"{SITE}/", *(f"{SITE}/{number}" for number in range(PAGES))])
