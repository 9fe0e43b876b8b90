"""Which pages are one, on a small host with a template."""

import random

import pyarrow as pa
import pytest

from garimpo.page.text.blocks import read_blocks
from garimpo.page.text.sameness import ENOUGH, Chrome, Comparison, PageBlocks, learn_chrome

WORDS = ["".join(random.Random(i).choices("abcdefghij", k=6)) for i in range(400)]


def page(number, date="2021-05-01", body=None, length=80):
    said = body or " ".join(random.Random(number).choices(WORDS, k=length))
    return f"Home\nAbout this site\n{WORDS[number]} {WORDS[number + 1]}\n{said}\nlast change on {date} at 10:{number % 60:02}"


@pytest.fixture(scope="module")
def chrome():
    return learn_chrome(read([page(number) for number in range(2 * ENOUGH)]))


def read(texts):
    return read_blocks(pa.array(texts))


def same(first, second, chrome, other=None, titles=(1, 1), urls=("http://a.org/x", "http://a.org/y")):
    pages = [PageBlocks(url, title, read([text])) for url, title, text in zip(urls, titles, (first, second))]
    return Comparison().is_same(*pages, chrome, other)


def test_a_template_is_what_repeats(chrome):
    assert chrome.pages == 2 * ENOUGH and chrome.known
    assert len(chrome.chrome) == 2 and len(chrome.volatile) == 1


def test_a_dated_line_makes_no_other_page(chrome):
    assert same(page(1), page(1, date="2029-11-30"), chrome)


def test_another_body_does(chrome):
    assert not same(page(1), page(2), chrome)


def test_a_few_changed_words_do_not(chrome):
    body = " ".join(random.Random(1).choices(WORDS, k=300))
    assert same(page(1, body=body), page(1, body=body + " and more"), chrome)
    assert not same(page(1, body=body), page(1, body=body + " " + " ".join(WORDS[:120])), chrome)


def test_before_a_template_is_known_whole_texts_are_compared():
    assert same(page(1), page(1), Chrome()) and not same(page(1), page(1, date="2029-11-30"), Chrome())
    assert same(page(1, length=400), page(1, length=400, date="2029-11-30"), Chrome())


def test_pages_that_say_little_need_equal_titles(chrome):
    short, other = page(3, body="log in"), page(3, body="log in", date="2022-02-02")
    assert same(short, other, chrome) and not same(short, other, chrome, titles=(1, 2))
    assert not same(page(3, body="log in"), page(3, body="log out"), chrome)


def test_a_number_of_its_own_url_says_which_page_it_is(chrome):
    lists = [f"Home\nitems on page {i} of the list made in 0.{i}7 seconds by this site" for i in range(30)]
    numbered = learn_chrome(read(lists))
    assert len(numbered.volatile) == 1
    assert not same(lists[3], lists[4], numbered, urls=("http://a.org/?p=3", "http://a.org/?p=4"))
    assert same(lists[3], lists[4], numbered, urls=("http://a.org/?v=8", "http://a.org/?v=9"))


def test_of_two_hosts_the_soft_texts_are_compared(chrome):
    other = learn_chrome(read([page(number).replace("About this site", "Another menu") for number in range(ENOUGH)]))
    assert same(page(1), page(1, date="2029-11-30"), chrome, other=other)
    assert not same(page(1), page(1).replace("Home", " ".join(WORDS[200:240])), chrome, other=other)
