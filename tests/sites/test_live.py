"""`garimpo sites` over real sockets: the made web, and servers that misbehave."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, cast

import pyarrow.parquet as pq
import pytest

from garimpo import webgen
from garimpo.cli.app import run
from garimpo.contract import Page
from garimpo.crawl.settings import Settings
from garimpo.crawl.single.sites import SiteWeb, detect_live
from garimpo.sites import Get, SiteModel, detect, train
from sites.made import bad, good
from sites.test_command import html

ENGLISH = (
    "We write about the casas and gardens of our town, and about the people who have lived in them for a hundred years. "
    "Every week there is a new story to read, with pictures of the rooms and of what was found there."
)
PORTUGUESE = "<title>T</title><p>casas apartamento quartos imovel bairro</p>"
LINKS = "".join(f'<a href="/casas/{i}">Casas</a>' for i in range(50_000))
ODD = {
    "down.com.br": (503, "text/html", "", "answers 503"),
    "gone.com.br": (404, "text/html", "<p>nada</p>", "answers 404"),
    "away.com.br": (302, "text/html", "http://elsewhere.com/", "redirects to elsewhere.com"),
    "form.com.br": (200, "text/html", f"{PORTUGUESE}<form action=/busca><input name=q></form>", "no links to follow"),
    "script.com.br": (200, "text/html", f"{PORTUGUESE}<script>load('/casas')</script>", "no links to follow"),
    "russian.com.br": (200, "text/html", "<p>дом и сад, квартира <a href='/x'>дальше</a>", "words not known"),
    "english.com.br": (200, "text/html", f"<html lang=pt><p>{ENGLISH} <a href='/x'>more</a>", "words not known"),
    "paper.com.br": (200, "application/pdf", "%PDF-1.4", "content type"),
    "forbidden.com.br": (200, "text/html", PORTUGUESE, "robots.txt forbids it"),
}


class Web(BaseHTTPRequestHandler):
    """Sites by the name asked for: the odd ones, a huge one, and those of `made`, with a directory of them."""

    pages: ClassVar[dict[str, Page]] = {}
    asked: ClassVar[list[tuple[str, str]]] = []
    together: ClassVar[threading.Barrier | None] = None
    """Where it is set, the robots.txt of a host is given only once so many hosts were asked for theirs."""

    def do_GET(self) -> None:
        host = (self.headers["Host"] or "").partition(":")[0]
        self.asked.append((f"http://{host}{self.path}", self.headers["User-Agent"]))
        bare = host.removeprefix("www.")
        if self.path == "/robots.txt":
            if self.together is not None:
                self.together.wait()
            self.say(200, "text/plain", "User-agent: *\nDisallow: /\n" if bare == "forbidden.com.br" else "")
        elif bare in ODD:
            status, kind, said, _ = ODD[bare]
            self.say(status, kind, said)
        elif bare == "huge.com.br":
            self.say(200, "text/html", PORTUGUESE + LINKS)
        elif host == "hub.com.br":
            self.say(200, "text/html", "".join(f'<a href="http://www.{site}/">{site}</a>' for site in good(8)))
        elif host == "service.com.br":
            self.say(200, "application/json", json.dumps(["http://hub.com.br/"]))
        elif (page := self.pages.get(f"http://{host}{self.path}")) is not None:
            self.say(200, "text/html; charset=utf-8", html(page))
        else:
            self.say(404, "text/html", "")

    def say(self, status: int, kind: str, said: str) -> None:
        self.send_response(status)
        body = b"" if status == 302 else said.encode()
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        if status == 302:
            self.send_header("Location", said)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    Web.pages = {page.url: page for sites in (good(8), bad(3)) for pages in sites.values() for page in pages}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("live") / "sites.model"
    train(good=good(5), bad=bad(5)).save(path)
    return path


def live(address: str, *more: str) -> list[str]:
    return ["--resolve-all", address, "--allow-private", "--delay", "0", "--tries", "1", *more]


def test_sites_are_decided_over_sockets_and_no_url_is_asked_for_twice(address: str, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "sites.parquet"
    Web.asked.clear()
    named = ["casa7.com.br", "http://www.carro1.com.br/", "blog1.com.br"]
    flags = live(address, "--user-agent", "tester/1", "--contact", "me@example.org", "--headers", "X-A: b", "--connections", "4",
                 "--connections-per-address", "2", "--timeout", "9", "--connect-timeout", "9", "--max-body", "99999")  # fmt: skip
    assert run(["sites", "detect", str(model), *named, "--out", str(out), *flags]) == 0
    assert pq.read_table(out)["relevant"].to_pylist() == [True, False, False]
    urls = [url for url, _ in Web.asked]
    assert len(set(urls)) == len(urls)
    assert {agent for _, agent in Web.asked} == {"tester/1 (+me@example.org)"}


@pytest.mark.parametrize("site", ODD)
def test_a_site_that_cannot_be_judged_is_unknown_with_the_reason(address: str, model: Path, tmp_path: Path, site: str) -> None:
    out = tmp_path / "sites.parquet"
    assert run(["sites", "detect", str(model), site, "--out", str(out), *live(address)]) == 0
    row = pq.read_table(out).to_pylist()[0]
    assert (row["relevant"], row["reason"], row["entry_url"]) == (None, ODD[site][3], None)
    assert row["pages_fetched"] <= 10


def test_a_site_that_nobody_answers_for_is_unknown(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "sites.parquet"
    assert run(["sites", "detect", str(model), "a.com", "--out", str(out), *live("127.0.0.1:1")]) == 0
    row = pq.read_table(out).to_pylist()[0]
    assert (row["relevant"], row["reason"]) == (None, "no connection")


def test_a_private_address_is_refused_unless_allowed(address: str, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "sites.parquet"
    port = address.partition(":")[2]
    assert run(["sites", "detect", str(model), f"http://127.0.0.1:{port}/", "--out", str(out), "--delay", "0"]) == 0
    row = pq.read_table(out).to_pylist()[0]
    assert (row["relevant"], row["reason"]) == (None, "private address")


def test_fifty_thousand_links_on_the_root_cost_no_more_pages(address: str, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "sites.parquet"
    assert run(["sites", "detect", str(model), "huge.com.br", "--out", str(out), *live(address)]) == 0
    assert pq.read_table(out)["pages_fetched"].to_pylist()[0] <= 10


def test_requests_to_a_host_keep_their_distance(address: str, model: Path) -> None:
    settings = Settings(delay=0.1, resolve_all=address, allow_private=True)
    began = time.monotonic()
    with SiteWeb(settings) as web:
        found = detect(SiteModel.load(model), "http://www.casa7.com.br/", get=web.get, has=web.has)[0]
    assert found.relevant and time.monotonic() - began >= 0.1 * found.pages_fetched  # robots.txt came first


@pytest.mark.parametrize("shared", [True, False])
def test_several_sites_are_decided_at_once_but_hosts_of_one_address_take_turns(
    address: str, model: Path, tmp_path: Path, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shared:  # then all four are asked before any has answered
        monkeypatch.setattr(Web, "together", threading.Barrier(4))
    named = [f"http://www.casa{i}.com.br/" for i in range(4)]
    hosts = tmp_path / "hosts"
    hosts.write_text("".join(f"203.0.113.{1 if shared else 1 + i} www.casa{i}.com.br\n" for i in range(4)))
    settings = Settings(delay=0.1, resolve_all=address, allow_private=True, hosts=str(hosts))
    began = time.monotonic()
    found = detect_live(SiteModel.load(model), named, settings)
    took = time.monotonic() - began
    requests = [1 + each.pages_fetched for each in found]  # robots.txt comes first
    assert [each.site for each in found] == [f"casa{i}.com.br" for i in range(4)] and all(each.relevant for each in found)
    assert not shared or took >= 0.1 * (sum(requests) - 1)


def test_sites_decided_at_once_are_left_when_one_fails(address: str) -> None:
    class Failing:
        def detect(self, root: str, get: Get, starts: Sequence[str] = ()) -> None:
            if "casa0" in root:
                raise KeyboardInterrupt
            get(root)

    settings = Settings(delay=3600, resolve_all=address, allow_private=True)  # a test that waits for it ends by its limit
    with pytest.raises(KeyboardInterrupt):
        detect_live(cast(SiteModel, Failing()), [f"http://www.casa{i}.com.br/" for i in range(3)], settings)


@pytest.mark.parametrize("provider", ["service", "graph", "nothing"])
def test_more_sites_are_located_on_the_web(address: str, model: Path, tmp_path: Path, provider: str) -> None:
    """Through a service of backlinks, a host graph, or the seeds' own links."""
    seeds, out = tmp_path / "seeds.txt", tmp_path / "found.parquet"
    seeds.write_text("hub.com.br\n" if provider == "nothing" else "casa0.com.br\ncasa1.com.br\n")
    (tmp_path / "vertices.txt").write_text("0\tbr.com.hub\n1\tbr.com.casa0\n")
    (tmp_path / "edges.txt").write_text("0\t1\n")
    flags = {
        "service": ["--backlinks", "http://service.com.br/?q={site}&n={limit}"],
        "graph": ["--host-graph", str(tmp_path / "vertices.txt"), str(tmp_path / "edges.txt")],
        "nothing": [],
    }[provider]
    command = ["sites", "locate", str(model), "--seeds", str(seeds), "--out", str(out), *flags, *live(address)]
    assert run(command) == 0
    found = set(pq.read_table(out)["site"].to_pylist())
    assert found >= {f"casa{i}.com.br" for i in range(3, 8)}


