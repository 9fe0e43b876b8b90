"""How well a matrix of scores (query by document) finds the relevant documents."""

import numpy as np

LEVELS = np.arange(11) / 10


def ranked(scores: np.ndarray, relevant: np.ndarray, seed: int) -> np.ndarray:
    """Relevance in the order of falling score; ties in random order, never by place, which would leak the stories."""
    noise = np.random.default_rng(seed).random(scores.shape)
    order = np.argsort(-(scores + 1e-9 * noise), axis=1)
    return np.take_along_axis(relevant, order, axis=1)


def curve(hits: np.ndarray, legacy: bool = False) -> np.ndarray:
    """Interpolated precision at the eleven recall levels, a row a query.

    `legacy` sets precision 1 at recall 0 and holds the last precision beyond the recall reached, as the table printed in
    the dissertation does; its own definition does neither.
    """
    found = np.cumsum(hits, axis=1)
    precision = found / np.arange(1, hits.shape[1] + 1)
    best_from_here = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    total = hits.sum(axis=1)
    out = np.zeros((hits.shape[0], 11))
    for level, recall in enumerate(LEVELS):
        need = np.maximum(np.ceil(recall * total - 1e-9), 1)
        at = (found < need[:, None]).sum(axis=1)
        reached = at < hits.shape[1]
        out[reached, level] = best_from_here[np.flatnonzero(reached), at[reached]]
    if legacy:
        out[:, 0] = 1.0
    return out


def curve_of_list(ranking: list[str], relevant: set[str], legacy: bool = False) -> np.ndarray:
    """The curve of one ranking that may leave relevant documents out."""
    precisions, recalls, found = [], [], 0
    for place, name in enumerate(ranking, 1):
        if name in relevant:
            found += 1
            precisions.append(found / place)
            recalls.append(found / len(relevant))
    out = []
    for level in LEVELS:
        beyond = [p for p, r in zip(precisions, recalls) if r >= level - 1e-9]
        out.append(max(beyond) if beyond else (precisions[-1] if legacy and precisions else 0.0))
    return np.array([1.0, *out[1:]] if legacy else out)


def areas(hits: np.ndarray) -> np.ndarray:
    """The area under each query's curve; their mean is the area under the mean curve (ASC)."""
    points = curve(hits)
    return (points[:, :-1] + points[:, 1:]).sum(axis=1) / 20


def average_precision(hits: np.ndarray) -> np.ndarray:
    """By all relevant documents, found or not."""
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return (precision * hits).sum(axis=1) / np.maximum(hits.sum(axis=1), 1)


def decided(scores: np.ndarray, hits: np.ndarray, cut: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision, recall and F of each query when the first `cut` documents with at least `share` of its best score count.

    Scores and relevance come in falling order of score.
    """
    top = scores[:, :cut]
    chosen = (top >= share * top[:, :1]) & (top > 0)
    right = (hits[:, :cut] & chosen).sum(axis=1)
    precision = right / np.maximum(chosen.sum(axis=1), 1)
    recall = right / np.maximum(hits.sum(axis=1), 1)
    return precision, recall, 2 * precision * recall / np.maximum(precision + recall, 1e-12)


def interval(values: np.ndarray, seed: int = 0, rounds: int = 1000) -> tuple[float, float]:
    """A 95 % bootstrap interval of the mean."""
    chance = np.random.default_rng(seed)
    means = values[chance.integers(0, values.size, (rounds, values.size))].mean(axis=1)
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))
