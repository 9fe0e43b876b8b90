"""The greedy oracle: the order of one who knows what every URL shows, but may only follow links."""

from collections import deque
from collections.abc import Mapping, Sequence


def greedy_order(
    seeds: Sequence[str], links: Mapping[str, Sequence[str]], documents: Mapping[str, int], enough: int
) -> list[str]:
    """The visits until `enough` documents are found. `documents` names the document that a URL shows.

    A URL of a document that was not found yet goes first, then the one with the most links to such, then the oldest.

    >>> greedy_order(["/"], {"/": ["/login", "/list"], "/list": ["/a", "/b"]}, {"/a": 1, "/b": 2}, 2)
    ['/', '/list', '/a', '/b']
    """
    known, found, order = set(seeds), set[int](), list[str]()
    fresh, rest = deque[str](), dict.fromkeys(seeds)

    def promise(url: str) -> int:
        return len({documents[target] for target in links.get(url, ()) if target in documents} - found)

    def choose() -> str:
        while fresh:
            url = fresh.popleft()
            if documents[url] not in found:
                return url
            rest[url] = None
        url = max(rest, key=promise)
        del rest[url]
        return url

    while (fresh or rest) and len(found) < enough:
        url = choose()
        order.append(url)
        if url in documents:
            found.add(documents[url])
        for target in links.get(url, ()):
            if target not in known:
                known.add(target)
                if target in documents:
                    fresh.append(target)
                else:
                    rest[target] = None
    return order
