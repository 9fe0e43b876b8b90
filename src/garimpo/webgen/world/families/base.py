"""What a family of duplicate URLs is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from garimpo.webgen.language.chance import Dice
from garimpo.webgen.world.schemes import Address, Node

if TYPE_CHECKING:
    from garimpo.webgen.world.sites import Site


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
