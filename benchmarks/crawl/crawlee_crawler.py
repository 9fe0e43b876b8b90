"""Crawlee doing the same work with its ParselCrawler: link extraction, its own queue, bodies written as gzip members."""

import asyncio
import gzip
import logging
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def main(seeds: list[str], out: str) -> None:
    count = 0
    with open(out, "wb") as file:
        crawler = ParselCrawler(
            concurrency_settings=ConcurrencySettings(min_concurrency=32, desired_concurrency=64, max_concurrency=64),
            max_requests_per_crawl=None, max_request_retries=0, storage_client=MemoryStorageClient(),
            request_handler_timeout=timedelta(seconds=60), respect_robots_txt_file=True, configure_logging=False,
        )  # fmt: skip

        @crawler.router.default_handler
        async def handle(context: ParselCrawlingContext) -> None:
            nonlocal count
            count += 1
            body = await context.http_response.read()
            file.write(gzip.compress(context.request.url.encode() + b"\n" + body, 1))
            await context.enqueue_links(strategy="all")

        await crawler.run(seeds)
    print(f"pages {count}")


logging.disable(logging.CRITICAL)
asyncio.run(main(sys.argv[1].split(","), sys.argv[2]))
