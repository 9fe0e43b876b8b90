"""The kernels that read a serialised tree, against a plain walk over the parser's nodes."""

from html import escape

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from garimpo.contract import Link
from garimpo.page import link_columns, read, read_text
from garimpo.page.html import link_table as columns
from garimpo.page.html._kernels_markup import find, hashed, pack
from garimpo.url import resolve

_INLINE = """a area abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q s samp small span
strike strong sub sup time tt u var wbr script style template iframe noembed noframes noscript"""
INLINE = set(_INLINE.split())
HIDDEN = {"script", "style", "template", "iframe", "noembed", "noframes", "noscript"}
URL = "http://www.example.org/dir/page.html?q"

_TAGS = """<p> </p> <b> </b>
<a·href=x> <a·href='?a=1&amp;b=&lt;2'> <a·name=n> </a> <div·class='a>b'> </div> <table> <tr><td> </table>
<script>if(a<b)</script> <style>p{} </style> <!--·c·--> <!--> <!x> <?y> <img·src=i·alt='<a·href=no>'>
<x=y·z> <q'"=w> <br/> text &amp;
&nbsp; &lt;p&gt; é 漢 <textarea><a·href=t></textarea> <template><p>t<template></template></template>
<noscript><a·href=n> <frame·src=f>
<select><option>o <iframe·src='/i'> <plaintext> <xmp><b>&amp;</xmp> <base·href=/b/> <link·rel=canonical·href=c> <body> <head> <li>
<html·lang=pt> < >"""
PIECES = st.sampled_from([" ", "\n", "\0", "\u2003", *(tag.replace("·", " ") for tag in _TAGS.split())])


EDGE = "\x01"


def blocks(text):
    """The text of the blocks that have any, one a line, as the edges part them."""
    return "\n".join(filter(None, (" ".join(block.split()) for block in text.split(EDGE))))


def walk(node, pieces):
    for child in node.iter(include_text=True):
        if child.is_text_node:
            pieces.append(child.text_content or "")
        elif child.is_element_node:
            tag = child.tag
            edge = "" if tag in INLINE else " " if tag == "img" else EDGE
            pieces.append(edge)
            if tag not in HIDDEN:
                walk(child, pieces)
            pieces.append(edge)
    return pieces


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=400)
def test_text_and_links_equal_a_walk_over_the_tree(html):
    tree = LexborHTMLParser(html, options=1, scripting=True)
    assume(tree.css_first("plaintext *") is None)  # an element opened anew in one is serialised as if it were its text
    page = read_text(html, URL)
    if tree.body is not None and tree.body.tag == "body":
        assert page.text == blocks("".join(walk(tree.body, [])))
    base = tree.css_first("base[href]")
    base_url = resolve(URL, base.attributes["href"]) if base else URL
    nodes = list(tree.css("a[href], area[href], frame[src], iframe[src]"))
    targets = [resolve(base_url, node.attributes.get("href") or node.attributes.get("src") or "") for node in nodes]
    assert [link.target for link in page.links] == [target for target in targets if target]
    assert page.images == len(tree.css("img"))


BITS = st.sampled_from(["word", "a", " ", "  ", "\t", "!", "<", "&", "é", "\u3000", "$5", "~~~~~~~~"])


@given(st.lists(BITS, max_size=40).map("".join))
@settings(max_examples=400)
def test_white_space_is_collapsed_wherever_it_stands(text):
    assert read_text(f"<body>{escape(text)}", URL).text == " ".join(text.split())


_PARTS = "http:// https:// HTTP:// // / ? # a b.c .. . : @ x=1 & %41 %2F %2f é mailto: \\ host.org :8080 ' < |"
HREF = st.lists(st.sampled_from([" ", "\t", *_PARTS.split()]), max_size=7).map("".join)
_BASES = """http://a.org/ https://a.org/d/e http://a.org/d/?q=/x/y http://a.org:81/d/e http://10.0.0.1/x http://u@a.org/d/ nothing
http://xn--bcher-kva.de/d/"""
BASE = st.sampled_from(_BASES.split())


@given(st.lists(HREF, max_size=6), BASE)
def test_links_resolve_as_the_url_room_says(hrefs, base):
    escaped = [href.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;") for href in hrefs]
    page = read_text("".join(f"<a href='{href}'>x</a>" for href in escaped), base)
    assert [link.target for link in page.links] == [target for target in (resolve(base, href) for href in hrefs) if target]


ANCHORS = st.sampled_from(["", "x", "x y", "é", "  gold  ", "<b>pan</b> &amp;"])
RELS = st.sampled_from(["", " rel=nofollow", " rel=' UGC  nofollow'", " rel='&amp;'"])


@given(st.lists(st.lists(st.tuples(HREF, ANCHORS, RELS), max_size=4), max_size=4), BASE)
def test_columns_hold_what_the_links_say(several, base):
    pages = []
    for links in several:
        written = [f'w <a href="{escape(href)}"{rel}>{anchor}</a> é' for href, anchor, rel in links]
        pages.append(read_text("".join(written), base).links)
    pages.append([Link("http://a.org/listed")])
    expected = [(row, link.target, link.anchor, link.rel, link.context) for row, links in enumerate(pages) for link in links]
    assert [tuple(row.values()) for row in link_columns(pages).drop_columns("place").to_pylist()] == expected


def test_columns_of_many_bytes_are_made_in_steps(monkeypatch):
    monkeypatch.setattr(columns, "_MOST_ROWS", 3)
    pages = [read_text("<a href=a>1</a><a href=b>2</a>", f"http://{n}.org/").links for n in range(4)]
    assert link_columns(pages).column("target").to_pylist() == [f"http://{n}.org/{name}" for n in range(4) for name in "ab"]


@given(st.binary(max_size=40), st.binary(min_size=1, max_size=1), st.integers(0, 10))
def test_find_is_find(data, byte, start):
    place = data.find(byte, start)
    flat = np.frombuffer(data or b" ", np.uint8)
    assert find(flat, min(start, len(data)), len(data), byte[0]) == (place if place >= 0 else len(data))


def test_every_name_is_found_in_its_table():
    names, values = hashed({1: "a area", 2: "noscript plaintext"})
    assert {int(name): int(value) for name, value in zip(names, values) if name} == {
        pack(b"a"): 1,
        pack(b"area"): 1,
        pack(b"noscript"): 2,
        pack(b"plaintext"): 2,
    }


@given(st.text(st.sampled_from("$£€¥ 1a,.R\n"), max_size=30))
def test_prices_are_currency_signs_beside_digits(text):
    said = " ".join(text.split())
    expected = 0
    for i, sign in enumerate(said):
        if sign in "$£€¥":
            after, before = said[i + 1 : i + 3].removeprefix(" ")[:1], said[max(0, i - 2) : i].removesuffix(" ")[-1:]
            expected += after.isdigit() or before.isdigit()
    assert read(f"<p>{text}".encode(), URL).prices == expected
