"""The steps of a round that any worker can do for any rows: where hosts are, and which new URLs belong to the crawl."""

from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa

from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.rounds import tables
from garimpo.crawl.settings import Settings
from garimpo.url import key64
from garimpo.url import site as site_of

LOOKUPS = 32
"""Names looked up at once by one worker."""


def place_step(settings: Settings, parts: int, hosts: pa.Table) -> pa.Table:
    """The address of each host, as it was found first, and the part of that address."""
    resolver = Resolver(settings)

    def place(name: str, known: str | None) -> str:
        return known or resolver.find(name)

    names = hosts.column("host").to_pylist()
    with ThreadPoolExecutor(LOOKUPS) as pool:
        found = list(pool.map(place, names, hosts.column("address").to_pylist()))
    part = [key64(address) % parts for address in found]
    return pa.table([names, [site_of(name) for name in names], found, part], schema=tables.PLACED)


def gate_step(settings: Settings, new: pa.Table) -> pa.Table:
    """URLs met for the first time, with the reason where one stays outside."""
    entrance, seeds = Entrance(settings, settings.seeds), set(settings.seeds)
    names, urls, depths, runs = (new.column(column).to_pylist() for column in ("host", "url", "depth", "run"))
    refusals = [
        entrance.refusal(url, name, depth, run, url in seeds) or (None, None)
        for name, url, depth, run in zip(names, urls, depths, runs)
    ]
    reasons, rules = zip(*refusals) if refusals else ((), ())
    added = [pa.array(values, pa.string()) for values in ([site_of(name) for name in names], reasons, rules)]
    return pa.table([*(new.column(name) for name in tables.QUEUED.names), *added], schema=tables.JUDGED)
