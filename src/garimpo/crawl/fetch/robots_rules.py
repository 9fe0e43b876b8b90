"""What a robots.txt says to one crawler, by RFC 9309: groups of user agents, the longest matching rule, Allow before Disallow.

Rules are matched piece by piece, without a regular expression, so that a rule of many `*` takes no longer than its text
times the URL's. Crawl-delay and Sitemap lines, which the RFC leaves to others, are read too.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from garimpo.url.parsing import normal_escapes

_TOKEN = re.compile(r"[A-Za-z_-]+")
_DELAY = re.compile(r"\d{1,6}(?:\.\d{0,6})?|\.\d{1,6}")
_SAFE = "%/*$&=:;,+!()@~-._[]|\\^"
_IN_PATH, _IN_QUERY = f"{_SAFE}'", f"{_SAFE}?`{{}}"
"""What a URL in normal form writes as it is; a rule may write more, a blank above all."""
_WRITTEN_SO = re.compile(r"[\w/*$&=:;,+!()@~.\[\]|\\^?-]*", re.ASCII)
"""A rule that is written as URLs are, in its path as in its query."""
MOST_RULES = 20_000
LONGEST_RULE = 4_096


class Rule(NamedTuple):
    """A rule: the pieces between its `*`, whether it must reach the end of the URL, whether it allows, its length."""

    pieces: tuple[str, ...]
    ends: bool
    allows: bool
    length: int


class RobotsRules:
    """The rules of a robots.txt for one user agent.

    >>> rules = RobotsRules("User-agent: *\\nDisallow: /a\\nAllow: /a/b$", "garimpo")
    >>> rules.allows("http://x.org/a/c"), rules.allows("http://x.org/a/b"), rules.allows("http://x.org/robots.txt")
    (False, True, True)
    """

    def __init__(self, text: str, agent: str) -> None:
        """Read the file.

        Args:
            text: the file, decoded.
            agent: the product token of the crawler, without version.
        """
        ours, all_others, found_ours = _Group(), _Group(), False
        self.sitemaps: list[str] = []
        current: set[_Group] = set()
        in_agents = False
        for name, value in _lines(text):
            if name == "user-agent":
                if not in_agents:
                    current = set()
                in_agents = True
                if _names(value, agent):
                    current.add(ours)
                    found_ours = True
                elif value.startswith("*") and (len(value) == 1 or value[1].isspace()):
                    current.add(all_others)
            elif name == "sitemap":
                self.sitemaps.append(value)
            elif name in ("allow", "disallow", "crawl-delay"):
                in_agents = in_agents and name == "crawl-delay"  # what the RFC does not define ends no list of agents
                for group in current:
                    group.take(name, value)
        group = ours if found_ours else all_others
        self.rules, self.delay = group.rules, group.delay
        self._by_first: dict[str, list[Rule]] = {}
        for rule in self.rules:
            self._by_first.setdefault(rule.pieces[0], []).append(rule)
        self._lengths = sorted({len(first) for first in self._by_first})
        """How long the first pieces of rules are: of all rules only those are looked at whose first piece the URL begins with."""

    def allows(self, url: str) -> bool:
        """Whether a URL in normal form may be fetched.

        Args:
            url: the URL.
        """
        start = url.find("/", url.find("://") + 3)
        path = url[start:] if start >= 0 else "/"
        if path == "/robots.txt":
            return True
        best, verdict = -1, True
        for length in self._lengths:
            for rule in self._by_first.get(path[:length], ()):
                longer = rule.length > best or (rule.length == best and rule.allows)
                if longer and _matches(rule, path):
                    best, verdict = rule.length, rule.allows
        return verdict


class _Group:
    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.delay = 0.0

    def take(self, name: str, value: str) -> None:
        if name == "crawl-delay":
            found = _DELAY.fullmatch(value)
            self.delay = max(self.delay, float(found[0])) if found else self.delay
        elif value and len(self.rules) < MOST_RULES:
            self.rules.append(_rule(value[:LONGEST_RULE], name == "allow"))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text):
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _names(value: str, agent: str) -> bool:
    """Whether a user-agent line means this crawler: by its product token, whatever version follows."""
    found = _TOKEN.match(value)
    return found is not None and found[0].lower() == agent.lower()


def _rule(value: str, allows: bool) -> Rule:
    ends = value.endswith("$")
    pattern = value[:-1] if ends else value
    if not _WRITTEN_SO.fullmatch(pattern):
        path, mark, query = pattern.partition("?")
        pattern = normal_escapes(quote(path, safe=_IN_PATH) + mark + quote(query, safe=_IN_QUERY))
    return Rule(tuple(pattern.split("*")), ends, allows, len(pattern) + ends)


def _matches(rule: Rule, path: str) -> bool:
    """Each piece at its first place after the one before: if any way matches, this one does."""
    first, *rest = rule.pieces
    if not path.startswith(first):
        return False
    if not rest:
        return not rule.ends or len(path) == len(first)
    at = len(first)
    for piece in rest[:-1]:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    if rule.ends:
        return len(path) - len(rest[-1]) >= at and path.endswith(rest[-1])
    return path.find(rest[-1], at) >= 0
