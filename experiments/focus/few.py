"""Topics from ten positives: how near the product's own cut comes to what can be had.

``python experiments/focus/few.py [webkb] [20ng] [reuters] [--draws 2]`` learns four classes of WebKB, five of 20 Newsgroups and
ten subjects of Reuters (news of every kind, broad and narrow ones, the stand-in for an encyclopaedia) by ``topic train`` from
ten positives and 3,000 unlabelled documents of the same collection, and tries 3,000 others. F1 by the model's own cut is told
as a share of a linear SVM's that was told all labels, and of the F1 that the best cut (by hindsight) gives.
"""

import argparse
import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from pu import best_f1, features, told
from record import record, table
from sklearn.metrics import f1_score

from garimpo.focus import TopicModel
from garimpo.page import read_text

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("GARIMPO_DATA", ROOT.parent / "shared" / "data"))
CLASSES = {
    "webkb": ("course", "faculty", "project", "student"),
    "20ng": ("rec.sport.hockey", "sci.space", "sci.med", "comp.graphics", "talk.politics.guns"),
    "reuters": ("earn", "acq", "money-fx", "crude", "grain", "trade", "interest", "ship", "sugar", "coffee"),
}
POSITIVES, UNLABELLED, TESTED = 10, 3000, 3000


def load(name: str) -> tuple[list[str], list[set[str]]]:
    """Texts, and the classes of each."""
    if name == "webkb":
        rows = pq.read_table(DATA / "webkb/pages.parquet", columns=["url", "class", "html"]).to_pylist()
        pages = [read_text(row["html"], row["url"]) for row in rows]
        return [f"{page.title or ''}\n{page.text}" for page in pages], [{row["class"]} for row in rows]
    if name == "20ng":
        rows = pq.read_table(DATA / "20newsgroups/docs.parquet").to_pylist()
        return [row["text"].partition("\n\n")[2] or row["text"] for row in rows], [{row["group"]} for row in rows]
    rows = pq.read_table(DATA / "reuters/docs.parquet").to_pylist()
    labelled = [(row, set(row["topics"])) for row in rows if row["body"] and len(row["topics"])]
    return [f"{row['title'] or ''}\n{row['body']}" for row, _ in labelled], [topics for _, topics in labelled]


def one(texts: list[str], positive: np.ndarray, seed: int) -> list[float]:
    """F1 by the own cut and by the best one, each over the F1 of an SVM told all labels."""
    order = np.random.default_rng(seed).permutation(len(texts))
    good = order[positive[order]][:POSITIVES]
    rest = order[~np.isin(order, good)]
    seen, tested = rest[:UNLABELLED], rest[UNLABELLED : UNLABELLED + TESTED]
    model = TopicModel.train([texts[i] for i in good], [texts[i] for i in seen])
    score, truth = model.score([texts[i] for i in tested]), positive[tested]
    train = np.concatenate([good, seen])
    full = f1_score(truth, told(features(texts, train, False), train, positive[train], tested) > 0)
    return [f1_score(truth, score > model.threshold) / full, best_f1(truth, score) / full]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", nargs="*", default=list(CLASSES), help=", ".join(CLASSES))
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    for name in given.collections:
        texts, kinds = load(name)
        found, lines = [], []
        for wanted in CLASSES[name][:1] if given.quick else CLASSES[name]:
            positive = np.array([wanted in kind for kind in kinds])
            figures = np.mean([one(texts, positive, seed) for seed in range(1 if given.quick else given.draws)], axis=0)
            found.append([*figures, figures[0] / figures[1]])
            lines.append([wanted, f"{positive.mean():.3f}", *(f"{figure:.2f}" for figure in found[-1])])
        lines.append(["mean", "", *(f"{figure:.3f}" for figure in np.mean(found, axis=0))])
        body = table(["class", "its share", "own cut, of told", "best cut, of told", "own of best cut"], lines)
        record(f"Ten positives: {name}", f"`python experiments/focus/few.py {name} --draws {given.draws}`; F1.\n\n{body}")
        print(name, body, sep="\n", flush=True)


if __name__ == "__main__":
    main()
