"""One URL at a time: normal form, links, hosts, keys."""

import xxhash
from hypothesis import example, given
from hypothesis import strategies as st

from garimpo.url import Base, host, key64, normalise, resolve
from url.pieces import URLISH


def test_steps_of_the_normal_form():
    cases = {
        "HTTP://EX.com/A": "http://ex.com/A",
        "http://ex.com:80/": "http://ex.com/",
        "https://ex.com:443": "https://ex.com/",
        "http://ex.com:443/": "http://ex.com:443/",
        "http://ex.com/a/./b/../c": "http://ex.com/a/c",
        "http://ex.com/%41%7e%2d?%5f": "http://ex.com/A~-?_",
        "http://ex.com/%c3%a9%2f": "http://ex.com/%C3%A9%2F",
        "http://ex.com#x": "http://ex.com/",
        "  http://ex.com/a \n": "http://ex.com/a",
        "http://ex.com/é": "http://ex.com/%C3%A9",
        "http://bücher.example/": "http://xn--bcher-kva.example/",
    }
    assert {url: normalise(url) for url in cases} == cases


def test_what_a_server_could_tell_apart_stays_apart():
    for url in [
        "http://ex.com/a?",
        "http://ex.com/a/",
        "http://ex.com//a",
        "http://ex.com/?b=1&a=2",
        "http://ex.com/INDEX.html",
        "http://ex.com/?x=%2B",
        "http://ex.com/?x=+",
        "http://user:pass@ex.com/",
        "http://ex.com./",
        "http://www.ex.com/",
    ]:
        assert normalise(url) == url


def test_no_http_url_is_none():
    for text in [
        "",
        "/",
        "nothing",
        "mailto:a@b.c",
        "javascript:void(0)",
        "ftp://a.org/",
        "file:///etc/passwd",
        "http://",
        "http://[",
        "\ud800",
    ]:
        assert normalise(text) is None
        assert host(text) is None


def test_a_decoded_digit_never_completes_a_triplet():
    assert normalise("http://a.org/%%34%31") == "http://a.org/%%34%31"


@given(URLISH)
@example("http://a/%%34%31")
@example("http://a/%2%45")
def test_normalise_is_idempotent_on_url_like_text(url):
    normal = normalise(url)
    assert normal is None or normalise(normal) == normal


@given(st.text())
def test_any_text_is_answered(text):
    for answer in (normalise(text), host(text), resolve("http://a.org/b", text), resolve(text, "c")):
        assert answer is None or isinstance(answer, str)
    assert key64(text) == xxhash.xxh64_intdigest(text.encode("utf-8", "surrogatepass"))


@given(URLISH)
def test_resolving_an_absolute_url_is_normalising_it(url):
    normal = normalise(url)
    if normal is not None:
        assert resolve("http://base.org/x/y", normal) == normal
        assert Base("not a base").resolve(normal) == normal


def test_links_resolve_as_in_a_browser():
    base = "http://a.org/b/c?d=e#f"
    cases = {
        "": "http://a.org/b/c?d=e",
        "g": "http://a.org/b/g",
        "./": "http://a.org/b/",
        "../../..": "http://a.org/",
        "?x": "http://a.org/b/c?x",
        "#x": "http://a.org/b/c?d=e",
        "//H.org": "http://h.org/",
        "https:g": "https://g/",
        "mailto:x@y.z": None,
        "http://[": None,
        "\\g": "http://a.org/g",
    }
    assert {href: resolve(base, href) for href in cases} == cases
