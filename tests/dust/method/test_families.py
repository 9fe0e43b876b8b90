"""Differences that come together or hold only somewhere: learned, and held to what was shown."""

import random

import pyarrow as pa
import pytest

from dust.families import FAMILIES, hexes, judged, training, words
from garimpo.dust import learn
from garimpo.dust.method import candidates

Rows = list[tuple[int, str]]


def table(rows: Rows) -> pa.Table:
    return pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_learned_and_look_alikes_stay_apart(name: str) -> None:
    family = FAMILIES[name]
    joined, alike = judged(family, learn(table(training(family))).key)
    assert joined >= 0.95
    assert alike <= 0.01


@pytest.mark.parametrize("source", ["part", "whole", "bundle"])
def test_no_source_alone_finds_more_than_all_together(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    rows = [(1000 * number + n % 1000, url.replace("a.org", f"h{number}.org").replace("site.org", f"s{number}.org"))
            for number, family in enumerate(FAMILIES.values()) for n, url in training(family, 60) if n < 1000]  # fmt: skip
    everything = learn(table(rows), everything=True)
    monkeypatch.setattr(candidates, "QUOTA", {own: 72 * (own == source) for own in candidates.QUOTA})
    alone = learn(table(rows), everything=True)
    urls = [url for _, url in rows]
    for number in range(len(FAMILIES)):
        own = [url for (n, url) in zip((n for n, _ in rows), urls) if n // 1000 == number]
        assert len({everything.key(url) for url in own}) <= len({alone.key(url) for url in own})
    assert len(alone)


@pytest.mark.parametrize("size", [300, 1000, 4000])
def test_more_pages_lose_no_rule(size: int) -> None:
    """One label in a hundred is wrong: with a tolerance of twice that, the rule is found however many pages there are."""
    draw = random.Random(size)
    rows = [
        (n if draw.random() > 0.01 else 10**6 + n, f"http://a.org/p{n}?sid={hexes(n, k)}") for n in range(size) for k in range(2)
    ]
    rules = learn(table(rows), fpr_max=0.05)
    assert rules.key("http://a.org/new?sid=1f") == rules.key("http://a.org/new?sid=2f")


def test_one_wrong_label_among_two_thousand_kills_no_rule() -> None:
    rows = [(n, f"http://a.org/p{n}?sid={hexes(n, k)}") for n in range(2000) for k in range(2)]
    rows[77] = (5000, rows[77][1])
    rules = learn(table(rows))
    assert rules.key("http://a.org/new?sid=1f") == rules.key("http://a.org/new?sid=2f")


def _translated(seed: int) -> Rows:
    """Folders of languages that fall back for some pages, more here than there."""
    draw = random.Random(seed)
    rows: Rows = []
    for n in range(120):
        folder = draw.choice(["mod", "howto", "misc"])
        page = f"{folder}/{words(n)}"
        rows.append((n, f"http://a.org/en/{page}"))
        for number, (language, share) in enumerate({"da": 0.0, "es": 0.03, "fr": 0.3, "ko": 0.1}.items(), 1):
            own = draw.random() < share * (0.1 if folder == "mod" else 1.5)
            rows.append((1000 * number + n if own else n, f"http://a.org/{language}/{page}"))
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_more_tolerance_never_saves_less(seed: int) -> None:
    rows = _translated(seed)
    saved = []
    for fpr_max in (0.0, 0.002, 0.01, 0.02, 0.05, 0.1, 0.2):
        rules = learn(table(rows), fpr_max=fpr_max)
        keys = {(cluster, rules.key(url)) for cluster, url in rows}
        saved.append(len(rows) - len(keys))
    assert saved == sorted(saved)
    assert saved[0] > 0


def test_one_folder_was_seen_and_no_other_is_joined() -> None:
    rows = [(n, f"http://a.org/{folder}/{words(n)}") for n in range(40) for folder in ("wiki", "wiki2")]
    rules = learn(table(rows))
    assert rules.key("http://a.org/wiki/new-9") == rules.key("http://a.org/wiki2/new-9") != rules.key("http://a.org/talk/new-9")


def test_a_value_that_never_changed_on_a_page_is_marked() -> None:
    """The number of the current revision looks like a session: it is left out, and never another one shown."""
    current = [(n, f"http://a.org/w?t={words(n)}{end}") for n in range(60) for end in ("", f"&oldid={5000 + n}")]
    session = [(n, f"http://a.org/w?t={words(n)}&sid={hexes(n, k)}") for n in range(60) for k in range(2)]
    assert [rule.provisional for rule in learn(table(current)).rules] == [True]
    assert [rule.provisional for rule in learn(table(session)).rules] == [False]
