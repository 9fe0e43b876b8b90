"""The crawler: polite, fast, safe to kill, and able to learn while it runs.

::

    seeds, links -> gate -> frontier -> dispatch -> fetch -> reading -> keeping -> crawl folder
                     ^         ^                                            |           |
                     |         +---------------- links with scores ---------+           |
                     +-- uptake <-- learned/ <-- learner (a process of its own) <-------+

**The way of a URL.** `run` opens the crawl folder and a `Loop`. The loop pops an entry from the `frontier`. The `Dispatcher`
uses its turn for the robots.txt of its origin, if that is not known, and then for the page. The answer goes to a reader, in
the loop or in a process of its own, which makes of it a page row, links with keys, a verdict, a sketch and WARC records. The
`Keeper` takes these in order of arrival and hands the links to the frontier with their scores. The seen set passes what is
new; the `gate` decides what stays out, waits or is checked, and the frontier carries that out.

**The commit**, every two seconds or two thousand pages, is the only moment anything is written but the log and the WARC's
buffer. An entry keeps its row in the queue until the commit that stores its answer, so a kill at any instant loses only what
was fetched since, and `--resume` fetches that again. Parts that change the database have `commit(db)`, which may be called
again if the disk was full, and `committed()`, which forgets what was written.

**Politeness.** One loop and one `Clock` own all delays. A host waits its delay (or the longer one of its robots.txt) between
two requests, an address the crawl's; both count from the first byte of the answer. Errors make a host wait longer each
time; a wait over a minute does not keep the crawl alive, its URLs stay queued.

**Components** are what a crawl is given beside its settings; `default_components` makes those the settings ask for. `judges`,
`typed` and `sketcher` run where pages are read; `index`, `scorer`, `keys` and `fetcher` in the loop; `learner` in a process
of its own. A `fetcher` answers in place of the network, for a crawl over stored pages; with a `SimulatedClock` its
delays pass at once.

**Worth.** What a fetch brought (the share of its text that is new) is counted for the shape of its URL. Within a host the URLs
go first whose shape is expected to bring most; nothing is dropped for it.

**Learning.** From page 50 on the learner reads committed segments, in rounds that follow the pages, and publishes
`learned/KIND/N.suffix`, then `current.json`. After each commit the loop takes up what is new: URL rules and folds decide
again about all that is known of their hosts, guesses postpone, and readers make their judges again. A rollback is another
`current.json`. A file that cannot be read is logged, and what was in force stays.

**Trust.** The first URLs that a rule would skip on a host are fetched as checks, later a small share. A check that shows
another page than the one that stands for it counts against the rule; one whose error is too high is withdrawn on that host,
and what it skipped there comes back. Checks and guesses are made as late as they can be: what they are about is
*postponed*, behind all sure URLs, and stays queued, so a wrong guess loses nothing.

Invariants: every URL met is fetched, queued, or in `skipped`; a URL is fetched once (a check is a fetch); what is committed is
never lost and never stored twice; no host and no address is asked sooner than its delay allows, over kills and resumes.
"""

from garimpo.crawl.components import Components
from garimpo.crawl.run import crawl, default_components, resume
from garimpo.crawl.seeds import read_seeds
from garimpo.crawl.settings import Settings
from garimpo.crawl.stream import pages
from garimpo.crawl.watch.counters import skipped, status
from garimpo.crawl.watch.progress import Progress
from garimpo.crawl.watch.why import why

__all__ = [
    "Components",
    "Progress",
    "Settings",
    "crawl",
    "default_components",
    "pages",
    "read_seeds",
    "resume",
    "skipped",
    "status",
    "why",
]
