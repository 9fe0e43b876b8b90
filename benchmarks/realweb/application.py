"""What an application of the real web has to say about itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import parse_qs, urlsplit

from realweb.texts import Document

Kind = Literal["document", "listing", "form", "history", "file", "error"]
"""What a URL leads to: what people come for, a list of it, a form, an old state of it, bytes to download, nothing."""


@dataclass(frozen=True)
class Masks:
    """What of a page is its main text."""

    main: str = "body"
    """The first element that this CSS selector matches; the body if none does."""
    drop: str = ""
    """Elements inside it that are left out: menus, tokens, captchas."""
    patterns: Sequence[str] = ()
    """Regular expressions for what changes by itself: times, sizes, counters. What they match is left out."""


@dataclass(frozen=True)
class Material:
    """What applications are filled with."""

    documents: Sequence[Document]
    repositories: Path
    """A folder of bare git repositories, shared and never written to."""


@dataclass(frozen=True)
class Command:
    """How a server is started; it listens on the port it was told, on loopback."""

    arguments: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)


class Application(Protocol):
    """One piece of software. `folder` is its own; nothing outside it is written."""

    name: str
    hosts: Sequence[str]
    """The names it is served under."""
    masks: Masks

    def install(self, folder: Path) -> None:
        """Get the software. Raises `Missing` where it cannot be had."""

    def fill(self, folder: Path, material: Material) -> None:
        """Write real text into it."""

    def serve(self, folder: Path, port: int) -> Command:
        """The command that serves it."""

    def seeds(self) -> list[str]:
        """Where a crawl begins."""
        return [f"http://{host}/" for host in self.hosts]

    def kind(self, url: str) -> Kind:
        """What a URL leads to, by the software's own scheme. For judging only."""


def parameters(url: str) -> dict[str, str]:
    """The parameters of a URL, the first value of each.

    >>> parameters("http://a.test/?id=1&do=edit")
    {'id': '1', 'do': 'edit'}
    """
    query = urlsplit(url).query.replace(";", "&")
    return {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}
