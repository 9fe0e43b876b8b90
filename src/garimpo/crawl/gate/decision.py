"""What the gate decides about an entry. The frontier carries it out."""

from typing import Literal, NamedTuple

from garimpo.crawl.state.entry import Entry

Action = Literal["keep", "postpone", "skip", "check"]
"""Queue it; queue it behind all that nothing speaks against; leave it out; fetch it to check the rule that would skip it."""


class Refusal(NamedTuple):
    """Why a URL may not enter: `scope` or `trap`, and which part of it."""

    reason: str
    rule: str


class Decision(NamedTuple):
    """One entry and what becomes of it; for a skip or a check also the rule, and the URL that stands for the entry."""

    entry: Entry
    action: Action
    reason: str = ""
    rule: str | None = None
    key: str | None = None
    version: int | None = None
    owner: str | None = None
    """The URL that is fetched in place of the entry, and that a check is compared with."""
    instead: str | None = None
    """A URL to queue in place of the entry: the same page on the host that is kept."""
