"""The settings of a crawl: flags of the command line, or the same names in `crawl.toml`. Unknown names are refused.

Each is written once, in `Settings`: its kind, its text, its group and its default. Help, the comments of `crawl.toml` and the
reference in the documents are made from that (`setting_texts`).
"""

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

import garimpo
from garimpo.contract.errors import BadInput, spoken

Strategy = Literal["garimpo", "bfs", "best", "best-dynamic"]
CONTENT_TYPES = ("text/", "application/xhtml+xml", "application/xml", "application/rss+xml", "application/atom+xml")
Scope = Literal["host", "site", "all"]


def _texts(group: str) -> Callable[..., msgspec.Meta]:
    """What makes the texts of the settings of one group; `default` tells in words what a default of None does."""

    def text(words: str, default: str | None = None) -> msgspec.Meta:
        return msgspec.Meta(description=words, extra={"group": group, "default": default})

    return text


_where, _goal, _limit = _texts("Where to crawl"), _texts("What to look for"), _texts("Limits")
_manners, _learning, _network, _machine = _texts("Manners"), _texts("Learning"), _texts("Network"), _texts("This machine")


class SettingText(NamedTuple):
    """What a setting is for, as help, `crawl.toml` and the reference say it."""

    name: str
    kind: Any
    text: str
    group: str
    default: str


