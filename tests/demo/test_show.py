"""The screen of the demonstration: it fits a terminal, and its words are made from the numbers."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from garimpo.demo.crawls import Demo
from garimpo.demo.entities import Collected
from garimpo.demo.show import as_text, change, claim
from garimpo.demo.topic import Harvest


def run(name: str, unique: int, avoidable: int) -> Any:
    measures = SimpleNamespace(fetched=3_000, unique=unique, avoidable=avoidable, avoidable_late=avoidable // 2, false_skips=0)
    return SimpleNamespace(name=name, measures=measures, mirrors=SimpleNamespace(folded=2, wrong=0))


def demo(unique: int, avoidable: int) -> Demo:
    made = {"hosts": 60, "urls": 6_012}
    harvests = [
        Harvest(name, "politics", 750, found) for name, found in (("breadth-first", 20), ("best-dynamic", 23), ("garimpo", 29))
    ]
    collected = [Collected("breadth-first", 0, 0, 64, 201), Collected("sites", 16, 0, 64, 203)]
    return Demo(Path(), made, [run("plain", 2_161, 589), run("learning", unique, avoidable)], harvests, collected)


def test_the_screen_fits_a_terminal() -> None:
    lines = as_text(demo(2_455, 265))
    assert len(lines) <= 24 and max(map(len, lines)) <= 100
    assert [line for line in lines if line.startswith(("1.", "2.", "3."))]


@pytest.mark.parametrize(
    ("unique", "avoidable", "told"),
    [(2_455, 265, ["14 % more", "55 % fewer"]), (2_161, 589, ["the same"]), (2_100, 700, ["3 % fewer", "19 % more"])],
)
def test_the_words_follow_the_numbers(unique: int, avoidable: int, told: list[str]) -> None:
    text = "\n".join(as_text(demo(unique, avoidable)))
    assert all(words in text for words in told)


def test_a_change_from_nothing_has_no_ratio() -> None:
    assert change(0, 5) == "" and change(5, 0) == "100 % fewer"


@pytest.mark.parametrize(
    ("unique", "avoidable", "said"), [(2_455, 265, "saved 55 %"), (2_100, 265, "but found"), (2_100, 700, "did not help")]
)
def test_the_claim_follows_the_numbers(unique: int, avoidable: int, said: str) -> None:
    assert said in claim(demo(unique, avoidable))
