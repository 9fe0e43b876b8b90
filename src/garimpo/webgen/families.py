"""The families of DUST: how one page comes to have several URLs on its host.

A family can `apply` itself to an address (the page then answers there too) and `undo` itself (how the server finds the page
again). Undoing leaves every address alone that the family did not make. Families are undone in the order of `rank` and
applied in the opposite one, so that any two can be combined. The families of whole hosts (www, server names, sub-domains)
are in `hosts`; mirrors are in `mirrors`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from garimpo.webgen.chance import Dice, number, pick, some
from garimpo.webgen.schemes import Address, Node

if TYPE_CHECKING:
    from garimpo.webgen.sites import Site

SESSION_NAMES = "PHPSESSID sid osCsid s session_id jsessionid zenid cfid token sessao".split()
TRACKING_NAMES = "utm_source utm_campaign ref from src origem campaign aff partner via clickid banner".split()
SHOWING_NAMES = "view style font tema skin layout sort order print display modo cor".split()
INDEX_FILES = "index.html index.php default.asp index.htm home.html default.htm".split()
TREES = "old v2 backup mirror copy antigo beta archive2 en-us".split()
VALUES = "home top menu left rss news 1 2 mail banner a b".split()
EXTENSIONS = {".html": ".htm", ".htm": ".html", ".php": ".php5", ".asp": ".asp1", ".aspx": ".ashx"}


class Family:
    """One way for a page to have another URL on its host."""

    name: ClassVar[str]
    rank: ClassVar[int]
    styles: ClassVar[str]
    """The styles of URL that the family fits."""

    def __init__(self, seed: int, *where: object) -> None:
        """Draw what is particular to this piece of software or site."""

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        """Another address of the page, or nothing if the family does not fit it."""
        raise NotImplementedError

    def undo(self, site: Site, target: Address) -> Address:
        """The address that this one was made from."""
        raise NotImplementedError


def _hex(dice: Dice, length: int = 32) -> str:
    return "".join("0123456789abcdef"[dice.below(16)] for _ in range(length))


class Session(Family):
    """A session id: after a semicolon, as a directory, or as a parameter."""

    name, rank, styles = "session", 0, "wordy dated ided query scripts flat deep plain"
    _MATRIX, _FOLDER = re.compile(r";jsessionid=[0-9a-f]+"), re.compile(r"/\(s\([0-9a-f]+\)\)(?=/)", re.IGNORECASE)

    def __init__(self, seed: int, *where: object) -> None:
        self.form = pick(("matrix", "folder", "param", "param", "param"), seed, "session form", *where)
        self.parameter = pick(SESSION_NAMES, seed, "session name", *where)

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        if self.form == "matrix":
            return plain._replace(path=f"{plain.path};jsessionid={_hex(dice)}")
        if self.form == "folder":
            return plain._replace(path=f"/(S({_hex(dice, 24)})){plain.path}")
        return plain._replace(params=(*plain.params, (self.parameter, _hex(dice))))

    def undo(self, site: Site, target: Address) -> Address:
        if self.form == "matrix":
            return target._replace(path=self._MATRIX.sub("", target.path))
        if self.form == "folder":
            return target._replace(path=self._FOLDER.sub("", target.path, count=1))
        return _without(target, (self.parameter,))


def _without(target: Address, names: tuple[str, ...]) -> Address:
    return target._replace(params=tuple(pair for pair in target.params if pair[0] not in names))


class Tracking(Family):
    """Parameters that say where the visitor came from, in any number and at any place."""

    name, rank, styles = "tracking", 1, "wordy dated ided query scripts flat deep plain"
    pool: ClassVar[list[str]] = TRACKING_NAMES

    def __init__(self, seed: int, *where: object) -> None:
        self.parameters = tuple(some(self.pool, 1 + number(seed, "params", self.name, *where) % 3, seed, self.name, *where))

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        extra = [(name, dice.one(VALUES)) for name in self.parameters if dice.chance(0.6)]
        extra = extra or [(self.parameters[0], dice.one(VALUES))]
        if plain.params and dice.chance(0.3):
            return plain._replace(params=(*extra, *plain.params))
        return plain._replace(params=(*plain.params, *extra))

    def undo(self, site: Site, target: Address) -> Address:
        return _without(target, self.parameters)


class Showing(Tracking):
    """Parameters for how the page is shown, which the page's content does not depend on."""

    name = "presentation"
    pool: ClassVar[list[str]] = SHOWING_NAMES


