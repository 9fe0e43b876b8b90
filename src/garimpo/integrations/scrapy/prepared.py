"""Keys made for many URLs at once, before they are asked for one by one: a column costs a hundredth a URL."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from garimpo.crawl.components import KeyMap
from garimpo.crawl.learning.defaults import RuleKeys
from garimpo.crawl.state.seen import NEW, KeyTable
from garimpo.engine.columns import hash_strings
from garimpo.url import host_column, normalise, normalise_column

MOST = 50_000
"""So many are kept for when their turn comes; when there are more, all are forgotten, and made again one by one."""


class PreparedKeys:
    """Rules as a crawl asks for them, with keys that were made before they were asked for."""

    def __init__(self, rules: KeyMap) -> None:
        self._rules, self.version = rules, rules.version
        self._made: dict[str, tuple[str, str | None]] = {}

    def applies(self, host: str) -> bool:
        return self._rules.applies(host)

    def rules_on(self, host: str) -> list[str]:
        return self._rules.rules_on(host)

    def key(self, url: str) -> str:
        return self._rules.key(url)

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        if len(urls) == 1 and urls[0] in self._made:
            key, rule = self._made.pop(urls[0])
            return [key], [rule]
        return self._rules.keys(urls)

    def prepare(self, urls: Sequence[str], hosts: Sequence[str | None]) -> None:
        """Make the keys of URLs, those on hosts that have rules."""
        wanted = [url for url, host in zip(urls, hosts) if host and self._rules.applies(host)]
        if not wanted:
            return
        if len(self._made) > MOST:
            self._made.clear()
        keys, rules = self._rules.keys(wanted)
        self._made.update(zip(wanted, zip(keys, rules)))


class Preparation:
    """Normal forms and keys of URLs, made when a page shows them for the first time."""

    def __init__(self) -> None:
        self._met = KeyTable()
        self._normal: dict[str, str | None] = {}
        self._maps: dict[str, PreparedKeys] = {}

    def key_map(self, path: Path, version: int) -> KeyMap:
        """Published rules; `path` is `learned/KIND/VERSION.json`."""
        made = self._maps[path.parent.name] = PreparedKeys(RuleKeys(path, version))
        return made

    def prepare(self, urls: Sequence[str]) -> None:
        """Prepare the URLs that are new."""
        if not urls:
            return
        given = pa.array(urls, pa.string())
        fresh = self._met.add(hash_strings(given)) == NEW
        if not fresh.any():
            return
        given = given.filter(pa.array(fresh))
        normal = normalise_column(given)
        if len(self._normal) > MOST:
            self._normal.clear()
        self._normal.update(zip(given.to_pylist(), normal.to_pylist()))
        good = normal.drop_null()
        hosts = host_column(good).to_pylist()
        for made in self._maps.values():
            made.prepare(good.to_pylist(), hosts)

    def normal(self, url: str) -> str | None:
        """The normal form of a URL; None for what is none."""
        return self._normal.pop(url) if url in self._normal else normalise(url)
