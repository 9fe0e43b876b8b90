"""What one hostile server, link or header can do: nothing to other hosts, and to the crawl no more than cost its own pages."""

import pkgutil
from itertools import pairwise
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from crawl.test_strange import crawled
from garimpo.archive import Store
from garimpo.contract.records import Fetched, Page, Verdict
from garimpo.crawl import Components, Settings, crawl, resume, skipped, status
from garimpo.crawl.fetch.client import Fetch
from garimpo.crawl.fetch.robots import redirected
from garimpo.crawl.fetch.waiting import asked_to_wait
from garimpo.crawl.state.entry import PAGE
from garimpo.crawl.watch.progress import Progress
from garimpo.url import resolve
from garimpo.url.addresses import has_refused_port, is_private_address
from strange import answer, strange_server


@pytest.mark.parametrize(
    "value",
    ["\xb2", "9" * 5000, "Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00 +99999999999999", ""],
)
def test_no_retry_after_ends_a_crawl(value: str, tmp_path: Path) -> None:
    wait = asked_to_wait(Fetched("http://a/", 503, headers=[("Retry-After", value)]), 0.0)
    assert wait is None or 0 <= wait <= 86_400
    with strange_server() as server:
        busy = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: " + value.encode("latin-1")[:60] + b"\r\n\r\n"
        server.pages["evil.example/"] = busy
        out = tmp_path / "c"
        seeds = ["http://evil.example/", "http://strange.example/good8"]
        settings = Settings(seeds=seeds, resolve_all=server.address, delay=0, learn=False, tries=2)
        crawl(out, settings, Components())
        resume(out, {}, Components())
    with Store.open(out, write=False) as store:
        assert store.record("http://strange.example/good9").status == 200


def test_each_request_goes_to_the_server_of_its_name() -> None:
    with strange_server() as one, strange_server() as other:
        fetch = Fetch(Settings(allow_private=True), lambda: 0.0)
        where = [("http://first.example/good1", one.address), (f"http://{other.address}/good2", None)]
        where += [("http://third.example/good3", one.address), (f"http://{other.address}/good4", None)]
        for url, to in where:
            fetch.start(None, url, PAGE, to, None)  # type: ignore[arg-type]
            while not (answers := fetch.poll(1.0)):
                pass
            assert answers[0].fetched.status == 200 and len(fetch._free) == 1  # one handle for all
        fetch.close()
    assert set(one.asked) == {"/good1", "/good3"} and set(other.asked) == {"/good2", "/good4"}


