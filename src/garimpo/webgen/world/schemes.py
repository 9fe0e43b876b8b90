"""How a site's software writes the URL of a page, and reads it again.

A `Scheme` is the habit of one piece of software (a shop system, a forum, a set of ASP scripts): templates for items, listings
and single pages, with file and parameter names drawn for it. Many hosts run the same software, so its habits recur across
the Web. `Scheme.write` gives a page its one plain address; `Scheme.read` is its inverse and accepts nothing else.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from garimpo.webgen.language.chance import Dice, number, pick


class Address(NamedTuple):
    """The part of a URL after the host: a path and ordered parameters, all ASCII and needing no escapes."""

    path: str
    params: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.path + ("?" + "&".join(f"{k}={v}" if v else k for k, v in self.params) if self.params else "")


def address(target: str) -> Address:
    """The address in a request line.

    >>> address("/a?b=1&c=2")
    Address(path='/a', params=(('b', '1'), ('c', '2')))
    """
    path, _, query = target.partition("?")
    pairs = (part.partition("=") for part in query.split("&") if part)
    return Address(path, tuple((name, value) for name, _, value in pairs))


class Node(NamedTuple):
    """One page of a site: what part it plays and which of those it is. `other` tells look-alikes and translations apart."""

    role: str
    number: int = 0
    page: int = 1
    other: str = ""


STYLES: dict[str, tuple[str, str, str, str]] = {
    # style: item, first page of a listing, its further pages, single page
    "wordy": ("/{sec}/{slug}.html", "/{sec}/", "/{sec}/{word}-{p}.html", "/{info}.html"),
    "dated": ("/{date}/{slug}/", "/{word}/{sec}/", "/{word}/{sec}/{page}/{p}/", "/{info}/"),
    "ided": ("/{sec}/{id}/{slug}", "/{sec}", "/{sec}?{page}={p}", "/{info}"),
    "query": ("/{script}.php?{act}=view&{idn}={id}", "/{script}.php?{act}=list&{cat}={s}",
              "/{script}.php?{act}=list&{cat}={s}&{page}={p}", "/{script}.php?{act}=page&{idn}={info}"),
    "scripts": ("/{dir}/{script}.asp?{cat}={s}&{idn}={id}", "/{dir}/{word}.asp?{cat}={s}",
                "/{dir}/{word}.asp?{cat}={s}&{page}={p}", "/{dir}/{info}.asp"),
    "flat": ("/{sec}-{id}.htm", "/{sec}.htm", "/{sec}-{page}{p}.htm", "/{info}.htm"),
    "deep": ("/{dir}/{sec}/{sub}/{slug}-{id}.aspx", "/{dir}/{sec}/", "/{dir}/{sec}/?{page}={p}", "/{dir}/{info}.aspx"),
    "plain": ("/{sec}/{id}", "/{sec}/", "/{sec}/?{page}={p}", "/{info}"),
}  # fmt: skip
NAMES = {
    "script": "index show view item article content main doc story node produto materia noticia".split(),
    "act": "op action do cmd mod task route opcao acao".split(),
    "idn": "id item nid aid tid pid cod codigo num artigo".split(),
    "cat": "cat c sec section topic group categoria canal area".split(),
    "page": "page p pg pagina pag start offset folha".split(),
    "word": "category topics archive list browse arquivo lista todos".split(),
    "dir": "site web pages content portal docs publico app".split(),
}
PATTERNS = {"id": r"\d+", "slug": r"[a-z]+(?:-[a-z]+)*", "date": r"\d{4}/\d\d", "sub": r"[a-z]\d", "p": r"\d+", "s": r"\d+"}
SLUG_WORDS = 64


@dataclass(frozen=True)
class Software:
    """The habits many hosts share: a style and the names it uses."""

    index: int
    style: str
    names: tuple[tuple[str, str], ...]

    @property
    def has_id(self) -> bool:
        return "{id}" in STYLES[self.style][0]


def software(seed: int, count: int) -> list[Software]:
    """The pieces of software this world runs on; each style is there at least once if there are enough."""
    styles = sorted(STYLES, key=lambda style: number(seed, "style", style))
    return [
        Software(index, styles[index % len(styles)], tuple((name, pick(NAMES[name], seed, name, index)) for name in NAMES))
        for index in range(count)
    ]


class Scheme:
    """The addresses of one site: its software's templates with the site's own sections, words and numbers in them."""

    def __init__(self, seed: int, site: int, software: Software, sections: list[str], words: list[str], infos: list[str]) -> None:
        dice = Dice(seed, "scheme", site)
        self.software = software
        self.sections, self.infos, self.words = sections, infos, words
        self._word_at = {word: index for index, word in enumerate(words)}
        self._first_id, self._stride = dice.between(3, 90_000), dice.one((1, 1, 2, 3, 7, 11))
        self._scramble, self._shift = 2 * dice.below(100_000) + 1, dice.below(SLUG_WORDS**3)
        self._unscramble = pow(self._scramble, -1, SLUG_WORDS**3)
        self._year = dice.between(2004, 2019)
        filled = dict(software.names)
        self._templates = [_fill(template, filled) for template in STYLES[software.style]]
        self._readers = [(_reader(template, sections, infos), template) for template in self._templates]

    def write(self, node: Node, section: int) -> Address:
        """The plain address of a page. `section` is that of the item or listing."""
        if node.role == "home":
            return Address("/")
        template = self._templates[3 if node.role == "info" else 0 if node.role == "item" else 1 if node.page == 1 else 2]
        return address(_put(template, self._fields(node, section)))

    def _fields(self, node: Node, section: int) -> dict[str, str]:
        if node.role == "info":
            return {"info": self.infos[node.number]}
        fields = {"sec": self.sections[section], "s": str(section + 1), "p": str(node.page)}
        if node.role == "item":
            fields |= {
                "id": str(self._first_id + node.number * self._stride), "slug": self.slug(node.number),
                "date": f"{self._year + node.number // 97:04d}/{node.number % 12 + 1:02d}",
                "sub": f"{'abcdefgh'[node.number % 8]}{node.number % 4}",
            }  # fmt: skip
        return fields

    def slug(self, item: int) -> str:
        """Three words that name an item and no other."""
        coded = (item * self._scramble + self._shift) % SLUG_WORDS**3
        words = self.words
        return f"{words[coded % SLUG_WORDS]}-{words[coded // SLUG_WORDS % SLUG_WORDS]}-{words[coded // SLUG_WORDS**2]}"

    def item_of_slug(self, slug: str) -> int | None:
        """The inverse of `slug`."""
        places = [self._word_at.get(word) for word in slug.split("-")]
        if len(places) != 3 or None in places:
            return None
        first, second, third = (place for place in places if place is not None)
        coded = first + SLUG_WORDS * second + SLUG_WORDS**2 * third
        return (coded - self._shift) * self._unscramble % SLUG_WORDS**3

    def item_of_id(self, text: str) -> int | None:
        """The inverse of an item's number on the site."""
        item, rest = divmod(int(text) - self._first_id, self._stride)
        return item if rest == 0 and item >= 0 else None

    def id_of(self, item: int) -> int:
        """The number that the site's URLs give an item."""
        return self._first_id + item * self._stride

    def read(self, target: Address) -> tuple[Node, dict[str, str]] | None:
        """The page whose address has this form, with the fields read; the caller compares it with what `write` says."""
        if target == ("/", ()):
            return Node("home"), {}
        text = str(target)
        for place, (reader, _) in enumerate(self._readers):
            found = reader.fullmatch(text)
            if found:
                node = self._node(place, found.groupdict())
                if node is not None:
                    return node, found.groupdict()
        return None

    def _node(self, place: int, fields: dict[str, str]) -> Node | None:
        if place == 3:
            return Node("info", self.infos.index(fields["info"]))
        if place == 0:
            item = self.item_of_id(fields["id"]) if "id" in fields else self.item_of_slug(fields["slug"])
            return None if item is None else Node("item", item)
        section = self.sections.index(fields["sec"]) if "sec" in fields else int(fields["s"]) - 1
        return Node("list", section, int(fields.get("p", "1")))


def _fill(template: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        template = template.replace("{" + name + "}", value)
    return template


def _put(template: str, fields: dict[str, str]) -> str:
    for name, value in fields.items():
        template = template.replace("{" + name + "}", value)
    return template


def _reader(template: str, sections: list[str], infos: list[str]) -> re.Pattern[str]:
    patterns = PATTERNS | {"sec": "|".join(map(re.escape, sections)), "info": "|".join(map(re.escape, infos))}
    parts = re.split(r"\{(\w+)\}", template)
    made = [f"(?P<{part}>{patterns[part]})" if index % 2 else re.escape(part) for index, part in enumerate(parts)]
    return re.compile("".join(made))
