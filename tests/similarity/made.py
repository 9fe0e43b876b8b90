"""Made documents with edits, copies, fragments and empties; and the plain answers to check against."""

import random
from fractions import Fraction
from itertools import combinations

import pyarrow as pa

from garimpo.page import words

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def documents(count: int, seed: int, lengths: tuple[int, ...] = (0, 1, 3, 6, 50, 80)) -> pa.Table:
    """Texts of which most are edits of earlier ones."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(LETTERS, k=chance.randint(2, 7))) for _ in range(400)]
    texts: list[str] = []
    for _ in range(count):
        if texts and chance.random() < 0.65:
            text = chance.choice(texts).split()
            for _ in range(chance.choice([0, 0, 1, 2, 4]) if text else 0):
                text[chance.randrange(len(text))] = chance.choice(vocabulary)
            if chance.random() < 0.15:
                text = text[: len(text) // 2]
        else:
            text = chance.choices(vocabulary, k=chance.choice(lengths))
        texts.append(" ".join(text))
    scores = [round(chance.random(), 2) for _ in texts]
    return pa.table({"id": [f"d{i:04}" for i in range(count)], "text": texts, "score": scores})


def shingles(text: str, width: int = 5) -> frozenset[tuple[str, ...]]:
    """The shingle set as the definition says it."""
    found = words(text)
    if not found:
        return frozenset()
    return frozenset(tuple(found[i : i + width]) for i in range(max(1, len(found) - width + 1)))


def similarity(a: frozenset, b: frozenset, measure: str = "jaccard") -> Fraction:
    if not a or not b:
        return Fraction(0)
    return Fraction(len(a & b), len(a | b) if measure == "jaccard" else min(len(a), len(b)))


def brute_pairs(table: pa.Table, threshold: float, measure: str = "jaccard", width: int = 5) -> dict[tuple[str, str], float]:
    """Every similar pair with its Jaccard, by comparing all."""
    ids = table["id"].to_pylist()
    sets = [shingles(text or "", width) for text in table["text"].to_pylist()]
    least = Fraction(str(threshold))
    found = {}
    for i, j in combinations(range(len(ids)), 2):
        if similarity(sets[i], sets[j], measure) >= least:
            found[min(ids[i], ids[j]), max(ids[i], ids[j])] = float(similarity(sets[i], sets[j]))
    return found


def brute_stars(table: pa.Table, pairs: set[tuple[str, str]], order: list[str]) -> dict[str, str]:
    """Document -> the earliest kept one it is paired with, or itself."""
    kept: dict[str, str] = {}
    for name in order:
        leader = next((k for k in order if kept.get(k) == k and (min(k, name), max(k, name)) in pairs), name)
        kept[name] = leader
    return kept


def family(count: int, similarity: float, seed: int) -> pa.Table:
    """Texts of one template, most pairs of which are about as similar as said: each has its own choice of one word list."""
    chance = random.Random(seed)
    vocabulary = [f"{a}{b}{c}" for a in LETTERS[:8] for b in LETTERS[:8] for c in LETTERS[:8]]
    share = 2 * similarity / (1 + similarity)  # of a list each has so much of, two share so much of what one has
    texts = [" ".join(chance.sample(vocabulary, round(share * len(vocabulary)))) for _ in range(count)]
    return pa.table({"id": [f"d{i:04}" for i in range(count)], "text": texts})
