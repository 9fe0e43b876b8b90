"""Clusters from pages."""

import pyarrow as pa

from garimpo.contract.reading import Counts
from garimpo.dust import clusters, statistics


def found(table: pa.Table) -> set[frozenset[str]]:
    groups: dict[int, set[str]] = {}
    for row in table.to_pylist():
        groups.setdefault(row["cluster"], set()).add(row["url"].removeprefix("http://a.org/"))
    return {frozenset(group) for group in groups.values()}


def pages(**columns: list[object]) -> pa.Table:
    urls = [f"http://a.org/{name}" for name in columns.pop("name")]
    return pa.table({"url": urls, **columns})


def test_equal_content_and_unique_pages() -> None:
    table = clusters(pages(name=["1", "2", "3", "4"], digest=[5, 5, 6, None], text_digest=[1, 2, 2, None]))
    assert found(table) == {frozenset({"1", "2", "3"})}
    assert clusters(pages(name=["1", "2"], digest=[5, 6])).column("evidence").to_pylist() == [None, None]


def test_canonical_relative_chained_and_contradicted() -> None:
    counts = Counts()
    table = clusters(
        pages(
            name=["a?x=1", "b", "c", "d", "e"],
            canonical=["b", "/c", "http://a.org/c", "c", None],
            digest=[1, None, 2, 3, 4],
        ),
        counts=counts,
    )
    assert found(table) == {frozenset({"a?x=1", "b", "c"}), frozenset({"d"}), frozenset({"e"})}
    assert counts["canonical tag contradicted"] == 1


def test_redirects_and_near_duplicates() -> None:
    near = pa.table({"id": ["http://a.org/n1", "http://a.org/n2"], "cluster": [0, 0]})
    table = clusters(
        pages(name=["old", "new", "n1", "n2", "lost"], redirect=["/new", None, None, None, None],
              status=[301, 200, 200, 200, 500], digest=[None, 1, 2, 3, 1]),
        near,
    )  # fmt: skip
    assert found(table) == {frozenset({"old", "new"}), frozenset({"n1", "n2"})}
    evidence = {row["url"].rpartition("/")[2]: row["evidence"] for row in table.to_pylist()}
    assert evidence == {"old": "redirect", "new": "redirect", "n1": "near", "n2": "near"}


def test_error_pages_are_set_aside_and_sessions_are_not() -> None:
    counts = Counts()
    errors = [f"{chr(97 + n % 26)}{n}/x{n * 7}.html" for n in range(60)]
    sessions = [f"item?id=5&sid={n:08x}" for n in range(60)]
    table = clusters(pages(name=errors + sessions, digest=[1] * 60 + [2] * 60), counts=counts)
    assert found(table) == {frozenset(sessions)}
    assert counts["giant clusters set aside"] == 1
    assert counts["URLs of giant clusters"] == 60


def test_veto_and_statistics() -> None:
    table = clusters(pages(name=["1", "2", "3"], digest=[5, 5, 5]), veto=["http://a.org/3"])
    assert found(table) == {frozenset({"1", "2"})}
    told = statistics(table)
    assert (told["clusters"], told["urls"], told["unique"], told["mean_size"]) == (1, 2, 0, 2.0)
