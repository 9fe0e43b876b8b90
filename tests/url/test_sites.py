"""Registrable domains, offline."""

import pytest

from garimpo.url import site


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.example.com", "example.com"),
        ("example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("www.usp.br", "usp.br"),
        ("www.prefeitura.sp.gov.br", "prefeitura.sp.gov.br"),
        ("ann.github.io", "ann.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("a.b.c.test", "c.test"),
        ("localhost", "localhost"),
        ("com", "com"),
        ("10.0.0.1", "10.0.0.1"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("www.example.com.", "example.com"),
        ("WWW.Example.COM", "example.com"),
        ("www.xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("", ""),
    ],
)
def test_site_of_a_host(host, expected):
    assert site(host) == expected


def test_site_of_a_url():
    assert site("https://www.example.com:8080/a") == "example.com"
    assert site("http://[") == ""


def test_sites_are_those_of_tldextract():
    import tldextract

    from garimpo.url.sites import _rules

    peer = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    for rule in sorted(_rules())[::7]:
        suffix = rule.lstrip("!").replace("*", "any")
        for name in (suffix, f"b.{suffix}", f"a.b.{suffix}"):
            expected = peer.extract_str(name).top_domain_under_public_suffix
            if "." in name:
                assert site(name) == (expected or name), rule
