"""What a URL is: parsed, normalised safely, cut into tokens, and known by its host, its site and a 64-bit key.

A URL enters the house once, through `normalise` (or `resolve`, for what stands in a link). What comes out is a string in
normal form, or None where the text is no http(s) URL; nothing here raises on bad text. From then on the string is passed
about as it is: rooms compare it, take its `host` and `site`, cut it into `tokens`, or hash it into a `key64`.

`normalise` is the WHATWG parser (scheme and host case, IDNA, default port, dot segments, empty path, white space at the
ends) followed by two steps: the fragment is removed, and percent-encoding is put in the one form RFC 3986 calls equivalent
(`%7e` is `~`, `%c3` is `%C3`). Parameters are never sorted or dropped, a final slash is never added, the path's case is
kept: two pages a server could tell apart never get one URL. Which of them show the same page is for `dust` to learn.

The functions named `..._column` do the same to a whole Arrow column. A kernel recognises the URLs that are in normal form
already, most of those on the web, and copies them; only the rest goes through the parser. Both ways give equal strings,
so a URL may be normalised by either and compared with the other.

Words: a *host* is the full host name in lower case, without port. A *site* is the registrable domain by the public suffix
list that comes with tldextract (its private section too); where no listed suffix fits, the last two labels; an address or
a name without a dot is its own site. Nothing is ever asked of the network.

Invariants: `normalise(normalise(u)) == normalise(u)`; `"".join(tokens(s)) == s` for any string; `key64` hashes the string
as given, so it is the key of a URL only after normalising.
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
