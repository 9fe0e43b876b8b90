"""Which page of a crawl a page repeats, in order of arrival."""

import random

import numpy as np
import pyarrow as pa
import pytest
import xxhash

from garimpo.contract import BadInput
from garimpo.page import text_digest
from garimpo.page.text.blocks import read_blocks
from garimpo.similarity import Sketcher
from garimpo.similarity.stores.page_index import PageIndex, ReadPages, masked_sets

WORDS = ["".join(random.Random(i).choices("abcdefghij", k=6)) for i in range(400)]
SKETCHER = Sketcher()


def text(number, date=1):
    said = " ".join(random.Random(number).choices(WORDS, k=90))
    return f"Home\nAbout this site\n{said}\nlast change on 2021-05-{date:02} at noon by somebody"


def told(urls, texts, host=7):
    blocks = read_blocks(pa.array(texts))
    digests = np.array([text_digest(one) for one in texts], np.uint64)
    hosts, titles = (
        np.full(len(urls), host, np.uint64),
        np.array([xxhash.xxh64_intdigest(one[:9].encode()) for one in texts], np.uint64),
    )
    return ReadPages(hosts, digests, titles, blocks, SKETCHER.sketch(masked_sets(blocks)))


def ask(index, urls, texts, size=8, host=7):
    answers = []
    for at in range(0, len(urls), size):
        some = slice(at, at + size)
        answers += index.ask_add(urls[some], told(urls[some], texts[some], host))
    return answers


def pages(count, date=1, suffix=""):
    return [f"http://a.org/{WORDS[i]}{suffix}" for i in range(count)], [text(i, date) for i in range(count)]


@pytest.mark.parametrize("size", [1, 7, 60])
def test_pages_that_differ_by_a_dated_line_are_one_once_the_template_is_known(tmp_path, size):
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    urls, texts = pages(60)
    assert ask(index, urls, texts, size) == [None] * 60
    again, dated = pages(60, date=17, suffix="?v")
    assert ask(index, again, dated, size) == urls and len(index) == 60


def test_equal_text_is_one_from_the_first_page_on_and_on_any_host(tmp_path):
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    urls, texts = pages(3)
    assert ask(index, [*urls, "http://a.org/again"], [*texts, texts[1]]) == [None, None, None, urls[1]]
    assert ask(index, ["http://b.org/"], [texts[2]], host=8) == [urls[2]]


def test_a_page_never_repeats_itself(tmp_path):
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    urls, texts = pages(2)
    assert ask(index, urls, texts) == ask(index, urls, texts) == [None, None]


def test_what_was_committed_is_there_again_and_nothing_else(tmp_path):
    urls, texts = pages(30)
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    ask(index, urls[:20], texts[:20])
    index.commit()
    ask(index, urls[20:], texts[20:])
    index.close()
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    assert len(index) == 20
    again, dated = pages(30, date=9, suffix="?v")
    assert ask(index, again, dated) == [*urls[:20], *[None] * 10]


def test_a_page_without_words_repeats_none(tmp_path):
    index = PageIndex.open(tmp_path / "i", SKETCHER)
    assert ask(index, ["http://a.org/1", "http://a.org/2"], ["", ""]) == [None, None] and len(index) == 0


def test_an_index_made_otherwise_is_refused(tmp_path):
    PageIndex.open(tmp_path / "i", SKETCHER).close()
    with pytest.raises(BadInput, match="other settings"):
        PageIndex.open(tmp_path / "i", Sketcher(slots=64))
