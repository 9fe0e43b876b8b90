"""robots.txt files that lead to other hosts, in circles too, and that refuse much: no host waits for ever, nor does the loop."""

from itertools import pairwise
from pathlib import Path

import pytest

from crawl.test_strange import SETTINGS, crawled
from garimpo.crawl import Components, Progress, Settings, crawl
from garimpo.crawl.frontier.frontier import TURNS
from garimpo.crawl.loop import Loop
from strange import answer, strange_server


def moved(to: str) -> bytes:
    return answer(b"", f"Location: {to}", status="301 Moved")


@pytest.mark.parametrize("scheme", ["circle of two", "circle of three", "itself"])
def test_robots_files_that_lead_in_circles_hold_no_host(scheme: str, tmp_path: Path) -> None:
    names = {"circle of two": "ab", "circle of three": "abc", "itself": "a"}[scheme]
    with strange_server() as server:
        for name, following in zip(names, names[1:] + names[:1]):
            server.pages[f"{name}.example/robots.txt"] = moved(f"http://{following}.example/robots.txt")
        seeds = tuple(f"http://{name}.example/good8" for name in names)
        rows = crawled(tmp_path / "c", server, seeds=seeds, max_seconds=20)
    assert {url for url in rows if url.endswith("/good9")} == {f"http://{name}.example/good9" for name in names}


def test_a_host_that_was_asked_enough_still_tells_others_their_robots_file(tmp_path: Path) -> None:
    with strange_server() as server:
        server.pages["www.far.example/a"] = answer(b"<a href=http://sub.far.example/good8>x</a>")
        server.pages["sub.far.example/robots.txt"] = moved("http://www.far.example/shared.txt")
        server.pages["www.far.example/shared.txt"] = answer(b"User-agent: *\nDisallow: /good9", kind="text/plain")
        rows = crawled(tmp_path / "c", server, seeds=("http://www.far.example/a",), max_pages_per_host=1, max_seconds=20)
    assert set(rows) == {"http://www.far.example/a", "http://sub.far.example/good8"}


class Watching(Progress):
    """Notes how much is queued after each turn of the loop."""

    def __init__(self) -> None:
        super().__init__()
        self.queued: list[int] = []

    def show(self, loop: Loop) -> None:
        self.queued.append(loop.frontier.queued)


def test_a_host_that_refuses_everything_does_not_hold_the_loop(tmp_path: Path) -> None:
    count = 20 * TURNS
    with strange_server() as server:
        links = "".join(f"<a href=http://no.example/{number}>x</a>" for number in range(count))
        server.pages["yes.example/"] = answer(links.encode())
        server.pages["no.example/robots.txt"] = answer(b"User-agent: *\nDisallow: /", kind="text/plain")
        watching = Watching()
        given = {**SETTINGS, "scope": "all", "resolve_all": server.address}
        result = crawl(tmp_path / "c", Settings(seeds=["http://yes.example/"], **given), Components(), watching)
    assert result["ended"] == "nothing left" and result["skipped"] == {"robots": count}
    assert max(before - after for before, after in pairwise(watching.queued)) <= 2 * TURNS