class Slashes(Family):
    """A slash doubled where directories were pasted together."""

    name, rank, styles = "double_slash", 2, "wordy dated ided deep plain scripts"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        places = [at for at, char in enumerate(plain.path) if char == "/" and 0 < at < len(plain.path) - 1]
        if not places:
            return None
        at = dice.one(places)
        return plain._replace(path=plain.path[:at] + "/" + plain.path[at:])

    def undo(self, site: Site, target: Address) -> Address:
        return target._replace(path=re.sub("//+", "/", target.path))


class Component(Family):
    """A directory in the path that the server does not look at."""

    name, rank, styles = "path_component", 3, "wordy ided flat deep plain dated"

    def __init__(self, seed: int, *where: object) -> None:
        self.letter = pick("uvtxz", seed, "component", *where)
        self._pattern = re.compile(rf"^/{self.letter}-[a-z]+(?=/)")

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        return plain._replace(path=f"/{self.letter}-{dice.one(site.scheme.words)}{plain.path}")

    def undo(self, site: Site, target: Address) -> Address:
        return target._replace(path=self._pattern.sub("", target.path))


class Tree(Family):
    """The whole site a second time in a directory: a copied tree, an old version left in place."""

    name, rank, styles = "copied_tree", 4, "wordy dated ided query scripts flat deep plain"

    def __init__(self, seed: int, *where: object) -> None:
        self.trees = tuple(some(TREES, 1 + number(seed, "trees", *where) % 2, seed, "tree", *where))

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        return plain._replace(path=f"/{dice.one(self.trees)}{plain.path}")

    def undo(self, site: Site, target: Address) -> Address:
        first, _, rest = target.path[1:].partition("/")
        return target._replace(path=f"/{rest}") if first in self.trees and target.path.count("/") > 1 else target


class Alias(Family):
    """A directory with a second name, as by a symbolic link."""

    name, rank, styles = "directory_alias", 5, "wordy ided deep plain scripts"

    def __init__(self, seed: int, *where: object) -> None:
        self.suffix = pick(("-1", "_new", "s2", "-online", "_br", "-web"), seed, "alias", *where)

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        first, slash, rest = plain.path[1:].partition("/")
        if not slash:
            return None
        return plain._replace(path=f"/{first}{self.suffix}/{rest}")

    def undo(self, site: Site, target: Address) -> Address:
        first, slash, rest = target.path[1:].partition("/")
        if not slash or not first.endswith(self.suffix):
            return target
        return target._replace(path=f"/{first.removesuffix(self.suffix)}/{rest}")


class Case(Family):
    """A server that does not tell capital letters from small ones."""

    name, rank, styles = "case", 6, "wordy ided scripts flat deep plain"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        parts = plain.path.split("/")
        way = dice.below(3)
        if way == 0:
            path = "/".join(part.capitalize() for part in parts)
        elif way == 1:
            path = plain.path.upper()
        else:
            path = "/".join("-".join(word.capitalize() for word in part.split("-")) for part in parts)
        return plain._replace(path=path)

    def undo(self, site: Site, target: Address) -> Address:
        return target._replace(path=target.path.lower())


