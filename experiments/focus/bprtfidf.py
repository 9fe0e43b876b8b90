"""What moves the F1 of B-PrTFIDF: one change at a time of what a word is, which are left out, and how the data are split.

``python experiments/focus/bprtfidf.py [--splits 5]`` writes one table for WebKB and one for 20 Newsgroups into `results.md`, each
with stop words kept and removed, p searched for on the validation part, and the F1 of the best p for the test beside it.
"""

import argparse
import re
from collections.abc import Callable

import numpy as np
import pyarrow.parquet as pq
import scipy.sparse as sp
from pu import DATA, SIZES, SOURCE, best_f1, features, load, split
from record import record, table
from sklearn.metrics import f1_score

from garimpo.focus import BPrTFIDF

Split = dict[str, np.ndarray]


def as_stored(name: str) -> list[str]:
    """Messages with their headers; pages with their tags."""
    if name == "webkb":
        return pq.read_table(DATA / "webkb/pages.parquet", columns=["html"])["html"].to_pylist()
    return pq.read_table(DATA / "20newsgroups/docs.parquet")["text"].to_pylist()


def letters(texts: list[str]) -> list[str]:
    return [re.sub(r"[\d_]+", " ", text) for text in texts]


def presence(counts: sp.csr_matrix, _: np.ndarray) -> sp.csr_matrix:
    return (counts > 0).astype(np.float32)


def frequent(least: float, most: float) -> Callable[[sp.csr_matrix, np.ndarray], sp.csr_matrix]:
    """Only the words whose share of the training documents lies between the two."""

    def kept(counts: sp.csr_matrix, train: np.ndarray) -> sp.csr_matrix:
        share = np.asarray((counts[train] > 0).mean(axis=0)).ravel()
        return counts[:, (share >= least) & (share < most)]

    return kept


def thinned(part: Split, positive: np.ndarray, negatives: float) -> Split:
    """The test with so many negatives for each positive, as far as there are."""
    test = part["T"]
    good, rest = test[positive[test]], test[~positive[test]]
    return part | {"T": np.concatenate([good, rest[: int(negatives * len(good))]])}


def score(counts: sp.csr_matrix, part: Split, positive: np.ndarray) -> tuple[float, float]:
    """F1 with p searched for on the validation part, and at the best p."""
    given, held = (np.concatenate([part[a], part[b]]) for a, b in (("P", "U"), ("Pv", "V")))
    label, held_label = np.arange(len(given)) < len(part["P"]), np.arange(len(held)) < len(part["Pv"])
    model = BPrTFIDF().fit(counts[given], label, validation=(counts[held], held_label))
    found, truth = model.decision_function(counts[part["T"]]), positive[part["T"]]
    return f1_score(truth, found > 0), best_f1(truth, found)


def changes(name: str, texts: list[str], positive: np.ndarray) -> dict[str, Callable[[int, bool], tuple[float, float]]]:
    """Each change as a function of seed and stop words."""
    other, plain = as_stored(name), letters(texts)

    def run(read: list[str], seed: int, stop: bool, source=False, change=None, negatives=0.0) -> tuple[float, float]:
        part = split(name, positive, seed, source)
        train = np.concatenate([part["P"], part["U"]])
        counts = features(read, train, stop)
        counts = change(counts, train) if change else counts
        return score(counts, thinned(part, positive, negatives) if negatives else part, positive)

    return {
        "as in the other tables, disjoint": lambda seed, stop: run(texts, seed, stop),
        "split as in the source": lambda seed, stop: run(texts, seed, stop, source=True),
        "HTML tags kept" if name == "webkb" else "headers kept": lambda seed, stop: run(other, seed, stop),
        "words of letters only": lambda seed, stop: run(plain, seed, stop),
        "words in 12 % of the documents left out": lambda seed, stop: run(texts, seed, stop, change=frequent(0, 0.12)),
        "words in less than 1 % left out": lambda seed, stop: run(texts, seed, stop, change=frequent(0.01, 2)),
        "both": lambda seed, stop: run(texts, seed, stop, change=frequent(0.01, 0.12)),
        "presence instead of counts": lambda seed, stop: run(texts, seed, stop, change=presence),
        "three negatives a positive in the test": lambda seed, stop: run(texts, seed, stop, negatives=3),
        "one negative a positive in the test": lambda seed, stop: run(texts, seed, stop, negatives=1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=5)
    splits = parser.parse_args().splits
    for name in SIZES:
        lines = []
        for change, run in changes(name, *load(name)).items():
            found = [[run(1000 + seed, stop) for seed in range(splits)] for stop in (False, True)]
            cells = [f"{own:.3f} / {best:.3f}" for own, best in np.mean(found, axis=1)]
            lines.append([change, *cells])
            print(name, lines[-1], flush=True)
        kept, removed = SOURCE[name]
        lines.append(["the source", str(kept), str(removed)])
        body = table(["change", "stop words kept: F1 / at the best p", "removed"], lines)
        record(f"PU: what moves B-PrTFIDF, {name}", f"`python experiments/focus/bprtfidf.py --splits {splits}`\n\n{body}")


if __name__ == "__main__":
    main()
