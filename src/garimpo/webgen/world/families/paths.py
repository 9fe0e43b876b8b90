"""Families in the path: directories, files, endings, letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from garimpo.webgen.language.chance import Dice, number, pick, some
from garimpo.webgen.world.families.base import Family
from garimpo.webgen.world.schemes import Address, Node

if TYPE_CHECKING:
    from garimpo.webgen.world.sites import Site

INDEX_FILES = "index.html index.php default.asp index.htm home.html default.htm".split()
TREES = "old v2 backup mirror copy antigo beta archive2 en-us".split()
EXTENSIONS = {".html": ".htm", ".htm": ".html", ".php": ".php5", ".asp": ".asp1", ".aspx": ".ashx"}


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
