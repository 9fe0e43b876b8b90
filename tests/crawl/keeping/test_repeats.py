"""Do we have these bytes? One answer, in order of arrival, also over a commit and a new start."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.crawl.components import Content
from garimpo.crawl.keeping.repeats import Repeat, Repeats
from garimpo.crawl.reading.reader import LINKS, PageRow, ReadBatch
from garimpo.crawl.state import fetched, schema


class FakeIndex:
    """Finds what it is told to find."""

    def __init__(self, found: dict[str, str]) -> None:
        self._found, self.commits = found, 0

    def ask(self, urls: Sequence[str], sketches: Any) -> list[Content]:
        return [Content(self._found.get(url), 0.5) for url in urls]

    def commit(self) -> None:
        self.commits += 1


def batch(*digests: int | None, sketches: Any = "sketches") -> ReadBatch:
    pages = [PageRow(digest=digest, has_text=digest is not None) for digest in digests]
    return ReadBatch(pages, pa.nulls(len(pages), pa.large_string()), LINKS.empty_table(), [None] * len(pages), sketches)


def opened(folder: Path) -> Store:
    store = Store.open(folder) if folder.exists() else Store.create(folder)
    schema.create(store.database)
    return store


def test_equal_bytes_repeat_the_page_that_came_first(tmp_path: Path) -> None:
    with opened(tmp_path / "crawl") as store:
        repeats = Repeats(store, None)
        assert repeats.look_up(["a", "b", "c"], batch(7, 8, 7)) == [
            Repeat(True, None, 1.0),
            Repeat(True, None, 1.0),
            Repeat(False, "a", 0.0),
        ]
        with store.commit() as db:
            fetched.insert(db, [(1, 1, "a", 5.0, 200, schema.signed(7), None, None, None, None, None, None)])
        repeats.committed()
        assert repeats.look_up(["d"], batch(7)) == [Repeat(False, "a", 0.0)]
        repeats.close()
    with opened(tmp_path / "crawl") as store:
        repeats = Repeats(store, None)
        assert repeats.look_up(["e", "a"], batch(7, 9)) == [Repeat(False, "a", 0.0), Repeat(True, None, 1.0)]
        repeats.close()


def test_a_page_that_could_not_be_read_is_never_fresh(tmp_path: Path) -> None:
    with opened(tmp_path / "crawl") as store:
        repeats = Repeats(store, None)
        assert repeats.look_up(["a", "b"], batch(None, None)) == [Repeat(False, None, 1.0), Repeat(False, None, 1.0)]
        repeats.close()


def test_near_duplicates_are_asked_for_after_equal_bytes(tmp_path: Path) -> None:
    with opened(tmp_path / "crawl") as store:
        index = FakeIndex({"b": "near", "c": "near"})
        repeats = Repeats(store, index)
        assert [one.of for one in repeats.look_up(["a", "b", "c"], batch(7, 8, 7))] == [None, "near", "a"]
        repeats.commit()
        assert index.commits == 1
        repeats.close()


def test_a_page_visited_again_does_not_repeat_itself_by_its_bytes(tmp_path: Path) -> None:
    with opened(tmp_path / "crawl") as store:
        repeats = Repeats(store, None, by_bytes=False)
        assert [one.of for one in repeats.look_up(["a", "b"], batch(7, 7))] == [None, None]
        repeats.close()


def test_pages_that_ended_their_readers_have_no_sketches_to_ask_by(tmp_path: Path) -> None:
    with opened(tmp_path / "crawl") as store:
        repeats = Repeats(store, FakeIndex({"a": "b"}))
        assert repeats.look_up(["a"], batch(None, sketches=None)) == [Repeat(False, None, 1.0)]
        repeats.close()
