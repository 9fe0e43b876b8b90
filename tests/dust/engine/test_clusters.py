"""Learning with the clusters on an engine gives rule for rule what learning here gives."""

import pyarrow as pa
import pytest

from garimpo.dust import Learner
from garimpo.dust.inputs.preparation import TABLE, prepare
from garimpo.dust.thesis.methods import Settings, sampled
from garimpo.engine import local


def clusters() -> pa.Table:
    """Hosts with other names, a folder that is a host, parameters that say nothing, two ways to write a page, and pages alone."""
    rows = []
    for host in ("a.org", "b.org", "c.net"):
        for n in range(60):
            page = f"http://{host}/p/{n}.html"
            more = [
                f"http://www.{host}/p/{n}.html",
                f"{page}?sid={n * 7}",
                f"http://{host}/show?id={n}",
                f"http://{host}/m/p/{n}.html",
            ]
            rows += [(f"{host} {n}", url) for url in (page, *more[: n % 5], f"http://m.{host}/p/{n}.html")]
        rows += [(f"{host} alone {n}", f"http://{host}/x/{n}?v={n}") for n in range(30)]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in rows))}
    return prepare(pa.table({"cluster": [numbers[name] for name, _ in rows], "url": [url for _, url in rows]}))


@pytest.mark.parametrize("fpr_max", [0.0, 0.05])
def test_the_same_rules(fpr_max: float) -> None:
    table = clusters()
    with local(threads=1) as engine:
        there = Learner(fpr_max, engine=engine).learn(engine.table(table))
    assert there == Learner(fpr_max).learn(table)
    assert len(there) >= 3


def test_a_giant_cluster_is_cut_before_its_rows_meet() -> None:
    table = pa.table({"cluster": [5] * 70_000, "url": [f"http://a.org/{n}" for n in range(70_000)]}, schema=TABLE)
    with local(threads=1) as engine:
        met = engine.map(engine.table(table), lambda part: sampled(part, Settings()), TABLE)
        assert engine.count(met) <= 20
