"""Which passages are main, with the host's chrome known and without it."""

import pyarrow as pa
import pytest

from garimpo.page import read
from garimpo.page.html.parsing import parse
from garimpo.page.main import choice, main_passages, plain_text, read_passages
from garimpo.page.text.blocks import read_blocks
from garimpo.page.text.sameness import learn_chrome

STORY = [f"Gold was found in the river number {number}, where nobody had looked for it before the rain." for number in range(6)]


def page(number, body=""):
    return (
        "<div><a href=/>Home</a> <a href=/new>What is new on this site</a></div><h1>Find "
        f"{number}</h1><h2>Where it was found</h2><p>Told by the panners themselves</p>"
        f"<p>The {number}th find is told of here, in word{number} and deed{number}.</p>"
        f"<table><tr><td>weight of it<td>{number}7 g<tr><td>price of it<td>{number}9 dollars</table>"
        f"<pre>pan --wash</pre>{body}<h2>Read on elsewhere</h2><div>All rights reserved by the panners</div>"
    )


def chrome_of(pages):
    return learn_chrome(read_blocks(pa.array([parse(one.encode()).text.decode() for one in pages])))


def test_what_the_host_repeats_is_left_out():
    pages = [page("abcdefghijklmnopqrstuvwxyz"[number]) for number in range(24)]
    tree = parse(pages[3].encode(), whole=True).html
    kept = plain_text(main_passages(tree, read_passages(tree), chrome_of(pages)))
    assert kept.split("\n") == [
        "Find d",
        "Where it was found",  # repeated, but it heads what is the page's own
        "The dth find is told of here, in wordd and deedd.",
        "weight of it",
        "d7 g",
        "price of it",
        "d9 dollars",
        "pan --wash",  # code is never chrome
    ]


def test_the_first_row_of_a_table_stays_with_what_it_names():
    head = "<table><tr><th>name of the river<th>weight of the gold"
    names = "abcdefghijklmnopqrstuvwxyz"[:24]
    pages = [f"<p>Told of {name}{name}</p>{head}<tr><td>river {name}{name}<td>{name}7 g</table>{head}</table>" for name in names]
    tree = parse(pages[3].encode(), whole=True).html
    kept = main_passages(tree, read_passages(tree), chrome_of(pages))
    assert [one.text for one in kept] == ["Told of dd", "name of the river weight of the gold", "river dd d7 g"]


@pytest.mark.parametrize("installed", [True, False])
def test_one_page_alone(installed, monkeypatch):
    if installed:
        pytest.importorskip("trafilatura")
    monkeypatch.setattr(choice, "has_trafilatura", lambda: installed)
    story = "".join(f"<p>{line}</p>" for line in STORY)
    html = (
        f"<nav><a href=/>Home</a></nav><article><h1>Gold in the rain</h1>{story}<pre>pan --wash river</pre></article>"
        "<div class='related-posts'><p><a href=/2>Silver was found in another river by some other people</a></div>"
        "<footer><p>All rights reserved by the panners of the river, since the year of the rain</footer>"
    )
    found = read(html.encode(), "http://a.example/", main_text=True).main_text
    assert found.split("\n")[-7:] == [*STORY, "pan --wash river"] and "Silver" not in found and "rights" not in found


def test_a_page_of_nothing_but_links_keeps_them():
    html = parse(
        b"<ul>" + b"".join(b"<li><a href=/%d>Entry number %d of the index</a>" % (n, n) for n in range(9)), whole=True
    ).html
    passages = read_passages(html)
    assert choice._without_pointers(passages) == passages


def test_nothing_in_nothing_out():
    for body in (b"", b"<p>", b"\0", b"<html><frameset>"):
        assert read(body, "http://a.example/", main_text=True).main_text == ""


def test_a_term_stays_with_what_it_means():
    dl = "<dl><dt>--force<dt>-f<dd>Do {0}{0} whatever the river says<dt>--help<dd>Tell how the pan is held</dl>"
    pages = [f"<p>Told of {name}{name}</p>{dl.format(name)}" for name in "abcdefghijklmnopqrstuvwxyz"[:24]]
    tree = parse(pages[3].encode(), whole=True).html
    kept = main_passages(tree, read_passages(tree), chrome_of(pages))
    assert [one.text for one in kept] == ["Told of dd", "--force", "-f", "Do dd whatever the river says"]
