"""Whatever a page or a header says, reading it takes time that grows no faster than its size."""

import time
from collections.abc import Callable

import pytest

from garimpo.page import read
from garimpo.page.html.decoding import decode
from garimpo.page.html.headers import refresh_target, robots_header_tokens

DOUBLINGS = 3
SHAPES: dict[str, tuple[int, Callable[[int], object]]] = {
    "refresh": (60_000, lambda size: refresh_target("0;url=a" + " " * size + "b")),
    "refresh of blanks": (60_000, lambda size: refresh_target(" " * size + ";" + " " * size)),
    "charset": (60_000, lambda size: decode(b"<p>x", "text/html; charset=" + " " * size + ";")),
    "charset, again and again": (60_000, lambda size: decode(b"<p>x", "charset= " * (size // 9))),
    "robots header": (60_000, lambda size: robots_header_tokens(" " * size + "x" + " " * size)),
    "html tags": (200_000, lambda size: read(b"".join(b"<html a%d=1>" % n for n in range(size // 14)), "http://a.org/")),
    "body tags": (200_000, lambda size: read(b"".join(b"<body a%d=1>" % n for n in range(size // 14)), "http://a.org/")),
    "meta tags": (200_000, lambda size: read(b"<meta charset= " * (size // 15), "http://a.org/")),
    "attributes": (200_000, lambda size: read(b"<p " + b" ".join(b"a%d=1" % n for n in range(size // 8)), "http://a.org/")),
    "open tags": (200_000, lambda size: read(b"<b><i><div>" * (size // 11), "http://a.org/")),
}


def seconds(work: Callable[[int], object], size: int) -> float:
    """The least CPU time of three runs."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        work(size)
        taken.append(time.process_time() - begun)
    return min(taken)


@pytest.mark.parametrize("shape", SHAPES)
def test_reading_is_linear_in_the_size(shape: str) -> None:
    size, work = SHAPES[shape]
    work(size)
    first = max(seconds(work, size), 0.002)  # less cannot be told from noise
    last = seconds(work, size << DOUBLINGS)
    assert last <= 3 * (1 << DOUBLINGS) * first  # quadratic: 64 times, cubic: 512 times
