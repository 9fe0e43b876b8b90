"""The study that makes folds: from pages kept to a published table, steady over rounds, never what failed."""

from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.archive import Learned
from garimpo.crawl.gate.folds import Fold
from garimpo.crawl.learning.fold_study import FoldStudy, read_folds, steady
from garimpo.crawl.settings import Settings


def pages(*hosts, count=40):
    rows = [(f"http://{host}/a/{i}", i + 1) for host in hosts for i in range(count)]
    return pa.table({"url": [r[0] for r in rows], "digest": [r[1] for r in rows], "status": [200] * len(rows)})


def links(**counts):
    rows = [(f"http://s{i}.net/", f"http://{host.replace('_', '.')}/") for host, n in counts.items() for i in range(n)]
    return pa.table({"source": [r[0] for r in rows], "target": [r[1] for r in rows]})


@pytest.fixture
def kept(tmp_path):
    near = pa.table({"id": pa.array([], pa.string()), "cluster": pa.array([], pa.int64())})
    return SimpleNamespace(
        pages=pages("x.org", "www.x.org", "other.net", count=40).slice(0, 80), near=near,
        rows=80, links=links(x_org=4, www_x_org=1), learned=Learned(tmp_path), withdrawn=list,
        settings=Settings(),
    )  # fmt: skip


def run(study, kept):
    for finding in study.study():
        if finding.write is not None:
            kept.learned.publish(finding.kind, finding.suffix, finding.write, finding.evidence)


def test_copies_are_published_once_and_stand(kept):
    study = FoldStudy(kept)
    run(study, kept)
    run(study, kept)
    assert kept.learned.versions("folds") == [1]
    assert read_folds(kept.learned, 1) == [Fold("www.x.org", "/", "x.org", "/")]
    kept.links = links(x_org=1, www_x_org=4)  # the other host is linked more now: the fold stands all the same
    run(FoldStudy(kept), kept)
    assert kept.learned.versions("folds") == [1]


def test_a_fold_that_failed_is_taken_back_and_not_made_again(kept):
    study = FoldStudy(kept)
    run(study, kept)
    kept.withdrawn = lambda: [("fold:www.x.org", "www.x.org")]
    run(study, kept)
    assert read_folds(kept.learned, kept.learned.version("folds")) == []


def test_what_was_rolled_back_is_not_made_again(kept):
    kept.learned.publish("folds", "parquet", lambda path: path.write_bytes(b"damaged"), {})
    study = FoldStudy(kept)
    run(study, kept)
    assert kept.learned.version("folds") == 2
    kept.learned.rollback("folds", 1)
    run(FoldStudy(kept), kept)
    assert kept.learned.versions("folds") == [1, 2]


def test_new_folds_never_touch_what_stands():
    stands = Fold("b", "/", "a", "/")
    new = [Fold("a", "/", "c", "/"), Fold("d", "/", "b", "/"), Fold("e", "/", "a", "/")]
    assert steady([stands], new, {("a", "b")}, set()) == [stands, Fold("e", "/", "a", "/")]
    assert steady([stands], new, set(), {"e"}) == [Fold("a", "/", "c", "/"), Fold("d", "/", "b", "/")]


def test_folds_that_a_person_gives_stand_until_a_check_fails(kept, tmp_path):
    given = tmp_path / "folds.parquet"
    pq.write_table(pa.table({"host": ["old.net"], "prefix": ["/"], "keep_host": ["new.net"], "keep_prefix": ["/"]}), given)
    kept.settings = Settings(folds=str(given))
    kept.learned.publish("folds", "parquet", lambda path: path.write_bytes(given.read_bytes()), {})
    study = FoldStudy(kept)
    run(study, kept)
    fold = Fold("old.net", "/", "new.net", "/")
    assert read_folds(kept.learned, 2) == [fold, Fold("www.x.org", "/", "x.org", "/")]
    kept.withdrawn = lambda: [("fold:old.net", "old.net")]
    run(study, kept)
    assert fold not in read_folds(kept.learned, 3)