class Rewrite(Family):
    """A static address and the dynamic one behind it."""

    name, rank, styles = "static_dynamic", 7, "ided flat deep plain"

    def __init__(self, seed: int, *where: object) -> None:
        self.script = f"/{pick(('display', 'viewitem', 'get', 'exibir', 'detail'), seed, 'rewrite', *where)}.php"
        self.parameter = pick(("id", "itemid", "codigo", "n", "ref_id"), seed, "rewrite name", *where)

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        if node.role != "item":
            return None
        return Address(self.script, ((self.parameter, str(site.scheme.id_of(node.number))),))

    def undo(self, site: Site, target: Address) -> Address:
        if target.path != self.script or len(target.params) != 1:
            return target
        (name, value), *_ = target.params
        item = site.scheme.item_of_id(value) if name == self.parameter and value.isdecimal() else None
        return target if item is None or item >= site.items else site.plain(Node("item", item))


class Index(Family):
    """The file that a directory shows."""

    name, rank, styles = "index_file", 8, "wordy dated deep plain query scripts flat ided"

    def __init__(self, seed: int, *where: object) -> None:
        self.file = pick(INDEX_FILES, seed, "index", *where)

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        return plain._replace(path=plain.path + self.file) if plain.path.endswith("/") else None

    def undo(self, site: Site, target: Address) -> Address:
        return target._replace(path=target.path.removesuffix(self.file)) if target.path.endswith("/" + self.file) else target


class Extension(Family):
    """Two endings of one file."""

    name, rank, styles = "extension", 9, "wordy flat scripts deep query"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        for plain_end, other_end in EXTENSIONS.items():
            if plain.path.endswith(plain_end):
                return plain._replace(path=plain.path.removesuffix(plain_end) + other_end)
        return None

    def undo(self, site: Site, target: Address) -> Address:
        right = site.extension
        other = EXTENSIONS.get(right, "\0")
        return target._replace(path=target.path.removesuffix(other) + right) if target.path.endswith(other) else target


class FinalSlash(Family):
    """A slash at the end that may be there or not."""

    name, rank, styles = "final_slash", 10, "dated ided plain deep"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        if plain.path == "/" or "." in plain.path:
            return None
        return plain._replace(path=plain.path[:-1] if plain.path.endswith("/") else plain.path + "/")

    def undo(self, site: Site, target: Address) -> Address:
        if target.path == "/" or "." in target.path or site.scheme.read(target) is not None:
            return target
        return target._replace(path=target.path[:-1] if target.path.endswith("/") else target.path + "/")


class Order(Family):
    """Parameters in any order."""

    name, rank, styles = "parameter_order", 11, "query scripts"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        if len(plain.params) < 2:
            return None
        return plain._replace(params=(*plain.params[1:], plain.params[0]))

    def undo(self, site: Site, target: Address) -> Address:
        order = {name: place for place, name in enumerate(site.parameter_order)}
        return target._replace(params=tuple(sorted(target.params, key=lambda pair: order.get(pair[0], 99))))


class Slug(Family):
    """Words in the path beside the number that alone counts."""

    name, rank, styles = "title_words", 12, "ided deep"

    def apply(self, site: Site, node: Node, plain: Address, dice: Dice) -> Address | None:
        if node.role != "item":
            return None
        right, words = site.scheme.slug(node.number), site.scheme.words
        return plain._replace(path=plain.path.replace(right, f"{dice.one(words)}-{dice.one(words)}"))

    def undo(self, site: Site, target: Address) -> Address:
        found = site.scheme.read(target)
        if found is None or found[0].role != "item" or found[0].number >= site.items:
            return target
        right = site.scheme.slug(found[0].number)
        return target._replace(path=target.path.replace("/" + found[1]["slug"], "/" + right, 1))


FAMILIES: tuple[type[Family], ...] = (
    Session, Tracking, Showing, Slashes, Component, Tree, Alias, Case, Rewrite, Index, Extension, FinalSlash, Order, Slug,
)  # fmt: skip
CLASH = {"case": "case", "final_slash": "slash", "index_file": "index"}
"""Families that cannot stand on a host where the look-alike of that kind is another page."""


def fitting(style: str) -> list[type[Family]]:
    """The families that a site of this style can have."""
    return [family for family in FAMILIES if style in family.styles.split()]
