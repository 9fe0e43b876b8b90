"""robots.txt by RFC 9309: a table of files, agents and URLs, with what each allows."""

from itertools import pairwise

import pytest

from garimpo.crawl.fetch import robots_rules
from garimpo.crawl.fetch.robots import RobotsFile
from garimpo.crawl.fetch.robots_rules import RobotsRules

FOO = "FooBot"
TWICE = "user-agent: FooBot\ndisallow: /a\n\nuser-agent: BarBot\ndisallow: /b\n\nuser-agent: FooBot\ndisallow: /c"
GROUPS = """allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/
"""
CASES = [
    # file, agent, path, allowed
    ("", FOO, "/", True),
    ("user-agent: FooBot\ndisallow: /", "", "/", True),
    ("user-agent: FooBot\ndisallow: /", FOO, "/x", False),
    ("foo: FooBot\nbar: /", FOO, "/x", True),
    ("user-agent: FooBot\ndisallow: /\n", "BarBot", "/x", True),
    # groups
    (GROUPS, FOO, "/x/b", True),
    (GROUPS, FOO, "/foo/bar/", False),
    (GROUPS, "BarBot", "/y/w", True),
    (GROUPS, "BarBot", "/x/b", False),
    ("user-agent: a\nuser-agent: FooBot\ndisallow: /z\n", FOO, "/z/d", False),
    ("user-agent: a\nuser-agent: FooBot\ndisallow: /z\n", "a", "/z/d", False),
    (TWICE, FOO, "/a", False),
    (TWICE, FOO, "/c", False),
    (TWICE, FOO, "/b", True),
    ("user-agent: FooBot\nsitemap: http://x/s\nuser-agent: BarBot\ndisallow: /", FOO, "/x", False),
    ("user-agent: FooBot\ncrawl-delay: 9\nuser-agent: BarBot\ndisallow: /", FOO, "/x", False),
    # names of lines and agents in any case
    ("USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n", FOO, "/x/y", True),
    ("user-agent: fOoBoT\nallow: /x/\ndisallow: /\n", FOO, "/a/b", False),
    ("user-agent: FOOBOT\ndisallow: /", "foobot", "/a", False),
    # versions and words after the product token
    ("user-agent: FooBot/2.1\ndisallow: /", FOO, "/a", False),
    ("user-agent: *\ndisallow: /\nuser-agent: Foo Bar\nallow: /x/\ndisallow: /", "Foo", "/x/y", True),
    ("user-agent: FooBot (+http://x)\ndisallow: /", FOO, "/a", False),
    ("user-agent: FooBotNews\ndisallow: /", FOO, "/a", True),
    ("user-agent: Foo\ndisallow: /", FOO, "/a", True),
    # the group for all others counts only where there is none of our own
    ("user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", FOO, "/x/y", False),
    ("user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n", "BarBot", "/x/y", True),
    ("user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\n", "QuxBot", "/x/y", True),
    ("user-agent: *\ndisallow: /a\nuser-agent: FooBot\n", FOO, "/a", True),
    ("user-agent: * baz\ndisallow: /x", FOO, "/x", False),
    # values are compared in their case
    ("user-agent: FooBot\ndisallow: /x/\n", FOO, "/X/y", True),
    # the longest rule wins, and of two as long the one that allows
    ("user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n", FOO, "/x/page.html", False),
    ("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", FOO, "/x/page.html", True),
    ("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", FOO, "/x/", False),
    ("user-agent: FooBot\ndisallow: \nallow: \n", FOO, "/x/page.html", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /\n", FOO, "/x/page.html", True),
    ("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", FOO, "/x", False),
    ("user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n", FOO, "/x/page.html", True),
    ("user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", FOO, "/page.html", False),
    ("user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", FOO, "/page", True),
    ("user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", FOO, "/x/page.html", True),
    ("user-agent: *\ndisallow: /x/\nuser-agent: FooBot\ndisallow: /y/\n", FOO, "/x/page", True),
    # escapes are compared by what they stand for
    ("user-agent: FooBot\ndisallow: /\nallow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n", FOO,
     "/foo/bar?qux=taz&baz=http://foo.bar?tar&par", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /foo/bar/ツ\n", FOO, "/foo/bar/%E3%83%84", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /foo/bar/%E3%83%84\n", FOO, "/foo/bar/%E3%83%84", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /foo/bar/%62%61%7A\n", FOO, "/foo/bar/baz", True),
    ("user-agent: FooBot\ndisallow: /a%3cd.html\n", FOO, "/a%3Cd.html", False),
    ("user-agent: FooBot\ndisallow: /a b{c}?d{e}'\n", FOO, "/a%20b%7Bc%7D?d{e}%27", False),
    # special characters
    ("user-agent: FooBot\ndisallow: /foo/bar/quz\nallow: /foo/*/qux\n", FOO, "/foo/bar/quz", False),
    ("user-agent: FooBot\ndisallow: /foo/bar/quz\nallow: /foo/*/qux\n", FOO, "/foo/quz", True),
    ("user-agent: FooBot\ndisallow: /foo/bar$\nallow: /foo/bar/qux\n", FOO, "/foo/bar", False),
    ("user-agent: FooBot\ndisallow: /foo/bar$\nallow: /foo/bar/qux\n", FOO, "/foo/bar/", True),
    ("user-agent: FooBot\n# disallow: /\ndisallow: /foo/quz#qux\nallow: /\n", FOO, "/foo/bar", True),
    ("user-agent: FooBot\n# disallow: /\ndisallow: /foo/quz#qux\nallow: /\n", FOO, "/foo/quz", False),
    ("user-agent: FooBot\ndisallow: /fish*.php\n", FOO, "/fishheads/catfish.php?parameters", False),
    ("user-agent: FooBot\ndisallow: /*.php$\n", FOO, "/filename.php?parameters", True),
    ("user-agent: FooBot\ndisallow: /*.php$\n", FOO, "/folder/filename.php", False),
    ("user-agent: FooBot\ndisallow: /*/*/$\n", FOO, "/a/b/", False),
    ("user-agent: FooBot\ndisallow: *x\n", FOO, "/ax", False),
    # ends of lines, white space, marks
    ("user-agent: FooBot\rdisallow: /\r", FOO, "/x", False),
    ("  user-agent :  FooBot  \r\n\tdisallow\t:\t/x\t\r\n", FOO, "/x", False),
    ("user-agent: FooBot\ndisallow: /", FOO, "/robots.txt", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "agent", "path", "allowed"), CASES)
def test_what_a_file_allows(text: str, agent: str, path: str, allowed: bool) -> None:
    assert RobotsRules(text, agent).allows(f"http://foo.bar{path}") is allowed


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"", b"\xef\xbb\xbf\n"])
def test_a_byte_order_mark_hides_no_rule(mark: bytes) -> None:
    rules = RobotsFile(0.0, 200, mark + b"User-agent: *\nDisallow: /", "garimpo", "http://a.org/robots.txt")
    assert not rules.allows("http://a.org/x")


def test_a_rule_of_many_stars_is_matched_in_linear_time() -> None:
    steps = []
    for size in (1_000, 2_000, 4_000, 8_000):
        path = CountingText("/" + "a" * size)
        rules = RobotsRules("user-agent: *\ndisallow: /" + "*a" * 60 + "*b", "garimpo")
        assert not robots_rules._matches(rules.rules[0], path)
        steps.append(path.searched)
    assert all(b <= 2.2 * a for a, b in pairwise(steps))


def test_agents_named_again_and_again_make_no_rule_count_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr(robots_rules._Group, "take", lambda group, *line: taken.append(line))
    RobotsRules("user-agent: *\nuser-agent: FooBot\n" * 500 + "disallow: /a\n" * 500, FOO)
    assert len(taken) == 2 * 500  # once for our group, once for that of all others


class CountingText(str):
    """Counts the characters that are looked through."""

    searched = 0

    def find(self, piece: str, start: int = 0) -> int:  # type: ignore[override]
        at = super().find(piece, start)
        self.searched += (len(self) if at < 0 else at + len(piece)) - start
        return at
