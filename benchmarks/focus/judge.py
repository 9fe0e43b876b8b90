"""How many pages a second the topic judge reads, on one core; and how many links the scorer scores and learns."""

import time

import numpy as np
import pyarrow as pa

from garimpo.contract import Link, Page, Verdict
from garimpo.focus import LinkScorer, TopicJudge, TopicModel


def texts(count: int, seed: int) -> list[str]:
    """Texts of some 300 words of a Zipf vocabulary."""
    chance = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(30_000)]
    weights = 1 / (np.arange(30_000) + 3) ** 1.05
    limits = np.cumsum(weights / weights.sum())
    return [" ".join(words[i] for i in np.searchsorted(limits, chance.random(300))) for _ in range(count)]


def links(count: int) -> pa.Table:
    chance = np.random.default_rng(1)
    target = [f"http://h{i % 97}.example/a/page-{i}.html" for i in chance.integers(0, count, count)]
    rows = {"source": [f"http://h{i % 89}.example/{i // 20}" for i in range(count)], "target": target}
    rows["anchor"] = [f"w{i % 50} w{i % 70} news" for i in range(count)]
    rows["context"] = [f"w{i % 90} w{i % 11} of the" for i in range(count)]
    scores = {"source_score": pa.array(chance.random(count), pa.float32()), "depth": pa.array(np.ones(count), pa.int32())}
    return pa.table({**rows, **scores})


def rate(count: int, work) -> float:
    best = np.inf
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return count / best


def main() -> None:
    model = TopicModel.train(texts(50, 1), texts(1500, 2))
    pages = [Page("http://a.example/", title="w7 w8", text=text) for text in texts(1000, 3)]
    judge, table = TopicJudge(model), links(40_000)
    scorer = LinkScorer(model)
    targets = [Link(url) for url in table["target"].to_pylist()[:5000]]
    print(f"judge: {rate(1000, lambda: [judge.read(page) for page in pages]):,.0f} pages/s/core (300 words each)")
    print(f"links scored: {rate(40_000, lambda: scorer.score(table)):,.0f}/s/core")
    print(f"links learned: {rate(5000, lambda: [scorer.learn(link, Verdict(0.2)) for link in targets]):,.0f}/s/core")


if __name__ == "__main__":
    main()