class Settings(msgspec.Struct, rename="kebab", forbid_unknown_fields=True, kw_only=True):
    """All settings of a crawl, with their defaults; times in seconds, sizes in bytes, 0 or None for no limit.

    >>> Settings(max_pages=10).to_dict()
    {'max-pages': 10}
    """

    seeds: Annotated[list[str], _where("URLs to begin with.")] = []
    scope: Annotated[
        Scope | None, _where("How far to go from the seeds: their hosts, their sites, or anywhere.", "site; with a topic: all")
    ] = None
    include: Annotated[list[str], _where("Only URLs that match this regular expression (may be repeated).")] = []
    exclude: Annotated[list[str], _where("No URL that matches this regular expression (may be repeated).")] = []
    suffixes: Annotated[list[str], _where("Only hosts under these names, such as org.br (may be repeated).")] = []
    schemes: Annotated[list[str], _where("http, https or both (may be repeated).")] = msgspec.field(
        default_factory=lambda: ["http", "https"]
    )
    known: Annotated[str | None, _where("A crawl folder whose pages are asked for again, if they changed.")] = None
    visits_per_day: Annotated[
        int, _where("With --known: so many visits for each day since the last one (0: a page once a week, in the mean).")
    ] = 0
    sitemaps: Annotated[bool, _where("Read the sitemaps that robots.txt names.")] = True
    content_types: Annotated[list[str], _where("Content types to keep, by their beginning (may be repeated).")] = msgspec.field(
        default_factory=lambda: [*CONTENT_TYPES]
    )

    positive: Annotated[list[str], _goal("What shows the topic: documents; URLs (fetched first), @FILE with one a line.")] = []
    topic: Annotated[str | None, _goal("A topic model, made by `garimpo topic train`.")] = None
    sites: Annotated[str | None, _goal("A model of the sites to collect, made by `garimpo sites train`.")] = None
    strategy: Annotated[Strategy, _goal("What is fetched first; bfs: what was met first.")] = "garimpo"

    max_pages: Annotated[int, _limit("Stop after so many stored answers (0: no limit).")] = 0
    max_requests: Annotated[
        int, _limit("Stop after so many requests, redirects and robots.txt files included, in this run (0: no limit).")
    ] = 0
    stop_when: Annotated[
        str | None, _limit("Stop when less than this share of the last fetches brings a new page, such as new<1%.", "never")
    ] = None
    max_depth: Annotated[int | None, _limit("Follow so many links from a seed, at most.", "no limit")] = None
    max_pages_per_host: Annotated[int, _limit("Pages of one host, at most (0: no limit).")] = 0
    max_pages_per_site: Annotated[int, _limit("Pages of one site, at most (0: no limit).")] = 0
    max_seconds: Annotated[float, _limit("Stop after so many seconds (0: no limit).")] = 0.0
    max_bytes: Annotated[int, _limit("Stop after so many bytes received (0: no limit).")] = 0
    max_body: Annotated[int, _limit("Bytes of one page, unpacked, at most.")] = 10_000_000
    trap_run: Annotated[
        int, _limit("Pages of one shape found one from the other, at most; 20 times that where they pay (0: no limit).")
    ] = 50

    postponed: Annotated[bool, _limit("Fetch, this time, what an earlier run left aside: possible traps, and spent shapes.")] = (
        False
    )

    delay: Annotated[float, _manners("Seconds between two requests to one host, and to one address.")] = 1.0
    connections: Annotated[int, _manners("Requests at once, at most.")] = 64
    connections_per_address: Annotated[int, _manners("Requests at once to one address, at most.")] = 1
    bandwidth: Annotated[int, _manners("Bytes a second, at most (0: no limit).")] = 0
    user_agent: Annotated[str | None, _manners("How the crawler names itself.", "garimpo and its version")] = None
    contact: Annotated[str | None, _manners("An address to write to, sent with the name.")] = None
    sign_key: Annotated[str | None, _manners("An Ed25519 key in PEM: requests are signed (Web Bot Auth).")] = None
    sign_agent: Annotated[str | None, _manners("Where the public key is published.")] = None

    learn: Annotated[bool, _learning("Learn while crawling.")] = True
    learn_share: Annotated[float, _learning("The share of a core the learner may take, unless the crawl waits for it.")] = 0.33
    rules: Annotated[str | None, _learning("URL rules to begin with (rules.json).")] = None
    tracking: Annotated[bool, _learning("Begin with rules that drop well-known tracking parameters on every host, too.")] = False
    folds: Annotated[str | None, _learning("Hosts to fold into others from the beginning (of `mirrors find --folds`).")] = None

    hosts: Annotated[str | None, _network("A hosts file.")] = None
    resolve_all: Annotated[str | None, _network("ADDRESS:PORT to which all sockets connect.")] = None
    allow_private: Annotated[bool, _network("Crawl private and loopback addresses, too.")] = False
    ca_file: Annotated[str | None, _network("A PEM file of certificates to trust in place of the system's.")] = None
    connect_timeout: Annotated[float, _network("Seconds to wait for a connection.")] = 10.0
    timeout: Annotated[float, _network("Seconds a request may take.")] = 30.0
    tries: Annotated[int, _network("How often a URL is tried.")] = 3
    hops: Annotated[int, _network("How many redirects are followed.")] = 10
    headers: Annotated[list[str], _network("'Name: value', sent to the seeds' hosts (may be repeated).")] = []
    cookies: Annotated[str | None, _network("A file of cookies in Netscape's format, sent as --headers are.")] = None
    headers_for: Annotated[list[str], _network("Hosts that get --headers and --cookies instead (may be repeated).")] = []
    keep_cookies: Annotated[bool, _network("Keep the cookies that servers set, and send them back.")] = False
    proxy: Annotated[str | None, _network("A proxy's URL.")] = None

    workers: Annotated[int, _machine("Processes that read pages (0: the loop reads).")] = 0
    metrics_port: Annotated[int, _machine("Serve Prometheus metrics on this port (0: no).")] = 0
    seed: Annotated[int, _machine("Number from which all that is drawn at random follows.")] = 0

    def to_dict(self) -> dict[str, Any]:
        """What `crawl.toml` keeps: the settings that differ from their defaults."""
        usual = msgspec.to_builtins(Settings())
        return {name: value for name, value in msgspec.to_builtins(self).items() if value != usual.get(name)}

    @property
    def least_new(self) -> float | None:
        """The share of new pages below which the crawl stops.

        >>> Settings(stop_when="new < 2.5 %").least_new, Settings().least_new
        (0.025, None)
        """
        found = re.fullmatch(r"\s*new\s*<\s*(\d+(?:\.\d+)?)\s*%\s*", self.stop_when or "")
        return min(1.0, float(found[1]) / 100) if found else None

    @property
    def learns_worth(self) -> bool:
        """Whether the crawl learns what its fetches are worth: by its own strategy; of a site to be decided it sees little."""
        return self.learn and self.strategy == "garimpo" and not self.sites

    @property
    def orders_by_worth(self) -> bool:
        """Whether that alone decides what is fetched first: where no topic says what is wanted."""
        return self.learns_worth and not (self.positive or self.topic)

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
        name = self.user_agent or f"garimpo/{'.'.join(garimpo.__version__.split('.')[:2])}"
        return f"{name} (+{self.contact})" if self.contact else name

    def check(self, where: str = "settings") -> "Settings":
        """The settings themselves, or `BadInput` naming the first that makes no sense."""
        _of_their_kinds(msgspec.to_builtins(self, enc_hook=str), where)
        for name in (
            "delay",
            "max_seconds",
            "max_pages",
            "max_requests",
            "max_bytes",
            "bandwidth",
            "workers",
            "max_pages_per_host",
            "max_pages_per_site",
            "visits_per_day",
            "trap_run",
            "metrics_port",
        ):
            _need(getattr(self, name) >= 0, where, name, "must not be negative")
        for name in ("connections", "connections_per_address", "tries", "connect_timeout", "timeout", "max_body"):
            _need(getattr(self, name) > 0, where, name, "must be positive")
        _need(self.metrics_port < 65_536, where, "metrics_port", "is no port")
        _need(self.stop_when is None or self.least_new is not None, where, "stop_when", f"{self.stop_when!r} is not like new<1%")
        for scheme in self.schemes:
            _need(scheme in ("http", "https"), where, "schemes", f"{scheme!r} is neither http nor https")
        _need(self.hops >= 0, where, "hops", "must not be negative")
        _need(self.max_depth is None or self.max_depth >= 0, where, "max_depth", "must not be negative")
        for name in ("include", "exclude"):
            for pattern in getattr(self, name):
                _need(_compiles(pattern), where, name, f"{pattern!r} is no regular expression")
        for line in self.headers:
            good = ":" in line and line.isprintable() and line.isascii()
            _need(good, where, "headers", f"{line!r} is not 'Name: value' in printable ASCII")
        for text in (self.user_agent, self.contact):
            _need(text is None or (text.isprintable() and text.isascii()), where, "user_agent/contact", "must be printable ASCII")
        if self.resolve_all is not None:
            _need(_is_address(self.resolve_all), where, "resolve_all", f"{self.resolve_all!r} is not ADDRESS:PORT")
        _need(not (self.topic and self.positive), where, "topic", "is one model, positive makes another: give one of them")
        focused = bool(self.topic or self.positive or self.sites)
        _need(self.strategy in ("garimpo", "bfs") or focused, where, "strategy", f"{self.strategy} needs a topic (or sites)")
        for name in ("hosts", "rules", "folds", "known", "sign_key", "sites", "cookies", "ca_file"):
            path = getattr(self, name)
            _need(path is None or Path(path).exists(), where, name, f"{path}: no such file or folder")
        return self


