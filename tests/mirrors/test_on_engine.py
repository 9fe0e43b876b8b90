"""What hosts share, counted by an engine: the same pairs, features and scores as from lists in memory."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.engine import local
from garimpo.mirrors import search
from mirrors.made import Maker


@pytest.mark.parametrize("method", ["garimpo", "pnu", "normpaths"])
def test_the_same_pairs(tmp_path, method: str) -> None:
    maker, rows = Maker(1), []
    for number in range(6):
        pages = maker.site(20)
        for host in (f"site{number}.org", f"www.site{number}.org", f"old{number % 2}.net"):
            rows += [(f"http://{host}{path}", f"10.0.{number}.1", content, f"t{content % 9}") for path, content in pages.items()]
    urls, ips, digests, titles = map(list, zip(*rows))
    pages = pa.table({"url": urls, "ip": ips, "digest": digests, "title": titles})
    near = pa.table({"id": urls[::3], "cluster": [n // 2 for n in range(len(urls[::3]))]})
    links = pa.table({"source": urls, "target": [*urls[30:], *urls[:30]]})
    for name, table in {"near": near, "links": links}.items():
        pq.write_table(table, tmp_path / f"{name}.parquet")
    here = search(pages, near, links, method)
    with local(threads=1) as engine:
        engine.far = True
        there = search(pages, tmp_path / "near.parquet", [tmp_path / "links.parquet"], method, engine=engine)
    assert here.pairs.equals(there.pairs)
    assert here.summary() == there.summary()
    assert here.pairs["replica"].to_pylist().count(True) >= 6
