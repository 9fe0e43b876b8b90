"""What a focused crawl found: of one that collects sites, its hosts."""

from pathlib import Path

import pyarrow as pa

from garimpo.archive import Store
from garimpo.contract.tables import PAGES
from garimpo.crawl.watch.queries.topic_views import best_sites


def test_hosts_stand_in_the_order_of_their_listings(tmp_path: Path) -> None:
    rows = [("a", 0.9), ("a", 0.2), ("b", 0.8), ("b", 0.6), ("b", None), ("c", 0.1)]
    given = {
        "url": [f"http://{host}.example/{number}" for number, (host, _) in enumerate(rows)],
        "host": [f"{host}.example" for host, _ in rows],
        "status": [200] * len(rows),
        "fetched_at": [0] * len(rows),
        "depth": [0] * len(rows),
        "score": [score for _, score in rows],
    }
    table = pa.table([pa.array(given.get(f.name, [None] * len(rows)), f.type) for f in PAGES], schema=PAGES)
    with Store.create(tmp_path / "crawl") as store:
        with store.commit(table):
            pass
        found = best_sites(store, 2)
    assert [(one["host"], one["pages"], one["listings"], one["url"]) for one in found] == [
        ("b.example", 2, 2, "http://b.example/2"),
        ("a.example", 2, 1, "http://a.example/0"),
    ]
