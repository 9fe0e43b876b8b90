"""Replies that quote a post, among all posts of 20 newsgroups: which measure puts the quoted post first?

    python experiments/similarity/quotations.py [--from 700] [--to 1000] [--seed 3]

A query is the quoted lines of a reply: whole, rewritten (a third of the words replaced, a tenth left out, pieces of twelve words
shuffled), cut to a third, or with all words shuffled. The source is the post of the same thread whose own words hold most of
the quotation. Other replies that quote the same post stand in the corpus too, so nothing can reach 1. Quotations are drawn
in an order that never changes, but not in that of the 700 on which the default was chosen: a seventh of any draw was among these.
"""

import argparse
import json
import random
import re

import pyarrow as pa
import pyarrow.parquet as pq
from real import DATA

from garimpo.page import words
from garimpo.similarity import rank

MEASURES = (("tfidf", None), ("bm25", None), ("bm25", 1), ("tfidf-lucene", None), ("tfidf-textbook", None), ("jaccard", None))
QUOTED = re.compile(r"^\s{0,2}[>|:]")
KINDS = ("whole", "rewritten", "cut", "shuffled")


def posts() -> list[tuple[str, str, str]]:
    """Name, subject and body of every post; none where the data is not here."""
    path = DATA / "20newsgroups" / "docs.parquet"
    if not path.exists():
        return []
    table = pq.read_table(path, columns=["group", "id", "text"])
    out = []
    for group, number, text in zip(*(table[name].to_pylist() for name in ("group", "id", "text"))):
        head, _, body = text.partition("\n\n")
        subject = next((line[8:].strip() for line in head.split("\n") if line.lower().startswith("subject:")), "")
        out.append((f"{group}/{number}", subject, body))
    return out


def thread(subject: str) -> str:
    return re.sub(r"^(re|fwd?)\s*:\s*", "", subject.lower()).strip()


def parts(body: str) -> tuple[list[str], list[str]]:
    """The words that are quoted, and those that are not."""
    lines = body.split("\n")
    quoted = [re.sub(r"^[\s>|:]+", "", line) for line in lines if QUOTED.match(line)]
    return words(" ".join(quoted)), words("\n".join(line for line in lines if not QUOTED.match(line)))


def shingles(found: list[str]) -> set[tuple[str, ...]]:
    return {tuple(found[i : i + 5]) for i in range(len(found) - 4)}


def quotations(every: list[tuple[str, str, str]]) -> list[tuple[int, int]]:
    """(reply, quoted post), in an order that never changes."""
    threads: dict[str, list[int]] = {}
    for place, (_, subject, _) in enumerate(every):
        threads.setdefault(thread(subject), []).append(place)
    found = []
    for reply, (_, subject, body) in enumerate(every):
        quoted = shingles(parts(body)[0])
        if len(quoted) < 26:
            continue
        shares = [
            (len(quoted & shingles(parts(every[p][2])[1])) / len(quoted), -p) for p in threads[thread(subject)] if p != reply
        ]
        if shares and max(shares)[0] > 0.5:
            found.append((reply, -max(shares)[1]))
    random.Random(5).shuffle(found)
    return found


def altered(quoted: list[str], kind: str, vocabulary: list[str], chance: random.Random) -> list[str]:
    if kind == "rewritten":
        pieces = [
            [
                chance.choice(vocabulary) if chance.random() < 0.35 else word
                for word in quoted[k : k + 12]
                if chance.random() > 0.1
            ]
            for k in range(0, len(quoted), 12)
        ]
        chance.shuffle(pieces)
        return [word for piece in pieces for word in piece]
    if kind == "cut":
        length = max(15, len(quoted) // 3)
        start = chance.randrange(max(1, len(quoted) - length))
        return quoted[start : start + length]
    return chance.sample(quoted, len(quoted)) if kind == "shuffled" else quoted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", type=int, default=700, dest="first")
    parser.add_argument("--to", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    every = posts()
    if not every:
        print("the data sets are not here (GARIMPO_DATA names their folder): nothing was measured")
        return
    if options.quick:
        options.to = options.first + 10
    chosen = quotations(every)[options.first : options.to]
    chance = random.Random(options.seed)
    vocabulary = [word for _, _, body in every[::7] for word in words(body)]
    texts = {
        f"{kind}|{every[reply][0]}": " ".join(altered(parts(every[reply][2])[0], kind, vocabulary, chance))
        for reply, _ in chosen
        for kind in KINDS
    }
    asked = pa.table({"id": list(texts), "text": pa.array(texts.values(), pa.large_string())})
    corpus = pa.table({"id": [p[0] for p in every], "text": pa.array([f"{p[1]} {p[2]}" for p in every], pa.large_string())})
    source = {every[reply][0]: every[post][0] for reply, post in chosen}
    for measure, width in MEASURES:
        first: dict[str, str] = {}
        for row in rank(asked, corpus, measure=measure, shingle=width, top=2).to_pylist():
            if row["id"] != row["query"].split("|", 1)[1]:
                first.setdefault(row["query"], row["id"])
        right = {kind: sum(first.get(f"{kind}|{name}") == post for name, post in source.items()) for kind in KINDS}
        shares = {kind: round(count / len(source), 3) for kind, count in right.items()}
        print(json.dumps({"measure": measure, "shingle": width, "quotations": len(source), **shares}), flush=True)


if __name__ == "__main__":
    main()
