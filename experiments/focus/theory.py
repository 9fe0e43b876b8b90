"""Numbers behind the forward index: gaps of Zipf samples, their exponent, entropy lemmas and the bound on an archive.

``python experiments/focus/theory.py`` prints the gap experiment (terms drawn without replacement from a Zipf law, sorted,
their gaps fitted by maximum likelihood), the exponents across document sizes, the lemmas' golden values, and bits a gap by code.
"""

import numpy as np

from garimpo.archive import _kernels_codes as kernels


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


def main() -> None:
    print(f"Lemma 2, n=50, m=7: {lemma2(50, 7):.4f} (golden 49.5042)")
    print(f"Lemma 3, n=1000, m=7, s=1.1: {lemma3(1000, 7, 1.1):.4f} (golden 57.7279)")
    bound = theorem1(1000, 5000, 1.2, 500, 1000, 1.1, 1e5)
    print(f"Theorem 1, corrected: {bound:,.1f} (golden 835,596.2)")
    made = gaps(2_000_000, 1.0375, 300, 1000)
    print(f"gaps of Zipf(1.0375), N = 2,000,000, n = 300, 1,000 documents: exponent {exponent(made, 2_000_000):.4f}"
          " (source 1.1021 at N = 11,793,136)")  # fmt: skip
    bits = {f"zeta_{k}": float(kernels.measure_numbers(k, made)) / len(made) for k in range(1, 6)}
    print("bits a gap: " + ", ".join(f"{name} {value:.2f}" for name, value in bits.items()) + f"; entropy {entropy(made):.2f}")
    print("gap exponent by source exponent (columns 1.0, 1.1, 1.2, 1.3, 1.4):")
    for length in (30, 100, 300):
        row = [exponent(gaps(200_000, s, length, 300), 200_000) for s in (1.0, 1.1, 1.2, 1.3, 1.4)]
        print(f"  n = {length:>3}: " + "  ".join(f"{value:.3f}" for value in row))


if __name__ == "__main__":
    main()
