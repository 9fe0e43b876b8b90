"""Pages made to break parsers: every one is read, soon, in bounded memory."""

import random
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garimpo.page import read
from garimpo.page.html.buffers import MOST_LINKS
from garimpo.page.html.parsing import MOST_BYTES, MOST_DEPTH

URL = "http://a.org/"
PAGE = (
    "<!doctype html><html lang=pt><head><meta charset=utf-8><title>Garimpo &amp; rio</title><link rel=canonical href=/c></head>"
    "<body><h1>São João</h1><script>var a = '<p>';</script><table><tr><td><a href='x?a=1&amp;b=2' rel=nofollow>um</a><td>R$ 10"
    "</table><p>ouro <b>fino</b><!-- fim --><ul><li><a href=/y>dois</a><li>três</ul><img src=i.png alt='\">'></body></html>"
).encode()


def mutant(seed: int) -> bytes:
    """The page cut, with bits flipped, pieces moved, or in another charset."""
    chance = random.Random(seed)
    page = bytearray(PAGE * chance.randint(1, 4))
    for _ in range(chance.randint(0, 30)):
        page[chance.randrange(len(page))] ^= 1 << chance.randrange(8)
    for _ in range(chance.randint(0, 3)):
        start, stop = sorted(chance.randrange(len(page)) for _ in range(2))
        page[start:start] = page[stop : stop + 100]
    page = page[: chance.randint(0, len(page))]
    return bytes(page) if chance.random() < 0.8 else bytes(page).decode("utf-8", "replace").encode("utf-16")


def test_mutants_are_read():
    for seed in range(1500):
        page = read(mutant(seed), URL, content_type=random.Random(seed).choice([None, "text/html; charset=big5", "text/plain"]))
        assert all(line and line == " ".join(line.split()) for line in page.text.splitlines())
        assert all(link.target.startswith("http") and len(link.anchor) <= 512 for link in page.links)


@given(st.binary(max_size=300))
def test_any_bytes_are_read(body):
    assert isinstance(read(body, URL).text, str)


BOMBS = {
    "div": "<div>" * 100_000 + "end",
    "list": "<ul><li>" * 60_000 + "end",
    "table": "<table><tr><td>" * 60_000 + "end",
    "font": "".join(f"<font color={i}>" for i in range(20_000)) + "<p>x" * 20_000 + "end",
    "reopened": "<p>" + "".join(f"<b class={i}>" for i in range(5_000)) + "</p><p>x" * 20_000 + "end",
    "attributes": "<p " + " ".join(f"a{i}" for i in range(100_000)) + ">end",
    "custom": "<x-y>" * 100_000 + "end",
    "unclosed": "<a href=x>y" * 100_000 + "end",
    "comment": "<!--" * 100_000 + "--><p>end",
    "quotes": "<p a=\"'" * 50_000 + "\"'><p>end",
}


@pytest.fixture(scope="module")
def compiled():
    """All kernels that a page may need."""
    for html in ("<p><a href=x>plain</a>", "<table>not plain<tr><td><a href=x>y</a>", "<table>many tags" + "<b>" * 4_000):
        list(read(html.encode(), URL).links)


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_do_not_hang(name, compiled):
    started = time.process_time()
    page = read(BOMBS[name].encode(), URL)
    assert time.process_time() - started < 20
    assert name == "quotes" or page.text.endswith("end")
    assert len(page.links) <= MOST_LINKS


def test_nesting_within_limits_is_kept():
    inner = "<div>" * (MOST_DEPTH - 10) + "<a href=x>deep</a>" + "</div>" * (MOST_DEPTH - 10)
    page = read((inner + "<p>" * 3000 + "<a href=y>after</a>").encode(), URL)
    assert [link.anchor for link in page.links] == ["deep", "after"]
    over = "<div>" * 10_000 + "deep" + "</div>" * 10_000 + "<p><a href=y>after</a>"
    page = read(over.encode(), URL)
    assert (page.text, page.links[0].anchor) == ("deep\nafter", "after")


def test_a_huge_page_stays_small_in_memory():
    script = f"""
from pathlib import Path
from garimpo.page import read
page = read(b"<p>gold <a href=/x>pan</a> " * (60_000_000 // 27), "{URL}")
assert page.length > 50_000_000 and len(page.text) < {MOST_BYTES}
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
peak = int(status["VmHWM"].split()[0])  # of this program alone: the peak of getrusage begins at that of the parent
assert peak < 1_000_000, peak
"""
    subprocess.run([sys.executable, "-c", script], check=True)
