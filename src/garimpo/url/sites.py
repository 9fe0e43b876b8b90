"""The site of a host: its registrable domain by the public suffix list that tldextract carries, private section on."""

from functools import cache, lru_cache
from typing import Any

from garimpo.url.addresses import is_address
from garimpo.url.parsing import host

HOSTS_REMEMBERED, NAMES_REMEMBERED = 1 << 13, 1 << 16


@cache
def _extract() -> Any:
    """Tldextract over its bundled list: it asks no network and writes no cache. Made at the first host, as it takes a moment."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True).extract_str


@lru_cache(maxsize=HOSTS_REMEMBERED)
def _site_of_host(name: str) -> str:
    name = name.rstrip(".")
    if "." not in name or is_address(name):
        return name
    found = _extract()(name)
    if not found.suffix:  # under no listed suffix, such as in a private network: the last two labels
        return ".".join(name.split(".")[-2:])
    return found.top_domain_under_public_suffix or name  # a host that is itself a listed suffix is its own site


@lru_cache(maxsize=NAMES_REMEMBERED)
def registered(name: str) -> str:
    """The domain that somebody registered and paid for: as `site`, but names that a provider gives away are the provider's.

    Args:
        name: A host name.

    >>> registered("ann.github.io"), registered("www.bbc.co.uk"), registered("10.0.0.1")
    ('github.io', 'bbc.co.uk', '10.0.0.1')
    """
    if "." not in name or is_address(name):
        return name
    return _extract()(name).top_domain_under_registry_suffix or _site_of_host(name)


def site(host_or_url: str) -> str:
    """The registrable domain; empty for a URL that does not parse.

    Args:
        host_or_url: A host name, or a URL with its scheme.

    >>> site("www.bbc.co.uk"), site("http://ann.github.io/x"), site("db.intra.lan"), site("http://127.0.0.1:80/")
    ('bbc.co.uk', 'ann.github.io', 'intra.lan', '127.0.0.1')
    """
    name = host(host_or_url) if "://" in host_or_url else host_or_url.lower()
    return _site_of_host(name) if name else ""
