"""A dashboard on a socket, and a browser to look at it with."""

import http.client
import queue
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import pytest

from garimpo.ui import serve

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
PATIENCE = 120.0
"""Seconds that a test waits for an event before it gives up: a busy machine may need them."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.text)


class Shown:
    """A dashboard that is being served."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.base, _, self.token = address.partition("/?token=")
        self.netloc = self.base.removeprefix("http://")

    def ask(self, path: str, *, method: str = "GET", token: str | None = None, body: str | None = None, **headers: str) -> Answer:
        """One request, with the token unless another is given."""
        known = {"Authorization": f"Bearer {self.token if token is None else token}"}
        known |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.netloc, timeout=PATIENCE)
        try:
            connection.request(method, path, body, known)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read().decode("utf-8", "replace"))
        finally:
            connection.close()

    def wish(self, **fields: object) -> Answer:
        """Ask the crawl for something, as a button does."""
        return self.ask("/wish", method="POST", body=urlencode(fields))


@contextmanager
def shown(folder: Path) -> Iterator[Shown]:
    """Serve a folder in a thread of its own."""
    addresses: queue.Queue[str] = queue.Queue()
    over = threading.Event()
    server = threading.Thread(target=serve, args=(folder,), kwargs={"ready": addresses.put, "stop": over.is_set}, daemon=True)
    server.start()
    try:
        yield Shown(addresses.get(timeout=PATIENCE))
    finally:
        over.set()
        server.join(PATIENCE)
        assert not server.is_alive()


@contextmanager
def browser(width: int = 1200, height: int = 900) -> Iterator[Any]:
    """A Chromium that can reach nothing but loopback; it keeps a record of what it asks for."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no chromium and chromedriver here")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    for flag in (*FLAGS, f"--window-size={width},{height}"):
        options.add_argument(flag)
    window = webdriver.Chrome(options, Service(driver))
    window.set_page_load_timeout(PATIENCE)
    try:
        yield window
    finally:
        window.quit()


def asked_for(window: Any) -> set[str]:
    """The addresses that the browser has asked for since this was called last."""
    events = (msgspec.json.decode(line["message"])["message"] for line in window.get_log("performance"))
    return {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
