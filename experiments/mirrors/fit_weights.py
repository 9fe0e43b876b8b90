"""Learn the weights that the package ships, on made collections that no figure is measured on.

Logistic regression over the levels of evidence, with the signs that reason demands: more shared paths, more equal contents and
a rarer common address never speak against a copy. Each collection is seen four
times: as it is, without addresses, without contents, without both, so that what is not known weighs nothing.
"""

from itertools import product

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack, vstack

from garimpo.mirrors.evidence import AGREEMENT, COUNTS, LEVELS, SHARES

UP, FREE = (0.0, None), (None, None)
RIDGE = 1e-6


def design(kind):
    """Columns for the levels of one kind (level 0 is all zero), and the bounds of their weights."""
    levels = np.arange(LEVELS[kind])
    known = (levels > 0).astype(float)
    if kind in ("name", "size"):
        return np.eye(len(levels))[:, 1:], [FREE] * (len(levels) - 1)
    if kind in ("address", "folders"):
        steps = [(levels > step).astype(float) for step in range(1, len(levels) - 1)]
        return np.column_stack([known, *steps]), [FREE] + [UP] * len(steps)
    width = len({"paths": SHARES, "content": SHARES}.get(kind, AGREEMENT)) + 1
    count, share = (levels - 1) // width, (levels - 1) % width
    columns, bounds = [known], [FREE]
    for step in range(1, len(COUNTS) + 1):
        columns.append(known * (count >= step))
        bounds.append({"paths": UP, "content": UP, "agreement": FREE}[kind])
    for step in range(1, width):
        columns.append(known * (share >= step))
        bounds.append(UP)
    for low, high in product(range(1, len(COUNTS) + 1), range(1, width)):
        columns.append(known * (count >= low) * (share >= high))
        bounds.append(UP)
    return np.column_stack(columns), bounds


def fit(collections, note):
    """Weights from collections (levels by kind, truth, importance of each pair, and of the collection)."""
    designs = {kind: design(kind) for kind in LEVELS}
    parts, truth, weight = [], [], []
    for levels, y, importance, total in collections:
        rows = [csr_matrix(designs[kind][0])[levels[kind]] for kind in LEVELS]
        parts.append(hstack(rows).tocsr())
        truth.append(y)
        weight.append(importance * total / importance.sum())
    X, y, w = vstack(parts).tocsr(), np.concatenate(truth).astype(float), np.concatenate(weight)
    w /= w.sum()
    bounds = [bound for kind in LEVELS for bound in designs[kind][1]] + [FREE]

    def loss(beta):
        z = X @ beta[:-1] + beta[-1]
        slope = w * (1.0 / (1.0 + np.exp(-z)) - y)
        value = np.sum(w * (np.logaddexp(0.0, z) - y * z)) + RIDGE * np.sum(beta[:-1] ** 2)
        return value, np.append(X.T @ slope + 2 * RIDGE * beta[:-1], slope.sum())

    share = float(np.sum(w * y))
    result = minimize(loss, np.zeros(X.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 3000})
    offset = float(result.x[-1]) - np.log(share / (1.0 - share))
    levels, at = {}, 0
    for kind in LEVELS:
        width = designs[kind][0].shape[1]
        weights = designs[kind][0] @ result.x[at : at + width]
        at += width
        seen = np.concatenate([part[kind] for part, *_ in collections])
        if (seen > 0).all():  # always known: what is usual weighs nothing
            usual = np.average(weights[seen], weights=w * (1.0 - y))
            weights[1:] -= usual
            offset += usual
        levels[kind] = [round(float(v), 3) for v in weights]
    return {"made_from": note, "share": round(share, 6), "offset": round(offset, 3), "levels": levels}
