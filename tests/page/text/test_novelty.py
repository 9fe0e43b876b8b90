"""What is new of a page."""

import pyarrow as pa

from garimpo.page.text.blocks import read_blocks
from garimpo.page.text.novelty import Novelty
from garimpo.page.text.sameness import Chrome, learn_chrome

MENU = " ".join(f"menu{chr(97 + n)}" for n in range(20))


def page(first, last):
    return read_blocks(pa.array([MENU + "\n" + " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(first, last))]))


def test_what_was_met_is_not_new_and_what_was_not_is():
    novelty = Novelty(1 << 20)
    assert novelty.add(page(0, 200), Chrome()) > 0.9
    assert novelty.add(page(0, 200), Chrome()) == 0.0
    assert 0.3 < novelty.add(page(100, 300), Chrome()) < 0.6


def test_the_template_of_the_host_is_no_gain():
    chrome = learn_chrome(read_blocks(pa.array([MENU + f"\nbody {chr(97 + n)}" for n in range(25)])))
    assert len(chrome.chrome) == 1
    assert Novelty(1 << 20).add(page(0, 0), chrome) == 0.0 < Novelty(1 << 20).add(page(0, 0), Chrome())


def test_a_full_table_forgets_and_never_fails():
    novelty = Novelty(1 << 4)
    assert all(0.0 <= novelty.add(page(n, n + 50), Chrome()) <= 1.0 for n in range(0, 600, 7))


def test_a_list_in_another_order_says_nothing_new() -> None:
    lines = [f"entry{n} of a long list" for n in range(30)]
    there, back = (read_blocks(pa.array(["\n".join(several)])) for several in (lines, lines[::-1]))
    novelty = Novelty(1 << 20)
    assert novelty.add(there, Chrome()) > 0.8
    assert novelty.add(back, Chrome()) == 0.0
    longer = read_blocks(pa.array(["\n".join([*lines, "one that was never met before"])]))
    assert 0.0 < novelty.add(longer, Chrome()) < 0.05
