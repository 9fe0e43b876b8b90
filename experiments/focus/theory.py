"""Numbers behind the forward index: gaps of Zipf samples, their exponent, entropy lemmas and the bound on an archive.

``python experiments/focus/theory.py [--archive FILE.fwd] [--plots DIR]`` prints the gap experiment (terms drawn without
replacement from a Zipf law, sorted, their gaps fitted by maximum likelihood), the exponents across document sizes, the law of
gaps by order statistics beside a simulation, the lemmas' golden values, and bits a gap by code; and of a forward index
(`garimpo archive build`) its empirical entropy beside its size. ``--plots`` draws the gaps and the documents' lengths. What it
prints is written into `results.md` too.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from record import record
from scipy.special import comb

from garimpo.archive.forward import _kernels_codes as kernels
from garimpo.archive.forward.index import Document, Forward
from garimpo.report import line_plot

TERMS = 11_793_136
"""The words of the source's collection."""


def harmonic(size: int, s: float, power: int = 0) -> float:
    """Sum over i of (-ln i)^power i^-s."""
    i = np.arange(1, size + 1, dtype=np.float64)
    return float(((-np.log(i)) ** power * i**-s).sum())


def sample(limits: np.ndarray, size: int, chance: np.random.Generator) -> np.ndarray:
    """`size` distinct terms of a Zipf law, ascending: drawn until enough differ."""
    found = np.zeros(0, np.int64)
    while len(found) < size:
        found = np.unique(np.concatenate([found, np.searchsorted(limits, chance.random(size)) + 1]))
    return np.sort(chance.choice(found, size, replace=False)) if len(found) > size else found


def exponent(values: np.ndarray, support: int) -> float:
    """The exponent of a truncated Zipf law by Newton's method."""
    mean, k = float(np.log(values).mean()), 1.1
    i = np.arange(1, support + 1, dtype=np.float64)
    logs = np.log(i)
    for _ in range(12):
        weight = i**-k
        h, h1, h2 = weight.sum(), -(logs * weight).sum(), (logs**2 * weight).sum()
        step = h * (mean * h + h1) / (h2 * h - h1 * h1)
        k -= step
        if abs(step) < 1e-7:
            break
    return float(k)


def gaps(size: int, s: float, length: int, documents: int, seed: int = 0) -> np.ndarray:
    """The gaps of so many documents, the first term of each counted as a gap."""
    chance = np.random.default_rng(seed)
    limits = np.cumsum(np.arange(1, size + 1, dtype=np.float64) ** -s)
    limits /= limits[-1]
    return np.concatenate([np.diff(sample(limits, length, chance), prepend=0) for _ in range(documents)])


def adjacent(size: int, s: float, n: int, gap: int) -> float:
    """The chance that two neighbours of n sorted draws from a Zipf law lie so far apart, by order statistics (no ties)."""
    law = np.arange(1, size + 1, dtype=np.float64) ** -s
    law /= law.sum()
    up_to = np.concatenate([[0.0], np.cumsum(law)])
    x = np.arange(1, size - gap + 1)
    low, high = up_to[x - 1], 1 - up_to[x + gap]
    chance = sum(comb(n - 2, a - 1) * low ** (a - 1) * high ** (n - a - 1) for a in range(1, n))
    return float((n * (n - 1) * chance * law[x - 1] * law[x + gap - 1]).sum() / (n - 1))


def crude(size: int, s: float, gap: int) -> float:
    """The same by the chance that two draws lie so far apart, whatever lies between."""
    i = np.arange(1, size - gap + 1, dtype=np.float64)
    return float((i**-s * (i + gap) ** -s).sum() / harmonic(size, s) ** 2)


def archive_entropy(documents: Iterable[Document]) -> dict[str, float]:
    """The bits of ids, lengths and terms of an archive by their own frequencies: the terms of each document by its own."""
    lengths, terms = [], 0.0
    for document in documents:
        length = int(document.frequencies.sum())
        lengths.append(length)
        if length:
            terms += float((document.frequencies * np.log2(length / document.frequencies)).sum())
    count = len(lengths)
    return {"ids": count * np.log2(max(count, 1)), "lengths": count * entropy(np.array(lengths)), "terms": terms}


def draw(values: np.ndarray, folder: Path, name: str, what: str, most: int | None = None) -> None:
    """How often each value occurs: both axes logarithmic, or plain up to `most`."""
    value, count = np.unique(values, return_counts=True)
    kept = (value > 0) if most is None else (value < most)
    value, count = value[kept], count[kept]
    if most is None:
        value, count, what = np.log10(value), np.log10(count), f"{what} (both as powers of ten)"
    figure = line_plot({what: list(zip(value.tolist(), count.tolist()))}, what, "how often")
    folder.mkdir(parents=True, exist_ok=True)
    figure.save(folder / f"{name}.svg")


def lemma1(n: int, m: int) -> float:
    """Bits of a subset of m out of n, all alike."""
    return m * np.log2(n / m) + (n - m) * np.log2(n / (n - m))


