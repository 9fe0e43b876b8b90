"""Families in the parameters: sessions, tracking, presentation, order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from garimpo.webgen.language.chance import Dice, number, pick, some
from garimpo.webgen.world.families.base import Family
from garimpo.webgen.world.schemes import Address, Node

if TYPE_CHECKING:
    from garimpo.webgen.world.sites import Site

SESSION_NAMES = "PHPSESSID sid osCsid s session_id jsessionid zenid cfid token sessao".split()
TRACKING_NAMES = "utm_source utm_campaign ref from src origem campaign aff partner via clickid banner".split()
SHOWING_NAMES = "view style font tema skin layout sort order print display modo cor".split()
VALUES = "home top menu left rss news 1 2 mail banner a b".split()


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
