"""Pages of real sites (SWDE): which vertical does a site belong to? One site of each vertical is left out at a time.

A test of the page classifier and not of the detector: these are pages of single entities, not listings.
"""

import os
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from garimpo.page import read_text
from garimpo.sites import ListingClassifier
from garimpo.sites.page_features import features

PAGES = Path(os.environ.get("GARIMPO_DATA", "../shared/data")) / "swde" / "pages.parquet"
A_SITE = 8
"""Pages of each site that are read: enough, and it keeps the run short."""


def left_out() -> dict[str, tuple[float, float]]:
    """By vertical, the share of its pages and of its sites put there by classifiers that did not see the site."""
    taken: Counter[str] = Counter()
    rows = []
    for row in pq.read_table(PAGES).to_pylist():
        taken[row["site"]] += 1
        if taken[row["site"]] <= A_SITE:
            rows.append((row["site"], row["vertical"], features(read_text(row["html"], row["url"]))))
    verticals = sorted({vertical for _, vertical, _ in rows})
    place = {
        site: number for vertical in verticals for number, site in enumerate(sorted({s for s, v, _ in rows if v == vertical}))
    }
    said: dict[str, list[str]] = defaultdict(list)
    for fold in sorted(set(place.values())):
        train, test = ([row for row in rows if (place[row[0]] == fold) == out] for out in (False, True))
        margins = np.column_stack([
            ListingClassifier().fit([page for *_, page in train], [v == vertical for _, v, _ in train])
            .margins([page for *_, page in test]) for vertical in verticals
        ])  # fmt: skip
        for (site, _, _), best in zip(test, margins.argmax(axis=1)):
            said[site].append(verticals[best])
    of = {site: vertical for site, vertical, _ in rows}
    found = {}
    for vertical in verticals:
        sites = [site for site in said if of[site] == vertical]
        pages = [answer == vertical for site in sites for answer in said[site]]
        whole = [Counter(said[site]).most_common(1)[0][0] == vertical for site in sites]
        found[vertical] = sum(pages) / len(pages), sum(whole) / len(whole)
    return found
