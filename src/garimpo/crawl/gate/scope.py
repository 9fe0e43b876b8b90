"""Which URLs belong to the crawl: by host or site of the seeds, by suffix, by pattern, by scheme.

Never a private address, and never what was taken out of the folder for good.
"""

import re
from collections.abc import Iterable

from garimpo.crawl.gate.removed import Removed
from garimpo.crawl.settings import Settings
from garimpo.url import host, site
from garimpo.url.addresses import has_refused_port, is_private_name

REMEMBERED = 10_000
"""The answer for so many hosts is remembered."""


class Scope:
    """Answers why a URL is outside, or None when it is inside.

    >>> scope = Scope(Settings(exclude=["logout"]), ["http://a.example.com/"])
    >>> scope.outside("http://b.example.com/x", "b.example.com"), scope.outside("http://c.org/", "c.org")
    (None, 'site')
    """

    def __init__(self, settings: Settings, seeds: Iterable[str], removed: Removed | None = None) -> None:
        self._removed = removed or Removed()
        self._kind = settings.effective_scope
        self._schemes = tuple(f"{scheme}:" for scheme in settings.schemes)
        self._suffixes = tuple(f".{suffix.lstrip('.').lower()}" for suffix in settings.suffixes)
        self._include = [re.compile(pattern) for pattern in settings.include]
        self._exclude = [re.compile(pattern) for pattern in settings.exclude]
        self._allow_private = settings.allow_private
        names = {name for name in map(host, seeds) if name}
        self._inside = names if self._kind == "host" else {site(name) for name in names}
        self._hosts: dict[str, str | None] = {}

    def exclude(self, pattern: str) -> None:
        """From now on no URL that matches is inside."""
        self._exclude.append(re.compile(pattern))

    def outside(self, url: str, name: str) -> str | None:
        """The rule by which `url` is outside: scheme, port, private, suffix, host, site, removed, exclude or include."""
        if not url.startswith(self._schemes):
            return "scheme"
        if has_refused_port(url):
            return "port"
        if name not in self._hosts:
            if len(self._hosts) >= REMEMBERED:
                self._hosts.clear()
            self._hosts[name] = self._host_outside(name)
        reason = self._hosts[name]
        if reason is not None:
            return reason
        if self._removed.has(url, name):
            return "removed"
        if self._exclude and any(pattern.search(url) for pattern in self._exclude):
            return "exclude"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "include"
        return None

    def _host_outside(self, name: str) -> str | None:
        if not self._allow_private and is_private_name(name):
            return "private"
        if self._suffixes and not f".{name}".endswith(self._suffixes):
            return "suffix"
        if self._kind == "host" and name not in self._inside:
            return "host"
        if self._kind == "site" and site(name) not in self._inside:
            return "site"
        return None
