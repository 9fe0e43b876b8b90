"""How fresh do different policies of visiting keep known pages?

    python experiments/recrawl/run.py [--pages 1000] [--days 240] [--seeds 10] [--lambda-crawl FOLDER]
        [--out experiments/recrawl/results.md]

Pages change by a Poisson process, in bursts, or at regular times, at rates that differ by orders of magnitude. Every policy has
the same visits a day; a visit costs one whatever it finds. *Fresh*: the share of pages whose copy is the page's present state,
in the mean of the hours. *Learned* begins with nothing known, as a user does, and plans anew once a day from what its own visits
found (`garimpo.crawl.keeping.freshness`, as a crawl with `--known` uses it). *Best* is told each page's true rate. *Random times*
is told the rates too and visits by Azar's closed form, which is best for visits at random moments. *Proportional* is told the
rates and visits pages as often as they change. *Halving* halves a page's interval when it had changed, else adds a half.
*LambdaCrawl* learns as its authors' published code does (github.com/microsoft/Optimal-Freshness-Crawl-Scheduling, of which
`--lambda-crawl` names a copy): rates from all visits of a page, planned anew every `LAMBDA_DAYS` days; visits are spread evenly.
"""

import argparse
import importlib.util
import os
from pathlib import Path

import numpy as np

from garimpo.crawl.keeping.freshness import Visits, chances_of_rates, choose, worth

STEPS = 24
BUDGETS = (0.03, 0.1, 0.3, 1.0, 3.0)
"""Visits of a page and day."""
KEPT = 24
"""Visits of a page that are remembered."""
LAMBDA_DAYS, LAMBDA_EXACT = 10, 1e-4
LONGEST = 90.0
"""Days between visits, at most, that LambdaCrawl is told of: its likelihood overflows beyond."""


def poisson(dice, rate, days):
    return np.sort(dice.uniform(0, days, dice.poisson(rate * days)))


def bursts(dice, rate, days):
    """Three changes at a time, in the mean, some hours apart."""
    starts = poisson(dice, rate / 3, days)
    return np.sort(
        np.concatenate([start + np.cumsum(dice.exponential(0.1, dice.geometric(1 / 3))) for start in starts] or [starts])
    )


def regular(dice, rate, days):
    return np.arange(dice.uniform(0, 1 / rate), days, 1 / rate)


def history(kind, rates, days, dice):
    """The number of changes of each page up to each step."""
    counts = np.zeros((days * STEPS + 1, len(rates)), np.int32)
    for page, rate in enumerate(rates):
        times = kind(dice, rate, days)
        np.add.at(counts[:, page], np.ceil(times[times < days] * STEPS).astype(int), 1)
    return counts.cumsum(0, dtype=np.int32)


def best(rates, budget):
    """The visits a day without any that are spread evenly."""
    low, high = 1e-12, 1e12
    ratio = np.geomspace(1e-6, 60, 20_000)
    gain = -np.expm1(-ratio) - ratio * np.exp(-ratio)
    for _ in range(200):
        middle = np.sqrt(low * high)
        visits = np.where(rates * middle < 1, rates / np.interp(rates * middle, gain, ratio), 0)
        low, high = (middle, high) if visits.sum() > budget else (low, middle)
    return visits * budget / visits.sum()


def at_random_times(rates, budget):
    low, high = 1e-12, 1e12
    for _ in range(200):
        middle = np.sqrt(low * high)
        visits = np.maximum(np.sqrt(rates / middle) - rates, 0)
        low, high = (middle, high) if visits.sum() > budget else (low, middle)
    return visits


class Fixed:
    """A policy that knows from the beginning how often it visits each page."""

    def __init__(self, visits, dice):
        with np.errstate(divide="ignore"):
            self.every = 1 / visits
        self.due = np.where(np.isfinite(self.every), self.every * dice.uniform(size=len(visits)), np.inf)

    def visited(self, pages, now, since, changed):
        self.due[pages] = now + self.every[pages]

    def choose(self, now, count):
        due = np.flatnonzero(self.due <= now)
        return due[np.argsort(self.due[due], kind="stable")][:count]

    def plan(self):
        pass


class Halving(Fixed):
    def visited(self, pages, now, since, changed):
        self.every[pages] = np.clip(self.every[pages] * np.where(changed, 0.5, 1.5), 1 / 24, 90)
        super().visited(pages, now, since, changed)


class Learned:
    def __init__(self, pages, dice):
        self.last, self.dice = np.zeros(pages), dice
        self.found = [[] for _ in range(pages)]
        self.chances = chances_of_rates(Visits(np.zeros(0, int), np.zeros(0), np.zeros(0, bool)), pages)

    def choose(self, now, count):
        return choose(worth(self.chances, (now - self.last) * 86_400.0), count, self.dice)

    def visited(self, pages, now, since, changed):
        for page, interval, whether in zip(pages, since, changed):
            self.found[page] = [*self.found[page][-KEPT + 1 :], (page, interval * 86_400.0, whether)]
        self.last[pages] = now

    def plan(self):
        page, interval, changed = (np.array(column) for column in zip(*(row for found in self.found for row in found)))
        self.chances = chances_of_rates(Visits(page, interval, changed), len(self.found))


