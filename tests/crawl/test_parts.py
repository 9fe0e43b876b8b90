"""Smaller parts: signing, sitemaps, traps, scope, settings, trust, disk."""

import base64
import errno
import gzip
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.records import Fetched
from garimpo.crawl import addresses
from garimpo.crawl.addresses import Addresses, read_hosts
from garimpo.crawl.askable import Host
from garimpo.crawl.backoff import asked_to_wait, backoff
from garimpo.crawl.disk import Patience
from garimpo.crawl.robots import Robots
from garimpo.crawl.scope import Scope, is_private_address
from garimpo.crawl.settings import Settings, from_dict, from_toml
from garimpo.crawl.signing import signature_base, signer
from garimpo.crawl.sitemaps import MOST_URLS, read_list
from garimpo.crawl.traps import Traps
from garimpo.crawl.trust import Trust


def test_a_signature_verifies_with_the_public_key(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (tmp_path / "key.pem").write_bytes(pem)
    headers = dict(signer(tmp_path / "key.pem", "https://me.example")("http://a.example:81/x?y"))
    parameters = headers["Signature-Input"].removeprefix("sig1=")
    signature = base64.b64decode(headers["Signature"].removeprefix("sig1=:").removesuffix(":"))
    signed = signature_base("http://a.example:81/x?y", "https://me.example", parameters)
    key.public_key().verify(signature, signed)
    assert b'"@authority": a.example:81' in signed and 'tag="web-bot-auth"' in parameters
    (tmp_path / "bad.pem").write_text("no key")
    with pytest.raises(BadInput, match=r"bad\.pem"):
        signer(tmp_path / "bad.pem", None)


def test_lists_are_read_packed_broken_and_hostile() -> None:
    good = b"<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.example/2</loc></url></urlset>"
    assert read_list(gzip.compress(good), "http://a.example/s.xml.gz")[1] == ["http://a.example/1", "http://a.example/2"]
    assert read_list(good[:50], "http://a.example/")[1] == ["http://a.example/1"]
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>http://a/&b;</loc></url></urlset>'
    assert read_list(bomb, "http://a.example/")[1] == []
    many = b"<urlset>" + b"".join(b"<url><loc>http://a.example/%d</loc></url>" % n for n in range(MOST_URLS + 9)) + b"</urlset>"
    assert len(read_list(many, "http://a.example/")[1]) == MOST_URLS
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/x"/></entry></feed>'
    assert read_list(atom, "http://a.example/")[1] == ["http://a.example/x"]


def test_traps_are_seen_and_told_once() -> None:
    traps, host = Traps(Settings(trap_run=3)), Host(1, "a", 0.0)
    assert traps.caught("http://a/" + "x" * 3000, host, 0) == "long"
    assert traps.caught("http://a/b/c/b/c/b/c/b/c", host, 0) == "repeated segments"
    assert traps.caught("http://a/next?m=9", host, 3) == "endless"
    assert traps.caught("http://a/2026/11/15/1/1/1/1/1", host, 0) is None
    for number in range(4):
        traps.met(f"http://a/show?sid={number}", host, repeated=True)
    assert traps.caught("http://a/show?sid=99", host, 0) == "repeated content"
    assert len(traps.news()) == 4 and not traps.news()


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("8.8.8.8", False), ("127.0.0.1", True), ("169.254.169.254", True), ("0.0.0.0", True), ("::1", True),
        ("::ffff:10.0.0.1", True), ("64:ff9b::7f00:1", True), ("2002:7f00:1::", True), ("fd00::1", True),
        ("2606:4700:4700::1111", False), ("100.64.0.1", True), ("224.0.0.1", True),
    ],
)  # fmt: skip
def test_private_addresses_in_all_their_disguises(address: str, private: bool) -> None:
    assert is_private_address(address) is private


def test_scope_by_host_suffix_and_pattern() -> None:
    seeds = ["http://www.a.com.br/"]
    narrow = Scope(Settings(scope="host"), seeds)
    assert narrow.outside("http://a.com.br/", "a.com.br") == "host"
    wide = Scope(Settings(scope="all", suffixes=["br"], include=["/keep"], exclude=["logout"], schemes=["http"]), seeds)
    assert wide.outside("https://a.com.br/keep", "a.com.br") == "scheme"
    assert wide.outside("http://a.com/keep", "a.com") == "suffix"
    assert wide.outside("http://a.com.br/x", "a.com.br") == "include"
    assert wide.outside("http://a.com.br/keep/logout", "a.com.br") == "exclude"
    assert wide.outside("http://a.com.br/keep/", "a.com.br") is None


