"""WARC records a second, written and read, beside warcio: the same pages, gzip level 1, turn about, CPU time.

    python benchmarks/archive/bench_warc.py [--pages N] [--rounds N]

Pages are made text of about 6 KB, so that the figure does not hang on data that is not shipped. What is written is checked
to be equal: each reader must find every body that went in.
"""

import argparse
import io
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import warcio.warcwriter
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import GzippingWrapper, WARCWriter

from garimpo.archive import WarcWriter, read_warc
from garimpo.contract.records import Fetched

REQUEST = [("User-Agent", "garimpo/0.1"), ("Accept", "text/html,*/*"), ("Accept-Encoding", "gzip, br")]


class Level1(GzippingWrapper):
    """warcio packs at level 9; for equal work, here at level 1."""

    def __init__(self, out: io.BytesIO) -> None:
        super().__init__(out)
        self.compressor = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS + 16)


warcio.warcwriter.GzippingWrapper = Level1


def make_pages(number: int) -> list[Fetched]:
    chance = random.Random(5)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randrange(2, 9))) for _ in range(2000)]
    headers = [("Content-Type", "text/html; charset=utf-8"), ("Server", "nginx"), ("ETag", '"5f3c"')]
    pages = []
    for page in range(number):
        parts = [f"<p>{' '.join(chance.choices(words, k=60))}</p>" for _ in range(17)]
        body = f"<html><title>{page}</title><body>{''.join(parts)}</body></html>".encode()
        pages.append(Fetched(f"http://h{page % 50}.example/p/{page}", 200, body, headers, "10.0.0.1"))
    return pages


def write_garimpo(folder: Path, pages: list[Fetched]) -> Path:
    writer = WarcWriter(folder, {}, lambda digest: None)
    for page in pages:
        writer.write_response(page, REQUEST)
    writer.sync()
    writer.close()
    return folder / writer.name


def write_warcio(folder: Path, pages: list[Fetched]) -> Path:
    path = folder / "warcio.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="WARC/1.1")
        for page in pages:
            http = StatusAndHeaders("200 OK", page.headers, protocol="HTTP/1.1")
            more = {"WARC-IP-Address": page.ip, "WARC-Date": datetime.now(UTC).isoformat()[:26] + "Z"}
            answer = writer.create_warc_record(
                page.url, "response", io.BytesIO(page.body), len(page.body), warc_headers_dict=more, http_headers=http
            )
            asked = StatusAndHeaders(f"GET {page.url[17:]} HTTP/1.1", REQUEST, is_http_request=True)
            request = writer.create_warc_record(page.url, "request", http_headers=asked)
            writer.write_request_response_pair(request, answer)
    return path


def read_garimpo(path: Path) -> int:
    return sum(len(stored.fetched.body) for stored in read_warc(path))


def read_warcio(path: Path) -> int:
    with path.open("rb") as file:
        answers = (one for one in ArchiveIterator(file) if one.rec_type == "response")
        return sum(len(one.content_stream().read()) for one in answers)


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.pages, options.rounds = 100, 1
    pages = make_pages(options.pages)
    total = sum(len(page.body) for page in pages)
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, theirs = write_garimpo(folder, pages), write_warcio(folder, pages)
        assert read_garimpo(ours) == read_warcio(ours) == read_garimpo(theirs) == read_warcio(theirs) == total
        for _ in range(options.rounds):
            times.setdefault("write garimpo", []).append(seconds(lambda: write_garimpo(folder, pages)))
            times.setdefault("write warcio", []).append(seconds(lambda: write_warcio(folder, pages)))
            times.setdefault("read garimpo", []).append(seconds(lambda: read_garimpo(ours)))
            times.setdefault("read warcio", []).append(seconds(lambda: read_warcio(ours)))
        sizes = ours.stat().st_size / theirs.stat().st_size
    for work in ("write", "read"):
        mine, peer = (statistics.median(times[f"{work} {who}"]) for who in ("garimpo", "warcio"))
        rates = f"garimpo {options.pages / mine:,.0f} pages/s, warcio {options.pages / peer:,.0f} pages/s"
        print(f"{work}: {rates}, ratio {peer / mine:.1f}")
    print(f"size: {sizes:.2f} of warcio's")


if __name__ == "__main__":
    main()
