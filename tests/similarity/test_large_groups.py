"""Buckets and clusters cut into parts, on the local engine: the rows stay as they are."""

import random

import pyarrow as pa
import pytest

from garimpo.engine import local
from garimpo.similarity import dedup
from garimpo.similarity.clusters import large_groups as crowds


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
@pytest.mark.parametrize(("slice_rows", "rounds"), [(50, 8), (20, 1)])
def test_cut_groups_change_nothing(monkeypatch, measure: str, slice_rows: int, rounds: int) -> None:
    draw = random.Random(4)
    words = [[f"word{n}" if draw.random() < 0.97 else f"x{draw.randrange(9)}" for n in range(60)] for _ in range(300)]
    texts = [*(" ".join([*row, f"copy{n}"]) for n, row in enumerate(words)), *(f"single {n} " * 9 for n in range(20))]
    table = pa.table({"id": [f"d{n}" for n in range(320)], "text": texts})
    here = dedup(table, 0.6, measure=measure, cap=8)
    monkeypatch.setattr(crowds, "SLICE", slice_rows)
    monkeypatch.setattr(crowds, "CROWD", 10)
    monkeypatch.setattr(crowds, "ROUNDS", rounds)
    with local(threads=1) as engine:
        there = dedup(table, 0.6, measure=measure, cap=8, engine=engine)
        assert here.near.equals(there.near)
        assert here.pairs().equals(there.pairs())
    assert here.summary() == there.summary()
