"""What a reader hands back with a batch."""

from pathlib import Path

from garimpo.contract.records import Fetched
from garimpo.crawl.components import Components
from garimpo.crawl.reading.reader import Job, Reader

PLAIN, NOT_PLAIN = b"<p>gold", b"<table>gold<tr><td>pan</table>"


def job(body: bytes, kind: str = "text/html", status: int = 200) -> Job:
    return Job(Fetched("http://a.org/", status, body, [("Content-Type", kind)]), 0.0, ())


def test_a_batch_tells_how_many_of_its_pages_are_html_and_plain(tmp_path: Path) -> None:
    jobs = [job(PLAIN), job(NOT_PLAIN), job(PLAIN), job(b"gold", "text/plain"), job(PLAIN, status=404)]
    batch = Reader(Components(), tmp_path).read(jobs)
    assert (batch.html, batch.plain) == (3, 2)
