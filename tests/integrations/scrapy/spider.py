"""The spider's process: ``spider.py URL OUT SETTINGS``. It follows every link, and writes one item a page."""

import json
import sys
from pathlib import Path
from typing import Any


def main(url: str, out: str, given: dict[str, Any]) -> None:
    import scrapy
    from scrapy.crawler import CrawlerProcess

    touched = given.pop("untouched", None)

    class Everything(scrapy.Spider):
        name = "everything"
        start_urls = [url]  # noqa: RUF012

        def parse(self, response: Any) -> Any:
            with open(out, "a") as file:
                file.write(json.dumps({"url": response.url, "of": response.meta.get("garimpo_duplicate_of")}) + "\n")
            meta = {"garimpo": False} if touched == "meta" else {}
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, callback=self.parse, meta=meta)

        def closed(self, reason: str) -> None:
            stats = {name: value for name, value in self.crawler.stats.get_stats().items() if isinstance(value, (int, str))}
            Path(out).with_suffix(".stats").write_text(json.dumps({**stats, "reason": reason}))

    settings = {"TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "DOWNLOAD_DELAY": 0, "LOG_LEVEL": "WARNING"}
    process = CrawlerProcess({**settings, **given})
    process.crawl(Everything)
    process.start()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
