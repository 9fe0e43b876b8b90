"""The crawler."""

from garimpo.crawl.doors import Doors
from garimpo.crawl.progress import Progress
from garimpo.crawl.run import crawl, read_seeds, resume
from garimpo.crawl.settings import Settings
from garimpo.crawl.status import skipped, status

__all__ = ["Doors", "Progress", "Settings", "crawl", "read_seeds", "resume", "skipped", "status"]
