"""Make the pictures of the documents: a crawl of a made web, looked at while it runs and when it has ended.

    python docs/screenshots.py

Needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver), and the extras `ui` and `test`.
"""

import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

from garimpo import webgen
from garimpo.crawl import status
from garimpo.crawl.watch.report import crawl_report
from garimpo.ui import serve

IMAGES = Path(__file__).parent / "images"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
WIDTH, HEIGHT = 1280, 900
PAGES, LOOK_AT = 2000, 1200


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--window-size={WIDTH},{HEIGHT}"):
        options.add_argument(flag)
    window = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield window
    finally:
        window.quit()


@contextmanager
def shown(folder: Path) -> Iterator[str]:
    """The address of the dashboard of a folder."""
    addresses: Queue[str] = Queue()
    over = threading.Event()
    server = threading.Thread(target=serve, args=(folder,), kwargs={"ready": addresses.put, "stop": over.is_set})
    server.start()
    try:
        yield addresses.get()
    finally:
        over.set()
        server.join()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, browser() as window:
        folder = Path(place) / "crawl"
        webgen.make(Path(place) / "web", "small", seed=3)
        with webgen.serve(Path(place) / "web") as server:
            words = [f"@{Path(place) / 'web' / 'seeds.txt'}", "--out", str(folder), "--scope", "all", "--max-pages", str(PAGES)]
            words += ["--resolve-all", server.address, "--allow-private", "--delay", "0.5", "--connections-per-address", "64"]
            crawl = subprocess.Popen([sys.executable, "-m", "garimpo", "crawl", *words], stderr=subprocess.DEVNULL)
            while not (folder / "crawl.log").exists() or status(folder)["stored"] < LOOK_AT:
                time.sleep(0.2)
            with shown(folder) as address:
                window.get(address)
                window.save_screenshot(str(IMAGES / "ui-now.png"))
            crawl.wait()
        with shown(folder) as address:
            window.get(address)
            base = address.partition("/?")[0]
            for path, name in (("/skipped?reason=dust", "ui-skipped"), ("/rules", "ui-rules")):
                window.get(base + path)
                window.save_screenshot(str(IMAGES / f"{name}.png"))
        crawl_report(folder).write(Path(place) / "report.html")
        window.get((Path(place) / "report.html").as_uri())
        window.save_screenshot(str(IMAGES / "report.png"))


if __name__ == "__main__":
    main()
