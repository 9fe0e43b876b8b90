"""An application that runs while it is needed: started by the first request, stopped by `close`."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from realweb.answers import Answer, Answers
from realweb.application import Application
from realweb.packages import Missing

START_SECONDS = 60.0
TIMEOUT = 120.0
AGENT = "realweb"


class Upstream:
    """The server process of one application."""

    def __init__(self, application: Application, folder: Path) -> None:
        self._application, self._folder = application, folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    def ask(self, url: str) -> Answer:
        """Send one GET; the name in the URL goes along as `Host`, the socket goes to the process."""
        self._start()
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
        try:
            connection.request(
                "GET", target, headers={"Host": parts.netloc, "User-Agent": AGENT, "Accept": "text/html,*/*;q=0.5"}
            )
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def close(self) -> None:
        """Stop the process and whatever it started."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None

    def _start(self) -> None:
        with self._lock:
            if self._process is not None:
                return
            self._port = free_port()
            command = self._application.serve(self._folder, self._port)
            with (self._folder / "server.log").open("ab") as log:
                self._process = subprocess.Popen(
                    [str(part) for part in command.arguments],
                    cwd=self._folder,
                    env={**os.environ, **command.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self._wait()

    def _wait(self) -> None:
        assert self._process is not None
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise Missing(f"{self._application.name}: does not start, see {self._folder / 'server.log'}")


class Source:
    """The answers of one application: kept ones, and new ones from its process."""

    def __init__(self, application: Application, answers: Answers, upstream: Upstream) -> None:
        self.application, self.answers, self._upstream = application, answers, upstream

    def get(self, url: str) -> Answer:
        """The answer to a URL; what the process does not answer is a 502, and is not kept."""
        kept = self.answers.get(url)
        if kept is not None:
            return kept
        try:
            return self.answers.keep(url, self._upstream.ask(url))
        except (OSError, http.client.HTTPException) as error:
            return Answer(502, [("Content-Type", "text/plain")], str(error).encode())

    def close(self) -> None:
        self._upstream.close()
        self.answers.close()


def open_source(application: Application, data: Path) -> Source:
    """The answers of an application that was set up under `data`."""
    folder = data / "applications" / application.name
    return Source(application, Answers(data / "answers" / f"{application.name}.sqlite"), Upstream(application, folder))


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
