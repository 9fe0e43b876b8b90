"""The add-on: what one line in ``ADDONS`` switches on."""

import logging
from typing import Any

from scrapy.exceptions import NotConfigured

from garimpo.contract.errors import GarimpoError
from garimpo.integrations.scrapy import dupefilter, middlewares, scheduler
from garimpo.integrations.scrapy.options import DEFAULTS, options_of

OUTERMOST, INNERMOST = 1, 1_000
"""Answers are read when all other middlewares are done with them; requests get their keys when the spider has made them."""

logger = logging.getLogger(__name__)


class Addon:
    """Switches learning on in a Scrapy project: ``ADDONS = {"garimpo.integrations.scrapy.Addon": 500}``."""

    def update_settings(self, settings: Any) -> None:
        """Put our components in place; the dupe filter keeps the one that is there.

        Args:
            settings: Scrapy's, to be changed.
        """
        for name, value in DEFAULTS.items():
            settings.setdefault(name, value, "default")
        try:
            options_of(settings, settings.get("JOBDIR"))
        except GarimpoError as error:
            raise NotConfigured(f"garimpo: {error}") from None
        if not settings.get(dupefilter.FALLBACK):
            settings.set(dupefilter.FALLBACK, settings["DUPEFILTER_CLASS"], "addon")
        settings.set("DUPEFILTER_CLASS", dupefilter.DupeFilter, "addon")
        if settings["SCHEDULER"] == "scrapy.core.scheduler.Scheduler":
            settings.set("SCHEDULER", scheduler.Scheduler, "addon")
        else:
            logger.warning("garimpo: SCHEDULER is another one, so what is queued is not looked at again when rules change")
        for setting, component, place in (
            ("DOWNLOADER_MIDDLEWARES", middlewares.DownloaderMiddleware, OUTERMOST),
            ("SPIDER_MIDDLEWARES", middlewares.SpiderMiddleware, INNERMOST),
        ):
            if component not in (known := settings.getdict(setting)):
                settings.set(setting, {**known, component: place}, settings.getpriority(setting))
