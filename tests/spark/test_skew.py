"""Groups that hold nearly everything: the same rows on both engines, and none of them whole at one worker."""

import random

import pyarrow as pa
import pytest

from garimpo.contract import Counts
from garimpo.dust import learn
from garimpo.dust.engine.clusters import read_spread
from garimpo.dust.inputs.preparation import TABLE, prepare
from garimpo.dust.thesis.methods import Settings, sampled
from garimpo.similarity import dedup
from garimpo.similarity.clusters import large_groups as crowds


@pytest.mark.parametrize("small", [False, True], ids=["capped", "capped and cut"])
def test_a_crowd_of_like_documents(spark, monkeypatch, small: bool) -> None:
    """One giant cluster, far past the cap of a bucket: the same rows, and the same pairs left out."""
    if small:
        monkeypatch.setattr(crowds, "SLICE", 50)
        monkeypatch.setattr(crowds, "CROWD", 100)
        monkeypatch.setattr(crowds, "ROUNDS", 2)
    draw = random.Random(4)
    words = [[f"word{n}" if draw.random() < 0.97 else f"x{draw.randrange(9)}" for n in range(60)] for _ in range(400)]
    crowd = [" ".join([*row, f"copy{n}"]) for n, row in enumerate(words)]
    table = pa.table({"id": [f"d{n}" for n in range(440)], "text": [*crowd, *(f"single {n} " * 9 for n in range(40))]})
    here, there = dedup(table, 0.6, cap=8), dedup(table, 0.6, cap=8, engine=spark)
    assert here.near.equals(there.near)
    assert here.summary() == there.summary()
    assert there.capped.pairs > 10_000


def test_one_giant_cluster(spark, tmp_path) -> None:
    """Of its many URLs no more meet than a sample of each batch."""
    giant = [f"1\thttp://a.org/x?sid={n}&p={n % 7}" for n in range(40_000)]
    others = [f"{n}\thttp://a.org/{form.format(n)}" for n in range(2, 200) for form in ("s?id={0}", "s_{0}.html")]
    path = tmp_path / "clusters.tsv"
    path.write_text("\n".join([*giant, *others]))
    clusters, urls = read_spread(spark, path, Counts())
    step = lambda table: sampled(table, Settings())  # noqa: E731 (a step has no name on the workers)
    assert spark.count(spark.map(clusters, step, TABLE)) < 2_000 < urls
    table = spark.collect(clusters)
    here, there = (learn(given, "dustlin", engine=engine) for given, engine in ((table, None), (clusters, spark)))
    assert here == there
    assert len(here)


def test_one_host_has_nearly_all(spark) -> None:
    """All of a crowded host is counted on both engines: what is left out could be what denies a rule."""
    rows = [(n, f"http://{'b' if n > 900 else 'big'}.org/{n}{end}") for n in range(940) for end in ("", "/")]
    table = pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})
    here = learn(table)
    assert here == learn(spark.table(prepare(table)), engine=spark)
    assert here.key("http://big.org/new/") == here.key("http://big.org/new")
