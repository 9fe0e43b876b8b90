"""The key of a CDXJ line, as replay tools make it from the URL that is asked for."""

import pytest

from garimpo.archive.collection.cdxj import sort_key


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.example.org:8080/A?b", "org,example:8080)/a?b"),
        ("http://a.org/genindex-A.html", "org,a)/genindex-a.html"),
        ("http://www2.a.org/x/", "org,a)/x"),
        ("http://a.org/?b=2&a=1&A=0", "org,a)/?a=0&a=1&b=2"),
        ("http://a.org//x//y/../z", "org,a)/x/z"),
        ("http://a.org/?sid=0123456789abcdef0123456789abcdef&z=1", "org,a)/?z=1"),
        ("http://a.org/(a(0123456789abcdefghijklmn))/x.aspx", "org,a)/x.aspx"),
        ("http://a.org/?", "org,a)/"),
        ("http://a.org?q", "org,a)/?q"),
        ("http://1.2.3.4/x", "4,3,2,1)/x"),
        ("http://[::1]/x", "::1)/x"),
        ("http://a.org:80/", "org,a)/"),
        ("https://a.org:443/x#y", "org,a)/x"),
        ("http://a.org/%7Efoo/%C3%A9?%20x=%2F", "org,a)/~foo/%c3%a9?%20x=/"),
        ("http://a.org/a?b?c&&d", "org,a)/a?&b?c&d"),
    ],
)
def test_keys(url, key):
    """The expected keys were made by the library that replay tools use."""
    assert sort_key(url) == key
