"""The site of a host: its registrable domain by the public suffix list that tldextract carries."""

import ipaddress
from functools import cache, lru_cache

import tldextract

from garimpo.url.parsing import host


@cache
def _suffixes() -> tldextract.TLDExtract:
    # No list is fetched and no cache folder is written: the snapshot in the package is the only source.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1 << 17)
def _site_of_host(name: str) -> str:
    name = name.rstrip(".")
    if "." not in name or _is_address(name):
        return name
    parts = _suffixes().extract_str(name)
    if parts.suffix:
        return parts.top_domain_under_public_suffix or name  # a host that is itself a listed suffix
    return ".".join(name.split(".")[-2:])


def site(host_or_url: str) -> str:
    """The registrable domain; empty for a URL that does not parse.

    >>> site("www.bbc.co.uk"), site("http://ann.github.io/x"), site("db.intra.lan"), site("http://127.0.0.1:80/")
    ('bbc.co.uk', 'ann.github.io', 'intra.lan', '127.0.0.1')
    """
    name = host(host_or_url) if "://" in host_or_url else host_or_url.lower()
    return _site_of_host(name) if name else ""
