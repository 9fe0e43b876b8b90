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
