"""Is the made web hard enough? Trivial baselines must fail on it.

Run: python benchmarks/webgen/hard.py [FOLDER] [--seed N]   (FOLDER: a made web; without one, medium is made)

* w3lib's canonical form finds < 40 % of the pairs of duplicate URLs;
* equal digests of the bodies find < 60 % of the pairs of near-duplicate pages;
* "shares at least three digests" has precision or recall < 60 % for mirrored hosts;
* breadth-first has found < 30 % of a topic of 2 % after 10 % of the web;
* the home page alone, by a linear classifier of the entity-sites kind trained on another seed, decides < 80 % of the sites.
"""

import re
import sys
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import LinearSVC
from w3lib.url import canonicalize_url

from garimpo import page, url, webgen
from garimpo.webgen.serving.packed import Pages

Rows = list[dict[str, object]]


def pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def dust_found(rows: Rows) -> tuple[float, int]:
    """Part of the duplicate pairs that w3lib makes equal."""
    clusters = Counter(row["key"] for row in rows)
    found = Counter((row["key"], canonicalize_url(str(row["url"]))) for row in rows)
    return pairs(found.values()) / pairs(clusters.values()), pairs(clusters.values())


def near_found(rows: Rows, digests: dict[str, int]) -> tuple[float, int]:
    """Part of the near-duplicate pairs whose bodies are equal."""
    rows = [row for row in rows if row["url"] in digests]
    groups = Counter(row["near"] for row in rows)
    found = Counter((row["near"], digests[str(row["url"])]) for row in rows)
    return pairs(found.values()) / pairs(groups.values()), pairs(groups.values())


def mirrors_found(rows: Rows, digests: dict[str, int]) -> tuple[float, float, int]:
    """Precision and recall of "shares three digests"."""
    truth = {(row["host_a"], row["host_b"]) for row in rows}
    hosts = defaultdict(set)
    for each, digest in digests.items():
        hosts[digest].add(each.split("/")[2])
    shared = Counter(pair for sharing in hosts.values() if len(sharing) < 400 for pair in combinations(sorted(sharing), 2))
    found = {pair for pair, count in shared.items() if count >= 3}
    right = len(found & truth)
    return right / max(1, len(found)), right / len(truth), len(truth)


def breadth_first(pages: Pages, seeds: list[str], rows: Rows) -> tuple[float, str, float]:
    """Part of a rare topic's pages found after a tenth of the web; the topic and its share."""
    topics = Counter(row["topic"] for row in rows)
    topic = min(topics, key=lambda name: abs(topics[name] / len(rows) - 0.02))
    of = {str(row["url"]): row["topic"] for row in rows}
    queue, seen, visited, found = deque(seeds), set(seeds), 0, 0
    while queue and visited < len(rows) // 10:
        address = queue.popleft()
        reply = pages.reply(address[7:], 0)
        visited += 1
        found += of.get(address) == topic
        links = [reply.location] if reply.location else [link.target for link in page.read(reply.body, address).links]
        for link in links:
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return found / topics[topic], str(topic), topics[topic] / len(rows)


def features(body: bytes, address: str) -> dict[str, float]:
    """The features of the entity-sites collection: link groups, anchors, words, images, prices."""
    read = page.read(body, address)
    site = url.site(address)
    inside = {link.target for link in read.links if url.site(link.target) == site}
    groups = Counter(target.split("/")[3] for target in inside)
    anchors = [len(link.anchor) for link in read.links if link.anchor]
    made = {"G1": float(max(groups.values(), default=0)), "G2": float(len(inside))}
    made |= {"S4": float(read.images), "S5": float(read.prices)}
    made["G3"] = sum(anchors) / max(1, len(anchors))
    for field, text in (("t", read.title or ""), ("u", address.split("/", 3)[-1]), ("b", read.text)):
        made |= {f"{field}:{word}": 1.0 for word in re.findall(r"[a-z]{2,}", text.lower())}
    return made


def home_page_alone(folder: Path, pages: Pages, seed: int) -> tuple[float, int]:
    """Part of the entity sites decided rightly by their home page, by a classifier trained on another seed."""
    other = webgen.World(webgen.settings_for("small", seed=seed + 1_000, hosts=600, urls=40_000))
    sample: list[tuple[dict[str, float], bool]] = []
    for card in other.census.cards:
        if not card.archetype:
            continue
        site, taken = other.site(card.index), Counter[str]()
        for host in card.hosts:
            for node, target, _ in other.placed(host):
                truth = other.truth(host, node, target, "")
                if taken[truth.kind] < 4:
                    taken[truth.kind] += 1
                    sample.append((features(other.answer(truth.url).body, truth.url), truth.kind == "index_re"))
        assert site
    model = make_pipeline(DictVectorizer(), MaxAbsScaler(), LinearSVC())
    model.fit([each for each, _ in sample], [label for _, label in sample])
    right = total = 0
    main = {url.site(card.domain): card.hosts[0].name for card in pages.world.census.cards if card.archetype}
    for row in webgen.truth(folder)["sites"].to_pylist():
        home = f"{main[row['site']]}/"
        said = bool(model.predict([features(pages.reply(home, 0).body, f"http://{home}")])[0])
        right += said == (row["entity"] == "real_estate")
        total += 1
    return right / total, total


def measure(folder: Path) -> bool:
    tables = {name: table.to_pylist() for name, table in webgen.truth(folder).items()}
    pages, seed = Pages(folder), webgen.load(folder).seed
    digests = {}
    for row in tables["pages"]:
        reply = pages.reply(row["url"][7:], 0)
        if reply.status == 200:
            digests[row["url"]] = page.digest(reply.body)
    dust, dust_pairs = dust_found(tables["dust"])
    near, near_pairs = near_found(tables["pages"], digests)
    precision, recall, mirror_pairs = mirrors_found(tables["mirrors"], digests)
    found, topic, part = breadth_first(pages, (folder / "seeds.txt").read_text().split(), tables["pages"])
    home, sites = home_page_alone(folder, pages, seed)
    lines = [
        (dust < 0.4, f"w3lib finds {dust:.1%} of {dust_pairs:,} duplicate pairs (bar: < 40 %)"),
        (near < 0.6, f"equal digests find {near:.1%} of {near_pairs:,} near-duplicate pairs (bar: < 60 %)"),
        (min(precision, recall) < 0.6, f"three shared digests: precision {precision:.1%}, recall {recall:.1%} "
                                       f"of {mirror_pairs:,} mirrors (bar: one < 60 %)"),
        (found < 0.3, f"breadth-first: {found:.1%} of {topic} ({part:.1%} of the pages) after 10 % (bar: < 30 %)"),
        (home < 0.8, f"home page alone: {home:.1%} of {sites} entity sites right (bar: < 80 %)"),
    ]  # fmt: skip
    for hard, line in lines:
        print("hard" if hard else "EASY", line, flush=True)
    return all(hard for hard, _ in lines)


def main() -> None:
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if given:
        sys.exit(0 if measure(Path(given[0])) else 1)
    with tempfile.TemporaryDirectory() as scratch:
        quick = "--quick" in sys.argv  # a small web is not meant to be hard
        webgen.make(Path(scratch) / "web", "small" if quick else "medium", seed=1)
        sys.exit(0 if measure(Path(scratch) / "web") or quick else 1)


if __name__ == "__main__":
    main()
