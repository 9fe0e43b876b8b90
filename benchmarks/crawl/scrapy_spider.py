"""Scrapy doing the same work: link extraction, its own duplicate filter, bodies written as gzip members of level 1."""

import gzip
import sys
from typing import ClassVar

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Everything(scrapy.Spider):
    name = "everything"
    custom_settings: ClassVar[dict[str, object]] = {
        "CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "DOWNLOAD_DELAY": 0, "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "COOKIES_ENABLED": False, "RETRY_ENABLED": False,
        "USER_AGENT": "bench/1", "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    }  # fmt: skip

    def __init__(self, seeds: str, out: str) -> None:
        super().__init__()
        self.start_urls = seeds.split(",")
        self.out = open(out, "wb")  # noqa: SIM115
        self.extractor = LinkExtractor()
        self.count = 0

    async def start(self):
        for url in self.start_urls:
            yield scrapy.Request(url)

    def parse(self, response):
        self.count += 1
        self.out.write(gzip.compress(response.url.encode() + b"\n" + response.body, 1))
        for link in self.extractor.extract_links(response):
            yield scrapy.Request(link.url)

    def closed(self, reason: str) -> None:
        self.out.close()
        print(f"pages {self.count}")


process = CrawlerProcess()
process.crawl(Everything, sys.argv[1], sys.argv[2])
process.start()
