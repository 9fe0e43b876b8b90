"""Endless places."""

from garimpo.crawl.gate.traps import Traps
from garimpo.crawl.settings import Settings


def test_traps_are_seen_and_told_once() -> None:
    traps, host = Traps(Settings(trap_run=3, learn=False)), "a"
    assert traps.caught("http://a/" + "x" * 3000, host, 0) == "long"
    assert traps.caught("http://a/b/c/b/c/b/c/b/c", host, 0) == "repeated segments"
    assert traps.caught("http://a/next?m=9", host, 3) == "endless"
    assert traps.caught("http://a/2026/11/15/1/1/1/1/1", host, 0) is None
    for number in range(4):
        traps.met(f"http://a/show?sid={number}", host, repeated=True)
    assert traps.caught("http://a/show?sid=98", "a", 0) is None  # the first is fetched, to see whether it repeats
    assert traps.caught("http://a/show?sid=99", host, 0) == "repeated content"
    assert len(traps.news()) == 4 and not traps.news()