def test_a_service_without_a_place_for_the_site_is_bad_input(
    address: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seeds.txt").write_text("a.com\n")
    command = ["sites", "locate", str(model), "--seeds", str(tmp_path / "seeds.txt"), "--out", str(tmp_path / "o.parquet")]
    assert run([*command, "--backlinks", "http://service.com.br/", *live(address)]) == 2
    assert "needs {site}" in capsys.readouterr().err


def test_the_made_web_is_decided_over_sockets_as_in_memory(model: Path, tmp_path: Path) -> None:
    """With its hosts file, its robots.txt files and its faults: the same answers as from the pages themselves."""
    web, out = tmp_path / "web", tmp_path / "sites.parquet"
    webgen.make(web, "small", seed=3, hosts=30, urls=900, entities=0.6)
    sites = [row["site"] for row in webgen.truth(web)["sites"].to_pylist()][:6]
    with webgen.serve(web) as server:
        flags = live(server.address, "--hosts", str(web / "hosts"))
        assert run(["sites", "detect", str(model), *sites, "--out", str(out), *flags]) == 0
        served = {target for _, _, target, status in server.log() if status == 200}
    rows = pq.read_table(out).to_pylist()
    assert [row["site"] for row in rows] == sites and all(row["pages_fetched"] <= 10 for row in rows)
    assert "/robots.txt" in served and all(row["reason"] for row in rows)
