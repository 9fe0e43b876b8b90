"""How requests travel: HTTP/2 over TLS, through a proxy, within a bandwidth; what a server asks for; what the disk does."""

import errno
import os
import re
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawling import command
from garimpo import webgen
from garimpo.archive.folder import segments
from garimpo.contract.errors import GarimpoError
from garimpo.crawl import Components, Settings, crawl, loop
from garimpo.crawl.keeping.full_disk import RetryOnFullDisk
from strange import answer, strange_server

SETTINGS: dict[str, Any] = {"delay": 0, "learn": False, "timeout": 10.0, "tries": 2}
GOOD9 = "http://strange.example/good9"


def rows(out: Path) -> list[dict[str, Any]]:
    return ds.dataset(out / "pages").to_table().to_pylist()


def test_http2_over_tls_with_certificates_checked(web: Path, tmp_path: Path) -> None:
    pytest.importorskip("h2")
    with webgen.serve(web, tls=True) as serving:
        seed = (web / "seeds.txt").read_text().split()[0].replace("http://", "https://")
        flags = [seed, "--schemes", "https", "--no-learn", "--delay", 0, "--resolve-all", serving.address, "--max-pages", 5]
        trusting = {**os.environ, "SSL_CERT_FILE": str(web / "tls" / "ca.pem")}
        done = subprocess.run(command("crawl", *flags, "--out", tmp_path / "a"), env=trusting, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        wary = subprocess.run(command("crawl", *flags, "--out", tmp_path / "b"), capture_output=True, text=True)
    assert wary.returncode == 1 and "certificate not trusted" in wary.stderr
    with open(next((tmp_path / "a" / "warc").iterdir()), "rb") as file:
        spoken = [record.headers.get("WARC-Protocol") for record in ArchiveIterator(file, record_types=WarcRecordType.response)]
    assert spoken and set(spoken) == {"h2"}


def test_a_proxy_is_asked_for_everything(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages[GOOD9] = answer(b"<p>by proxy")
        server.pages["http://strange.example/robots.txt"] = answer(b"", status="404 Not Found")
        crawl(tmp_path / "crawl", Settings(seeds=[GOOD9], proxy=f"http://{server.address}", **SETTINGS), Components())
        assert server.asked == {"http://strange.example/robots.txt": 1, GOOD9: 1}
    assert [(row["url"], row["status"], row["ip"]) for row in rows(tmp_path / "crawl")] == [(GOOD9, 200, None)]


def test_metrics_can_be_read_while_the_crawl_runs(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    seen: list[str] = []

    def slow() -> bytes:
        while not seen or "garimpo_stored 1.0\n" not in seen[-1]:  # the page before is counted while this one is asked for
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
                seen.append(metrics.read().decode())
        return answer(b"<p>done")

    with strange_server() as server:
        server.pages["/good9"] = slow
        slow_enough = {**SETTINGS, "timeout": 300.0}
        seed = "http://strange.example/good8"
        settings = Settings(seeds=[seed], resolve_all=server.address, metrics_port=port, **slow_enough)
        crawl(tmp_path / "crawl", settings, Components())
    assert re.search(r"^garimpo_stored 1.0$", seen[-1], re.MULTILINE) and "garimpo_in_flight 1.0" in seen[-1]


def test_the_bandwidth_is_kept(tmp_path: Path) -> None:
    with strange_server() as server:
        for number in range(10):
            server.pages[f"/good{number}"] = answer(b"<a href=/good%d>x</a>" % (number + 1) + b"x" * 40_000)
        settings = Settings(seeds=["http://strange.example/good0"], resolve_all=server.address, bandwidth=100_000, **SETTINGS)
        result = crawl(tmp_path / "crawl", settings, Components())
    assert result["bytes"] > 400_000 and result["seconds"] > 2.5


def test_a_server_that_asks_for_a_second_gets_it(tmp_path: Path) -> None:
    times: list[float] = []

    def busy() -> bytes:
        times.append(time.monotonic())
        if len(times) == 1:
            return answer(b"", "Retry-After: 1", status="503 Service Unavailable")
        return answer(b"<p>now")

    with strange_server() as server:
        server.pages["/good9"] = busy
        crawl(tmp_path / "crawl", Settings(seeds=[GOOD9], resolve_all=server.address, **SETTINGS), Components())
    assert len(times) == 2 and times[1] - times[0] >= 1.0
    assert [row["status"] for row in rows(tmp_path / "crawl")] == [200]


def test_a_name_that_turns_private_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with strange_server() as server:
        where = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **named: where)
        seed = f"http://rebound.example:{server.port}/good9"
        with pytest.raises(GarimpoError, match="private address"):
            crawl(tmp_path / "crawl", Settings(seeds=[seed], **SETTINGS), Components())
        assert not server.requests


def test_a_full_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write, left = segments.write_aside, [3]

    def full(*arguments: Any) -> None:
        if left[0]:
            left[0] -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        write(*arguments)

    monkeypatch.setattr(segments, "write_aside", full)
    monkeypatch.setattr(loop, "RetryOnFullDisk", lambda folder: RetryOnFullDisk(folder, 0.01))
    with strange_server() as server:
        seeds = ["http://strange.example/good0"]
        result = crawl(tmp_path / "crawl", Settings(seeds=seeds, resolve_all=server.address, **SETTINGS), Components())
        assert {server.asked[f"/good{number}"] for number in range(10)} == {1}
    assert result["stored"] == len(rows(tmp_path / "crawl")) == 10
    assert capsys.readouterr().err.count("disk full, waiting for room") == 1
