"""The dashboard over a large folder: how long it takes to open, what an update costs, how soon `why` answers.

    python benchmarks/ui/large.py --pages 1000000

The folder is made without a crawl: pages in segments as a long crawl leaves them, with a queue of half as many URLs and a fifth
as many skipped. Bars: open within 2 s, an update a second for less than 2 % of a core, `why` within 50 ms.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from garimpo.archive import Store
from garimpo.contract.tables import PAGES
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import fetched, host_rows, meta, queued, schema, skipped
from garimpo.crawl.watch.why import why_of
from garimpo.report.words import size
from garimpo.ui.view import Query
from garimpo.ui.views import VIEWS
from garimpo.ui.watched import Watched
from garimpo.url import key_column

SEGMENT = 50_000
BEGUN = 1_790_000_000.0


def url_of(number: int, hosts: int) -> str:
    """A URL of the made folder."""
    return f"http://h{number % hosts}.example/folder{number % 97}/page-{number}.html"


def make(folder: Path, pages: int) -> None:
    """A crawl folder of so many pages."""
    hosts = max(10, pages // 500)
    with Store.create(folder, Settings(seeds=["http://h0.example/"], scope="all").to_dict()) as store:
        schema.create(store.database)
        with store.commit() as db:
            host_rows.insert(db, [(n + 1, f"h{n}.example", f"h{n}.example", 1.0, BEGUN, pages // hosts, 0) for n in range(hosts)])
        for first in range(0, pages, SEGMENT):
            _add(store, np.arange(first, min(pages, first + SEGMENT)), hosts)
        _add_rest(store, pages, hosts)
        with store.commit() as db:
            counted = {"stored": pages, "pages": pages, "duplicates": pages // 10, "bytes": 5000 * pages}
            meta.put_counts(db, counted)
            meta.put(db, "seconds", pages / 50)
        store.log("start", seeds=1, queued=1)
        store.log("progress", **{**dict.fromkeys(meta.COUNTS, 0), **counted}, queued=pages // 2)


def _keys(urls: list[str]) -> list[int]:
    return key_column(pa.array(urls)).view(np.int64).tolist()


def _add(store: Store, numbers: np.ndarray, hosts: int) -> None:
    urls = [url_of(number, hosts) for number in numbers.tolist()]
    size_, at = len(urls), BEGUN + numbers / 50.0
    repeats = [urls[0] if number % 10 == 9 else None for number in range(size_)]
    given = {
        "url": urls, "host": [f"h{number % hosts}.example" for number in numbers.tolist()],
        "status": np.full(size_, 200, np.int16),
        "fetched_at": (at * 1e6).astype(np.int64), "length": np.full(size_, 5000), "content_type": ["text/html"] * size_,
        "title": [f"Page {number}" for number in numbers.tolist()], "text": ["gold in the river " * 12] * size_,
        "depth": (numbers % 7).astype(np.int32), "score": np.ones(size_, np.float32), "duplicate_of": repeats,
        "language": ["en"] * size_,
    }  # fmt: skip
    columns = [pa.array(given[f.name], f.type) if f.name in given else pa.nulls(size_, f.type) for f in PAGES]
    table = pa.table(columns, schema=PAGES)
    rows = zip(
        (numbers % hosts + 1).tolist(), _keys(urls), urls, at.tolist(), [200] * size_, numbers.tolist(), numbers.tolist(),
        [1.0] * size_, repeats, *([[None] * size_] * 3),
    )  # fmt: skip
    with store.commit(table) as db:
        fetched.insert(db, rows)


def _add_rest(store: Store, pages: int, hosts: int) -> None:
    """What is queued, and what was skipped."""
    waits = [(number, url_of(number, hosts)) for number in range(pages, pages + pages // 2)]
    left = [(number, url_of(number, hosts) + "?sid=1") for number in range(pages // 5)]
    keys, other = _keys([url for _, url in waits]), _keys([url for _, url in left])
    with store.commit() as db:
        queued.insert(db, ((n % hosts + 1, k, 0.5, n, url, 2, None, 0, 0, 0, 0, 1.0) for (n, url), k in zip(waits, keys)))
        skipped.insert(
            db,
            ((n % hosts + 1, k, url, "dust:x", "dust", "r", 1, BEGUN + n, 0, None, url[:-6], 2, None, 0.5)
             for (n, url), k in zip(left, other)),
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="a small folder, to see that it works")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.pages, arguments.updates = 20_000, 3
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "crawl"
        make(folder, arguments.pages)
        print(f"{arguments.pages:,} pages, {size(sum(one.stat().st_size for one in folder.rglob('*') if one.is_file()))}")
        now = VIEWS[0]
        begun, wall = time.process_time(), time.perf_counter()
        watched = Watched(folder)
        now.show(now.data(watched, Query()))
        print(f"open, first view: {time.process_time() - begun:.2f} s of CPU, {time.perf_counter() - wall:.2f} s")
        begun = time.process_time()
        for _ in range(arguments.updates):
            watched.pulse()
            now.show(now.data(watched, Query()))
            time.sleep(1.0)
        print(f"an update: {(time.process_time() - begun) / arguments.updates * 1000:.1f} ms of CPU, one a second")
        hosts = max(10, arguments.pages // 500)
        asked = [url_of(number * 7919 % arguments.pages, hosts) for number in range(50)]
        why_of(watched.store, asked[0])
        costs = []
        for url in asked:
            begun = time.process_time()
            assert why_of(watched.store, url)["state"] == "fetched"
            costs.append(1000 * (time.process_time() - begun))
        print(f"why: {np.median(costs):.1f} ms of CPU in the middle, {max(costs):.1f} ms at most")
        for view in VIEWS[1:9]:
            begun = time.process_time()
            view.show(view.data(watched, Query()))
            print(f"view {view.path}: {time.process_time() - begun:.2f} s of CPU")
        watched.close()


if __name__ == "__main__":
    main()