class LambdaCrawl(Fixed):
    """The published code, told what each visit found."""

    def __init__(self, code, pages, share, dice):
        super().__init__(np.full(pages, share), dice)
        self.code, self.budget = code, share * pages
        self.found = [[] for _ in range(pages)]
        self.rates, self.new, self.days = np.full(pages, np.log(2) / 0.5), set(), 0

    def visited(self, pages, now, since, changed):
        for page, interval, whether in zip(pages, since, changed):
            before = self.found[page][-1][0] if self.found[page] else 0.0
            self.found[page].append((before + min(interval, LONGEST), int(whether)))
        self.new.update(pages)
        super().visited(pages, now, since, changed)

    def plan(self):
        self.days += 1
        if self.days % LAMBDA_DAYS:
            return
        for page in self.new:
            self.rates[page] = self.code.LearnChRates_IncomplObs(self.found[page], np.inf, np.inf, LAMBDA_EXACT)
        self.new.clear()
        every = self.every
        visits = self.code.LambdaCrawl_IncomplObs(np.ones(len(every)), self.rates, self.budget, LAMBDA_EXACT)
        self.every = 1 / np.maximum(visits, 1e-6)
        self.due += self.every - every


def published(folder):
    """The published code of LambdaCrawl; None without a folder."""
    if folder is None:
        return None
    spec = importlib.util.spec_from_file_location("lambda_crawl", folder / "LambdaCrawlExps.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def freshness(policy, counts, budget, warm):
    """The share of fresh pages, in the mean of the hours after `warm` days."""
    steps, pages = counts.shape
    seen, last, fresh, credit = counts[0].copy(), np.zeros(pages), [], 0.0
    for step in range(1, steps):
        now, credit = step / STEPS, credit + budget / STEPS
        if step % STEPS == 0:
            policy.plan()
        due = policy.choose(now, int(credit))
        credit = min(credit - len(due), budget)
        changed = counts[step, due] != seen[due]
        since, last[due], seen[due] = now - last[due], now, counts[step, due]
        policy.visited(due, now, since, changed)
        if now > warm:
            fresh.append((counts[step] == seen).mean())
    return float(np.mean(fresh))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--days", type=int, default=240)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--lambda-crawl", type=Path, help="a copy of the published code of LambdaCrawl, to be measured beside")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results.md"))
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works; no report")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.days, given.seeds, given.out = 100, 40, 1, Path(os.devnull)
    code = published(given.lambda_crawl)
    beside = " --lambda-crawl FOLDER" if code is not None else ""
    names = ["learned", "uniform", "proportional", "halving", *["LambdaCrawl"] * (code is not None), "random times", "best"]
    lines = [
        "# Visiting known pages again",
        "",
        f"Made by `python experiments/recrawl/run.py --pages {given.pages} --days {given.days} --seeds {given.seeds}{beside}`;",
        "what each column is stands there. Freshness in the second half of the days, mean of the seeds;",
        "*worst* is the least of learned / best of any seed.",
        "",
        f"| changes | visits a page and day | {' | '.join(names)} | learned / best | worst | learned - uniform, least |",
        "|---|---|" + "---|" * (len(names) + 3),
    ]
    print(*lines[-2:], sep="\n", flush=True)
    for kind in (poisson, bursts, regular):
        for share in BUDGETS:
            rows = []
            for seed in range(given.seeds):
                dice = np.random.default_rng([seed, int(share * 100)])
                rates = np.exp(dice.normal(np.log(0.1), 1.5, given.pages)).clip(1e-3, 20)
                counts, budget = history(kind, rates, given.days, dice), share * given.pages
                policies = [
                    Learned(given.pages, dice),
                    Fixed(np.full(given.pages, share), dice),
                    Fixed(rates * budget / rates.sum(), dice),
                    Halving(np.full(given.pages, share), dice),
                    *([LambdaCrawl(code, given.pages, share, dice)] if code is not None else []),
                    Fixed(at_random_times(rates, budget), dice),
                    Fixed(best(rates, budget), dice),
                ]
                rows.append([freshness(policy, counts, budget, given.days / 2) for policy in policies])
            found = np.array(rows)
            ratio, over = found[:, 0] / found[:, -1], found[:, 0] - found[:, 1]
            cells = " | ".join(f"{value:.3f}" for value in (*found.mean(0), ratio.mean(), ratio.min(), over.min()))
            lines.append(f"| {kind.__name__} | {share} | {cells} |")
            print(lines[-1], flush=True)
            given.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
