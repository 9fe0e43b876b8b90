"""The settings of a crawl: flags of the command line, or the same names in `crawl.toml`. Unknown names are refused."""

import difflib
import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from garimpo.contract.errors import BadInput

Strategy = Literal["garimpo", "bfs", "best", "best-dynamic"]
CONTENT_TYPES = ("text/", "application/xhtml+xml", "application/xml", "application/rss+xml", "application/atom+xml")
Scope = Literal["host", "site", "all"]


class Settings(msgspec.Struct, rename="kebab", forbid_unknown_fields=True, kw_only=True):
    """All settings of a crawl, with their defaults; times in seconds, sizes in bytes, 0 or None for no limit.

    >>> Settings(max_pages=10).to_dict()
    {'max-pages': 10}
    """

    seeds: list[str] = []
    strategy: Strategy = "garimpo"
    scope: Scope | None = None
    include: list[str] = []
    exclude: list[str] = []
    schemes: list[str] = msgspec.field(default_factory=lambda: ["http", "https"])
    suffixes: list[str] = []
    max_pages: int = 0
    max_depth: int | None = None
    max_pages_per_host: int = 0
    max_pages_per_site: int = 0
    max_seconds: float = 0.0
    max_bytes: int = 0
    bandwidth: int = 0
    delay: float = 1.0
    connections: int = 64
    connections_per_address: int = 1
    workers: int = 0
    learn: bool = True
    learn_seconds: float = 20.0
    learn_pages: int = 2000
    rules: str | None = None
    known: str | None = None
    hosts: str | None = None
    resolve_all: str | None = None
    allow_private: bool = False
    user_agent: str | None = None
    contact: str | None = None
    connect_timeout: float = 10.0
    timeout: float = 30.0
    max_body: int = 10_000_000
    tries: int = 3
    hops: int = 10
    content_types: list[str] = msgspec.field(default_factory=lambda: [*CONTENT_TYPES])
    sitemaps: bool = True
    cookies: bool = False
    headers: list[str] = []
    proxy: str | None = None
    sign_key: str | None = None
    sign_agent: str | None = None
    trap_run: int = 50
    metrics_port: int = 0
    seed: int = 0
    positive: list[str] = []
    topic: str | None = None
    sites: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """What `crawl.toml` keeps: the settings that differ from their defaults."""
        usual = msgspec.to_builtins(Settings())
        return {name: value for name, value in msgspec.to_builtins(self).items() if value != usual.get(name)}

    @property
    def effective_scope(self) -> Scope:
        """The scope asked for; else `site`, or with a topic `all`."""
        return self.scope or ("all" if self.topic or self.positive or self.sites else "site")

    @property
    def reads_sitemaps(self) -> bool:
        """A crawl for sites decides each by a few pages along its links, and needs no list of all of them."""
        return self.sitemaps and self.sites is None

    @property
    def agent(self) -> str:
        """The user agent as sent: who we are and whom to write to."""
        name = self.user_agent or "garimpo/0.1"
        return f"{name} (+{self.contact})" if self.contact else name

    def check(self, where: str = "settings") -> "Settings":
        """The settings themselves, or `BadInput` naming the first that makes no sense."""
        for name in (
            "delay",
            "max_seconds",
            "max_pages",
            "max_bytes",
            "bandwidth",
            "workers",
            "max_pages_per_host",
            "max_pages_per_site",
            "trap_run",
            "metrics_port",
        ):
            _need(getattr(self, name) >= 0, where, name, "must not be negative")
        for name in ("connections", "connections_per_address", "tries", "connect_timeout", "timeout", "max_body"):
            _need(getattr(self, name) > 0, where, name, "must be positive")
        _need(self.metrics_port < 65_536, where, "metrics_port", "is no port")
        for scheme in self.schemes:
            _need(scheme in ("http", "https"), where, "schemes", f"{scheme!r} is neither http nor https")
        _need(self.hops >= 0, where, "hops", "must not be negative")
        _need(self.max_depth is None or self.max_depth >= 0, where, "max_depth", "must not be negative")
        for name in ("include", "exclude"):
            for pattern in getattr(self, name):
                _need(_compiles(pattern), where, name, f"{pattern!r} is no regular expression")
        for line in self.headers:
            _need(":" in line and "\n" not in line and "\r" not in line, where, "headers", f"{line!r} is not 'Name: value'")
        for text in (self.user_agent, self.contact):
            _need(text is None or (text.isprintable() and text.isascii()), where, "user_agent/contact", "must be printable ASCII")
        if self.resolve_all is not None:
            _need(_is_address(self.resolve_all), where, "resolve_all", f"{self.resolve_all!r} is not ADDRESS:PORT")
        for name in ("hosts", "rules", "known", "sign_key", "sites"):
            path = getattr(self, name)
            _need(path is None or Path(path).exists(), where, name, f"{path}: no such file or folder")
        return self


def from_dict(values: dict[str, Any], where: str) -> Settings:
    """Settings from a mapping with the names of `crawl.toml`.

    >>> from_dict({"max-page": 3}, "crawl.toml")
    Traceback (most recent call last):
    garimpo.contract.errors.BadInput: crawl.toml: unknown setting max-page (did you mean max-pages?)
    """
    names = list(Settings.__struct_encode_fields__)
    for name in values:
        if name not in names:
            close = difflib.get_close_matches(name, names, 1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise BadInput(f"{where}: unknown setting {name}{hint}")
    try:
        return msgspec.convert(values, Settings).check(where)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}") from None


def from_toml(path: Path) -> Settings:
    """Settings from a `crawl.toml`."""
    try:
        values = msgspec.toml.decode(path.read_bytes())
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not TOML ({error})") from None
    return from_dict(values, str(path))


def merged(settings: Settings, given: dict[str, Any]) -> Settings:
    """The settings with those of `given` (by their Python names) in place of the stored ones."""
    return msgspec.structs.replace(settings, **given).check()


def _need(holds: bool, where: str, name: str, text: str) -> None:
    if not holds:
        raise BadInput(f"{where}: {name.replace('_', '-')} {text}")


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _is_address(text: str) -> bool:
    address, _, port = text.rpartition(":")
    return bool(address) and port.isdigit() and 0 < int(port) < 65536