def test_settings_come_back_as_they_were_kept(tmp_path: Path) -> None:
    settings = Settings(seeds=["http://a.example/"], max_pages=3, scope="host", headers=["A: b"])
    assert from_dict(settings.to_dict(), "x") == settings
    (tmp_path / "broken.toml").write_text("max-pages = [")
    with pytest.raises(BadInput, match=r"broken\.toml"):
        from_toml(tmp_path / "broken.toml")
    with pytest.raises(BadInput, match="max-pages"):
        from_dict({"max-pages": "many"}, "x")


def test_a_hosts_file_with_a_broken_line_names_it(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("10.0.0.1 a.example b.example # two\n\nnonsense c.example\n")
    with pytest.raises(BadInput, match=r"hosts:3"):
        read_hosts(tmp_path / "hosts")


def test_addresses_found_are_remembered_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "MOST_KEPT", 4)
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda name, *_, **__: [(0, 0, 0, "", (f"10.0.0.{name[1]}", 0))])
    known, found = Addresses(Settings()), []
    for number in range(5):
        known.ask(f"h{number}.example")
        while known.pending:
            found += known.answers()
    known.close()
    assert found == [(f"h{number}.example", f"10.0.0.{number}") for number in range(5)]
    assert [known.known(f"h{number}.example") for number in range(5)] == [None, None, "10.0.0.2", "10.0.0.3", "10.0.0.4"]


def test_a_rule_is_withdrawn_on_one_host_only_and_a_long_record_forgives() -> None:
    trust = Trust()
    for number in range(60):
        trust.skip("r", "good.example", number)
        assert not trust.result("r", "good.example", equal=number != 30)
    assert trust.result("r", "bad.example", equal=False)
    assert trust.withdrawn("r", "bad.example") and not trust.withdrawn("r", "good.example")
    low, high = trust.estimate("r", "good.example")[1:]
    assert low < 1 / 60 < high


def test_waiting_is_asked_for_and_grows() -> None:
    dated = Fetched("http://a/", 429, headers=[("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")])
    assert asked_to_wait(dated, 1445412400.0) == 80.0
    assert asked_to_wait(Fetched("http://a/", 503, headers=[("Retry-After", "soon")]), 0.0) is None
    waits = [backoff(errors, 1.0) for errors in range(1, 12)]
    assert waits == sorted(waits) and waits[0] == 1.0 and waits[-1] == 120.0


def test_a_full_disk_is_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patience, tries = Patience(tmp_path, pause=0.01), iter([True, True, False])

    def write() -> str:
        if next(tries):
            raise OSError(errno.ENOSPC, "No space left on device")
        return "written"

    assert patience.run(write) == "written" and patience.paused == 2
    assert capsys.readouterr().err.count("disk full") == 1
    patience.give_up = True
    with pytest.raises(GarimpoError, match="resume"):
        patience.run(lambda: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))


def test_robots_answers(tmp_path: Path) -> None:
    import sqlite3

    from garimpo.crawl import queue

    db = sqlite3.connect(":memory:")
    queue.create(db)
    robots = Robots(db, "garimpo/0.1")
    text = b"User-agent: garimpo\nDisallow: /no\nCrawl-delay: 3\nSitemap: /map.xml\n"
    rules = robots.learn("http://a.example", Fetched("http://a.example/robots.txt", 200, text), 5.0)
    assert rules is not None and rules.delay == 3 and rules.sitemaps == ["http://a.example/map.xml"]
    assert not robots.allows(rules, "http://a.example/no/x") and robots.allows(rules, "http://a.example/yes")
    assert robots.learn("http://b.example", Fetched("http://b.example/robots.txt", 503), 5.0) is None
    gone = robots.learn("http://c.example", Fetched("http://c.example/robots.txt", 404), 5.0)
    assert gone is not None and robots.allows(gone, "http://c.example/any")
    robots.commit(db)
    again = Robots(db, "garimpo/0.1").get("http://a.example", 6.0)
    assert again is not None and again.delay == 3
    assert Robots(db, "garimpo/0.1").get("http://a.example", 5.0 + 86_400) is None


def test_the_memory_for_robots_files_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    from garimpo.crawl import queue, robots

    monkeypatch.setattr(robots, "CACHED_BYTES", 10_000)
    db = sqlite3.connect(":memory:")
    queue.create(db)
    known = Robots(db, "garimpo/0.1")
    text = b"User-agent: *\nDisallow: /no\n" + b"#" * 3_000
    for number in range(20):
        known.learn(f"http://h{number}.example", Fetched("http://h.example/robots.txt", 200, text), 5.0)
        assert len(known._known) <= 3
    for _ in range(2):
        for number in range(20):
            rules = known.get(f"http://h{number}.example", 6.0)
            assert rules is not None and not known.allows(rules, "http://h.example/no")
        known.commit(db)
        known.committed()
