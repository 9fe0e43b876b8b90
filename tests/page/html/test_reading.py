"""What is read from a page."""

from garimpo.page import digest, link_columns, read, read_text, text_digest
from garimpo.page.html import parsing

URL = "http://www.example.org/dir/page.html"


def test_title_text_and_counts():
    page = read(
        b"<html lang=pt-BR><head><title> Pedra \n &amp; ouro </title><style>p{}</style><body><script>x='<p>no</p>'</script>"
        b"<p>one<p>t<b>w</b>o</p><table><tr><td>R$ 1.200<td>30 \xe2\x82\xac</table><noscript>no</noscript><img src=a><img src=b>"
        b"<template><p>no</template><textarea>in</textarea><xmp><raw> &amp;</xmp><!-- no --></body>",
        URL,
    )
    assert page.title == "Pedra & ouro"
    assert page.text == "one\ntwo\nR$ 1.200\n30 €\nin\n<raw> &amp;"
    assert (page.images, page.prices, page.language) == (2, 2, "pt-br")
    assert page.text_digest == text_digest(page.text)


def test_links_with_anchor_rel_and_context():
    words = " ".join(f"w{i}" for i in range(30))
    page = read(f"<p>{words} <a href='../x?a=1&amp;b=2#f' rel='NoFollow ugc'> the <i>link</i> </a> {words}".encode(), URL)
    (link,) = page.links
    assert (link.target, link.anchor, link.rel) == ("http://www.example.org/x?a=1&b=2", "the link", "nofollow ugc")
    assert link.context.split() == [*words.split()[-10:], "the", "link", *words.split()[:10]]


def test_kinds_of_links():
    page = read(b"<frameset><frame src=f.html></frameset>", URL)
    assert [link.target for link in page.links] == ["http://www.example.org/dir/f.html"]
    page = read(
        b"<a name=x>no</a><a href=''>self</a><a href=mailto:a@b>no</a><a href='http://['>no</a><map><area href=/m></map>"
        b"<iframe src=//other.org/i></iframe><a href=1>one<a href=2>two",
        URL,
    )
    assert [(link.target, link.anchor) for link in page.links] == [
        (URL, "self"),
        ("http://www.example.org/m", ""),
        ("http://other.org/i", ""),
        ("http://www.example.org/dir/1", "one"),
        ("http://www.example.org/dir/2", "two"),
    ]


def test_base_canonical_refresh_robots():
    page = read(
        b"<base href='/b/'><link rel='x CANONICAL' href='c?x=a b'><link rel=canonical href=second>"
        b"<meta http-equiv=Refresh content='0; url=next'><meta name=ROBOTS content='NoIndex, nofollow'><a href=d>d</a>",
        URL,
        headers=[("X-Robots-Tag", "noarchive"), ("x-robots-tag", "otherbot: none"), ("Content-Language", "de, en")],
    )
    assert page.canonical == "http://www.example.org/b/c?x=a%20b"
    assert page.refresh == "http://www.example.org/b/next"
    assert page.links[0].target == "http://www.example.org/b/d"
    assert page.robots == {"noindex", "nofollow", "noarchive"}
    assert page.language == "de"


def test_broken_canonicals():
    for href, expected in {
        "http://[": None,
        "": URL,
        "www.example.org/x": "http://www.example.org/dir/www.example.org/x",
        "javascript:1": None,
        "HTTP://Other.ORG": "http://other.org/",
    }.items():
        assert read(f"<link rel=canonical href='{href}'>".encode(), URL).canonical == expected


def test_plain_text_and_other_types():
    page = read("a <b> ç\n c".encode("latin-1"), URL, content_type="text/plain; charset=latin1")
    assert (page.text, page.html, page.links) == ("a <b> ç\nc", False, [])
    image = read(b"\x89PNG", URL, content_type="image/png")
    assert (image.text, image.html, image.digest) == ("", False, digest(b"\x89PNG"))


def test_main_text():
    story = "Gold was found in the river near the old mill. " * 20
    page = read(f"<nav><a href=/>Home</a> <a href=/x>Menu</a></nav><article><p>{story}</article>".encode(), URL, main_text=True)
    assert page.main_text.startswith("Gold was found") and "Menu" not in page.main_text
    assert "Menu" in page.text


def test_decoded_text_ignores_its_charset():
    assert read_text("<meta charset=latin-1><p>é", URL).text == "é"


PLACES = """<div><ul><li><a href=/1>one</a><li><a href=/2>two</a></ul><table><tr><td><a href=/3>three</a></table></div>
<p>text <b><a href=/4>four</a></b><nav><a href=/5>five</a><iframe src=/6></iframe></nav><a href=/7>seven</a>"""


def test_the_place_of_a_link_is_the_path_of_tags_it_stands_in(monkeypatch):
    found = {}
    for plain in (True, False):
        monkeypatch.setattr(parsing, "PLAIN_READER", plain)
        page = read_text(PLACES, "http://a.org/")
        assert page.plain is plain
        table = link_columns([page.links])
        found[plain] = dict(zip(table["anchor"].to_pylist(), table["place"].to_pylist()))
    assert found[True] == found[False] and len(found[True]) == 7 and None not in found[True].values()
    one, two, three, four, five, seven = (found[True][name] for name in ("one", "two", "three", "four", "five", "seven"))
    assert one == two and four == seven and len({one, three, four, five}) == 4
    assert found[True][""] == five