def setting_texts() -> dict[str, SettingText]:
    """Of each setting by its Python name: its kind, its text, its group, and its default in words.

    >>> setting_texts()["delay"]
    SettingText(name='delay', kind=<class 'float'>, text='Seconds between two requests to one host, and to one address.', \
group='Manners', default='1')
    """
    usual = Settings()
    texts = {}
    for name, annotation in get_type_hints(Settings, include_extras=True).items():
        kind, meta = get_args(annotation)
        default = meta.extra["default"] or _in_words(getattr(usual, name))
        texts[name] = SettingText(name.replace("_", "-"), kind, meta.description, meta.extra["group"], default)
    return texts


def comments() -> dict[str, str]:
    """What `crawl.toml` says of each setting, by its name there."""
    return {text.name: text.text for text in setting_texts().values()}


def reference() -> str:
    """The page of the documents that lists all settings (`docs/settings.md`)."""
    lines = [
        "# All settings of a crawl", "",
        "Each is an option of `garimpo crawl` (`--max-pages 1000`), a line of `crawl.toml` or of a file given with `--settings`",
        "(`max-pages = 1000`), and a parameter in Python (`garimpo.crawl.Settings(max_pages=1000)`). This page is made from",
        "`garimpo.crawl.settings`, as is the help;",
        "`python -c 'from garimpo.crawl.settings import reference; print(reference())'` prints it.",
    ]  # fmt: skip
    group = ""
    for setting in setting_texts().values():
        if setting.group != group:
            group = setting.group
            lines += ["", f"## {group}", "", "| setting | what it does | default |", "|---|---|---|"]
        lines.append(f"| `{setting.name}` | {setting.text} | {setting.default} |")
    return "\n".join(lines)


