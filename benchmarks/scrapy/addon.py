"""A link-following Scrapy spider on the medium made web, plain and with the add-on. Run by hand: about five minutes.

    python benchmarks/scrapy/addon.py [--requests 20000] [--seed 7] [--folder DIR]

Prints for each run the avoidable duplicates per 1,000 fetches, the different pages, the pages lost to rules, and the CPU seconds
of Scrapy and the learner together beside those of plain Scrapy. The last run keeps a crawl folder too.
"""

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from garimpo import webgen
from garimpo.demo.measures import Ledger, Measures, measure, standing_skips

ADDON = {"ADDONS": {"garimpo.integrations.scrapy.Addon": 500}}
CPU_BAR = 1.15


class Run(NamedTuple):
    """What a run of the spider found and took."""

    fetched: list[str]
    stats: dict[str, object]
    seconds: float


def spider_main(seeds: str, out: str, requests: int, given: dict[str, object]) -> None:
    """The spider's process: follow every link, write down every page."""
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    class Everything(scrapy.Spider):
        name = "everything"
        start_urls = Path(seeds).read_text().split()
        pages = open(out, "w")  # noqa: SIM115
        extractor = LinkExtractor()

        def parse(self, response):  # type: ignore[no-untyped-def]
            self.pages.write(f"{response.url}\n")
            if isinstance(response, scrapy.http.HtmlResponse):
                yield from (scrapy.Request(link.url) for link in self.extractor.extract_links(response))

        def closed(self, reason: str) -> None:
            self.pages.close()
            stats = {name: value for name, value in self.crawler.stats.get_stats().items() if isinstance(value, (int, str))}
            Path(f"{out}.json").write_text(json.dumps(stats))

    settings = {
        "LOG_LEVEL": "CRITICAL", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": True, "USER_AGENT": "bench/1",
        "COOKIES_ENABLED": False, "CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0,
        "DEPTH_PRIORITY": 1, "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue", "CLOSESPIDER_PAGECOUNT": requests,
        "REMOTE_CONTROL_ENABLED": False, **given,
    }  # fmt: skip
    process = CrawlerProcess(settings)
    process.crawl(Everything)
    process.start()


def run(folder: Path, name: str, web: Path, address: str, requests: int, given: dict[str, object]) -> Run:
    """Run the spider in a process of its own. Every host of the made web is reached by way of its server, as by a proxy."""
    out = folder / f"{name}.txt"
    command = [sys.executable, __file__, "--spider", str(web / "seeds.txt"), str(out), str(requests), json.dumps(given)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, "http_proxy": f"http://{address}"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(out.read_text().split(), json.loads(Path(f"{out}.json").read_text()), used)


def measured(found: Run, crawl: Path | None, ledger: Ledger) -> Measures:
    """A run against the truth; a skipped page is lost unless it, or the URL that stands for it, has that page."""
    if crawl is None:
        return measure(found.fetched, [], [], ledger)
    with sqlite3.connect(crawl / "state" / "crawl.sqlite") as db:
        owners = [owner for (owner,) in db.execute("SELECT owner FROM skipped WHERE owner IS NOT NULL")]
    return measure(found.fetched, standing_skips(crawl), owners, ledger)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    requests = 200 if given.quick else given.requests
    folder = given.folder or Path(tempfile.mkdtemp(prefix="garimpo-scrapy-bench-"))
    web = folder / "web"
    if not (web / "web.json").exists():
        webgen.make(web, profile="small" if given.quick else "medium", seed=given.seed)
    kept = Path(tempfile.mkdtemp(dir=folder)) / "crawl"
    variants = (("plain", {}, None), ("add-on", ADDON, None), ("with folder", {**ADDON, "GARIMPO_FOLDER": str(kept)}, kept))
    ledger, plain, plain_seconds = Ledger.read(web), 0.0, 0.0
    with webgen.serve(web) as server:
        for name, settings, crawl in variants:
            done = run(folder, name.replace(" ", "-"), web, server.address, requests, settings)
            found = measured(done, crawl, ledger)
            if name == "plain":
                plain, plain_seconds = found.avoidable_rate, done.seconds
            lost = f" lost {found.false_skips} ({found.false_skip_share:.3%})" if crawl is not None else ""
            print(
                f"{name:11} fetched {found.fetched:,} different {found.unique:,} avoidable/1000 {found.avoidable_rate:.1f} "
                f"(-{1 - found.avoidable_rate / max(plain, 1e-9):.1%}){lost} CPU {done.seconds:.1f} s "
                f"({done.seconds / plain_seconds:.2f} times plain; bar {CPU_BAR})",
                flush=True,
            )
            print("   ", {name: value for name, value in done.stats.items() if name.startswith("garimpo/")}, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--spider"]:
        seeds, out, count, settings = sys.argv[2:]
        spider_main(seeds, out, int(count), json.loads(settings))
    else:
        main()
