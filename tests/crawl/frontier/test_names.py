"""What texts of links say: names of things, and what many are called."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from crawl.made import MadeFrontier
from garimpo.crawl.frontier.names import Names
from garimpo.crawl.frontier.shape_records import HostWorth
from garimpo.url import key64

HOST = "http://a.example"


def test_texts_are_counted_by_host() -> None:
    names = Names()
    assert names.give([(1, 1, "edit"), (2, 2, "edit")]) == {1: 1.0, 2: 1.0}
    assert names.give([(3, 1, "edit")]) == {3: 0.5}


def test_a_url_has_the_best_of_its_names_in_whatever_order() -> None:
    links = [(number, 1, text) for number in range(10) for text in (None, "read on", f"title {number}")]
    assert set(Names().give(links).values()) == set(Names().give(reversed(links)).values()) == {1.0}


def test_what_many_are_called_is_believed_to_bring_less() -> None:
    worth = HostWorth()
    for number in range(30):
        worth.meet(f"{HOST}/page/{number}", 1.0)
        worth.meet(f"{HOST}/diff/{number}", 1.0 / (number + 1))
    for number in range(10):
        worth.observe(f"{HOST}/page/{number}", 0.5)
        worth.observe(f"{HOST}/diff/{number}", 0.9)
    assert worth.expect(f"{HOST}/page/99") > 1.2 * worth.expect(f"{HOST}/diff/99")


def test_views_of_pages_come_after_the_pages(tmp_path: Path) -> None:
    """Both bring new text; but the one is called by its title, the other like all of its kind."""
    frontier = MadeFrontier(tmp_path, 0.0, delay=0.0).frontier
    frontier.add_urls([f"{HOST}/"], seeds=True)
    asked: list[str] = []
    while len(asked) < 200 and (entry := frontier.pop()) is not None:
        frontier.begin(entry)
        frontier.release(entry)
        asked.append(entry.url)
        frontier.answered(entry, 0.6)
        if len(asked) == 1:
            kinds = [("raw", "raw"), ("page", None), ("history", "history")]
            links = [(f"{HOST}/{kind}/{number}", text or f"title {number}") for number in range(120) for kind, text in kinds]
            urls, texts = zip(*links)
            keys = np.array([key64(url) for url in urls], np.uint64)
            table = pa.table({"target": urls, "key": keys, "anchor": texts, "row": np.zeros(len(urls), np.int32)})
            frontier.add(table, np.ones(len(urls), np.float32), [entry])
        frontier.done(entry)
    assert sum("/page/" in url for url in asked[60:140]) >= 65
