"""20,000 mutated pages and twenty of 50 MB: none may crash, hang, or take the process past 1 GB. Run by hand.

Mutants are made from WebKB's and SWDE's real pages: cut, bits flipped, wrapped 10,000 elements deep, declared in a wrong
charset. The huge ones repeat real pages, nest without end, or hold nothing but tags, attributes, text or random bytes.

    python benchmarks/page/hostile.py [--mutants N] [--huge N]
"""

import argparse
import os
import random
import resource
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

from garimpo.page import read

DATA = Path(os.environ.get("GARIMPO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
CHARSETS = [None, "utf-8", "utf-16", "big5", "shift_jis", "gb18030", "koi8-r", "iso-2022-jp", "x-unknown"]
HUGE = 50_000_000
SLOWEST_ALLOWED, MEMORY_ALLOWED = 60.0, 1_000_000  # seconds of CPU, kilobytes


def some_pages(name: str, charset: str, every: int):
    """One page in so many, read in small batches: the data must not fill the memory that is to be measured."""
    for batch in pq.ParquetFile(DATA / name / "pages.parquet").iter_batches(batch_size=64, columns=["html"]):
        yield from (html.encode(charset) for html in batch["html"].to_pylist()[::every])


def mutant(page: bytes, chance: random.Random) -> bytes:
    body = bytearray(page)
    kind = chance.randrange(4)
    if kind == 0 and body:
        body = body[: chance.randrange(len(body))]
    elif kind == 1 and body:
        for _ in range(max(1, len(body) // 200)):
            body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    elif kind == 2:
        tag = chance.choice([b"<div>", b"<b>", b"<ul><li>", b"<table><tr><td>", b"<span>", b"<font color=1>", b"<a href=x>"])
        body = bytearray(tag * 10_000) + body
    return bytes(body)


def huge_pages(pages: list[bytes], chance: random.Random):
    """Bodies of 50 MB, one after another."""
    units = [
        *(chance.choice(pages) for _ in range(6)),
        b"<div>", b"<ul><li>", b"<table><tr><td>", b"<a href=x>y", b"<p>", b"<", b"<b><p>", b"<font color=", b"<!--", b"&amp;",
        b"gold ", "ouro é 砂金 😀 ".encode(),
    ]  # fmt: skip
    for unit in units:
        yield unit * (HUGE // len(unit) + 1)
    yield b"<p " + b" ".join(b"a%d" % i for i in range(100_000)) + b" b" * (HUGE // 2) + b">end"
    yield chance.randbytes(HUGE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--huge", type=int, default=20)
    options = parser.parse_args()
    chance = random.Random(1)
    pages = [*some_pages("webkb", "latin-1", 8), *some_pages("swde", "utf-8", 12)]
    slowest, started = 0.0, time.process_time()

    def one(body: bytes) -> None:
        nonlocal slowest
        before = time.process_time()
        charset = chance.choice(CHARSETS)
        page = read(body, "http://a.org/", content_type=f"text/html; charset={charset}" if charset else None)
        page.text.encode()
        slowest = max(slowest, time.process_time() - before)

    for _ in range(options.mutants):
        one(mutant(chance.choice(pages), chance))
    print(f"{options.mutants} mutants: {time.process_time() - started:.1f} s of CPU, slowest {slowest:.2f} s", flush=True)
    slowest = 0.0
    for number, body in enumerate(huge_pages(pages, chance)):
        if number == options.huge:
            break
        one(body)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{options.huge} pages of 50 MB: slowest {slowest:.2f} s; the process peaked at {peak / 1000:.0f} MB")
    return 0 if slowest < SLOWEST_ALLOWED and peak < MEMORY_ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
