"""The tables of the thesis that look inside its methods: order, candidates, redundancy, samples, workers, lost examples."""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
from measures import measure

from garimpo.dust import learn, statistics
from garimpo.dust.inputs.tokens import Tokens
from garimpo.dust.learning import split
from garimpo.dust.thesis.methods import Settings, gather, learn_alignment, sample_rows
from garimpo.dust.thesis.multiple_alignment import align_rows
from garimpo.engine import local

Fold = tuple[pa.Table, pa.Table]
Sets = dict[str, pa.Table]
LOOSE = Settings(min_frequency=1, min_support=1)


def table(headings: str, rows: Iterator[list[object]]) -> list[str]:
    """A Markdown table; the cells as they come."""
    lines = [f"| {headings} |", "|" + "---|" * (headings.count("|") + 1)]
    for row in rows:
        lines.append("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |")
        print(lines[-1], flush=True)
    return [*lines, ""]


def sizes(sets: Sets) -> list[str]:
    """Tables 6.1 and 6.2: what the sets hold."""

    def rows() -> Iterator[list[object]]:
        for name, clusters in sets.items():
            told = statistics(clusters)
            names = ("clusters", "urls", "unique", "tokens_per_url", "mean_size", "max_size", "hosts", "urls_per_host_mean")
            yield [name, *(told[key] for key in names), told["hosts_per_cluster"]]

    return table(
        "set | clusters | URLs in them | unique | tokens a URL | mean size | largest | hosts | URLs a host | hosts a cluster",
        rows(),
    )


def alignment_order(sets: Sets) -> list[str]:
    """Table 5.1: the mean score of the merges, most similar first and in random order; half-widths at 95 %."""

    def scores(clusters: pa.Table, progressive: bool) -> list[float]:
        rows, starts = sample_rows(clusters, 10, 0)
        tokens = Tokens.of(clusters.column("url").take(pa.array(rows)).combine_chunks())
        order = np.arange(len(rows), dtype=np.int64)
        wide = [(a, b) for a, b in pairwise(starts) if b - a > 2][:1500]  # two URLs have only one order
        return [align_rows(tokens, order[a:b], progressive)[1] for a, b in wide]

    def rows() -> Iterator[list[object]]:
        for name, clusters in sets.items():
            both = [np.array(scores(clusters, progressive)) for progressive in (True, False)]
            cells = [f"{100 * found.mean():.2f} ± {196 * found.std() / len(found) ** 0.5:.2f}" for found in both]
            yield [name, len(both[0]), *cells, f"{100 * (both[0] > both[1] + 1e-9).mean():.0f} %"]

    return table("set | clusters of three and more | progressive % | random order % | progressive is better in", rows())


def candidates(sets: Sets, folds: Callable[[pa.Table], list[Fold]]) -> list[str]:
    """Tables 6.6, 6.9 and 6.10: what is proposed, what is valid, what is left; CPU of each phase; first fold."""

    def rows() -> Iterator[list[object]]:
        for name, clusters in sets.items():
            training, validation = split(folds(clusters)[0][0])
            for method, progressive in (("DUSTER", True), ("DustLin", False)):
                settings = Settings(progressive=progressive, eliminate=False)
                with local() as engine:
                    proposed, first = _timed(lambda: gather(engine, training, settings))  # noqa: B023 (called at once)
                    valid, both = _timed(lambda: learn_alignment(engine, training, validation, settings))  # noqa: B023
                    slim = replace(settings, eliminate=True)
                    left, all_three = _timed(lambda: learn_alignment(engine, training, validation, slim))  # noqa: B023
                share = f"{100 * len(valid) / max(len(proposed), 1):.1f} %"
                seconds = [f"{first:.2f}", f"{both:.2f}", f"{max(all_three - both, 0):.2f}"]
                yield [name, method, len(proposed), len(valid), share, len(left), *seconds]

    return table(
        "set | method | candidates | valid | rate | not redundant | CPU s: proposing | and validating | redundancy phase",
        rows(),
    )


def thresholds(sets: Sets, folds: Callable[[pa.Table], list[Fold]]) -> list[str]:
    """Tables 6.3, 6.4, 6.5: DustLin with one parameter varied, the others loose; means of three folds."""

    def rows() -> Iterator[list[object]]:
        for name, clusters in sets.items():
            for setting, values in (("card", (2, 3, 5, 7, 10)), ("min_frequency", (1, 2, 5, 10)), ("min_support", (1, 2, 5, 10))):
                for value in values:
                    settings = replace(LOOSE, eliminate=False, **{setting: value})
                    found = [_run(settings, *fold) for fold in folds(clusters)]
                    yield [name, setting, value, *_means(found)]

    return table("set | parameter | value | rules | CR % | coverage % | pair precision % | saved a rule", rows())


