"""The hosts of the mirrors' table: replica groups of every cause, and hosts of their own that share something with others."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from garimpo.webgen.language import names
from garimpo.webgen.language.chance import identity, number, pick
from garimpo.webgen.tables.draws import Ints, below, normal, parts

CAUSES = ("www",) * 3 + ("suffix",) * 3 + ("balance",) * 22 + ("franchise",) * 20 + ("migration",) * 24 + ("malicious",) * 28
IN_REPLICAS = 0.075
"""Part of the hosts that have a replica, as in the collection that the method was published with."""
WITH_DEFAULTS = 0.3
SUFFIXES = ("com.br", "com", "org.br", "net", "org", "info", "gov.br", "net.br")
STYLES = (
    "/{d}/{w}.html",
    "/{d}/{w}-{n}.htm",
    "/{f}.php?id={n}",
    "/{d}/{n}/",
    "/{f}/index.asp?cod={n}&sec={d}",
    "/{w}.html",
    "/{d}/{e}/{w}{n}.php",
)
COMMON = ("/", "/index.html", "/contato.html", "/quem-somos.html", "/about.html", "/index.php", "/links.html")
CHANGING = (0.0, 0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.4, 0.4, 0.8)
"""Part of a site's pages whose bytes are others at every fetch."""


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


class Hosts:
    """Draws the hosts of the table."""

    def __init__(self, seed: int, count: int, prevalence: float, kinds: tuple[str, ...] = CAUSES) -> None:
        self.seed, self.count, self._kinds = seed, count, kinds
        self.words = [names.word(seed, "path", index) for index in range(2_000)]
        self.folders = [names.word(seed, "folder", index, syllables=1) for index in range(60)]
        self.causes: list[str] = []
        self.kinds: dict[int, str] = {}
        self._taken: set[str] = set()
        groups = self._group_sizes()
        pairs = sum(size * (size - 1) // 2 for size in groups)
        wanted = pairs * (1 - prevalence) / prevalence
        self.crowd = max(2, int(wanted * 6.4 / (WITH_DEFAULTS * count)) + 1)
        self._groups = groups

    def _group_sizes(self) -> list[int]:
        sizes: list[int] = []
        while sum(sizes) < self.count * IN_REPLICAS:
            cause = pick(self._kinds, self.seed, "cause", len(sizes))
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
        first = (1, 1, 100, 1 + (key >> 32) % 900, 1 + (key >> 32) % 90_000)[(key >> 8) % 5]
        draw = below(key, "draw", 3 * size, 2_000).reshape(3, size)
        words, folders = self.words, self.folders
        paths = [
            style.format(
                d=folders[a % 6 + (key >> 16) % 50],
                e=folders[b % 60],
                f=folders[(key >> 40) % 60],
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
        draw = parts(number(self.seed, "seen", name), "p", 2)
        changing = CHANGING[number(self.seed, "changing", group if group >= 0 else name) % len(CHANGING)]
        host = Seen(name, ip, pages, group, changing, 0.45 + 0.5 * float(draw[0]), 0.1 + 0.5 * float(draw[1]))
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

    def _copy(self, cause: str, stem: str, suffix: str, group: int, turn: int, ip: str, pages: Pages) -> tuple[str, str, Pages]:
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
        for bound, maker in ((25, self._lyrics), (50, self._shop), (75, self._parked), (100, self._department)):
            if roll < bound:
                return maker(index)
        stem, suffix = self._name("single", index)
        if roll < 115:
            stem, suffix = self._squatted(index, stem, suffix)
        name = ("www." if number(self.seed, "www1", index) % 2 else "") + f"{stem}.{suffix}"
        return self._seen(name, self._ip("single", index), self._pages(self._size(55, "single", index), "single", index))

    def _squatted(self, index: int, stem: str, suffix: str) -> tuple[str, str]:
        """Another site's name under another suffix, if nobody has it yet."""
        owner = names.word(self.seed, "group", number(self.seed, "squatted", index) % len(self.causes))
        ending = pick(("biz", "co", "tv", "site", "blog"), self.seed, "squat", index)
        if f"{owner}.{ending}" in self._taken:
            return stem, suffix
        self._taken.add(f"{owner}.{ending}")
        return owner, ending

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
        paths = ["/", *(f"/produto/{article + 1000 * pool}.html" for article in articles.tolist())]
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
