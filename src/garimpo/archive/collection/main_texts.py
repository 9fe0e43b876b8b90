"""The passages of stored pages: read from their WARC records, with the chrome that their hosts repeat left out if asked."""

from collections.abc import Mapping
from typing import Any

from garimpo.archive.chrome import host_chrome
from garimpo.archive.folder.store import Store
from garimpo.contract.reading import Counts
from garimpo.page import passages
from garimpo.page.main import Passage, plain_text

COLUMNS = ("url", "host", "content_type", "text", "warc_file", "warc_offset")
"""What a row must have to be read."""


class MainTexts:
    """What the pages of a crawl folder say, passage by passage.

    Args:
        store: the crawl folder.
        main: whether only the main passages are wanted.
        counts: gets what could not be read.
    """

    def __init__(self, store: Store, main: bool, counts: Counts) -> None:
        self._store, self._main, self._counts = store, main, counts
        self._chrome = host_chrome(store) if main else {}

    def passages(self, row: Mapping[str, Any]) -> list[Passage]:
        """The passages of a row of the pages table.

        Args:
            row: with the columns `COLUMNS`.
        """
        stored = None if row["warc_file"] is None else self._store.record_at(row["warc_file"], row["warc_offset"])
        if stored is None:
            self._counts["no stored answer: its text is taken as it is"] += 1
        else:
            chrome = self._chrome.get(row["host"])
            kind = row["content_type"] or next((value for name, value in stored.headers if name.lower() == "content-type"), None)
            found = passages(stored.body, row["url"], content_type=kind, main=self._main, chrome=chrome)
            if found is not None:
                return found
        return [Passage("paragraph", [line], line) for line in (row["text"] or "").split("\n") if line]

    def text(self, row: Mapping[str, Any]) -> str:
        """The text of a row, a newline between blocks.

        Args:
            row: with the columns `COLUMNS`.
        """
        return plain_text(self.passages(row)) if self._main else row["text"] or ""
