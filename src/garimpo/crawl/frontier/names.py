"""How far the text of a link names one page.

A link to a thing is called by the name of the thing, a link to an action or to another view of it by what all such are called:
`edit`, `diff`, `raw`, `reply`, or a value of a facet. So the first URL that a text of a host leads to is what the text names;
the more URLs it led to before, the less it says.
"""

import zlib
from collections.abc import Iterable

import numpy as np

PLACES = 1 << 22
"""Counters, which all texts share: in a very large crawl each text seems a little more common than it is."""
MOST = 255


class Names:
    """How many URLs each text led to when they were met.

    >>> names = Names()
    >>> names.give([(1, 7, "Gold"), (1, 7, "edit"), (2, 7, "Silver"), (2, 7, "Edit ")])
    {1: 1.0, 2: 1.0}
    >>> names.give([(3, 7, "edit"), (4, 7, None)])
    {3: 0.3333333333333333, 4: 0.0}
    """

    def __init__(self, places: int = PLACES) -> None:
        """Begin with nothing met.

        Args:
            places: how many counters there are, a power of two.
        """
        self._counts = np.zeros(places, np.uint8)

    def give(self, links: Iterable[tuple[int, int, str | None]]) -> dict[int, float]:
        """For each URL one divided by the number of URLs that the rarest of its texts led to, itself included.

        Args:
            links: to URLs that were not met before: the key of the URL, the host of the page, the text.
        """
        found: dict[int, float] = {}
        for key, place in dict.fromkeys((key, self._place(host, text)) for key, host, text in links):
            if place < 0:
                found.setdefault(key, 0.0)
                continue
            count = int(self._counts[place]) + 1
            self._counts[place] = min(count, MOST)
            found[key] = max(found.get(key, 0.0), 1.0 / count)
        return found

    def _place(self, host: int, text: str | None) -> int:
        words = " ".join(text.lower().split()) if text else ""
        return zlib.crc32(words.encode(errors="replace"), host) & (len(self._counts) - 1) if words else -1