def _in_words(value: Any) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


RETIRED = ("learn-seconds", "learn-pages")
"""Settings of earlier releases, passed over where a stored crawl has them."""


def from_dict(values: dict[str, Any], where: str, check: bool = True) -> Settings:
    """Settings from a mapping with the names of `crawl.toml`; without `check` they need not make sense on this machine.

    >>> from_dict({"max-page": 3}, "crawl.toml")
    Traceback (most recent call last):
    garimpo.contract.errors.BadInput: crawl.toml: unknown setting max-page (did you mean max-pages?)
    """
    names = list(Settings.__struct_encode_fields__)
    if isinstance(values.get("cookies"), bool):  # as the first release wrote it
        values = {**values, "keep-cookies": values["cookies"]}
        del values["cookies"]
    values = {name: value for name, value in values.items() if name not in RETIRED}
    for name in values:
        if name not in names:
            close = difflib.get_close_matches(name, names, 1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise BadInput(f"{where}: unknown setting {name}{hint}")
    settings = _of_their_kinds(values, where)
    return settings.check(where) if check else settings


def _of_their_kinds(values: dict[str, Any], where: str) -> Settings:
    """Settings from values by their names in `crawl.toml`, or `BadInput` naming the first of another kind than it should be."""
    try:
        return msgspec.convert(values, Settings)
    except msgspec.ValidationError as error:
        told, _, place = str(error).partition(" - at `$.")
        name = re.split(r"[`\[]", place)[0].replace("-", "_")
        choices = _choices(setting_texts()[name].kind) if name in Settings.__struct_fields__ else ()
        among = f" (one of {', '.join(choices)})" if choices else ""
        raise BadInput(f"{_place(where, name)} {told}{among}") from None


def _choices(kind: Any) -> tuple[str, ...]:
    """The values that a setting may have, if they are but a few."""
    literals = [one for one in (kind, *get_args(kind)) if get_origin(one) is Literal]
    return get_args(literals[0]) if literals else ()


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
    """The settings with those of `given` (by their Python names) in place of the stored ones.

    A topic that is given takes the place of examples that are stored, and the other way round.
    """
    for name, other, nothing in (("topic", "positive", []), ("positive", "topic", None)):
        if given.get(name) and other not in given:
            given = {**given, other: nothing}
    return msgspec.structs.replace(settings, **given).check()


def _need(holds: bool, where: str, name: str, text: str) -> None:
    if not holds:
        raise BadInput(f"{_place(where, name)} {text}")


def _place(where: str, name: str) -> str:
    """A setting as whoever wrote it there calls it: in a file, on the command line, or in Python."""
    in_file = name.replace("_", "-")
    return f"{where}: {in_file}" if where != "settings" else spoken(f"Settings: {name}:", f"--{in_file}:")


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _is_address(text: str) -> bool:
    address, _, port = text.rpartition(":")
    return bool(address) and port.isdigit() and 0 < int(port) < 65536
