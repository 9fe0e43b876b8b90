"""A corpus for the benchmarks: texts over a Zipf vocabulary, a fifth of them edits of others."""

import numpy as np
import pyarrow as pa


def vocabulary(size: int, chance: np.random.Generator) -> list[str]:
    """Distinct words of 2 to 10 letters."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    found: dict[str, None] = {}
    while len(found) < size:
        found["".join(chance.choice(letters, int(chance.integers(2, 11))))] = None
    return list(found)


def texts(count: int, seed: int = 7, mean: int = 300, copies: float = 0.2, words: list[str] | None = None) -> pa.Array:
    """`count` texts of about `mean` words; of the edits, between 1 % and 15 % of the words were changed."""
    chance = np.random.default_rng(seed)
    words = words or vocabulary(50_000, chance)
    table = pa.array(words)
    weights = 1 / (np.arange(len(words)) + 2.7) ** 1.07
    limits = np.cumsum(weights / weights.sum())
    fresh = count - int(count * copies)
    rows = [_draw(int(np.clip(chance.normal(mean, mean / 5), mean // 5, 2 * mean)), limits, chance) for _ in range(fresh)]
    rows += [_edited(rows[int(chance.integers(fresh))], limits, chance) for _ in range(count - fresh)]
    order = chance.permutation(count)
    lengths = np.array([rows[i].size for i in order])
    flat = table.take(pa.array(np.concatenate([rows[i] for i in order])))
    lists = pa.LargeListArray.from_arrays(np.concatenate([[0], np.cumsum(lengths)]), flat)
    return pa.compute.binary_join(lists, " ").cast(pa.large_string())


def _draw(count: int, limits: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    return np.minimum(np.searchsorted(limits, chance.random(count)), limits.size - 1)


def _edited(row: np.ndarray, limits: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    places = np.flatnonzero(chance.random(row.size) < chance.uniform(0.01, 0.15))
    row = row.copy()
    kind = chance.random(places.size)
    changed = places[kind < 0.6]
    row[changed] = _draw(changed.size, limits, chance)
    put = places[kind >= 0.8]
    row = np.insert(row, put + 1, _draw(put.size, limits, chance))
    return np.delete(row, places[(kind >= 0.6) & (kind < 0.8)]) if row.size > 5 else row
