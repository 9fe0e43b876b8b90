"""Which URLs belong to a crawl."""

from garimpo.crawl.gate.scope import Scope
from garimpo.crawl.settings import Settings


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