def samples(sets: Sets, folds: Callable[[pa.Table], list[Fold]]) -> list[str]:
    """Table 6.12: DustLin on samples of ten URLs a cluster and on whole clusters; means of three folds."""

    def rows() -> Iterator[list[object]]:
        for name, clusters in sets.items():
            for how, size in (("sample of 10", 10), ("entire", 1000)):
                settings = Settings(sample=size, eliminate=False)
                started = time.process_time()
                found = [_run(settings, *fold) for fold in folds(clusters)]
                yield [name, how, *_means(found), f"{(time.process_time() - started) / 3:.2f}"]

    return table("set | input | rules | CR % | coverage % | pair precision % | saved a rule | CPU s", rows())


def _numbered_apart(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The tables with cluster numbers that no two of them share."""
    first = 0
    for clusters in tables:
        numbers = clusters["cluster"].to_numpy() - clusters["cluster"].to_numpy().min() + first
        first = int(numbers.max()) + 1
        yield pa.table({"cluster": numbers, "url": clusters["url"]})


def workers(sets: Sets) -> list[str]:
    """Tables 6.13 and 6.14 on one machine of two cores: seconds by threads, and with data that grow with them."""

    def rows() -> Iterator[list[object]]:
        joined = pa.concat_tables(_numbered_apart(sets.values()))
        with local() as engine:
            gather(engine, joined.slice(0, 500), LOOSE)  # load the compiled kernels
        for threads in (1, 2):
            for share, part in (("all", joined), (f"{threads} of 2 halves", joined.slice(0, joined.num_rows * threads // 2))):
                with local(threads=threads) as engine:
                    started = time.perf_counter()
                    proposed = gather(engine, part, Settings(min_frequency=5))
                    first = time.perf_counter() - started
                    learn_alignment(engine, part, part, Settings(min_frequency=5))
                    yield [threads, share, part.num_rows, len(proposed), f"{first:.2f}", f"{time.perf_counter() - started:.2f}"]

    return table("threads | data | URLs | candidates | wall s: proposing | all", rows())


def lost_examples(sets: Sets, folds: Callable[[pa.Table], list[Fold]], methods: dict[str, Callable[..., object]]) -> list[str]:
    """Claim 23: coverage when a share of the duplicates in the training clusters is taken away; first fold."""

    def rows() -> Iterator[list[object]]:
        name, clusters = next(iter(sets.items()))
        training, test = folds(clusters)[0]
        urls, numbers = test["url"].to_pylist(), test["cluster"].to_pylist()
        dice = random.Random(4)
        for gone in (0.0, 0.2, 0.4, 0.6):
            kept = training.filter(pa.array([dice.random() >= gone for _ in range(training.num_rows)]))
            cells: list[object] = []
            for learner in methods.values():
                keys_of, rules, _ = learner(kept)  # type: ignore[misc]
                cells.append(f"{100 * measure(urls, numbers, keys_of(urls), rules)['coverage']:.1f}")
            yield [name, f"{100 * gone:.0f} %", *cells]

    return table("set | taken away | " + " | ".join(f"{name} coverage %" for name in methods), rows())


def noise(size: int, made: Callable[[str, int, int], pa.Table], folds: Callable[[pa.Table], list[Fold]]) -> list[str]:
    """Our method where labels miss duplicates (WBR10-like), by the share of wrong pairs allowed; first fold."""

    def rows() -> Iterator[list[object]]:
        clusters = made("wbr", size, 7)
        training, test = folds(clusters)[0]
        urls, numbers = test["url"].to_pylist(), test["cluster"].to_pylist()
        for fpr_max in (0.0, 0.01, 0.03, 0.05, 0.1):
            rules = learn(training, fpr_max=fpr_max, normalise=False)
            found = measure(urls, numbers, rules.keys(test["url"])[0].to_pylist(), len(rules))
            yield [fpr_max, len(rules), f"{100 * found['coverage']:.1f}", f"{100 * found['skip_precision']:.2f}"]

    return table("fpr_max | rules | coverage % | skip precision by the noisy labels %", rows())


def _run(settings: Settings, training: pa.Table, test: pa.Table) -> dict[str, float]:
    from garimpo.dust import RuleSet

    with local() as engine:
        rules = RuleSet(learn_alignment(engine, *split(training), settings))
    keys = rules.keys(test["url"])[0].to_pylist()
    return measure(test["url"].to_pylist(), test["cluster"].to_pylist(), keys, len(rules))


def _means(found: list[dict[str, float]]) -> list[object]:
    mean = {key: sum(one[key] for one in found) / len(found) for key in found[0]}
    shares = [f"{100 * mean[key]:.2f}" for key in ("compression", "coverage", "pair_precision")]
    return [round(mean["rules"]), *shares, f"{mean['saved_per_rule']:.1f}"]


def _timed(work: Callable[[], list[object]]) -> tuple[list[object], float]:
    started = time.process_time()
    found = work()
    return found, time.process_time() - started
