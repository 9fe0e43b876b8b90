"""Where hosts are."""

from pathlib import Path

import pytest

from garimpo.contract.errors import BadInput
from garimpo.crawl.fetch import dns
from garimpo.crawl.fetch.dns import Resolver, read_hosts
from garimpo.crawl.settings import Settings


def test_a_hosts_file_with_a_broken_line_names_it(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("10.0.0.1 a.example b.example # two\n\nnonsense c.example\n")
    with pytest.raises(BadInput, match=r"hosts:3"):
        read_hosts(tmp_path / "hosts")


def test_addresses_found_are_remembered_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns, "MOST_KEPT", 4)
    monkeypatch.setattr(dns.socket, "getaddrinfo", lambda name, *_, **__: [(0, 0, 0, "", (f"10.0.0.{name[1]}", 0))])
    known, found = Resolver(Settings()), []
    for number in range(5):
        known.ask(f"h{number}.example")
        while known.pending:
            found += known.answers()
    known.close()
    assert found == [(f"h{number}.example", f"10.0.0.{number}") for number in range(5)]
    assert [known.known(f"h{number}.example") for number in range(5)] == [None, None, "10.0.0.2", "10.0.0.3", "10.0.0.4"]
