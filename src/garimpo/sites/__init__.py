"""Is this whole site about the entity we collect, and where is its listing?

A site about an entity (real estate, say) shows it in **listings**: pages with links to many entities. They stand near the root,
so a short search from the root finds one or shows that there is none.

How a site moves through this room: `search` fetches its root through a `Get` that the caller gives (an archive, or a polite
fetcher; this room never opens a connection). `features` reads the page alone: links by beginning and shape, words of title,
URL and body, images, prices. The `ListingClassifier` turns them into a calibrated chance that the page is a listing. If it is
one, the site is relevant and the page is its entry. If not, its links join the search's frontier by their **priority**:
hand-made filters (`priority`, data in `entities/*.toml`) or learned from examples (`learned`). The search ends at its limits, or
earlier, when the **odds** that the site has a listing at all have become too small (`odds`).

`train` makes all of that from labelled pages, or from good and bad sites alone, as one `SiteModel`; `detect` decides by it.
`locate` goes from a few good sites to many: through the pages that link to them, to what else those pages link to, by the
record of each such hub. In a running crawl `SiteJudge` and `SiteScorer` do the same for all sites at once. `places` reads where
in Brazil a site's entities are.

Invariants. A search never fetches more than `Limits.max_pages` pages, never leaves the site, never asks twice for a URL. A site
that could not be read is unknown (`relevant` None) with the reason, never false. The same model, pages and seed give the same
answer. A detected site is decided once.
"""

from garimpo.sites.archived import all_sites, answering, example_sites, pages_through, root_of, walk
from garimpo.sites.backlinks import LiveLinks, Service
from garimpo.sites.calls import detect, labelled_pages, train
from garimpo.sites.crawling import SiteJudge, SiteScorer
from garimpo.sites.detector import Detection, Get, Limits, Refused, Unreadable, Visit, detect_breadth_first
from garimpo.sites.detector import detect as search
from garimpo.sites.features import PageFeatures, features
from garimpo.sites.hostgraph import host_graph_links
from garimpo.sites.listing import LEARNERS, ListingClassifier
from garimpo.sites.locator import Found, LinkSource, LinkTable, Location, Settings, locate
from garimpo.sites.model import SiteModel
from garimpo.sites.places import states
from garimpo.sites.priority import FilterPriority, load_filters
from garimpo.sites.results import check_name, sites_table, write_report, write_table
from garimpo.sites.structured import typed
from garimpo.sites.training import by_site, train_on_pages, train_on_sites

__all__ = [
    "LEARNERS", "Detection", "FilterPriority", "Found", "Get", "Limits", "LinkSource", "LinkTable", "ListingClassifier",
    "LiveLinks", "Location", "PageFeatures", "Refused", "Service", "Settings", "SiteJudge", "SiteModel", "SiteScorer",
    "Unreadable", "Visit", "all_sites", "answering", "by_site", "check_name", "detect", "detect_breadth_first",
    "example_sites", "features", "host_graph_links", "labelled_pages", "load_filters", "locate", "pages_through", "root_of",
    "search", "sites_table", "states", "train", "train_on_pages", "train_on_sites", "typed", "walk", "write_report",
    "write_table",
]  # fmt: skip
