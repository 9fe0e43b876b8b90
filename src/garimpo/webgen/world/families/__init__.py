"""The families of DUST: how one page comes to have several URLs on its host.

A family can `apply` itself to an address (the page then answers there too) and `undo` itself (how the server finds the page
again). Undoing leaves every address alone that the family did not make. Families are undone in the order of `rank` and
applied in the opposite one, so that any two can be combined. The families of whole hosts (www, server names, sub-domains)
are in `hosts`; mirrors are in `mirrors`.
"""

from garimpo.webgen.world.families.base import Family
from garimpo.webgen.world.families.parameters import SHOWING_NAMES, TRACKING_NAMES, VALUES, Order, Session, Showing, Tracking
from garimpo.webgen.world.families.paths import (
    Alias,
    Case,
    Component,
    Extension,
    FinalSlash,
    Index,
    Rewrite,
    Slashes,
    Slug,
    Tree,
)  # fmt: skip

__all__ = ["FAMILIES", "SHOWING_NAMES", "TRACKING_NAMES", "VALUES", "Family", "Session", "Tracking", "fitting"]

FAMILIES: tuple[type[Family], ...] = (
    Session, Tracking, Showing, Slashes, Component, Tree, Alias, Case, Rewrite, Index, Extension, FinalSlash, Order, Slug,
)  # fmt: skip
CLASH = {"case": "case", "final_slash": "slash", "index_file": "index"}
"""Families that cannot stand on a host where the look-alike of that kind is another page."""


def fitting(style: str) -> list[type[Family]]:
    """The families that a site of this style can have."""
    return [family for family in FAMILIES if style in family.styles.split()]
