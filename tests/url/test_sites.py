"""Registrable domains, offline."""

import os
import subprocess
import sys

import pytest
import tldextract

from garimpo.url import site, sites


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
        ("a.b.any.ck", "b.any.ck"),  # by the rule *.ck
        ("a.www.ck", "www.ck"),  # by its exception !www.ck
        ("a.b.xn--p1ai", "b.xn--p1ai"),  # the list is written in Unicode
        ("a.b.xn--zz", "b.xn--zz"),  # no punycode
        ("a..test", ".test"),
        ("", ""),
    ],
)
def test_site_of_a_host(host, expected):
    assert site(host) == expected


def test_site_of_a_url():
    assert site("https://www.example.com:8080/a") == "example.com"
    assert site("http://[") == ""


def test_the_list_is_the_bundled_one_and_no_network_is_asked(tmp_path):
    code = """
import socket, sys
sys.addaudithook(lambda event, _: sys.exit(event) if event in ("socket.connect", "socket.getaddrinfo") else None)
from garimpo.url import site
print(site("www.example.co.uk"), site("ann.github.io"))
"""
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "GARIMPO_CACHE": "", "TLDEXTRACT_CACHE": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=home)
    assert done.stdout.split() == ["example.co.uk", "ann.github.io"], done.stderr
    assert not list(tmp_path.rglob("*.tldextract.json"))


def test_one_host_is_looked_up_once(monkeypatch):
    asked = []
    monkeypatch.setattr(sites, "_extract", lambda: lambda name: asked.append(name) or original(name))
    original = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None).extract_str
    for _ in range(3):
        assert site("http://www.asked-once.org/") == "asked-once.org"
    assert asked == ["www.asked-once.org"]
