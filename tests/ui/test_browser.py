"""The dashboard in a real Chromium: on a finished crawl of a hostile site, and on one that runs."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from garimpo import webgen
from garimpo.crawl import status
from garimpo.crawl.watch.report import crawl_report
from garimpo.ui.views import VIEWS
from ui.made import PATIENCE, Shown, asked_for, browser, shown
from ui.test_application import ASKED

PHONE = 390


@pytest.fixture(scope="module")
def window() -> Iterator[Any]:
    with browser() as made:
        yield made


def wait_for(true: Callable[[], Any]) -> None:
    """Wait until something is true; fail when it does not come true."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


def look_at_all(window: Any, served: Shown, asked: dict[str, str]) -> None:
    """Open every view, at two widths: nothing runs, nothing is fetched from elsewhere, nothing scrolls sideways."""
    asked_for(window)
    for width in (1200, PHONE):
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width == PHONE}
        window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        window.get(served.address)
        for view in VIEWS:
            window.get(served.base + view.path + asked.get(view.path, ""))
            assert window.find_element("tag name", "h1").text == view.title
            assert window.execute_script("return window.owned") is None
            assert window.execute_script("return document.documentElement.scrollWidth") <= width, view.path
            for details in window.find_elements("css selector", "details:not([open]) > summary")[:3]:
                details.click()
    window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    wrong = {url for url in asked_for(window) if not url.startswith((f"{served.base}/", "data:"))}
    assert not wrong
    assert not [line for line in window.get_log("browser") if "Refused" in line["message"] or line["level"] == "SEVERE"]


def test_every_view_of_a_finished_hostile_crawl_is_inert(window: Any, finished: Path) -> None:
    with shown(finished) as served:
        look_at_all(window, served, ASKED)


def test_the_report_of_a_hostile_crawl_is_inert_and_fits_a_phone(window: Any, finished: Path, tmp_path: Path) -> None:
    crawl_report(finished).write(tmp_path / "report.html")
    size = {"width": PHONE, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    asked_for(window)
    window.get((tmp_path / "report.html").as_uri())
    assert window.execute_script("return window.owned") is None
    assert window.execute_script("return document.documentElement.scrollWidth") <= PHONE
    assert all(url.startswith("file:") for url in asked_for(window))
    window.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    """A crawl of a made web in a process of its own, of which at least 20 pages are stored."""
    webgen.make(tmp_path / "web", "small", seed=5, hosts=20, urls=800)
    with webgen.serve(tmp_path / "web") as server:
        words = [f"@{tmp_path / 'web' / 'seeds.txt'}", "--out", str(tmp_path / "crawl"), "--scope", "all", "--allow-private"]
        words += ["--resolve-all", f"127.0.0.1:{server.port}", "--delay", "1", "--connections-per-address", "20"]
        log = (tmp_path / "log").open("wb")
        process = subprocess.Popen([sys.executable, "-m", "garimpo", "crawl", *words], stderr=log, env=os.environ)
        try:
            wait_for(lambda: (tmp_path / "crawl" / "state" / "crawl.sqlite").exists() and process.poll() is None)
            wait_for(lambda: (tmp_path / "crawl" / "pages").is_dir() and any((tmp_path / "crawl" / "pages").iterdir()))
            wait_for(lambda: status(tmp_path / "crawl")["stored"] >= 20)
            yield tmp_path / "crawl"
        finally:
            process.terminate()
            process.wait(PATIENCE)
            log.close()


def test_a_running_crawl_is_shown_live_and_does_what_is_asked(window: Any, running: Path) -> None:
    with shown(running) as served:
        asked = {**ASKED, "/tree": f"?host={served.ask('/api/hosts').json['hosts'][0]['host']}", "/url": "?url=http://a.example/"}
        asked["/difference"] = "?a=http://a.example/&b=http://b.example/"
        look_at_all(window, served, asked)
        window.get(served.base + "/")
        wait_for(lambda: int(window.find_element("tag name", "html").get_attribute("data-updates") or 0) >= 2)
        assert "running" in window.find_element("id", "state").text
        _click(window, "pause")
        wait_for(lambda: status(running)["state"] == "paused")
        stored = status(running)["stored"]
        wait_for(lambda: "paused" in window.find_element("id", "state").text)
        window.get(served.base + "/")
        _click(window, "go on")
        wait_for(lambda: status(running)["state"] == "running" and status(running)["stored"] > stored)
        left = served.ask("/api/exclude?pattern=.").json["matches"]
        assert left > 0 and served.wish(wish="exclude", pattern=".").status == 303
        wait_for(lambda: status(running)["skipped"].get("scope", 0) >= left / 2)
        assert "exclude = [" in (running / "crawl.toml").read_text()


def _click(window: Any, label: str) -> None:
    next(button for button in window.find_elements("tag name", "button") if button.text == label).click()
    wait_for(lambda: window.find_elements("class name", "said"))
