"""NormPaths against a dictionary."""

from collections import defaultdict
from itertools import combinations

import pytest

from garimpo.mirrors import find
from mirrors import made


def test_a_page_counts_the_less_the_more_hosts_have_it():
    pages, _ = made.web(5, hosts=200, copies=0.3)
    hosts_of = defaultdict(set)
    for url, digest in zip(pages["url"].to_pylist(), pages["digest"].to_pylist()):
        if digest is not None:
            host, path = url.split("://")[1].split("/", 1)
            hosts_of[path, digest].add(host)
    wanted = defaultdict(float)
    for hosts in hosts_of.values():
        for pair in combinations(sorted(hosts), 2):
            wanted[pair] += 1.0 / len(hosts)
    pairs = find(pages, method="normpaths").to_pylist()
    assert sum(row["replica"] for row in pairs) > 3
    for row in pairs:
        likeness = wanted[row["host_a"], row["host_b"]]
        assert row["likeness"] == pytest.approx(likeness, rel=1e-6)
        assert row["score"] == pytest.approx(likeness / (1.0 + likeness), abs=1e-6)
