"""A URL taken apart, as the sources of proposals read it."""

from typing import NamedTuple


class Parts(NamedTuple):
    """A normalised URL in its parts. `query` is None where there is no question mark; a parameter without ``=`` has ``\\0``.

    `sign` stands between parameters: an ampersand; in a query that has none, a semicolon. `port` has its colon.
    """

    scheme: str
    host: str
    path: str
    query: tuple[tuple[str, str], ...] | None
    sign: str = "&"
    port: str = ""

    @classmethod
    def of(cls, url: str) -> "Parts":
        scheme, _, rest = url.partition("://")
        before, mark, query = rest.partition("?")
        host, slash, path = before.partition("/")
        host, colon, port = host.partition(":")
        sign = ";" if ";" in query and "&" not in query else "&"
        pairs = tuple((name, value if equals else "\0") for name, equals, value in (p.partition("=") for p in query.split(sign)))
        return cls(scheme, host, slash + path, pairs if mark else None, sign, colon + port)
