"""Sketches against each other and against bags of words, on made news: area under the recall curve by dimensions."""

from collections import defaultdict
from typing import Any

import baselines
import compare
import news
import numpy as np
from retrieval import areas, interval, ranked

from garimpo.report import Report, line_plot
from garimpo.similarity import scores

FIVE = ("Min", "Max", "MinMax", "MinMin", "MaxMax")
RANGES = (20, 32)
VALUE_SIZES = (32, 128, 1024)
THRESHOLD = 0.25
WHOLE = 1 << 20
"""More words than there are."""

METRICS = ("slots jaccard", "slots dice", "slots cosine")

Key = tuple[str, str, int]
"""How compared, method, dimensions."""


class Study:
    """Areas of each query, by way of comparing, method and dimensions; one array a seed, queries joined over seeds."""

    def __init__(self) -> None:
        self.areas: dict[Key, list[np.ndarray]] = defaultdict(list)
        self.decisions: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(2, np.int64))
        """Of pairs called similar at `THRESHOLD` by 128 slots: right ones and wrong ones."""

    def add(self, key: Key, scores: np.ndarray, relevant: np.ndarray, seed: int) -> None:
        self.areas[key].append(areas(ranked(scores, relevant, seed)))

    def count_decisions(self, found: dict[tuple[str, int], np.ndarray], true: np.ndarray) -> None:
        """Who is called similar, by three ways to read 128 slots."""
        shares = {
            "Min": found["min", 128] / 128,
            "MinMax additive": (found["min", 64] + found["max", 64]) / 128,
            "both limits": found["pair", 64] / 64,
        }
        for name, share in shares.items():
            called = share >= THRESHOLD
            self.decisions[name] += [(called & (true >= THRESHOLD)).sum(), (called & (true < THRESHOLD)).sum()]

    def mean(self, key: Key) -> float:
        return float(np.mean([part.mean() for part in self.areas[key]]))

    def spread(self, key: Key) -> float:
        """Half of the 95 % interval of the mean over seeds."""
        means = [part.mean() for part in self.areas[key]]
        return float(1.96 * np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0

    def difference(self, one: Key, other: Key) -> tuple[float, float, float]:
        """Mean paired difference over queries and its bootstrap interval."""
        values = np.concatenate(self.areas[one]) - np.concatenate(self.areas[other])
        return (float(values.mean()), *interval(values))


def run_seed(study: Study, seed: int, made: news.News) -> None:
    """One corpus and one family of hash functions."""
    articles, relevant = [made.articles[i] for i in made.derived], made.relevant
    queries, documents = (compare.term_sets(texts) for texts in (articles, made.sources))
    left, right = compare.extremes(queries, seed), compare.extremes(documents, seed)
    found = compare.matches(left, right)
    for size in compare.SIZES:
        for name, matched in compare.positional(found, size).items():
            study.add(("positional", name, size), matched, relevant, seed)
    slots = [compare.slot_sets(side["min1"][:, :128]) for side in (left, right)]
    for metric in METRICS:
        study.add((metric, "Min", 128), scores(*slots, metric.split()[1]), relevant, seed)
    for bits in RANGES:
        for size in VALUE_SIZES:
            for name, scored in compare.value_sets(left, right, size, bits).items():
                study.add((f"values {bits} bits", name, size), scored, relevant, seed)
    for size in VALUE_SIZES:
        for name, scored in compare.element_sets(left, right, size, seed).items():
            study.add(("elements", name, size), scored, relevant, seed)
    study.count_decisions(found, scores(queries, documents, "jaccard"))
    bags = [baselines.counts(texts, made.vocabulary) for texts in (articles, made.sources)]
    for size in (*compare.SIZES, 4096, WHOLE):
        chosen = baselines.bow_corpus(*bags, size)
        own = [baselines.bow_document(bag, size) for bag in bags]
        for name, pair in (("corpus", chosen), ("document", own)):
            study.add(("cosine", f"BoW {name}", size), baselines.cosine(*pair), relevant, seed)
            study.add(("jaccard", f"BoW {name}", size), baselines.jaccard(*pair), relevant, seed)
        study.add(("equal counts", "BoW corpus", size), baselines.equal_counts(*chosen), relevant, seed)


def tables(study: Study, report: Report) -> None:
    """The areas, a table and a figure for each way of comparing."""
    report.heading("Area under the 11-point curve (ASC) by dimensions")
    report.paragraph(
        "Slot by slot, Jaccard, Dice and cosine of a sketch are monotone in the number of matches, so one table serves all three."
    )
    names = (*FIVE, "MinMin bottom-k", "MaxMax top-k", "MinMax pair")
    rows = [[size, *(_cell(study, ("positional", name, size)) for name in names)] for size in compare.SIZES]
    report.table(["dimensions", *names], rows, "compared slot by slot, 64-bit hashes")
    for bits in RANGES:
        how = f"values {bits} bits"
        rows = [[size, *(_cell(study, (how, name, size)) for name in FIVE)] for size in VALUE_SIZES]
        report.table(["dimensions", *FIVE], rows, f"compared as sets of values, hashes of {bits} bits")
    rows = [[size, *(_cell(study, ("elements", name, size)) for name in FIVE)] for size in VALUE_SIZES]
    report.table(["dimensions", *FIVE], rows, "compared as sets of the elements that were selected")
    bows = [
        ("jaccard", "BoW corpus"),
        ("equal counts", "BoW corpus"),
        ("cosine", "BoW corpus"),
        ("jaccard", "BoW document"),
        ("cosine", "BoW document"),
    ]
    sizes = (*compare.SIZES, 4096, WHOLE)
    rows = [[size, *(_cell(study, (how, name, size)) for how, name in bows)] for size in sizes]
    report.table(["dimensions", *(f"{name}, {how}" for how, name in bows)], rows, "bags of words")
    # Dice ranks as Jaccard does, so it has no figure of its own.
    for metric, bag in (("Jaccard", "jaccard"), ("cosine", "cosine"), ("equal counts", "equal counts")):
        series = {name: [(np.log2(s), study.mean(("positional", name, s))) for s in compare.SIZES] for name in FIVE}
        series["BoW"] = [(np.log2(s), study.mean((bag, "BoW corpus", s))) for s in compare.SIZES]
        report.figure(line_plot(series, "log2 of dimensions", "ASC", metric), f"ASC by dimensions, {metric} (BoW: {bag}).")


def _cell(study: Study, key: Key) -> str:
    return f"{study.mean(key):.3f} ± {study.spread(key):.3f}"


def claims(study: Study) -> list[list[Any]]:
    """Claims 6 to 17 of the specification, with what was observed."""
    large = [size for size in compare.SIZES if size >= 128]

    def worst(how: str, one: str, other: str, sizes: tuple[int, ...] | list[int]) -> tuple[float, int]:
        """The largest difference in absolute value, and how many sizes differ beyond chance."""
        differences = [study.difference((how, one, size), (how, other, size)) for size in sizes]
        return max((d[0] for d in differences), key=abs), sum(not d[1] <= 0 <= d[2] for d in differences)

    rows: list[list[Any]] = []

    def claim(number: str, text: str, verdict: str, observed: str) -> None:
        rows.append([number, text, verdict, observed])

    for number, one, other in (("6", "Min", "Max"), ("7", "MinMin", "MaxMax")):
        gap, differing = worst("positional", one, other, compare.SIZES)
        within = "holds" if abs(gap) < 0.02 else "fails"
        claim(
            number,
            f"{one} and {other} are alike",
            within,
            f"largest difference {gap:+.3f}; beyond chance at {differing} of 10 sizes",
        )
    for how, one, sizes in (
        ("positional", "MinMin", large),
        ("positional", "MinMin bottom-k", large),
        ("values 20 bits", "MinMin", [128, 1024]),
        ("values 32 bits", "MinMin", [128, 1024]),
    ):
        gap, _ = worst(how, one, "Min", sizes)
        claim(
            "8",
            f"MinMin matches Min at equal dimensions ({how}, {one})",
            "holds" if gap > -0.02 else "fails",
            f"largest difference {gap:+.3f}",
        )
    better = min(
        study.difference(("positional", two, 2 * n), ("positional", "Min", n))[0]
        for two in ("MinMax", "MinMin")
        for n in compare.SIZES[:-1]
    )
    claim("9", "At equal permutations two operators beat one", "holds" if better > 0 else "fails", f"smallest gain {better:+.3f}")
    for how, sizes in (("positional", large), ("values 20 bits", [128, 1024]), ("values 32 bits", [128, 1024])):
        gaps = [study.difference((how, "MinMax", size), (how, "Min", size)) for size in sizes]
        clear = sum(gap[1] > 0.005 for gap in gaps)
        observed = ", ".join(f"{size}: {gap[0]:+.3f} [{gap[1]:+.3f}, {gap[2]:+.3f}]" for size, gap in zip(sizes, gaps))
        claim(
            "10",
            f"MinMax beats Min at equal dimensions, 128 and more ({how})",
            "holds" if clear == len(sizes) else "fails",
            observed,
        )
    wrong = {name: int(counts[1]) for name, counts in study.decisions.items()}
    claim(
        "11",
        f"MinMax calls fewer pairs similar by mistake (128 slots, Jaccard from {THRESHOLD} on)",
        "holds" if wrong["MinMax additive"] < wrong["Min"] else "fails",
        "; ".join(f"{name}: {counts[0]} right, {counts[1]} wrong" for name, counts in study.decisions.items()),
    )
    low = min(study.mean(("positional", name, 32)) for name in ("Min", "Max", "MinMax"))
    for bag in ("BoW corpus", "BoW document"):
        high = max(study.mean((how, bag, 32)) for how in ("jaccard", "cosine"))
        claim(
            "12",
            f"At 32 dimensions sketches are far above {bag}",
            "holds" if low > high + 0.1 else "fails",
            f"{low:.3f} against {high:.3f}",
        )
    gaps = [abs(study.mean((metric, "Min", 128)) - study.mean(("slots jaccard", "Min", 128))) for metric in METRICS[1:]]
    claim(
        "13",
        "The metric changes nothing for sketches (Min, 128 slots as sets of slot and value)",
        "holds" if max(gaps) < 1e-9 else "fails",
        f"largest difference of the areas {max(gaps):.2g}",
    )
    cosine, equal = study.mean(("cosine", "BoW corpus", 1024)), study.mean(("equal counts", "BoW corpus", 1024))
    binary, sketch = study.mean(("jaccard", "BoW corpus", 1024)), study.mean(("positional", "Min", 1024))
    claim(
        "14",
        "BoW: cosine above Jaccard (equal counts; 1,024)",
        "holds" if cosine > equal + 0.02 else "fails",
        f"{cosine:.3f} against {equal:.3f}; binary {binary:.3f}",
    )
    claim(
        "15",
        "At 1,024 BoW with cosine is close to sketches",
        "holds" if abs(cosine - sketch) < 0.05 else "fails",
        f"{cosine:.3f} against {sketch:.3f}",
    )
    for how, sizes in (("positional", compare.SIZES), ("values 20 bits", VALUE_SIZES)):
        means = [study.mean((how, "Min", size)) for size in sizes]
        claim(
            "16",
            f"ASC rises with dimensions ({how}, Min)",
            "holds" if all(np.diff(means) > -0.01) else "fails",
            " ".join(f"{m:.3f}" for m in means),
        )
    whole = study.mean(("jaccard", "BoW corpus", WHOLE))
    claim(
        "17",
        "With all dimensions BoW overtakes sketches of 1,024",
        "holds" if whole > sketch else "fails",
        f"{whole:.3f} against {sketch:.3f}",
    )
    return rows
