"""Is this whole site about the entity we collect, and where is its listing?

A site about an entity (real estate, say) shows it in **listings**: pages with links to many entities. They stand near the root,
so a short search finds one or shows that there is none.

```
 examples ──► training ──► SiteModel ─────────────┐ listing, topic (page_judge), priority, odds, vote
 (good, bad: archive_pages; or labelled pages)    ▼
 site ──► search (frontier, limits) ──► get ──► page ──► listing? ── yes ──► relevant, entry URL
              ▲                                   │ no
              └── links by priority ──────────────┤
                                                  └─► odds: go on?  no more ──► vote ──► relevant, not, or unknown
 seeds ──► locator ──► pages that link to them (hubs) ──► sites they name ──► decided as above ──► journal, table, report
```

How a site moves through this room: `search` begins at its root, or at the best page there is of it, through a `Get` that the
caller gives (an archive, or a polite fetcher; this room never opens a connection). `page_features` reads a page alone: links by
beginning and shape, words of title, URL and body, stated types, images, prices. Two judges (`page_judge`) give the chance that
it is a listing, and that it stands on a relevant site. A listing ends the search. If there is none, the page's links join the
frontier by their **priority**: hand-made filters (`priority`, data in `entities/*.toml`) or learned from examples
(`link_worth`). The search ends at its limits, or earlier, when the **odds** that the site has a listing have become too small;
then all pages read **vote**.

`train` makes all of that from labelled pages, or from good and bad sites alone, as one `SiteModel`; `detect` decides by it;
`evaluate` says how well, `explanation` why. `locate` goes from a few good sites to many: through the pages that link to them,
to what else those pages link to, by the record of each such hub (`hubs`), over links on disk (`disk_links`, `hostgraph`), and
keeps what it learned in a `journal`; `analysis` says how far its list can be trusted. In a
running crawl `SiteJudge` and `SiteScorer` do the same for all sites at once. `places` reads where in Brazil a site's entities
are.

Invariants. A search never asks for more than `Limits.max_pages` pages, never leaves the site, never asks twice for a URL. A
site that could not be read is unknown (`relevant` None) with the reason, never false; so is one in another language than the
examples, and one whose promising links are not in the archive. The words of a site's own name decide nothing. The same model,
pages and seed give the same answer. A site is decided once.
"""

from garimpo.sites.commands import detect, labelled_pages, train
from garimpo.sites.crawl_judge import SiteJudge, SiteScorer
from garimpo.sites.detector import Detection, Get, Refused, Unreadable, Visit
from garimpo.sites.evaluation import Evaluation, evaluate, labelled_sites
from garimpo.sites.listing import LEARNERS, ListingClassifier
from garimpo.sites.locator import Found, LinkSource, LinkTable, Location, locate
from garimpo.sites.locator import Settings as LocatorSettings
from garimpo.sites.model import SiteModel
from garimpo.sites.priority import FilterPriority, load_filters
from garimpo.sites.results import sites_table, write_report, write_table
from garimpo.sites.search import Limits

__all__ = [
    "LEARNERS", "Detection", "Evaluation", "FilterPriority", "Found", "Get", "Limits", "LinkSource", "LinkTable",
    "ListingClassifier", "Location", "LocatorSettings", "Refused", "SiteJudge", "SiteModel", "SiteScorer", "Unreadable", "Visit",
    "detect", "evaluate", "labelled_pages", "labelled_sites", "load_filters", "locate", "sites_table", "train", "write_report",
    "write_table",
]  # fmt: skip
