"""Hosts by the ten thousand for the mirror finder: URL, address and digest of what a partial crawl has seen of each.

Replica groups are made for every cause; the rest are hosts of their own, many of which share something with others: songs under
other paths, a catalogue's article numbers, a software's default pages, a parking page, a department's rules, an address. Every
host keeps a shallow-first part of its pages, knows the paths of more pages than it fetched, and on some hosts the same page
has another digest at every fetch. Default pages are given to just so many hosts that replicas are the wanted part of the
pairs that share a digest.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.webgen import names
from garimpo.webgen.chance import identity, number, pick
from garimpo.webgen.tables.draws import Ints, Stream, below, normal, parts

PAGES = pa.schema([("url", pa.string()), ("ip", pa.string()), ("digest", pa.uint64())])
TRUTH = pa.schema([("host_a", pa.string()), ("host_b", pa.string()), ("replica", pa.bool_()), ("cause", pa.string())])
CAUSES = ("www",) * 3 + ("suffix",) * 3 + ("balance",) * 22 + ("franchise",) * 20 + ("migration",) * 24 + ("malicious",) * 28
IN_REPLICAS = 0.075
"""Part of the hosts that have a replica, as in the collection that the method was published with."""
WITH_DEFAULTS = 0.3
SUFFIXES = ("com.br", "com", "org.br", "net", "org", "info", "gov.br", "net.br")
STYLES = (
    "/{d}/{w}.html",
    "/{d}/{w}-{n}.htm",
    "/noticia.php?id={n}",
    "/{d}/{n}/",
    "/index.asp?cod={n}&sec={d}",
    "/{w}.html",
    "/{d}/{e}/{w}{n}.php",
)
COMMON = ("/", "/index.html", "/contato.html", "/quem-somos.html", "/about.html", "/index.php", "/links.html")
BATCH = 400_000


@dataclass
class Pages:
    """The pages of one site: paths and what they say (a 63-bit name; equal names are equal bytes)."""

    paths: list[str]
    contents: Ints


@dataclass
class Seen:
    """One host of the table."""

    name: str
    ip: str
    pages: Pages
    group: int = -1
    changing: float = 0.0
    known: float = 0.8
    fetched: float = 0.4
    extra: Pages | None = None
    kinds: dict[int, str] = field(default_factory=dict)


class Hosts:
    """Draws the hosts of the table."""

    def __init__(self, seed: int, count: int, prevalence: float) -> None:
        self.seed, self.count = seed, count
        self.words = [names.word(seed, "path", index) for index in range(2_000)]
        self.folders = [names.word(seed, "folder", index, syllables=1) for index in range(60)]
        self.causes: list[str] = []
        self.kinds: dict[int, str] = {}
        self._taken: set[str] = set()
        groups = self._group_sizes()
        pairs = sum(size * (size - 1) // 2 for size in groups)
        wanted = pairs * (1 - prevalence) / prevalence
        self.crowd = max(2, int(wanted * 7.0 / (WITH_DEFAULTS * count)) + 1)
        self._groups = groups

    def _group_sizes(self) -> list[int]:
        sizes: list[int] = []
        while sum(sizes) < self.count * IN_REPLICAS:
            cause = pick(CAUSES, self.seed, "cause", len(sizes))
            most = {"balance": 5, "malicious": 5, "migration": 3, "franchise": 4}.get(cause, 2)
            sizes.append(2 + number(self.seed, "size", len(sizes)) % (most - 1))
            self.causes.append(cause)
        return sizes

    def all(self) -> Iterator[Seen]:
        """Every host, replicas first."""
        made = 0
        for group, size in enumerate(self._groups):
            for host in self._replicas(group, size):
                made += 1
                yield host
        index = 0
        while made < self.count:
            host = self._single(index)
            index += 1
            made += 1
            yield host

    # parts of a host

    def _name(self, *what: object) -> tuple[str, str]:
        stem = names.word(self.seed, *what) + pick(
            ("", "", "-" + names.word(self.seed, "b", *what, syllables=1), "online", "web"), self.seed, "s", *what
        )
        suffix = pick(SUFFIXES, self.seed, "suffix", *what)
        while f"{stem}.{suffix}" in self._taken:
            stem += str(number(self.seed, stem) % 10)
        self._taken.add(f"{stem}.{suffix}")
        return stem, suffix

    def _ip(self, *what: object) -> str:
        """A third of the hosts live at one of a few hundred crowded addresses."""
        draw = number(self.seed, "ip", *what)
        if draw % 3 == 0:
            place = min((draw >> 8) % 300, (draw >> 20) % 300)
            return f"10.200.{place // 100}.{place % 100 + 1}"
        return f"10.{(draw >> 8) % 190}.{(draw >> 16) % 250}.{(draw >> 24) % 250 + 1}"

    def _pages(self, size: int, *what: object) -> Pages:
        key = number(self.seed, "pages", *what)
        style = STYLES[key % len(STYLES)]
        first = (1, 1, 10, 100, 1000)[(key >> 8) % 5]
        draw = below(key, "draw", 3 * size, 2_000).reshape(3, size)
        words, folders = self.words, self.folders
        paths = [
            style.format(
                d=folders[a % 6 + (key >> 16) % 50],
                e=folders[b % 60],
                w=f"{words[b]}-{words[c]}" if b % 2 else words[c],
                n=first + index,
            )
            for index, (a, b, c) in enumerate(draw.T.tolist())
        ]
        common = [path for place, path in enumerate(COMMON) if key >> (24 + place) & 1 or place == 0]
        paths = list(dict.fromkeys([*common, *paths]))
        contents = (below(key, "content", len(paths), 2**53) << 9) + np.arange(len(paths))
        return Pages(paths, contents)

    def _size(self, median: float, *what: object) -> int:
        spread = float(normal(number(self.seed, "size", *what), "n", 1)[0])
        return int(min(600, max(4, median * 2.0 ** (1.1 * spread))))

    def _seen(self, name: str, ip: str, pages: Pages, group: int = -1) -> Seen:
        draw = parts(number(self.seed, "seen", name), "p", 3)
        changing = (0.0, 0.0, 0.1, 0.4, 0.8)[int(draw[0] * 5)]
        host = Seen(name, ip, pages, group, changing, 0.45 + 0.5 * float(draw[1]), 0.1 + 0.5 * float(draw[2]))
        if number(self.seed, "defaults", name) % 100 < WITH_DEFAULTS * 100:
            host.extra = self._defaults(name)
        return host

    def _defaults(self, name: str) -> Pages:
        """The pages that came with the software: the same on every host of one version."""
        versions = max(1, int(self.count * WITH_DEFAULTS / self.crowd))
        version = number(self.seed, "version", name) % versions
        count = 3 + number(self.seed, "files", version) % 4
        root = pick(("/readme", "/docs/manual", "/icons/info", "/license", "/setup/help"), self.seed, "root", version)
        contents = np.array([identity(self.seed, "default", version, turn) for turn in range(count)], np.int64)
        self.kinds.update(dict.fromkeys(contents.tolist(), "defaults"))
        return Pages([f"{root}{turn}.html" for turn in range(count)], contents)

    # replicas

    def _replicas(self, group: int, size: int) -> Iterator[Seen]:
        cause, seed = self.causes[group], self.seed
        stem, suffix = self._name("group", group)
        pages = self._pages(self._size(90, "group", group), "group", group)
        ip = self._ip("group", group)
        for turn in range(size):
            name, at, own = f"{stem}.{suffix}", ip, pages
            if turn:
                name, at, own = self._copy(cause, stem, suffix, group, turn, ip, pages)
            elif cause == "balance" or number(seed, "www", group) % 2:
                name = "www." + name
            if cause == "www" and turn:
                name = f"{stem}.{suffix}" if number(seed, "www", group) % 2 else f"www.{stem}.{suffix}"
            yield self._seen(name, at, own, group)

    def _copy(
        self, cause: str, stem: str, suffix: str, group: int, turn: int, ip: str, pages: Pages
    ) -> tuple[str, str, Pages]:
        seed = self.seed
        elsewhere = self._ip("copy", group, turn)
        if cause == "balance":
            return f"www{turn}.{stem}.{suffix}", ip.rpartition(".")[0] + f".{turn * 7 % 250 + 1}", pages
        if cause == "franchise":
            place = pick(("sul", "norte", "rio", "sp", "centro", "brasil"), seed, "place", group, turn)
            return f"{stem}-{place}{turn}.{suffix}", elsewhere, self._part(pages, 0.7, group, turn)
        if cause == "migration":
            provider = names.word(seed, "provider", number(seed, group) % 30)
            moved = (
                pages
                if number(seed, "prefix", group, turn) % 4
                else Pages([f"/{stem}{path}" for path in pages.paths], pages.contents)
            )
            return f"{stem}{turn if turn > 1 else ''}.{provider}.com", elsewhere, moved
        if cause == "malicious":
            other, end = self._name("malicious", group, turn)
            return (
                f"{other}.{end}",
                ip if number(seed, "same ip", group, turn) % 4 == 0 else elsewhere,
                self._part(pages, 0.8, group, turn),
            )
        ends = [end for end in SUFFIXES if end != suffix]
        return f"{stem}.{pick(ends, seed, 'end', group)}", elsewhere if number(seed, "moved", group) % 2 else ip, pages

    def _part(self, pages: Pages, part: float, group: int, turn: int) -> Pages:
        keep = np.flatnonzero(parts(number(self.seed, "keep", group, turn), "k", len(pages.paths)) < part)
        return Pages([pages.paths[at] for at in keep], pages.contents[keep])

    # hosts of their own

    def _single(self, index: int) -> Seen:
        roll = number(self.seed, "single", index) % 1000
        maker = (
            self._lyrics
            if roll < 25
            else self._shop
            if roll < 50
            else self._parked
            if roll < 75
            else self._department
            if roll < 100
            else None
        )
        if maker is not None:
            return maker(index)
        stem, suffix = self._name("single", index)
        if roll < 115 and self.causes:
            owner = number(self.seed, "squatted", index) % len(self.causes)
            stem = names.word(self.seed, "group", owner)
            suffix = pick(("biz", "co", "tv", "site", "blog"), self.seed, "squat", index) + str(index)[-3:] * (index % 2)
        name = ("www." if number(self.seed, "www1", index) % 2 else "") + f"{stem}.{suffix.rstrip('0123456789')}"
        if name in self._taken:
            name = f"{index}{name}"
        self._taken.add(name)
        return self._seen(name, self._ip("single", index), self._pages(self._size(55, "single", index), "single", index))

    def _lyrics(self, index: int) -> Seen:
        """The same songs as others, under paths of its own."""
        stem, suffix = self._name("lyrics", index)
        pages = self._pages(self._size(120, "lyrics", index), "lyrics", index)
        pool = number(self.seed, "pool", index) % max(1, self.count // 1_200)
        songs = below(number(self.seed, "songs", index), "s", len(pages.paths), 700)
        equal = parts(number(self.seed, "equal", index), "e", len(pages.paths)) < 0.6
        contents = np.array([identity(self.seed, "song", pool, song) for song in songs.tolist()], np.int64)
        self.kinds.update(dict.fromkeys(contents.tolist(), "lyrics"))
        return self._seen(
            f"{stem}.{suffix}", self._ip("lyrics", index), Pages(pages.paths, np.where(equal, contents, pages.contents))
        )

    def _shop(self, index: int) -> Seen:
        """The same article numbers in the same places as its competitors, few of the pages equal."""
        stem, suffix = self._name("shop", index)
        pool = number(self.seed, "shops", index) % max(1, self.count // 1_500)
        size = self._size(120, "shop", index)
        articles = np.unique(below(number(self.seed, "articles", index), "a", size, 500))
        paths = ["/", *(f"/produto/{article + 1000}.html" for article in articles.tolist())]
        own = (below(number(self.seed, "own", index), "c", len(paths), 2**53) << 9) + np.arange(len(paths))
        sheet = np.array([identity(self.seed, "sheet", pool, article) for article in [-1, *articles.tolist()]], np.int64)
        self.kinds.update(dict.fromkeys(sheet.tolist(), "catalogue"))
        equal = parts(number(self.seed, "sheets", index), "e", len(paths)) < 0.15
        equal[0] = False
        return self._seen(f"{stem}.{suffix}", self._ip("shop", index), Pages(paths, np.where(equal, sheet, own)))

    def _parked(self, index: int) -> Seen:
        """A name for sale: one page, the same on all names of the dealer."""
        stem, suffix = self._name("parked", index)
        dealer = number(self.seed, "dealer", index) % max(1, self.count // 1_000)
        content = identity(self.seed, "parked", dealer)
        self.kinds[content] = "parked"
        host = self._seen(
            f"{stem}.{suffix}",
            f"10.240.{dealer % 250}.{1 + dealer // 250}",
            Pages(["/", "/index.html"], np.array([content, content], np.int64)),
        )
        host.extra, host.known, host.fetched = None, 1.0, 1.0
        return host

    def _department(self, index: int) -> Seen:
        """One of the hosts of an institution: names and network alike, and the same rules on every one."""
        house = index // 60
        stem = names.word(self.seed, "house", house)
        name = f"{names.word(self.seed, 'department', index, syllables=1)}{index % 7}.{stem}.edu.br"
        own = self._pages(self._size(55, "department", index), "department", index)
        rules = np.array([identity(self.seed, "rules", house, turn) for turn in range(4)], np.int64)
        self.kinds.update(dict.fromkeys(rules.tolist(), "department"))
        network = number(self.seed, "network", house)
        paths = [*own.paths, *(f"/normas/regra{turn}.html" for turn in range(4))]
        ip = f"10.{network % 190}.{(network >> 8) % 250}.{index % 250 + 1}"
        return self._seen(name, ip, Pages(paths, np.concatenate([own.contents, rules])))


def rows(host: Seen, stream: Stream) -> tuple[list[str], list[int | None]]:
    """The URLs that the crawl knows of a host, with the digest where it fetched the page. Shallow pages come first."""
    paths, contents = host.pages.paths, host.pages.contents
    if host.extra is not None:
        paths, contents = [*paths, *host.extra.paths], np.concatenate([contents, host.extra.contents])
    draw = stream.parts(3 * len(paths)).reshape(3, len(paths))
    depth = np.array([path.count("/") - (path == "/") for path in paths])
    order = draw[0] + 0.15 * depth
    known = np.argsort(order, kind="stable")[: max(1, round(host.known * len(paths)))]
    fetched = np.zeros(len(paths), bool)
    fetched[known[: max(1, round(host.fetched * len(paths)))]] = True
    changed = draw[1] < host.changing
    digests = np.where(changed, (draw[2] * 2**53).astype(np.int64) << 9, contents)
    known = np.sort(known)
    return [f"http://{host.name}{paths[at]}" for at in known], [int(digests[at]) if fetched[at] else None for at in known]


def make(folder: Path, seed: int, hosts: int = 50_000, prevalence: float = 0.004) -> dict[str, Any]:
    """Write ``pages`` and ``truth`` and say how many of what there are."""
    if hosts < 200 or not 0.0 < prevalence < 0.5:
        raise BadInput(
            f"mirrors: {hosts} hosts at prevalence {prevalence}: at least 200 hosts, prevalence above 0 and below 0.5"
        )
    made = Hosts(seed, hosts, prevalence)
    stream = Stream(seed, "rows")
    groups: dict[int, list[str]] = {}
    by_digest: dict[int, list[int]] = {}
    host_names: list[str] = []
    group_of: list[int] = []
    total = 0
    with publish(folder / "pages.parquet") as temporary, pq.ParquetWriter(temporary, PAGES, compression="zstd") as writer:
        urls: list[str] = []
        ips: list[str] = []
        digests: list[int | None] = []
        for host in made.all():
            index = len(host_names)
            host_names.append(host.name)
            group_of.append(host.group)
            if host.group >= 0:
                groups.setdefault(host.group, []).append(host.name)
            some_urls, some_digests = rows(host, stream)
            for digest in set(some_digests):
                if digest in made.kinds:
                    by_digest.setdefault(digest, []).append(index)
            urls += some_urls
            ips += [host.ip] * len(some_urls)
            digests += some_digests
            if len(urls) >= BATCH:
                total += _flush(writer, urls, ips, digests)
        total += _flush(writer, urls, ips, digests)
    negatives = _negatives(by_digest, host_names, group_of, made.kinds)
    positives = [
        (min(pair), max(pair), made.causes[group]) for group, members in groups.items() for pair in combinations(members, 2)
    ]
    _write_truth(folder / "truth.parquet", positives, negatives)
    return {"hosts": len(host_names), "urls": total, "replica_pairs": len(positives), "hard_negative_pairs": len(negatives),
            "prevalence": len(positives) / max(1, len(positives) + len(negatives))}  # fmt: skip


def _flush(writer: pq.ParquetWriter, urls: list[str], ips: list[str], digests: list[int | None]) -> int:
    count = len(urls)
    writer.write_table(pa.table([urls, ips, pa.array(digests, pa.int64()).view(pa.uint64())], schema=PAGES))
    urls.clear()
    ips.clear()
    digests.clear()
    return count


def _negatives(
    by_digest: dict[int, list[int]], host_names: list[str], group_of: list[int], kinds: dict[int, str]
) -> dict[tuple[str, str], str]:
    """Every pair of hosts that share a digest without being replicas, with what they share."""
    found: dict[tuple[str, str], str] = {}
    for digest, sharing in by_digest.items():
        kind = kinds[digest]
        for a, b in combinations(sharing, 2):
            if group_of[a] < 0 or group_of[a] != group_of[b]:
                one, other = host_names[a], host_names[b]
                found[(one, other) if one < other else (other, one)] = kind
    return found


def _write_truth(path: Path, positives: list[tuple[str, str, str]], negatives: dict[tuple[str, str], str]) -> None:
    columns = [pa.array([row[at] for row in positives] + [pair[at] for pair in negatives], pa.string()) for at in (0, 1)]
    replica = pa.array([True] * len(positives) + [False] * len(negatives))
    cause = pa.array([row[2] for row in positives] + list(negatives.values()), pa.string())
    with publish(path) as temporary:
        pq.write_table(pa.table([*columns, replica, cause], schema=TRUTH), temporary, compression="zstd")
