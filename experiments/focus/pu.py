"""Topic classifiers from positives and unlabelled documents: faculty pages of WebKB, hockey messages of 20 Newsgroups.

``python experiments/focus/pu.py [--splits 5] [--only webkb,removed]`` writes tables of F1 by method into `results.md`, with stop
words kept and removed.
*Disjoint*: 350 (300) positives, 3,000 unlabelled of which 150 (250) are positive, a validation part that only B-PrTFIDF uses,
and a test part. *As in the source*: the positives hidden among the unlabelled of 20 Newsgroups are those of the test, and the
negatives of unlabelled, validation and test parts overlap. Beside them a linear SVM that was told the true label of every
training document. Messages are taken without their headers.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp
from record import record, table
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from sklearn.metrics import f1_score, precision_recall_curve
from sklearn.svm import LinearSVC

from garimpo.engine.columns import hash_strings
from garimpo.focus import SVMC, BPrTFIDF, PositiveUnlabelled, TopicModel, Vocabulary
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


def split(name: str, positive: np.ndarray, seed: int, source: bool = False) -> dict[str, np.ndarray]:
    """P, its validation part, U (with hidden positives), its validation part, and the test: disjoint, or as in the source."""
    chance = np.random.default_rng(seed)
    good, rest = (chance.permutation(np.flatnonzero(mask)) for mask in (positive, ~positive))
    if source and name == "20ng":
        hidden, test = good[400:990], chance.permutation(rest)[: 3 * len(good[400:990])]
        unlabelled, held = np.concatenate([hidden, rest[:2410]]), np.concatenate([hidden[:250], rest[2410:3440]])
        return {"P": good[:300], "Pv": good[300:400], "U": unlabelled, "V": held, "T": np.concatenate([hidden, test])}
    p, pv, hidden, hidden_v, test, u, v = SIZES[name]
    ends = np.cumsum([p, pv, hidden, hidden_v])
    tested = good[ends[3] : ends[3] + test] if test else good[ends[3] :]
    cut = u - hidden + v - hidden_v
    others = rest[cut:] if test else rest[cut : cut + 3 * len(tested)]
    in_u, in_v = rest[: u - hidden], rest[u - hidden : cut]
    if source:
        in_u, in_v, others = rest, chance.permutation(rest)[:3800], chance.permutation(rest)[:5800]
    return {
        "P": good[: ends[0]], "Pv": good[ends[0] : ends[1]],
        "U": np.concatenate([good[ends[1] : ends[2]], in_u]), "V": np.concatenate([good[ends[2] : ends[3]], in_v]),
        "T": np.concatenate([tested, others]),
    }  # fmt: skip


def best_f1(truth: np.ndarray, score: np.ndarray) -> float:
    precision, recall, _ = precision_recall_curve(truth, score)
    return float((2 * precision * recall / np.maximum(precision + recall, 1e-9)).max())


def methods(few: bool) -> dict:
    found = {"auto": PositiveUnlabelled(), "bprtfidf": BPrTFIDF()}
    if few:
        return found
    found |= {f"bprtfidf p={p}": BPrTFIDF(p=p) for p in (0.3, 0.6)}
    return found | {f"svmc {mapper}": SVMC(mapper) for mapper in ("dnf", "osvm", "cosine")}


def features(texts: list[str], train: np.ndarray, stop: bool) -> sp.csr_matrix:
    vocabulary = Vocabulary.of([texts[i] for i in train], least=2)
    if stop:
        words = hash_strings(pa.array(sorted(ENGLISH_STOP_WORDS)))
        vocabulary = Vocabulary(vocabulary.hashes[~np.isin(vocabulary.hashes, words)])
    return vocabulary.counts(texts)


def told(counts: sp.csr_matrix, train: np.ndarray, label: np.ndarray, test: np.ndarray) -> np.ndarray:
    """The decisions of an SVM that knows all labels."""
    logs = sp.csr_matrix((1 + np.log(np.maximum(counts.data, 1)), counts.indices, counts.indptr), counts.shape)
    rescaled = scaled(logs, idf_scale(counts[train]), False)
    return LinearSVC(C=1).fit(rescaled[train], label).decision_function(rescaled[test])


def one(name: str, data: tuple, seed: int, stop: bool, source: bool, few: int | None) -> dict[str, tuple]:
    """F1, its share of the told one's, the best cut's share, and CPU seconds of each method on one split."""
    texts, positive = data
    part = split(name, positive, seed, source)
    train = np.concatenate([part["P"], part["U"]])
    counts, truth = features(texts, train, stop), positive[part["T"]]
    decisions = told(counts, train, positive[train], part["T"])
    full = f1_score(truth, decisions > 0)
    rows = {"told everything": (full, 1.0, best_f1(truth, decisions) / full, 0.0)}
    shown = part["P"][:few] if few else part["P"]
    given = np.concatenate([shown, part["U"]])
    label = np.arange(len(given)) < len(shown)
    for method, model in methods(bool(few)).items():
        began, more = time.process_time(), {}
        if method == "bprtfidf":
            held = np.concatenate([part["Pv"], part["V"]])
            more = {"validation": (counts[held], np.arange(len(held)) < len(part["Pv"]))}
        model.fit(counts[given], label, **more)
        seconds = time.process_time() - began
        score = model.decision_function(counts[part["T"]])
        f1 = f1_score(truth, score > 0)
        rows[method] = (f1, f1 / full, best_f1(truth, score) / full, seconds)
    if not stop:
        rows["auto, as topic train makes it"] = product(texts, shown, part, truth, full)
    return rows


def product(texts: list[str], shown: np.ndarray, part: dict[str, np.ndarray], truth: np.ndarray, full: float) -> tuple:
    """The same figures of `garimpo topic train`, which chooses its words itself and passes over those of the examples' sites."""
    began = time.process_time()
    model = TopicModel.train([texts[i] for i in shown], [texts[i] for i in part["U"]])
    seconds = time.process_time() - began
    score = model.score([texts[i] for i in part["T"]])
    f1 = f1_score(truth, score > model.threshold)
    return f1, f1 / full, best_f1(truth, score) / full, seconds