@pytest.mark.parametrize("kind", ["application/octet-stream", "image/png", "text/html"])
def test_a_robots_file_of_any_content_type_counts(kind: str, tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/robots.txt"] = answer(b"User-agent: garimpo/0.1\nDisallow: /", kind=kind)
        rows = crawled(tmp_path / "c", server)
    assert rows == {} and set(server.asked) == {"/robots.txt"}


def test_a_robots_file_is_followed_to_another_site_at_that_sites_delay(tmp_path: Path) -> None:
    hosts = [f"h{number}.example" for number in range(6)]
    with strange_server() as server:
        for name in hosts:
            server.pages[f"{name}/robots.txt"] = answer(b"", "Location: http://www.far.example/shared.txt", status="301 Moved")
        server.pages["www.far.example/shared.txt"] = answer(b"User-agent: *\nDisallow: /good", kind="text/plain")
        seeds = [f"http://{name}/good1" for name in hosts] + ["http://www.far.example/a", "http://www.far.example/b"]
        crawl(
            tmp_path / "c", Settings(seeds=seeds, resolve_all=server.address, delay=0.2, learn=False, scope="all"), Components()
        )
        asked = list(server.times)
    assert not any(path == "/good1" for _, _, path in asked)
    far = [at for at, host, _ in asked if host == "www.far.example"]
    assert len(far) >= 3 and min(b - a for a, b in pairwise(far)) >= 0.19


def test_a_robots_file_never_leads_into_a_private_network() -> None:
    def moved(to: str) -> Fetched:
        return Fetched("http://a.example/robots.txt", 302, headers=[("Location", to)])

    assert redirected(moved("http://127.0.0.1/robots.txt"), 0, True) is None
    assert redirected(moved("http://[fec0::1]/robots.txt"), 0, True) is None
    assert redirected(moved("http://b.example:25/robots.txt"), 0, True) is None
    assert redirected(moved("http://b.example/r"), 4, True) == "http://b.example/r"
    assert redirected(moved("http://b.example/r"), 5, True) is None


def test_a_sitemap_asks_the_robots_file_of_its_own_host(tmp_path: Path) -> None:
    with strange_server() as server:
        evil = b"Sitemap: http://victim.example/private/delete?id=1\n"
        server.pages["strange.example/robots.txt"] = answer(evil, kind="text/plain")
        server.pages["victim.example/robots.txt"] = answer(b"User-agent: *\nDisallow: /private/", kind="text/plain")
        crawled(tmp_path / "c", server, seeds=("http://strange.example/good9",), scope="all")
    assert "/private/delete?id=1" not in server.asked


def test_secrets_go_to_the_seeds_hosts_only_and_are_not_stored(tmp_path: Path) -> None:
    jar = tmp_path / "cookies.txt"
    jar.write_text("# Netscape HTTP Cookie File\n.example\tTRUE\t/\tFALSE\t4102444800\tlogin\thidden\n"
                   "strange.example\tFALSE\t/\tFALSE\t4102444800\tlogin\thidden\n")  # fmt: skip
    with strange_server() as server:
        server.pages["strange.example/"] = answer(b"<a href='http://other.example/good9'>x</a><a href=/moved>y</a>")
        server.pages["strange.example/moved"] = answer(b"", "Location: http://third.example/good9", status="302 Found")
        given = {"headers": ["Authorization: Basic c2VjcmV0", "X-Api-Key: topmost"], "cookies": str(jar)}
        crawled(tmp_path / "c", server, scope="all", **given)
        got = {head.partition("Host: ")[2].split("\r\n")[0]: head for head in server.requests}
    assert "c2VjcmV0" in got["strange.example"] and "login=hidden" in got["strange.example"]
    for name in ("other.example", "third.example"):
        assert not any(word in got[name] for word in ("c2VjcmV0", "topmost", "hidden"))
    import gzip

    for path in (tmp_path / "c/warc").iterdir():
        records = gzip.decompress(path.read_bytes())
        assert b"GET /moved" in records and not any(word in records for word in (b"c2VjcmV0", b"topmost", b"hidden"))
    for name in ("crawl.toml", "state/crawl.toml"):
        assert (tmp_path / "c" / name).stat().st_mode & 0o777 == 0o600


def test_headers_for_names_other_hosts(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["strange.example/"] = answer(b"<a href='http://other.example/good9'>x</a>")
        crawled(tmp_path / "c", server, scope="all", headers=["X-Mine: yes"], headers_for=["other.example"])
        got = {head.partition("Host: ")[2].split("\r\n")[0]: head for head in server.requests}
    assert "X-Mine" in got["other.example"] and "X-Mine" not in got["strange.example"]


def test_an_etag_of_strange_bytes_is_not_sent_back(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/good9"] = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nETag: "caf\xe9"\r\n\r\n<p>x'
        crawled(tmp_path / "old", server, seeds=("http://strange.example/good9",))
        rows = crawled(tmp_path / "new", server, seeds=("http://strange.example/good9",), known=str(tmp_path / "old"))
        last = [head for head in server.requests if " /good9 " in head][-1]
    assert rows["/good9"]["status"] == 200 and "If-None-Match" not in last


def test_headers_must_be_ascii(tmp_path: Path) -> None:
    from garimpo.contract import BadInput

    with pytest.raises(BadInput, match="printable ASCII"):
        Settings(headers=["X-Name: José"]).check()


def test_credentials_in_links_are_dropped(tmp_path: Path) -> None:
    assert resolve("http://a.example/", "http://u:p@a.example/x") == "http://a.example/x"
    with strange_server() as server:
        server.pages["/"] = answer(b"<a href='http://u:p@strange.example/good9'>x</a><a href='//u2@strange.example/good9'>y</a>")
        crawled(tmp_path / "c", server)
        assert server.asked["/good9"] == 1 and server.asked["/robots.txt"] == 1
        assert not any("Authorization" in head for head in server.requests)


@pytest.mark.parametrize(
    "address",
    ["fec0::1", "64:ff9b:1::a00:5", "::10.0.0.5", "192.88.99.2", "3fff::1", "5f00::1", "::ffff:0:10.0.0.5", "::", "100::1",
     "2001:db8::1", "2001::1", "fe80::1", "ff02::1", "64:ff9b::a00:5", "2002:a00:5::", "240.0.0.1", "255.255.255.255"],
)  # fmt: skip
def test_only_listed_addresses_are_public(address: str) -> None:
    assert is_private_address(address)


def test_ports_that_browsers_refuse_are_refused(tmp_path: Path) -> None:
    assert has_refused_port("http://a.example:22/") and not has_refused_port("https://a.example:8443/")
    with strange_server() as server:
        server.pages["/"] = answer(b"<a href='http://strange.example:25/good9'>x</a>")
        rows = crawled(tmp_path / "c", server)
    assert list(rows) == ["/"]
    assert [row["rule"] for batch in skipped(tmp_path / "c") for row in batch.to_pylist()] == ["port"]


def test_a_nofollow_page_refreshes_to_nowhere(tmp_path: Path) -> None:
    with strange_server() as server:
        page = b"<meta name=robots content=nofollow><meta http-equiv=refresh content='0;url=/good9'><p>x"
        server.pages["/"] = answer(page)
        rows = crawled(tmp_path / "c", server)
    assert list(rows) == ["/"]


class Endless:
    """A judge that never ends over some pages."""

    def read(self, page: Page) -> Verdict:
        while "endless" in (page.title or ""):
            pass
        return Verdict()


def endless_judges(folder: Path) -> list[Endless]:
    return [Endless()]


@pytest.mark.parametrize(("workers", "size"), [(1, 10), (0, 200_000)])
def test_one_page_cannot_hold_a_crawl(workers: int, size: int, tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/slow"] = answer(b"<title>endless</title><p>" + b"x " * size)
        server.pages["/"] = answer(b"<a href=/slow>x</a><a href=/good8>y</a>")
        settings = Settings(seeds=["http://strange.example/"], resolve_all=server.address, workers=workers, delay=0, learn=False)
        crawl(tmp_path / "c", settings, Components(judges=endless_judges))
    rows = {row["url"][22:]: row for row in ds.dataset(tmp_path / "c/pages").to_table().to_pylist()}
    assert rows["/slow"]["error"] == "took too long to read" and rows["/slow"]["text"] is None
    assert rows["/good9"]["status"] == 200
    with Store.open(tmp_path / "c", write=False) as store:
        assert b"endless" in store.record("http://strange.example/slow").body


class StopWhileReading(Progress):
    def show(self, loop, *rest):  # type: ignore[no-untyped-def]
        if loop.readers.busy:
            loop.stop()


def test_a_stop_does_not_wait_for_what_is_being_read(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["/"] = answer(b"<title>endless</title>")
        settings = Settings(seeds=["http://strange.example/"], resolve_all=server.address, workers=1, delay=0, learn=False)
        result = crawl(tmp_path / "c", settings, Components(judges=endless_judges), StopWhileReading())
    assert result["ended"] == "stopped" and result["queued"] == 1 and result["stored"] == 0


@pytest.mark.parametrize("where", ["robots", "sitemap", "page", "reading"])
def test_one_answer_cannot_end_a_crawl(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARIMPO_FENCE", "1")
    places = {
        "robots": ("garimpo.crawl.fetch.robots.Robots.learn", lambda *given: given[1]),
        "sitemap": ("garimpo.crawl.loop.read_list", lambda *given: given[1]),
        "page": ("garimpo.crawl.keeping.keeper.Keeper._follow_redirect", lambda *given: given[1].url),
        "reading": ("garimpo.crawl.reading.reader.read_one", lambda *given: given[1]),
    }
    name, url_of = places[where]
    original = pkgutil.resolve_name(name)

    def breaks(*given, **more):  # type: ignore[no-untyped-def]
        if "evil" in str(url_of(*given)):
            raise ZeroDivisionError("a mistake of ours")
        return original(*given, **more)

    monkeypatch.setattr(name, breaks)
    with strange_server() as server:
        server.pages["evil.example/robots.txt"] = answer(b"Sitemap: http://evil.example/map.xml", kind="text/plain")
        server.pages["evil.example/map.xml"] = answer(b"<urlset><url><loc>/x</loc></url></urlset>", kind="text/xml")
        seeds = ["http://evil.example/good8", "http://strange.example/good8"]
        settings = Settings(seeds=seeds, resolve_all=server.address, delay=0, learn=False, max_seconds=60)
        crawl(tmp_path / "c", settings, Components())
    with Store.open(tmp_path / "c", write=False) as store:
        assert store.record("http://strange.example/good9").status == 200
    if where == "reading":
        rows = ds.dataset(tmp_path / "c/pages").to_table().to_pylist()
        assert any(row["error"] == "unreadable (ZeroDivisionError)" for row in rows if "evil" in row["url"])
    else:
        assert status(tmp_path / "c")["faults"] >= 1
        assert "ZeroDivisionError" in (tmp_path / "c/crawl.log").read_text()


def unlike(number: int) -> bytes:
    """A page with a text of its own."""
    words = " ".join(f"w{number}x{place}" for place in range(40))
    return answer(f"<title>{number}</title><p>{words}".encode())


def test_no_trap_keeps_out_pages_whose_texts_are_new(tmp_path: Path) -> None:
    """Two hosts share many pages, then each has its own of the same shape."""
    shared, own = 70, 200
    with strange_server() as server:
        for host in ("one.example", "two.example"):
            links = "".join(f"<a href=/p/{number}>x</a>" for number in range(shared + own))
            server.pages[f"{host}/"] = answer(f"<title>{host}</title>{links}".encode())
            for number in range(shared + own):
                server.pages[f"{host}/p/{number}"] = unlike(number if number < shared else hash((host, number)) % 10**9)
        settings = Settings(
            seeds=["http://one.example/", "http://two.example/"], resolve_all=server.address, delay=0, learn=False,
            strategy="bfs", connections_per_address=8,
        )  # fmt: skip
        crawl(tmp_path / "c", settings, Components())
    got = {row["url"] for row in ds.dataset(tmp_path / "c/pages").to_table(columns=["url"]).to_pylist()}
    wanted = {f"http://{host}/p/{number}" for host in ("one.example", "two.example") for number in range(shared, shared + own)}
    assert wanted <= got


def test_what_looks_like_a_trap_is_listed_and_fetched_when_asked_for(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    with strange_server() as server:
        for number in range(9):
            server.pages[f"/cal/{number}"] = answer(f"<p>month {number}<a href=/cal/{number + 1}>next</a>".encode())
        server.pages["/"] = answer(b"<a href=/cal/0>x</a><a href=/a/b/a/b/a/b/a/b/x>y</a>")
        server.pages["/a/b/a/b/a/b/a/b/x"] = answer(b"<p>a real page all the same")
        rows = crawled(tmp_path / "c", server, trap_run=4)
        assert "/cal/3" in rows and "/cal/4" not in rows and "/a/b/a/b/a/b/a/b/x" not in rows
        assert "--postponed" in capsys.readouterr().err
        listed = {row["url"] for batch in skipped(tmp_path / "c") for row in batch.to_pylist() if row["reason"] == "trap"}
        assert listed == {"http://strange.example/cal/4", "http://strange.example/a/b/a/b/a/b/a/b/x"}
        resume(tmp_path / "c", {"postponed": True}, Components())
        resume(tmp_path / "c", {}, Components())
    got = {row["url"] for row in ds.dataset(tmp_path / "c/pages").to_table(columns=["url"]).to_pylist()}
    assert listed <= got and "http://strange.example/cal/7" in got


def test_a_time_far_ahead_puts_no_host_off_for_years(tmp_path: Path) -> None:
    with strange_server() as server:
        seeds = ["http://strange.example/later", "http://strange.example/good8"]
        settings = Settings(seeds=seeds, resolve_all=server.address, delay=0, learn=False, tries=1)
        crawl(tmp_path / "c", settings, Components())
        with Store.open(tmp_path / "c") as store:
            store.database.execute("UPDATE hosts SET next_at = 1e12")
            from garimpo.crawl.loop import Loop

            loop = Loop(store, settings, Components())
            host = loop.frontier.hosts.get("strange.example")
            assert host is not None and host.next_at <= loop.clock() + 86_401
            loop.close()
