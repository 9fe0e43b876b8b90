"""The server over a real socket."""

import http.client
import socket
import time
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.contract.errors import BadInput


def _get(server: webgen.Serving, url: str) -> tuple[int, bytes, dict[str, str]]:
    host, _, target = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(server.host, server.port, timeout=120)
    try:
        connection.request("GET", "/" + target, headers={"Host": host})
        response = connection.getresponse()
        return response.status, response.read(), dict(response.getheaders())
    finally:
        connection.close()


def _statuses(server: webgen.Serving, before: int, count: int) -> list[int]:
    """What the log says after the first `before` lines, of earlier servers; it is written a moment after the answer is sent."""
    while len(found := server.log()) < before + count:
        time.sleep(0.01)
    return [status for _, _, _, status in found[before:]]


def test_equal_bytes_for_equal_content(static_web: Path) -> None:
    pages = webgen.truth(static_web)["pages"].to_pylist()
    pages = [row for row in pages if row["kind"] not in ("missing", "gone", "broken", "soft404")]
    dust = {row["url"]: row["family"] for row in webgen.truth(static_web)["dust"].to_pylist()}
    bodies: dict[int, bytes] = {}
    with webgen.serve(static_web) as server:
        before = len(server.log())
        for row in pages[::3]:
            status, body, headers = _get(server, row["url"])
            if dust[row["url"]] == "redirect":
                assert status in (301, 302) and headers["Location"] in dust
            elif status == 200:
                assert bodies.setdefault(row["content"], body) == body, row["url"]
        assert len(_statuses(server, before, len(pages[::3]))) == len(pages[::3])
    assert len(set(bodies.values())) == len(bodies)


def test_what_is_gone_is_no_dust(static_web: Path) -> None:
    tables = webgen.truth(static_web)
    gone = {row["url"] for row in tables["pages"].to_pylist() if row["kind"] in ("missing", "gone", "broken", "soft404")}
    assert gone and gone.isdisjoint(tables["dust"]["url"].to_pylist())
    assert "" not in tables["dust"]["key"].to_pylist()


def test_keeps_a_connection_and_pipelines(static_web: Path) -> None:
    url = webgen.truth(static_web)["pages"]["url"][0].as_py()
    host = url.removeprefix("http://").partition("/")[0]
    request = f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    with webgen.serve(static_web) as server, socket.create_connection((server.host, server.port)) as client:
        client.sendall(request * 2 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        data = b""
        while chunk := client.recv(65_536):
            data += chunk
    assert data.count(b"HTTP/1.1 200 OK") == 3


def test_dynamic_pages_change(web: Path) -> None:
    world = webgen.open_world(web)
    card = next(card for card in world.census.cards if world.site(card.index).dynamic and not world.faulty(card.index))
    url = f"http://{card.hosts[0].name}/"
    with webgen.serve(web) as server:
        assert _get(server, url)[1] != _get(server, url)[1]


def test_faults_by_rate_and_the_log(static_web: Path, tmp_path: Path) -> None:
    urls = webgen.truth(static_web)["pages"]["url"].to_pylist()[:60]
    with webgen.serve(static_web, errors=0.5) as server:
        before = len(server.log())
        statuses = [_get(server, url)[0] for url in urls]
        logged = _statuses(server, before, len(urls))
    assert 10 < statuses.count(503) < 50
    assert logged == statuses


def test_nonsense_is_answered_400_or_404(static_web: Path) -> None:
    with webgen.serve(static_web) as server:
        assert _get(server, "http://no-such-host.example/")[0] == 404
        with socket.create_connection((server.host, server.port)) as client:
            client.sendall(b"BLAH\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 400")


def test_a_port_in_use_is_one_line(static_web: Path) -> None:
    with webgen.serve(static_web) as server, pytest.raises(BadInput, match="port"), webgen.serve(static_web, server.port):
        pass


def test_speaks_tls_and_http2(static_web: Path, tmp_path: Path) -> None:
    curl = pytest.importorskip("pycurl")
    url = webgen.truth(static_web)["pages"]["url"].to_pylist()[0]
    host = url.split("/")[2]
    with webgen.serve(static_web, tls=True) as server:
        for version, expected in ((curl.CURL_HTTP_VERSION_2_0, "HTTP/2"), (curl.CURL_HTTP_VERSION_1_1, "HTTP/1.1")):
            body, heads = bytearray(), bytearray()
            client = curl.Curl()
            client.setopt(curl.URL, url.replace("http://", "https://").replace(host, f"{host}:{server.port}"))
            client.setopt(curl.RESOLVE, [f"{host}:{server.port}:127.0.0.1"])
            client.setopt(curl.CAINFO, str(static_web / "tls" / "ca.pem"))
            client.setopt(curl.HTTP_VERSION, version)
            client.setopt(curl.WRITEFUNCTION, body.extend)
            client.setopt(curl.HEADERFUNCTION, heads.extend)
            client.perform()
            client.close()
            assert heads.decode().startswith(f"{expected} 200")
            assert body.decode() == webgen.open_world(static_web).answer(url).body.decode()


def test_a_large_world_is_computed_from_its_urls(tmp_path: Path) -> None:
    webgen.make(tmp_path / "w", "large", seed=2, static=True, hosts=30, urls=1_000)
    assert not (tmp_path / "w" / "pages").exists()
    world = webgen.open_world(tmp_path / "w")
    with webgen.serve(tmp_path / "w") as server:
        for row in list(world.urls())[::25]:
            status, body, _ = _get(server, row.url)
            answer = world.answer(row.url)
            assert (status, body) == (answer.status, answer.body)
