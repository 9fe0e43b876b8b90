"""robots.txt files that lead to other hosts, in circles too: every host is asked in the end, and none waits for ever."""

from pathlib import Path

import pytest

from crawl.test_strange import crawled
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
