"""Shapes: the template a URL of a host falls into, learned from the URLs that are known of it.

A segment of the path, or the value of a parameter, is *constant* if enough URLs of its context carry it: it names a part of the
software (`wiki`, `edit`, `sort=name`). Any other is *free* and becomes a class: a number, a hexadecimal id, a name behind a
colon, a file with its ending, anything else. The context of a segment is the template before it, that of a value the template of
the whole path and the name of its parameter.

A shape has parents, up to the whole host. The names of the parameters are kept while the path is dropped: what a parameter does
is a habit of the software, wherever it stands and whatever stands beside it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

LEAST, SHARE = 5, 0.03
"""A text is constant if at least so many URLs, and this share of those in its context, carry it."""
LONGEST = 12
"""Segments of a path that are looked at."""
KEPT_DEPTH = 2
"""Segments of a path that a parent keeps, at most."""

NUMBER, HEX, ANY = "#", "0x", "*"
_HEX = re.compile(r"(?=[a-f]*\d)[0-9a-f-]{6,}\Z", re.IGNORECASE)
_NUMBERED = re.compile(r"([A-Za-z]+)\d+\Z")
_PREFIXED = re.compile(r"([A-Za-z_]+):.")
_FILE = re.compile(r".\.([A-Za-z0-9]{1,5})\Z")

Template = tuple[str, ...]


class Shape(NamedTuple):
    """A shape: the template of the path, the names of the parameters in order, and those of their values that are constant."""

    path: Template
    names: Template
    values: Template

    def parents(self) -> tuple["Shape", ...]:
        """What the shape is a part of, one step up; several where it has several parameters; of the whole host nothing.

        >>> above = [Shape(("wiki", "*"), ("do", "id"), ("do=edit",))]
        >>> while above := list(dict.fromkeys(parent for shape in above for parent in shape.parents())):
        ...     print([str(shape) for shape in above])
        ['/wiki/*?do&id']
        ['/wiki/**?do&id']
        ['**?do&id']
        ['**?do&**', '**?id&**']
        ['**']
        """
        if self.values:
            return (self._replace(values=()),)
        if self.path != (EVERYTHING,):
            depth = len(self.path) - 1 - (self.path[-1] == EVERYTHING)
            return (self._replace(path=(*self.path[: min(depth, KEPT_DEPTH)], EVERYTHING)),)
        if EVERYTHING in self.names:
            return (_HOST,)
        return tuple(Shape(self.path, (name, EVERYTHING), ()) for name in dict.fromkeys(self.names))

    def __str__(self) -> str:
        path = "/".join(("", *self.path)).replace("/**", "**") if self.path == (EVERYTHING,) else "/".join(("", *self.path))
        constant = {value.partition("=")[0]: value for value in self.values}
        return path + ("?" + "&".join(constant.get(name, name) for name in self.names) if self.names else "")


EVERYTHING = "**"
_HOST = Shape((EVERYTHING,), (), ())


class Shapes:
    """The shapes of one host, as far as its known URLs show them.

    >>> shapes = Shapes(f"http://a.org/wiki/{name}?do={do}" for name in "abcdefgh" for do in ("edit", "show"))
    >>> str(shapes.of("http://a.org/wiki/z?do=edit")), str(shapes.of("http://a.org/wiki/z?do=9"))
    ('/wiki/*?do=edit', '/wiki/*?do')
    """

    def __init__(self, urls: Iterable[str] = ()) -> None:
        """Learn from URLs of the host.

        Args:
            urls: those that are known; of very many a sample is enough.
        """
        self._segments: dict[Template, frozenset[str]] = {}
        self._values: dict[tuple[Template, str], frozenset[str]] = {}
        parsed = [_parts(url) for url in urls]
        self._learn_paths([path for path, _ in parsed])
        self._learn_values(parsed)

    def of(self, url: str) -> Shape:
        """The shape of a URL.

        Args:
            url: a URL of the host, in normal form.
        """
        path, query = _parts(url)
        template = self._template(path)
        values = [f"{name}={value}" for name, value in query if value in self._values.get((template, name), ())]
        return Shape(template, tuple(name for name, _ in query), tuple(values))

    def _template(self, path: Template) -> Template:
        template: Template = ()
        for segment in path:
            constant = segment in self._segments.get(template, ())
            template = (*template, segment if constant else class_of(segment))
        return template

    def _learn_paths(self, paths: list[Template]) -> None:
        """Depth by depth, as the context of a segment is the template before it."""
        at: list[tuple[Template, Template]] = [((), path) for path in paths]
        depth = 0
        while at:
            counts: dict[Template, Counter[str]] = {}
            for template, path in at:
                counts.setdefault(template, Counter())[path[depth]] += 1
            for template, counter in counts.items():
                self._segments[template] = _constant(counter)
            at = [(self._template(path[: depth + 1]), path) for _, path in at if len(path) > depth + 1]
            depth += 1

    def _learn_values(self, parsed: list[tuple[Template, list[tuple[str, str]]]]) -> None:
        counts: dict[tuple[Template, str], Counter[str]] = {}
        for path, query in parsed:
            template = self._template(path) if query else ()
            for name, value in query:
                counts.setdefault((template, name), Counter())[value] += 1
        self._values = {context: _constant(counter) for context, counter in counts.items()}


def class_of(text: str) -> str:
    """What kind of free text a segment is.

    >>> [class_of(text) for text in ("12", "3fa9c1", "issue12", "user:ana", "x.html", "gold")]
    ['#', '0x', 'issue#', 'user:*', '*.html', '*']
    """
    if text.isdigit():
        return NUMBER
    if _HEX.match(text):
        return HEX
    if found := _NUMBERED.match(text):
        return found[1] + NUMBER
    if found := _PREFIXED.match(text):
        return f"{found[1]}:*"
    if found := _FILE.search(text):
        return f"*.{found[1].lower()}"
    return ANY


def _constant(counter: Counter[str]) -> frozenset[str]:
    least = max(LEAST, SHARE * counter.total())
    return frozenset(text for text, count in counter.items() if count >= least)


def _parts(url: str) -> tuple[Template, list[tuple[str, str]]]:
    """The segments of the path, and the parameters sorted by name."""
    rest, _, query = url.partition("?")
    path = rest.partition("://")[2].partition("/")[2]
    sign = ";" if ";" in query and "&" not in query else "&"  # what some software writes between parameters
    pairs = [pair.partition("=") for pair in query.split(sign) if pair] if query else []
    return tuple(path.split("/")[:LONGEST]), sorted((name, value) for name, _, value in pairs)
