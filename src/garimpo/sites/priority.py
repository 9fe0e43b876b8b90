"""Which link of a site leads to its listing: hand-made filters, kept as data.

A filter file (TOML, one per entity and language) lists words with weights. Words in a link's anchor may speak for it or
against it; words in its URL only against it, because what stands in the URLs of listings stands in those of single
entities too.
"""

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Protocol

import msgspec

from garimpo.contract import BadInput
from garimpo.sites.site_text import PRICE, PRICE_IN_URL, STATES, TIME, fold, tokens, url_part


class Priority(Protocol):
    """Scores a link before it is fetched: above zero, worth following; below, never; from `promising` on it may be the one."""

    @property
    def promising(self) -> float: ...

    def score(self, url: str, anchor: str, on_root: bool) -> float: ...


class FilterFile(msgspec.Struct, forbid_unknown_fields=True):
    """The filters of one entity in one language, as they stand in the file."""

    entity: str
    language: str
    state_on_root: int = 0
    long_anchor: int = 0
    long_anchor_over: int = 13
    time: int = 0
    price: int = 0
    anchor: dict[str, int] = {}
    against: dict[str, int] = {}


@dataclass
class FilterPriority:
    """The source's integer priorities.

    Args:
        file: the filters, as they stand in their file.
        promising: from this score on a link is promising.

    >>> priority = load_filters("imoveis-pt")
    >>> priority.score("http://a.com.br/imoveis", "Imóveis", on_root=True)
    6.0
    >>> priority.score("http://a.com.br/anuncie", "Anuncie seu imóvel", on_root=True)
    -18.0
    """

    file: FilterFile
    promising: float = 4.0
    _for: list[tuple[list[str], int]] = field(init=False)
    _against: list[tuple[list[str], int]] = field(init=False)

    def __post_init__(self) -> None:
        self._for = [(tokens(words), weight) for words, weight in self.file.anchor.items()]
        self._against = [(tokens(words), weight) for words, weight in self.file.against.items()]

    def score(self, url: str, anchor: str, on_root: bool) -> float:
        return float(sum(weight for _, weight in self.explain(url, anchor, on_root)))

    def explain(self, url: str, anchor: str, on_root: bool) -> list[tuple[str, int]]:
        """Every filter that fired, with what it added."""
        said, where = tokens(anchor), url_part(url)
        place = tokens(where)
        fired = [(" ".join(words), weight) for words, weight in self._for if _has(said, words)]
        if on_root and anchor.strip().upper() in STATES:
            fired.append(("state code", self.file.state_on_root))
        for words, weight in self._against:
            fired += [(f"{' '.join(words)} in {name}", -weight) for name, text in _both(said, place) if _has(text, words)]
        if len(anchor.strip()) > self.file.long_anchor_over:
            fired.append(("long anchor", -self.file.long_anchor))
        if TIME.search(anchor):
            fired.append(("time of day", -self.file.time))
        if PRICE.search(anchor):
            fired.append(("price in anchor", -self.file.price))
        if PRICE_IN_URL.search(where):
            fired.append(("price in URL", -self.file.price))
        return [(name, weight) for name, weight in fired if weight]


def _both(anchor: list[str], url: list[str]) -> tuple[tuple[str, list[str]], tuple[str, list[str]]]:
    return ("anchor", anchor), ("URL", url)


def _has(text: list[str], phrase: list[str]) -> bool:
    """Whether the phrase stands in the text as adjacent tokens."""
    first, length = phrase[0], len(phrase)
    return any(text[i : i + length] == phrase for i, token in enumerate(text) if token == first)


def load_filters(name_or_path: str) -> FilterPriority:
    """The filters shipped under that name, or those of a TOML file.

    Args:
        name_or_path: `imoveis-pt`, or a file that ends in `.toml`.
    """
    path = Path(name_or_path)
    try:
        data = path.read_bytes() if path.suffix == ".toml" else _shipped(name_or_path)
        return FilterPriority(msgspec.toml.decode(data, type=FilterFile))
    except FileNotFoundError:
        raise BadInput(f"{name_or_path}: no such filter file") from None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{name_or_path}: {error}") from None


def _shipped(name: str) -> bytes:
    return resources.files("garimpo.sites.entities").joinpath(f"{fold(name)}.toml").read_bytes()