def heading(name: str, stop: bool, source: bool, few: int | None) -> str:
    kind = f"{name}, stop words {'removed' if stop else 'kept'}, {'as in the source' if source else 'disjoint'}"
    return f"PU: {kind}{f', {few} positives' if few else ''}"


def run(name: str, data: tuple, splits: int, stop: bool, source: bool, few: int | None) -> None:
    found: dict[str, list] = {}
    for seed in range(splits):
        for method, row in one(name, data, 1000 + seed, stop, source, few).items():
            found.setdefault(method, []).append(row)
    lines = []
    for method, values in found.items():
        mean, error = np.mean(values, axis=0), 1.96 * np.std(values, axis=0, ddof=1) / np.sqrt(len(values))
        shown = [f"{mean[0]:.3f} ± {error[0]:.3f}", f"{mean[1]:.3f}", f"{mean[2]:.3f}", f"{mean[3]:.1f}"]
        lines.append([method, *shown])
    body = table(["method", "F1", "of told everything", "best cut, of told", "CPU s"], lines)
    text = f"`python experiments/focus/pu.py --splits {splits}`; the source's B-PrTFIDF: {SOURCE[name][stop]}\n\n{body}"
    record(heading(name, stop, source, few), text)
    print(f"\n{heading(name, stop, source, few)}\n{body}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--only", default="", help="of the tables those whose heading has all these words: webkb,removed")
    given = parser.parse_args()
    kinds = [(False, False, None), (False, False, 10), (True, False, None), (False, True, None), (True, True, None)]
    wanted = [(name, *kind) for kind in kinds for name in SIZES]
    wanted = [case for case in wanted if all(word in heading(*case) for word in given.only.split(","))]
    data = {name: load(name) for name in {case[0] for case in wanted}}
    for name, stop, source, few in wanted:
        run(name, data[name], given.splits, stop, source, few)


if __name__ == "__main__":
    main()
