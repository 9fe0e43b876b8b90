"""The records that pass through a crawl one at a time: what was fetched, what it says, what we think of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


class HeaderLines:
    """Headers as they came: lines, each with its end, none empty. They are taken apart only where someone asks for them.

    >>> list(HeaderLines(b"ETag: x\\r\\nLink: </a>\\r\\n"))
    [('ETag', 'x'), ('Link', '</a>')]
    """

    __slots__ = ("block",)

    def __init__(self, block: bytes) -> None:
        self.block = block

    def __iter__(self) -> Iterator[tuple[str, str]]:
        parts = [line.partition(":") for line in self.block.decode("latin-1").split("\r\n")]
        return iter([(name.strip(), value.strip()) for name, colon, value in parts if colon])


@dataclass(slots=True)
class Fetched:
    """The answer to one request. `status` 0 means no answer; `error` then says why.

    Args:
        url: the URL that was asked for.
        body: the bytes after content-encoding.
        headers: names and values, in their order.
        ip: the address that answered.
        truncated: whether the body was cut at a limit.
        seconds: how long it took.
        http_version: as WARC names it.
    """

    url: str
    status: int
    body: bytes = b""
    headers: Iterable[tuple[str, str]] = ()
    ip: str | None = None
    error: str | None = None
    truncated: bool = False
    seconds: float = 0.0
    http_version: str = "1.1"

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case.

        >>> Fetched("http://a/", 200, headers=[("ETag", "x")]).header("etag")
        'x'
        """
        name = name.lower()
        return next((value for key, value in self.headers if key.lower() == name), None)

    def named(self) -> dict[str, str]:
        """The first value of each header, by its name in lower case.

        >>> Fetched("http://a/", 200, headers=[("Link", "</a>"), ("link", "</b>")]).named()
        {'link': '</a>'}
        """
        return {name.lower(): value for name, value in reversed([*self.headers])}


@dataclass(slots=True)
class Link:
    """A link as it stands on a page; `target` is absolute and normalised.

    Args:
        anchor: the words of the link.
        rel: its `rel`, if it has one.
        context: the words around it.
    """

    target: str
    anchor: str = ""
    rel: str | None = None
    context: str | None = None


@dataclass(slots=True)
class Page:
    """What a page says: the reader's view of one fetched document.

    Args:
        url: where it was fetched.
        title: its title.
        text: what it shows, a line a block.
        main_text: the same without menus and footers, where it was asked for.
        links: its links, in their order.
        canonical: the URL it calls its own.
        refresh: where it sends its readers.
        robots: what it allows robots: `noindex`, `nofollow`, ...
        language: the language it names.
        encoding: the charset it was read in.
        content_type: the media type of the answer.
        length: bytes of the body.
        digest: of the body's bytes.
        text_digest: of the text with white space collapsed.
        images: how many it shows.
        prices: how many stand in its text.
        html: whether it is HTML.
    """

    url: str
    title: str | None = None
    text: str = ""
    main_text: str | None = None
    links: Sequence[Link] = field(default_factory=list)
    canonical: str | None = None
    refresh: str | None = None
    robots: frozenset[str] = frozenset()
    language: str | None = None
    encoding: str = "utf-8"
    content_type: str | None = None
    length: int = 0
    digest: int | None = None
    text_digest: int | None = None
    images: int = 0
    prices: int = 0
    html: bool = True
    plain: bool = False
    """Whether it was read by the fast reader of plain pages, without the parser."""
    types: frozenset[str] = frozenset()
    """schema.org types that the page states, where someone asked for them."""

    @property
    def nofollow(self) -> bool:
        return not self.robots.isdisjoint({"nofollow", "none"})

    @property
    def noindex(self) -> bool:
        return not self.robots.isdisjoint({"noindex", "none"})


@dataclass(slots=True, frozen=True)
class Verdict:
    """A judge's answer about one page. `score` in [0, 1] weighs its links; `follow` False vetoes them.

    Args:
        duplicate_of: the URL of the page that it repeats.
        reason: why, in words.
    """

    score: float = 1.0
    duplicate_of: str | None = None
    follow: bool = True
    reason: str | None = None


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a chain of judges: scores multiply, the first duplicate stands, any veto wins.

    Args:
        verdicts: what each judge says of a page.

    >>> combine([Verdict(0.5), Verdict(0.5, reason="off topic", follow=False)])
    Verdict(score=0.25, duplicate_of=None, follow=False, reason='off topic')
    """
    score, duplicate_of, follow, reason = 1.0, None, True, None
    for verdict in verdicts:
        score *= verdict.score
        duplicate_of = duplicate_of or verdict.duplicate_of
        follow = follow and verdict.follow
        reason = reason or verdict.reason
    return Verdict(score, duplicate_of, follow, reason)
