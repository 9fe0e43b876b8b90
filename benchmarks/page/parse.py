"""Pages per second: garimpo.page.read against lxml with the same extraction, on WebKB's real pages.

Both decode, parse, and give title, visible text, links (normalised, with anchor, rel and context), canonical, refresh,
robots, language, counts of images and prices, and both digests. Repetitions are interleaved; CPU time of one thread.

    python benchmarks/page/parse.py [--pages N] [--repeat N]
"""

import argparse
import os
import re
import time
from pathlib import Path

import lxml.etree
import lxml.html
import pyarrow.parquet as pq

from garimpo.contract import Link, Page
from garimpo.page import digest, read
from garimpo.page.html.decoding import decode
from garimpo.page.html.headers import refresh_target, robots_tokens
from garimpo.url import Base

DATA = Path(os.environ.get("GARIMPO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
INLINE_TAGS = (
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike"
    " strong sub sup time tt u var wbr"
)
INLINE = frozenset(INLINE_TAGS.split())
HIDDEN = frozenset({"script", "style", "template", "iframe", "noembed", "noframes", "noscript", "head"})
PRICE = re.compile(r"[$£¥\u20a0-\u20bf] ?\d|\d ?[£¥\u20a0-\u20bf]")


def read_with_lxml(body: bytes, url: str) -> Page:
    """What `garimpo.page.read` gives, made with lxml as one would write it."""
    html, encoding = decode(body, None)
    page = Page(url, encoding=encoding, length=len(body), digest=digest(body))
    root = None
    if html.strip():
        root = lxml.etree.fromstring(html, lxml.etree.HTMLParser(encoding="utf-8", huge_tree=True))
    if root is None:
        return page
    base = Base(url)
    pieces: list[str] = []
    anchors: list[tuple[str, str | None, int, int]] = []
    opened: list[tuple[str, str | None, int]] = []
    hidden, length, robots = 0, 0, []
    for event, element in lxml.etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if not isinstance(tag, str):
            if event == "end" and element.tail and not hidden:
                pieces.append(element.tail)
                length += len(element.tail)
            continue
        if event == "start":
            if tag in HIDDEN:
                hidden += 1
            if tag == "a" or tag == "area":
                opened.append((element.get("href"), element.get("rel"), length))
            elif tag == "frame" or tag == "iframe":
                anchors.append((element.get("src"), None, length, length))
            elif tag == "img":
                page.images += 1
            elif tag == "title" and page.title is None:
                page.title = " ".join((element.text or "").split())
            elif tag == "base":
                base = Base(base.resolve(element.get("href") or "") or url)
            elif tag == "link" and "canonical" in (element.get("rel") or "").lower().split():
                page.canonical = base.resolve(element.get("href") or "")
            elif tag == "meta":
                name = (element.get("name") or element.get("http-equiv") or "").lower()
                if name == "robots":
                    robots += robots_tokens(element.get("content") or "")
                elif name == "refresh":
                    target = refresh_target(element.get("content") or "")
                    page.refresh = base.resolve(target) if target else None
            elif tag == "html":
                page.language = element.get("lang")
            said = element.text if not hidden else None
        else:
            if tag == "a" or tag == "area":
                href, rel, start = opened.pop()
                anchors.append((href, rel, start, length))
            if tag in HIDDEN:
                hidden -= 1
            said = element.tail if not hidden else None
        if tag not in INLINE and not hidden:
            pieces.append(" ")
            length += 1
        if said:
            pieces.append(said)
            length += len(said)
    raw = "".join(pieces)
    page.text = " ".join(raw.split())
    page.prices = len(PRICE.findall(page.text))
    page.robots = frozenset(robots)
    targets: dict[str, str | None] = {}
    for href, rel, start, stop in anchors:
        if href is None:
            continue
        if href not in targets:
            targets[href] = base.resolve(href)
        if (target := targets[href]) is not None:
            anchor = " ".join(raw[start:stop].split())
            before, after = raw[max(0, start - 160) : start].split()[-10:], raw[stop : stop + 160].split()[:10]
            page.links.append(Link(target, anchor, rel, " ".join([*before, anchor, *after])))
    page.text_digest = digest(page.text.encode())
    return page


def seconds(function, pages) -> float:
    started = time.process_time()
    for url, body in pages:
        function(body, url)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=8281)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.pages, options.repeat = 100, 1
    if not DATA.is_dir():
        print("the data sets are not here (GARIMPO_DATA names their folder): nothing was measured")
        return
    table = pq.read_table(DATA / "webkb" / "pages.parquet", columns=["url", "html"]).slice(0, options.pages)
    pages = [(url, html.encode("latin-1")) for url, html in zip(table["url"].to_pylist(), table["html"].to_pylist())]
    seconds(read, pages[:100])
    ours, theirs = [], []
    for _ in range(options.repeat):
        ours.append(seconds(read, pages))
        theirs.append(seconds(read_with_lxml, pages))
    links = (
        sum(len(read(body, url).links) for url, body in pages),
        sum(len(read_with_lxml(body, url).links) for url, body in pages),
    )
    print(f"{len(pages)} pages, links found: garimpo {links[0]}, lxml {links[1]}")
    print("garimpo  pages/s:", *(f"{len(pages) / t:8.0f}" for t in ours))
    print("lxml     pages/s:", *(f"{len(pages) / t:8.0f}" for t in theirs))
    ratios = sorted(b / a for a, b in zip(ours, theirs))
    print(f"ratio median {ratios[len(ratios) // 2]:.2f} (from {ratios[0]:.2f} to {ratios[-1]:.2f}); bar 1.6")


if __name__ == "__main__":
    main()