def lemma2(n: int, m: int) -> float:
    """Bits of a multi-subset of m out of n, all alike."""
    return m * np.log2(n) + m * (n - 1) * np.log2(n / (n - 1))


def lemma3(n: int, m: int, s: float) -> float:
    """A bound on the bits of a Zipf multi-subset."""
    h = harmonic(n, s)
    i = np.arange(1, n + 1)
    return m * np.log2(np.e * h) + m / h * float((i**-s * np.log2(i**s)).sum())


def theorem1(d: int, d_max: int, alpha: float, l_max: int, w: int, s: float, length: float) -> float:
    """The bound on the entropy of an archive (with the term of the total length that its proof has)."""
    hl, hw = harmonic(l_max, alpha), harmonic(w, s)
    i, j = np.arange(1, l_max + 1), np.arange(1, w + 1)
    first = (2 * d + length + d * (np.log(hl) + np.log(d_max)) + length * np.log(hw)) / np.log(2)
    lengths = d / hl * float((i**-alpha * np.log2(i**alpha)).sum())
    terms = length / hw * float((j**-s * np.log2(j**s)).sum())
    return float(first + d * np.log2(1 / d) + lengths + terms)


def entropy(values: np.ndarray) -> float:
    counts = np.unique(values, return_counts=True)[1]
    return float((counts * np.log2(len(values) / counts)).sum() / len(values))


def of_archive(path: Path, plots: Path | None) -> str:
    """The entropy of a forward index beside the bits it takes, and its documents' lengths."""
    index = Forward(path)
    found = archive_entropy(index)
    if plots is not None:
        lengths = np.array([int(document.frequencies.sum()) for document in index])
        draw(lengths, plots, "lengths", "words of a document")
        draw(lengths, plots, "lengths-150", "words of a document", 150)
    return (
        f"{path.name}: {len(index):,} documents; " + ", ".join(f"{name} {bits:,.0f} bits" for name, bits in found.items())
        + f"; together {sum(found.values()) / 8 / len(index):.1f} bytes a document (a multiset of tokens), the index takes"
        f" {path.stat().st_size / len(index):.1f} with words and URLs"
    )  # fmt: skip


def lemmas() -> Iterator[str]:
    """The calculators at the points where their values are known."""
    yield f"Lemma 1, n=50, m=7: {lemma1(50, 7):.4f}"
    yield f"Lemma 2, n=50, m=7: {lemma2(50, 7):.4f} (golden 49.5042)"
    yield f"Lemma 3, n=1000, m=7, s=1.1: {lemma3(1000, 7, 1.1):.4f} (golden 57.7279)"
    yield f"Theorem 1, corrected: {theorem1(1000, 5000, 1.2, 500, 1000, 1.1, 1e5):,.1f} (golden 835,596.2)"


def of_gaps(plots: Path | None) -> Iterator[str]:
    """The gap experiment of the source, at its size."""
    made = gaps(TERMS, 1.0375, 300, 10_000)
    yield f"gaps of Zipf(1.0375), N = {TERMS:,}, n = 300, 10,000 documents: exponent {exponent(made, TERMS):.4f} (source 1.1021)"
    bits = {f"zeta_{k}": float(kernels.measure_numbers(k, made)) / len(made) for k in range(1, 6)}
    yield "bits a gap: " + ", ".join(f"{name} {value:.2f}" for name, value in bits.items()) + f"; entropy {entropy(made):.2f}"
    if plots:
        draw(made, plots, "gaps", "gap")


def of_law() -> Iterator[str]:
    """Order statistics beside a simulation, and the exponents across document sizes."""
    # The law leaves out ties, which draws without replacement turn into small gaps: the head is larger than it says.
    some = np.concatenate([gaps(2000, 1.1, 20, 2000)[i::20] for i in range(1, 20)])
    for gap in (1, 3, 10, 30, 100):
        law, simulated, rough = adjacent(2000, 1.1, 20, gap), float((some == gap).mean()), crude(2000, 1.1, gap)
        yield f"gap {gap:>3} of 20 terms of 2,000: {law:.4f} by order statistics, {simulated:.4f} simulated, {rough:.4f} crude"
    yield "gap exponent by source exponent (columns 1.0, 1.1, 1.2, 1.3, 1.4), N = 200,000:"
    for length in (30, 100, 300):
        row = [exponent(gaps(200_000, s, length, 300), 200_000) for s in (1.0, 1.1, 1.2, 1.3, 1.4)]
        yield f"  n = {length:>3}: " + "  ".join(f"{value:.3f}" for value in row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--plots", type=Path)
    given = parser.parse_args()
    first = [of_archive(given.archive, given.plots)] if given.archive else []
    lines = []
    for line in chain(first, lemmas(), of_gaps(given.plots), of_law()):
        print(line, flush=True)
        lines.append(line)
    archive = f" --archive {given.archive.name}" if given.archive else ""
    shown = "\n".join(lines)
    record("Theory of the forward index", f"`python experiments/focus/theory.py{archive}`\n\n```\n{shown}\n```")


if __name__ == "__main__":
    main()
