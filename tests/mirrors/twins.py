"""Plain-Python twins of what the room does with kernels: slow, and right by reading."""

from itertools import combinations

import numpy as np

CUSTOMARY = {"/", "/robots.txt", "/favicon.ico", "/sitemap.xml", "/index.html", "/index.htm", "/index.php"}


def lac_alpha(X, y, x, count_zero=False, own=None):
    """Negative membership of x by the rules mined from (X, y) projected on it; `own` is a row left out."""
    examples = [(row, label) for i, (row, label) in enumerate(zip(X, y)) if i != own]
    positive, negative = [], []
    for size in range(1, len(x) + 1):
        for subset in combinations(range(len(x)), size):
            matching = [label for row, label in examples if all(row[f] == x[f] for f in subset)]
            if not matching:
                continue
            share = sum(matching) / len(matching)
            if share > 0 or count_zero:
                positive.append(share)
            if share < 1 or count_zero:
                negative.append(1 - share)
    s_positive = sum(positive) / len(positive) if positive else 0.0
    s_negative = sum(negative) / len(negative) if negative else 0.0
    if s_positive + s_negative == 0:
        return 1 - sum(label for _, label in examples) / len(examples)
    return s_negative / (s_negative + s_positive)


def dominance(first, second):
    """How many points each point dominates, by comparing all pairs."""
    first, second = np.asarray(first), np.asarray(second)
    out = []
    for x, y in zip(first, second):
        weakly = (first <= x) & (second <= y)
        out.append(int((weakly & ((first < x) | (second < y))).sum()))
    return out


def layers(first, second):
    """Peel frontiers off one by one."""
    points = list(zip(first, second))
    out, left, layer = [0] * len(points), set(range(len(points))), 0
    while left:
        front = {
            i for i in left
            if not any(
                points[j][0] >= points[i][0] and points[j][1] >= points[i][1] and points[j] != points[i] for j in left
            )
        }  # fmt: skip
        for i in front:
            out[i] = layer
        left -= front
        layer += 1
    return out


def pairs_sharing(table, column, max_list=100):
    """Pairs of hosts -> how many values of a column they share, by dictionaries; and the pairs that the cap leaves out."""
    lists = {}
    for row in table:
        if row[column] is not None:
            lists.setdefault(row[column], set()).add(row["host"])
    found, suppressed = {}, 0
    for value, hosts in lists.items():
        if len(hosts) > max_list or (column == "path" and value in CUSTOMARY):
            suppressed += len(hosts) * (len(hosts) - 1) // 2
            continue
        for pair in combinations(sorted(hosts), 2):
            found[pair] = found.get(pair, 0) + 1
    return found, suppressed


def cosine(a, b, weight):
    """Cosine of two sets of weighted terms."""
    norm = [sum(weight(t) ** 2 for t in terms) ** 0.5 for terms in (a, b)]
    return sum(weight(t) ** 2 for t in a & b) / (norm[0] * norm[1]) if all(norm) else 0.0
