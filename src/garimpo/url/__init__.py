"""What a URL is: parsed, normalised safely, cut into tokens, and known by its host, its site and a 64-bit key.

::

    text of a link, base ──► resolve ──┐
    text of a URL ─────────► normalise ┴─► URL in normal form, or None ──► host, site, tokens, key64
    a column of URLs ──────► normalise_column: the same, most rows by a kernel alone

A URL is normalised once, when it comes in. The result is a plain string, or None for text that is no http(s) URL. From then on
all rooms use this string: they compare it, take its `host` and `site`, cut it into `tokens`, or hash it into a `key64`.

`normalise` runs the WHATWG parser (case of scheme and host, IDNA, default port, dot segments, empty path, outer white space).
Then it removes the fragment and writes percent-encoding in the one form that RFC 3986 calls equivalent (`%7e` becomes `~`,
`%c3` becomes `%C3`). It never sorts or drops parameters, adds a final slash, or changes the case of a path: two pages that a
server could tell apart keep two URLs. Which of them show the same page is for `dust` to learn.

Functions named `..._column` do the same to an Arrow column. A kernel copies the URLs that are in normal form already; only the
others go through the parser. Both ways give equal strings.

`shapes` learns the templates that the URLs of a host fall into: constant segments and values stay, free ones become classes.

A *host* is the full host name in lower case, without port. A *site* is the registrable domain by the public suffix list that
tldextract bundles, private section included; under no listed suffix it is the last two labels; an IP address or a name without
a dot is its own site. Nothing asks the network.

Invariants:

- Nothing here raises on bad text.
- `normalise(normalise(u)) == normalise(u)`.
- `"".join(tokens(s)) == s` for any string.
- `key64` hashes the string as given: it is the key of a URL only after normalising.
"""

from garimpo.url.columns import host_column, key_column, normalise_column, site_column
from garimpo.url.grammar import token_type, tokens
from garimpo.url.parsing import Base, host, key64, normalise, resolve
from garimpo.url.sites import site

__all__ = [
    "Base",
    "host",
    "host_column",
    "key64",
    "key_column",
    "normalise",
    "normalise_column",
    "resolve",
    "site",
    "site_column",
    "token_type",
    "tokens",
]
