"""Plain pages are read without the parser: what they say must be what the parser's tree says."""

import os
import subprocess
import sys
from html.entities import html5
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.page.html import _kernels_extract as k
from garimpo.page.html.decoding import decode
from garimpo.page.html.escapes import unescape
from garimpo.page.html.links import Links
from garimpo.page.html.parsing import Parsed, parse, read_if_plain

NAMES = (
    "a", "a", "a", "b", "i", "em", "font", "p", "p", "div", "div", "span", "ul", "li", "li", "dl", "dt", "dd", "h1",
    "h2", "table", "tbody", "thead", "tr", "td", "th", "caption", "colgroup", "form", "button", "select", "option",
    "optgroup", "title", "textarea", "script", "style", "noscript", "iframe", "svg", "path", "g", "object", "pre",
    "center", "label", "nobr", "template", "math", "html", "head", "body", "x-card", "blockquote", "figcaption",
    "section",
)  # fmt: skip
VOIDS = (
    "br", "hr", "img", "img src=x.png", "input", "meta name=robots content=noindex", "link rel=canonical href=/c",
    "base href=/b/",
)  # fmt: skip
WORDS = (
    "gold ", "pan", " ", "\n", "$ 5", "R&D ", "a < b ", "&amp;", "&nbsp;", "&nbsp", "&copy;", "&copyx", "&eacute;",
    "&#8364;", "&#x41;", "&#0;", "&#150;", "&bogus;", "&hearts;", "&notit;", "é", "<", "<!-- no -->", "<!-->", "<!x>",
    "<?php ?>", "</>", "<3", "\r\n", "\x00",
)  # fmt: skip
LINKS = (
    "<a href=x>", "<A HREF='y?a=1&b=2' rel=nofollow>", '<a href="/z&amp;q">', '<a class="c" href="#t" href="u">',
    "<a name=n>", "<a href>", "<a href='&copy=1'>", "<area href=m>", "<iframe src=f></iframe>", '<html lang="pt">',
    "<body class=b>", "<td/>", "<br/>", "</br>", "<p ", "<svg><path d='M0'/><title>t</title></svg>",
    "<script>if (a<b) '<!--'</script>", "<script><!--<script></script>--></script>", "<style>p{}</style>",
    "<title>T &amp; <b>U</title>", "<textarea><p>x</textarea>", "<noscript><a href=n>n</a></noscript>",
    "<select><option>1<option>2</select>", "<table><tr><td>1<td>2<tr><td>3</table>", "<ul><li>1<li><p>2</ul>",
    "<a href=v>w</a>",
)  # fmt: skip
SOUP = st.one_of(
    st.sampled_from(NAMES).map("<{}>".format),
    st.sampled_from(NAMES).map("</{}>".format),
    st.sampled_from(VOIDS).map("<{}>".format),
    st.sampled_from(WORDS),
    st.sampled_from(WORDS[:4]),
    st.sampled_from(LINKS),
)
TREE = st.recursive(
    st.one_of(st.sampled_from(WORDS[:16]), st.sampled_from(LINKS), st.sampled_from(VOIDS).map("<{}>".format)),
    lambda inner: st.tuples(st.sampled_from(NAMES), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=12,
)
BEGINNINGS = st.sampled_from(
    ("", "<!doctype html>", "<html><head><title>x</title></head><body>", "<!DOCTYPE html><html lang=en><body>")
)


def said(parsed: Parsed) -> dict[str, Any]:
    """What a page says, whatever form its HTML was given."""

    def words(row: list[int], at: int) -> str | None:
        return unescape(parsed.html[row[at] : row[at + 1]]) if row[at] >= 0 else None

    return {
        "text": parsed.text.decode(),
        "links": list(Links(parsed.html, parsed.text, parsed.links, "http://a.example/b/c?d")),
        "head": [(row[k.KIND], words(row, k.VALUE), words(row, k.LABEL)) for row in parsed.head],
        "title": None if parsed.title is None else unescape(parsed.title).split(),
        "counted": (parsed.images, parsed.prices),
    }


def agrees(html: bytes) -> bool:
    """Whether the page is plain; it must then say the same without the parser."""
    if read_if_plain(html) is None:
        return False
    assert said(parse(html)) == said(parse(html, whole=True)), html
    return True


@settings(max_examples=400, deadline=None)
@given(BEGINNINGS, st.lists(SOUP, max_size=14))
def test_soup_says_the_same_without_the_parser(beginning: str, pieces: list[str]) -> None:
    agrees((beginning + "".join(pieces)).encode())


@settings(max_examples=400, deadline=None)
@given(BEGINNINGS, st.lists(TREE, max_size=4))
def test_trees_say_the_same_without_the_parser(beginning: str, pieces: list[str]) -> None:
    agrees((beginning + "".join(pieces)).encode())


@pytest.mark.parametrize("html", [
    "<p>one<p>two <a href=x>three</a>", "<ul><li>1<li>2</ul>after", "<table><tr><td>1<td>2</table>",
    "a < b &copy; &#8364; R&D &nbsp end", "<title>A &amp; B</title><div>x</div></body></html>tail",
    "<dl><dt>a<dd>b<dt>c</dl>", "<p><table><tr><td><p>x</table></p>y", "<select><optgroup><option>1<option>2</select>",
    "<svg><g><path/></g><title>s</title></svg>x", "<a name=a><a href=b>c</a></a>d",
    "<script>var a='<!-- x';</script>t", "</link><x-card>w</x-card>",
])  # fmt: skip
def test_these_are_plain(html: str) -> None:
    assert agrees(html.encode())


@pytest.mark.parametrize("html", [
    "<b><p>one</b>two", "<table>text<tr><td>1</table>", "<a href=x><div><a href=y>z", "<p><a href=x>one<p>two</a>",
    "<template>x</template>", "<svg><foreignObject><p>x</svg>", "<frameset><frame src=x></frameset>", "&notit; x",
    "nul\0", "<p title='open", "<script><!--<script></script>--></script>x", "<select><b>x</select>",
    '<a href=x href=y rel="a" rel="b">z</a>',
])  # fmt: skip
def test_these_take_the_parser(html: str) -> None:
    assert read_if_plain(html.encode()) is None


@pytest.mark.parametrize(
    "around", ["a {} b", "<title>{}</title><p>x", "<a href='/?x={}'>t</a>", "<a href='/?x={}=1'>t</a>", "{}z"]
)
def test_all_named_entities_mean_what_the_parser_says(around: str) -> None:
    plain = [name for name in html5 if agrees(around.format(f"&{name}").encode())]
    assert {"lang;", "rang;", "amp;", "eacute;", "hellip;"} <= set(plain)
    assert len(plain) > len(html5) / 2


def test_named_entities_mean_what_the_standard_says() -> None:
    """Those of HTML 4 had other characters for `&lang;` and `&rang;`."""
    read = {name: parse(f"<p>|&{name}|".encode()) for name in html5 if name[-1] == ";"}
    assert parse(b"&lang;&rang;").text.decode() == "\u27e8\u27e9"
    wrong = {name: parsed.text for name, parsed in read.items() if parsed.text.decode().split() != f"|{html5[name]}|".split()}
    assert not wrong


def test_one_switch_sends_all_pages_to_the_parser() -> None:
    code = "from garimpo.page import read; page = read(b'<p>gold', 'http://a.org/'); print(page.plain, page.text)"
    for value, expected in (("0", "False gold"), ("1", "True gold")):
        environment = {**os.environ, "GARIMPO_PLAIN_READER": value}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert done.stdout.strip() == expected, done.stderr


@pytest.mark.parametrize("table", ["webkb/pages.parquet", "swde/pages.parquet"])
def test_real_pages_say_the_same_and_many_are_plain(shared_data: Path, table: str) -> None:
    pages = pq.read_table(shared_data / table, columns=["html"]).column(0).to_pylist()[::7]
    plain = sum(agrees(decode(html.encode("utf-8", "replace"), "text/html; charset=utf-8")[0]) for html in pages)
    assert plain > len(pages) / 4
