"""Topic classifiers from positives and unlabelled documents: faculty pages of WebKB, hockey messages of 20 Newsgroups.

``python experiments/focus/pu.py [--splits 5] [--svmc]`` prints a table of F1 by method, with stop words kept and removed, on
disjoint parts: 350 (300) positives, 3,000 unlabelled of which 150 (250) are positive, a validation part that only B-PrTFIDF
uses, and a test part. Beside them a linear SVM that was told the true label of every training document. Messages are taken
without their headers.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.metrics import f1_score, precision_recall_curve
from sklearn.svm import LinearSVC

from garimpo.engine.columns import hash_strings
from garimpo.focus import SVMC, BPrTFIDF, PositiveUnlabelled, Vocabulary
from garimpo.focus.linear import idf_scale, scaled
from garimpo.page import read_text

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))
SIZES = {"webkb": (350, 140, 150, 60, 300, 3000, 1200), "20ng": (300, 100, 250, 83, None, 3000, 1000)}
SOURCE = {"webkb": (0.52, 0.66), "20ng": (0.85, 0.87)}


def load(name: str) -> tuple[list[str], np.ndarray]:
    """Texts, and which of them are positive."""
    if name == "webkb":
        table = pq.read_table(DATA / "webkb/pages.parquet", columns=["url", "class", "html"])
        pages = [read_text(html, url) for url, html in zip(table["url"].to_pylist(), table["html"].to_pylist())]
        return [f"{page.title or ''}\n{page.text}" for page in pages], np.array(table["class"].to_pylist()) == "faculty"
    table = pq.read_table(DATA / "20newsgroups/docs.parquet")
    bodies = [text.partition("\n\n")[2] or text for text in table["text"].to_pylist()]
    return bodies, np.array(table["group"].to_pylist()) == "rec.sport.hockey"


def split(name: str, positive: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Disjoint parts: P, its validation part, U (with hidden positives), its validation part, and the test."""
    chance = np.random.default_rng(seed)
    good, rest = (chance.permutation(np.flatnonzero(mask)) for mask in (positive, ~positive))
    p, pv, hidden, hidden_v, test, u, v = SIZES[name]
    ends = np.cumsum([p, pv, hidden, hidden_v])
    tested = good[ends[3] : ends[3] + test] if test else good[ends[3] :]
    cut = u - hidden + v - hidden_v
    others = rest[cut:] if test else rest[cut : cut + 3 * len(tested)]
    return {
        "P": good[: ends[0]], "Pv": good[ends[0] : ends[1]],
        "U": np.concatenate([good[ends[1] : ends[2]], rest[: u - hidden]]),
        "V": np.concatenate([good[ends[2] : ends[3]], rest[u - hidden : cut]]),
        "T": np.concatenate([tested, others]),
    }  # fmt: skip


def best_f1(truth: np.ndarray, score: np.ndarray) -> float:
    precision, recall, _ = precision_recall_curve(truth, score)
    return float((2 * precision * recall / np.maximum(precision + recall, 1e-9)).max())


def methods(svmc: bool) -> dict:
    found = {"auto": PositiveUnlabelled(), "bprtfidf": BPrTFIDF()}
    found |= {f"bprtfidf p={p}": BPrTFIDF(p=p) for p in (0.3, 0.6)}
    if svmc:
        found |= {f"svmc {mapper}": SVMC(mapper) for mapper in ("dnf", "osvm", "cosine")}
    return found


def run(name: str, splits: int, stop: bool, svmc: bool, few: int | None = None) -> None:
    texts, positive = load(name)
    rows: dict[str, list] = {}
    for seed in range(splits):
        part = split(name, positive, seed)
        train = np.concatenate([part["P"], part["U"]])
        vocabulary = Vocabulary.of([texts[i] for i in train], least=2)
        if stop:
            words = hash_strings(pa.array(sorted(ENGLISH_STOP_WORDS)))
            vocabulary = Vocabulary(vocabulary.hashes[~np.isin(vocabulary.hashes, words)])
        counts = vocabulary.counts(texts)
        truth = positive[part["T"]]
        scale = idf_scale(counts[train])
        logs = sp.csr_matrix((1 + np.log(np.maximum(counts.data, 1)), counts.indices, counts.indptr), counts.shape)
        rescaled = scaled(logs, scale, False)
        told = LinearSVC(C=1).fit(rescaled[train], positive[train]).decision_function(rescaled[part["T"]])
        full = f1_score(truth, told > 0)
        rows.setdefault("told everything", []).append((full, 1.0, best_f1(truth, told) / full, 0.0))
        shown = part["P"][:few] if few else part["P"]
        given = np.concatenate([shown, part["U"]])
        label = np.arange(len(given)) < len(shown)
        for method, model in methods(svmc).items():
            began = time.process_time()
            if method == "bprtfidf":
                held = np.concatenate([part["Pv"], part["V"]])
                model.fit(counts[given], label, validation=(counts[held], np.arange(len(held)) < len(part["Pv"])))
            else:
                model.fit(counts[given], label)
            seconds = time.process_time() - began
            score = model.decision_function(counts[part["T"]])
            f1 = f1_score(truth, score > 0)
            rows.setdefault(method, []).append((f1, f1 / full, best_f1(truth, score) / full, seconds))
    kind = f"{name}{'+SW' if stop else ''}{f', {few} positives' if few else ''}"
    print(f"\n{kind}: {splits} splits (source, B-PrTFIDF: {SOURCE[name][stop]})")
    print(f"{'method':<16} {'F1':>14} {'of told':>8} {'best cut':>9} {'CPU s':>7}")
    for method, values in rows.items():
        mean, error = np.mean(values, axis=0), 1.96 * np.std(values, axis=0, ddof=1) / np.sqrt(len(values))
        print(f"{method:<16} {mean[0]:>6.3f} ± {error[0]:.3f} {mean[1]:>8.3f} {mean[2]:>9.3f} {mean[3]:>7.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--svmc", action="store_true")
    given = parser.parse_args()
    for name in SIZES:
        run(name, given.splits, False, given.svmc)
        run(name, given.splits, True, given.svmc)
        run(name, given.splits, False, False, few=10)


if __name__ == "__main__":
    main()
