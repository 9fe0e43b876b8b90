"""Links on disk against links in memory."""

import gzip
import random
from pathlib import Path

import pyarrow as pa
import pytest

from garimpo.contract import BadInput
from garimpo.sites import LinkTable
from garimpo.sites.disk_links import DiskLinks


def test_links_on_disk_answer_as_those_in_memory() -> None:
    dice = random.Random(3)
    pages = [f"http://www.hub{i}.com/{j}" for i in range(20) for j in range(3)]
    pairs = [(dice.choice(pages), f"http://{dice.choice('ab')}.site{dice.randrange(40)}.com.br/x") for _ in range(2_000)]
    pairs += [("http://www.hub1.com/0", "http://hub1.com/own"), ("http://www.hub1.com/0", "http://[")]
    memory = LinkTable.of(pair for pair in pairs if pair[1] != "http://[")
    columns = pa.table({"source": [source for source, _ in pairs], "target": [target for _, target in pairs]})
    with DiskLinks([columns.slice(0, 700), columns.slice(700)]) as disk:
        for page in pages:
            assert disk.outlinks(page) == sorted(memory.outlinks(page))
        for i in range(40):
            site = f"site{i}.com.br"
            counts = [len(memory.outlinks(page)) for page in disk.backlinks(site, 100)]
            assert sorted(disk.backlinks(site, 100)) == sorted(memory.backlinks(site, 100))
            assert counts == sorted(counts, reverse=True) and disk.backlinks(site, 2) == disk.backlinks(site, 100)[:2]


def test_a_host_graph_joins_the_links(tmp_path: Path) -> None:
    (tmp_path / "vertices.txt").write_text("0\tcom.a\n1\tbr.com.b\t7\n2\tbr.com.b.www\n")
    with gzip.open(tmp_path / "edges.txt.gz", "wt") as file:
        file.write("0\t1\n0\t2\n1\t2\n2\t0\n")
    links = pa.table({"source": ["http://c.com/"], "target": ["http://www.b.com.br/"]})
    with DiskLinks([links], (tmp_path / "vertices.txt", tmp_path / "edges.txt.gz")) as disk:
        assert disk.outlinks("http://a.com/") == ["b.com.br"] and disk.outlinks("http://b.com.br/") == []
        assert disk.backlinks("b.com.br", 15) == ["http://a.com/", "http://c.com/"]
        assert disk.backlinks("a.com", 15) == ["http://www.b.com.br/"]


@pytest.mark.parametrize(
    ("vertices", "edges", "told"),
    [("0\tcom.a\n", "0\t1\n", "edge 0 1 names a host"), ("0\n", "", "vertices.txt:1: not two fields"),
     ("x\tcom.a\n", "", "'x' is no number"), ("0\tcom.a\n", "0\t99999999999999999999\n", "is no number")],
)  # fmt: skip
def test_a_graph_that_is_none_is_told(tmp_path: Path, vertices: str, edges: str, told: str) -> None:
    (tmp_path / "vertices.txt").write_text(vertices)
    (tmp_path / "edges.txt").write_text(edges)
    with pytest.raises(BadInput, match=told):
        DiskLinks(graph=(tmp_path / "vertices.txt", tmp_path / "edges.txt"))
