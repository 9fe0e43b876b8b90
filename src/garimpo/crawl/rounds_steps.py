"""The steps of a round that any worker can do for any rows: where hosts are, and which new URLs belong to the crawl."""

import socket
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa

from garimpo.crawl import rounds_tables as tables
from garimpo.crawl.addresses import Addresses
from garimpo.crawl.askable import Host
from garimpo.crawl.scope import Scope
from garimpo.crawl.settings import Settings
from garimpo.crawl.traps import Traps
from garimpo.url import key64
from garimpo.url import site as site_of

LOOKUPS = 32
"""Names looked up at once by one worker."""


def place_step(settings: Settings, parts: int, hosts: pa.Table) -> pa.Table:
    """The address of each host, as it was found first, and the part of that address."""
    addresses = Addresses(settings)

    def place(name: str, known: str | None) -> str:
        return known or addresses.known(name) or _look_up(name)

    names = hosts.column("host").to_pylist()
    with ThreadPoolExecutor(LOOKUPS) as pool:
        found = list(pool.map(place, names, hosts.column("address").to_pylist()))
    part = [key64(address) % parts for address in found]
    return pa.table([names, [site_of(name) for name in names], found, part], schema=tables.PLACED)


def gate_step(settings: Settings, new: pa.Table) -> pa.Table:
    """URLs met for the first time, with the reason where one stays outside."""
    scope, traps = Scope(settings, settings.seeds), Traps(settings)
    seeds = set(settings.seeds)
    sites, reasons, rules = [], [], []
    for name, url, depth, run in zip(*(new.column(column).to_pylist() for column in ("host", "url", "depth", "run"))):
        rule = scope.outside(url, name)
        if rule is None and settings.max_depth is not None and depth > settings.max_depth:
            rule = "depth"
        reason = "scope" if rule is not None and not (url in seeds and rule in ("include", "exclude")) else None
        if reason is None:
            rule = traps.caught(url, Host(0, name, 0.0), run)
            reason = "trap" if rule is not None else None
        sites.append(site_of(name))
        reasons.append(reason)
        rules.append(rule)
    said = [pa.array(values, pa.string()) for values in (sites, reasons, rules)]
    return pa.table([*(new.column(name) for name in tables.QUEUED.names), *said], schema=tables.JUDGED)


def _look_up(name: str) -> str:
    """The address of a name; what has none stands for itself."""
    try:
        return str(socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError):
        return name
