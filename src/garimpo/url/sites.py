"""The site of a host: its registrable domain by the public suffix list that tldextract carries.

Only the list is taken from there: importing the package brings an HTTP client with it, which costs more than all the rest
that a short command does.
"""

import ipaddress
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from garimpo.url.parsing import host

_RULE = re.compile(r"^[.*!]*\w\S*", re.MULTILINE)


@cache
def _rules() -> frozenset[str]:
    """The rules of the list, its private section too: `com`, `*.ck`, `!www.ck`."""
    package = find_spec("tldextract")
    assert package is not None and package.origin is not None
    return frozenset(_RULE.findall(Path(package.origin).with_name(".tld_set_snapshot").read_text("utf-8")))


def _suffix_start(labels: list[str]) -> int | None:
    """At which label the longest listed suffix begins; None where none fits."""
    rules = _rules()
    for start in range(len(labels)):
        rest = ".".join(labels[start:])
        if f"!{rest}" in rules:
            return start + 1
        if rest in rules or f"*.{rest.partition('.')[2]}" in rules:
            return start
    return None


def _unicode(label: str) -> str:
    """The list is written in Unicode."""
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1 << 13)
def _site_of_host(name: str) -> str:
    name = name.rstrip(".")
    if "." not in name or _is_address(name):
        return name
    labels = name.split(".")
    start = _suffix_start([_unicode(label) for label in labels])
    if start is None:
        start = len(labels) - 1
    return ".".join(labels[max(start - 1, 0) :])  # a host that is itself a listed suffix is its own site


def site(host_or_url: str) -> str:
    """The registrable domain; empty for a URL that does not parse.

    >>> site("www.bbc.co.uk"), site("http://ann.github.io/x"), site("db.intra.lan"), site("http://127.0.0.1:80/")
    ('bbc.co.uk', 'ann.github.io', 'intra.lan', '127.0.0.1')
    """
    name = host(host_or_url) if "://" in host_or_url else host_or_url.lower()
    return _site_of_host(name) if name else ""
