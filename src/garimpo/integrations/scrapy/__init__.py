"""Scrapy that learns while it runs: one line in ``ADDONS``, and a spider meets no page twice.

::

    ADDONS = {"garimpo.integrations.scrapy.Addon": 500}

    request -> DupeFilter: seen before?  (the filter that was there)  -> by a learned key? -> skip, postpone, check, keep
    queue   -> Scheduler: rules changed since it was queued? a guess against it?           -> skip, postpone, fetch
    answer  -> DownloaderMiddleware -> Knowledge: read, kept, committed -> learner beside -> new rules -> Scheduler
    output  -> SpiderMiddleware: the keys of all requests of a response at once, priorities

`Knowledge` is the part that knows nothing of Scrapy: a crawl folder (in ``GARIMPO_FOLDER``, in the job directory, or a temporary
one) with the gate, the record of rules and the learner of a crawl of our own. Nothing is decided here: what a rule skips,
when it is checked and when it is withdrawn is what `garimpo.crawl.gate` says. Scrapy keeps its queue and its fingerprints.

Invariants: a request that is not a GET, has ``dont_filter`` or ``meta["garimpo"] = False`` is never skipped or postponed. A
skipped request is kept, and comes back when its rule is withdrawn or the page that stood for it cannot be fetched.
"""

from garimpo.integrations.scrapy.addon import Addon
from garimpo.integrations.scrapy.dupefilter import DupeFilter
from garimpo.integrations.scrapy.middlewares import DownloaderMiddleware, SpiderMiddleware
from garimpo.integrations.scrapy.scheduler import Scheduler

__all__ = ["Addon", "DownloaderMiddleware", "DupeFilter", "Scheduler", "SpiderMiddleware"]
