"""Families of duplicate URLs whose differences come together or hold only somewhere, and pairs that only look like them.

A family is two functions of a number: the URLs of a page; and two URLs that no page was ever shown under, though a careless rule
would join them.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

WORDS = ("river", "gold", "stone", "pan", "sand", "water", "light", "north", "camp", "trail", "mule", "rain", "dawn", "creek")


class Family(NamedTuple):
    """How a page's URLs differ, and what looks like it."""

    pages: Callable[[int], list[str]]
    alike: Callable[[int], tuple[str, str]]
    others: Callable[[int], list[str]] = lambda n: []
    """Pages that are no duplicates of each other, known to the learner."""


def hexes(n: int, which: int = 0, size: int = 12) -> str:
    return f"{random.Random(n * 31 + which).getrandbits(4 * size):0{size}x}"


def words(n: int, count: int = 3, mark: str = "-") -> str:
    draw = random.Random(n)
    return mark.join([*(draw.choice(WORDS) for _ in range(count)), str(n)])


def pick(n: int, *values: str) -> str:
    return random.Random(n).choice(values)


def company(n: int, *names: str) -> str:
    """Some of these parameters, at least one, each with some value."""
    draw = random.Random(n)
    chosen = sorted(draw.sample(names, draw.randint(1, len(names))))
    return "&".join(f"{name}={draw.choice(('mail', 'web', 'ad', 'feed'))}" for name in chosen)


A = "http://a.org"
FAMILIES: dict[str, Family] = {
    "two tracking parameters": Family(
        lambda n: [
            f"{A}/p{n}",
            f"{A}/p{n}?utm_source={pick(n, 'mail', 'web', 'ad', 'feed')}&utm_medium={pick(n + 1, 'x', 'y', 'z')}",
        ],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}?utm_source=mail"),
    ),
    "scheme, www and slash": Family(
        lambda n: [f"http://site.org/{words(n)}", f"https://www.site.org/{words(n)}/"],
        lambda n: (f"http://site.org/{words(n)}", f"http://site.org/{words(n)}/"),
    ),
    "slash and session": Family(
        lambda n: [f"{A}/p{n}/", f"{A}/p{n}?sid={hexes(n)}"],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}/"),
    ),
    "index file and parameter": Family(
        lambda n: [f"{A}/d{n}/", f"{A}/d{n}/index.php?lang=en"],
        lambda n: (f"{A}/d{n}/", f"{A}/d{n}/?lang=en"),
    ),
    "case of a folder and extension": Family(
        lambda n: [f"{A}/Docs/p{n}.htm", f"{A}/docs/p{n}.html"],
        lambda n: (f"{A}/docs/p{n}.htm", f"{A}/docs/p{n}.html"),
    ),
    "path to parameter, several words": Family(
        lambda n: [f"{A}/wiki/{words(n)}", f"{A}/index.php?title={words(n)}"],
        lambda n: (f"{A}/talk/{words(n)}", f"{A}/index.php?title={words(n)}"),
    ),
    "idle beside a value": Family(
        lambda n: [f"{A}/x?id={n}&act=view&page={k + 1}" for k in range(3)],
        lambda n: (f"{A}/x?id={n}&act=list&page=1", f"{A}/x?id={n}&act=list&page=2"),
        lambda n: [f"{A}/x?id={n}&act=list&page={k + 1}" for k in range(3)],
    ),
    "one page under many addresses": Family(
        lambda n: (
            [f"{A}/login?return=%2F{words(1000 * n + k)}" for k in range(3)] if n >= 100 else [f"{A}/login?return=%2F{words(n)}"]
        ),
        lambda n: (f"{A}/view?return=%2F{words(n)}", f"{A}/view?return=%2F{words(n + 1)}"),
    ),
    "three parameters": Family(
        lambda n: [f"{A}/s?q={n}", f"{A}/s?q={n}&a={hexes(n)}&b={hexes(n, 1)}&c={n % 7}"],
        lambda n: (f"{A}/s?q={n}", f"{A}/s?q={n}&a={hexes(n)}"),
    ),
    "www and index file": Family(
        lambda n: [f"http://site.org/d{n}/", f"http://www.site.org/d{n}/index.html"],
        lambda n: (f"http://site.org/d{n}/", f"http://site.org/d{n}/index.html"),
    ),
    "scheme and slash": Family(
        lambda n: [f"http://a.org/p{n}/", f"https://a.org/p{n}"],
        lambda n: (f"http://a.org/p{n}/", f"http://a.org/p{n}"),
    ),
    "host twin and session": Family(
        lambda n: [f"http://m.site.org/p{n}?sid={hexes(n)}", f"http://site.org/p{n}"],
        lambda n: (f"http://site.org/p{n}", f"http://site.org/p{n}?sid={hexes(n)}"),
    ),
    "host twin alone": Family(
        lambda n: [f"http://m.site.org/{words(n)}", f"http://site.org/{words(n)}"],
        lambda n: (f"http://n.site.org/{words(n)}", f"http://site.org/{words(n)}"),
    ),
    "case and parameter": Family(
        lambda n: [f"{A}/Item/X{n}?ref={hexes(n)}", f"{A}/item/x{n}"],
        lambda n: (f"{A}/item/x{n}", f"{A}/Item/X{n}"),
    ),
    "extension and parameter": Family(
        lambda n: [f"{A}/p{n}.php?print=1", f"{A}/p{n}.html"],
        lambda n: (f"{A}/p{n}.php", f"{A}/p{n}.html"),
    ),
    "order and parameter": Family(
        lambda n: [f"{A}/s?b={n}&a={n % 9}&v={hexes(n)}", f"{A}/s?a={n % 9}&b={n}"],
        lambda n: (f"{A}/s?b={n}&a={n % 9}", f"{A}/s?a={n % 9}&b={n}"),
    ),
    "session in the path and slash": Family(
        lambda n: [f"{A}/p{n};jsessionid={hexes(n)}", f"{A}/p{n}/"],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}/"),
    ),
    "folder and extension": Family(
        lambda n: [f"{A}/old/p{n}.htm", f"{A}/new/p{n}.html"],
        lambda n: (f"{A}/old/p{n}.htm", f"{A}/new/p{n}.htm"),
    ),
    "folder and parameter": Family(
        lambda n: [f"{A}/print/p{n}?v=2", f"{A}/p{n}"],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}?v=2"),
    ),
    "two defaults": Family(
        lambda n: [f"{A}/list{n}", f"{A}/list{n}?page=1&sort=name"],
        lambda n: (f"{A}/list{n}", f"{A}/list{n}?page=2&sort=name"),
    ),
    "default under a folder": Family(
        lambda n: [f"{A}/x/shop/c{n}", f"{A}/x/shop/c{n}?sort=name"],
        lambda n: (f"{A}/y/c{n}", f"{A}/y/c{n}?sort=name"),
    ),
    "idle on one path": Family(
        lambda n: [f"{A}/r{n}/refs/?h={words(n + k)}" for k in range(3)],
        lambda n: (f"{A}/r{n}/tree/?h={words(n)}", f"{A}/r{n}/tree/?h={words(n + 1)}"),
        lambda n: [f"{A}/r{n}/tree/?h={words(n + k)}" for k in range(3)],
    ),
    "idle two folders deep": Family(
        lambda n: [f"{A}/x/shop/i{n}?v={hexes(n, k)}" for k in range(2)],
        lambda n: (f"{A}/x/news/i{n}?v={hexes(n)}", f"{A}/x/news/i{n}?v={hexes(n, 1)}"),
        lambda n: [f"{A}/x/news/i{n}?v={hexes(n, k)}" for k in range(2)],
    ),
    "idle without another": Family(
        lambda n: [f"{A}/x?id={n}&sid={hexes(n, k)}" for k in range(2)],
        lambda n: (f"{A}/x?id={n}&sid={hexes(n)}&diff=1", f"{A}/x?id={n}&sid={hexes(n, 1)}&diff=1"),
        lambda n: [f"{A}/x?id={n}&sid={hexes(n, k)}&diff=1" for k in range(2)],
    ),
    "parameter to path": Family(
        lambda n: [f"{A}/show?cat=news&id={n}", f"{A}/news/{n}.html"],
        lambda n: (f"{A}/show?cat=sport&id={n}", f"{A}/news/{n}.html"),
    ),
    "swapped values": Family(
        lambda n: [f"{A}/c/{pick(n, 'red', 'blue', 'green')}/{n}", f"{A}/c?id={n}&colour={pick(n, 'red', 'blue', 'green')}"],
        lambda n: (f"{A}/c/red/{n}", f"{A}/c?id={n}&colour=blue"),
    ),
    "parameter renamed": Family(
        lambda n: [f"{A}/s?p={n}", f"{A}/s?page_id={n}"],
        lambda n: (f"{A}/s?q={n}", f"{A}/s?page_id={n}"),
    ),
    "path of words, with a view": Family(
        lambda n: [f"{A}/node/{words(n, 2, '_')}", f"{A}/?q=node%2F{n}&t={words(n, 2, '_')}"],
        lambda n: (f"{A}/user/{words(n, 2, '_')}", f"{A}/?q=node%2F{n}&t={words(n, 2, '_')}"),
    ),
    "scheme and host": Family(
        lambda n: [f"https://secure.site.org/{words(n)}", f"http://www.site.org/{words(n)}"],
        lambda n: (f"https://www.site.org/{words(n)}", f"http://www.site.org/{words(n)}"),
    ),
    "many ways to one page": Family(
        lambda n: [f"{A}/p{n}", f"{A}/p{n}/index.html", f"{A}/p{n}?sid={hexes(n)}", f"{A}/p{n}/index.html?sid={hexes(n, 1)}"],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}/index.htm"),
    ),
    "title words and slash": Family(
        lambda n: [f"{A}/item/{n}/{words(n, 2)}/", f"{A}/item/{n}"],
        lambda n: (f"{A}/user/{n}/{words(n, 2)}/", f"{A}/user/{n}"),
    ),
    "current revision": Family(
        lambda n: [f"{A}/w?t={words(n)}", f"{A}/w?t={words(n)}&oldid={5000 + n}"],
        lambda n: (f"{A}/v?t={words(n)}", f"{A}/v?t={words(n)}&oldid={5000 + n}"),
    ),
    "double slash and case": Family(
        lambda n: [f"{A}//Files/f{n}.txt", f"{A}/files/f{n}.txt"],
        lambda n: (f"{A}/Files/f{n}.txt", f"{A}/files/f{n}.txt"),
    ),
    "view beside a name": Family(
        lambda n: [f"{A}/{words(n)}/amp/", f"{A}/{words(n)}.html"],
        lambda n: (f"{A}/{words(n)}/amp/", f"{A}/{words(n)}/"),
    ),
    "number behind a title": Family(
        lambda n: [f"{A}/forum/{words(n, 2)}-t{n}.html", f"{A}/showthread.php?t={n}"],
        lambda n: (f"{A}/news/{words(n, 2)}-t{n}.html", f"{A}/showthread.php?t={n}"),
    ),
    "number before a title": Family(
        lambda n: [f"{A}/product-{n}-{words(n, 2)}.html", f"{A}/index.php?route=product&product_id={n}"],
        lambda n: (f"{A}/review-{n}-{words(n, 2)}.html", f"{A}/index.php?route=product&product_id={n}"),
    ),
    "title left out": Family(
        lambda n: [f"{A}/{n}-{words(n, 2)}.html", f"{A}/{n}.html"],
        lambda n: (f"{A}/x/{n}-{words(n, 2)}.html", f"{A}/y/{n}.html"),
    ),
    "reference in the path, with a parameter": Family(
        lambda n: [f"{A}/dp/B{n}", f"{A}/dp/B{n}/ref=sr_1_{n % 17}?qid={9000 + 7 * n}"],
        lambda n: (f"{A}/dp/B{n}", f"{A}/gp/B{n}"),
    ),
    "default behind a semicolon": Family(
        lambda n: [f"{A}/?p=r{n}.git", f"{A}/?p=r{n}.git;a=summary"],
        lambda n: (f"{A}/?p=r{n}.git", f"{A}/?p=r{n}.git;a=log"),
    ),
    "idle between semicolons": Family(
        lambda n: [f"{A}/?p=r.git;a=blob;f=f{n};hb={hexes(n, k, 40)}" for k in range(3)],
        lambda n: (f"{A}/?p=r.git;a=tree;f=f{n};hb={hexes(n)}", f"{A}/?p=r.git;a=tree;f=f{n};hb={hexes(n, 1)}"),
        lambda n: [f"{A}/?p=r.git;a=tree;f=f{n};hb={hexes(n, k, 40)}" for k in range(3)],
    ),
    "slash and parameter on one page of many": Family(
        lambda n: [f"{A}/r{n}/refs", f"{A}/r{n}/refs/?h={words(n, 1)}"],
        lambda n: (f"{A}/r{n}/log", f"{A}/r{n}/log/?h={words(n, 1)}"),
    ),
    "default action and tab": Family(
        lambda n: [f"{A}/app/item/{n}", f"{A}/app/item/{n}/show?tab=main"],
        lambda n: (f"{A}/app/item/{n}", f"{A}/app/item/{n}/edit?tab=main"),
    ),
    "encoded path in a parameter": Family(
        lambda n: [f"{A}/view?path=%2Fdocs%2F{words(n)}", f"{A}/docs/{words(n)}"],
        lambda n: (f"{A}/view?path=%2Fdocs%2F{words(n)}", f"{A}/old/{words(n)}"),
    ),
    "other name and a parameter for the path": Family(
        lambda n: [f"http://m.site.org/a/{n}", f"http://www.site.org/article.php?id={n}"],
        lambda n: (f"http://www.site.org/a/{n}", f"http://www.site.org/article.php?id={n}"),
    ),
    "language in the path or in a parameter": Family(
        lambda n: [f"{A}/{pick(n, 'en', 'de', 'fr')}/page{n}", f"{A}/page{n}?lang={pick(n, 'en', 'de', 'fr')}"],
        lambda n: (f"{A}/en/page{n}", f"{A}/page{n}?lang=de"),
    ),
    "folder or host": Family(
        lambda n: [
            f"http://{pick(n, 'blog', 'news', 'docs')}.site.org/{words(n)}",
            f"http://www.site.org/{pick(n, 'blog', 'news', 'docs')}/{words(n)}",
        ],
        lambda n: (f"http://blog.site.org/{words(n)}", f"http://www.site.org/news/{words(n)}"),
    ),
    "one product in many categories": Family(
        lambda n: [f"{A}/c/{pick(n + k, 'men', 'women', 'kids', 'sale')}/p-{n}" for k in range(3)],
        lambda n: (f"{A}/d/men/p-{n}", f"{A}/d/women/p-{n}"),
    ),
    "session folder": Family(
        lambda n: [f"{A}/(S({hexes(n)}))/p{n}.aspx", f"{A}/p{n}.aspx"],
        lambda n: (f"{A}/x/p{n}.aspx", f"{A}/p{n}.aspx"),
    ),
    "two fields in other places": Family(
        lambda n: [
            f"{A}/{pick(n, 'red', 'blue', 'green')}/{pick(n + 1, 's', 'm', 'l')}/{n}",
            f"{A}/{n}/{pick(n + 1, 's', 'm', 'l')}/{pick(n, 'red', 'blue', 'green')}",
        ],
        lambda n: (f"{A}/red/s/{n}", f"{A}/{n}/s/blue"),
    ),
    "two parameters renamed": Family(
        lambda n: [f"{A}/s?cat={n % 7}&item={n}", f"{A}/s?c={n % 7}&i={n}"],
        lambda n: (f"{A}/s?c={n % 7}&i={n}", f"{A}/s?c={n % 7}&item={n}"),
    ),
    "tracking parameters in changing company": Family(
        lambda n: [f"{A}/p{n}", f"{A}/p{n}?{company(n, 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term')}"],
        lambda n: (f"{A}/p{n}", f"{A}/p{n}?{company(n, 'source', 'medium')}"),
    ),
    "other name and tracking parameters in changing company": Family(
        lambda n: [f"http://site.org/p{n}", f"http://www.site.org/p{n}/?{company(n, 'utm_source', 'utm_medium', 'utm_term')}"],
        lambda n: (f"http://site.org/p{n}", f"http://www.site.org/p{n}/"),
    ),
    "five parameters, scheme and name": Family(
        lambda n: [f"http://site.org/p{n}", f"https://www.site.org/p{n}?a={n % 7}&b={hexes(n)}&c={n % 5}&d=1&e={hexes(n, 1)}"],
        lambda n: (f"http://site.org/p{n}", f"https://www.site.org/p{n}?b={hexes(n)}&c={n % 5}&d=1&e={hexes(n, 1)}"),
    ),
    "signs between words": Family(
        lambda n: [f"{A}/docs/{words(n, 2 + n % 3)}", f"{A}/docs/{words(n, 2 + n % 3, '_')}"],
        lambda n: (f"{A}/talk/{words(n)}", f"{A}/talk/{words(n, 3, '_')}"),
    ),
    "signs between words, path to parameter": Family(
        lambda n: [f"{A}/wiki/{words(n, 2 + n % 3, '_')}", f"{A}/index.php?title={words(n, 2 + n % 3, '+')}"],
        lambda n: (f"{A}/talk/{words(n, 2 + n % 3, '_')}", f"{A}/index.php?title={words(n, 2 + n % 3, '+')}"),
    ),
    "semicolons between parameters": Family(
        lambda n: [f"{A}/s?cat={n % 7}&id={n}", f"{A}/s?cat={n % 7};id={n}"],
        lambda n: (f"{A}/t?cat={n % 7}&id={n}", f"{A}/t?cat={n % 7};id={n}"),
    ),
    "port": Family(
        lambda n: [f"{A}/p{n}", f"{A}:8080/p{n}"],
        lambda n: (f"{A}/p{n}", f"{A}:8081/p{n}"),
    ),
    "port, name and slash": Family(
        lambda n: [f"http://site.org/p{n}/", f"http://www.site.org:8080/p{n}"],
        lambda n: (f"http://site.org/p{n}/", f"http://www.site.org/p{n}"),
    ),
    "capitals, and a folder put in": Family(
        lambda n: [f"{A}/docs/p{n}", f"{A}/index.php/DOCS/P{n}"],
        lambda n: (f"{A}/docs/p{n}", f"{A}/DOCS/P{n}"),
    ),
    "capitals in a value, and a parameter": Family(
        lambda n: [f"{A}/v?cat={pick(n, 'a', 'b', 'c')}&id={n}", f"{A}/v?cat={pick(n, 'A', 'B', 'C')}&id={n}&print=1"],
        lambda n: (f"{A}/v?cat=a&id={n}", f"{A}/v?cat=B&id={n}&print=1"),
    ),
    "print folder and session folder": Family(
        lambda n: [f"{A}/item.php?id={n}", f"{A}/print/(S({hexes(n)}))/item.php?id={n}"],
        lambda n: (f"{A}/item.php?id={n}", f"{A}/print/item.php?id={n}"),
    ),
    "other name and session folder": Family(
        lambda n: [f"http://site.org/d/{words(n)}", f"http://www.site.org/(S({hexes(n)}))/d/{words(n)}"],
        lambda n: (f"http://site.org/d/{words(n)}", f"http://www.site.org/d/{words(n)}"),
    ),
    "one segment to a parameter": Family(
        lambda n: [f"{A}/p{n}", f"{A}/index.php?title=p{n}"],
        lambda n: (f"{A}/x/p{n}", f"{A}/index.php?title=p{n}"),
    ),
    "parameter to path, tracking parameters": Family(
        lambda n: [f"{A}/item.php?id={n}", f"{A}/item/{n}?utm_source={pick(n, 'x', 'y')}&utm_medium={pick(n + 1, 'x', 'y')}"],
        lambda n: (f"{A}/item.php?id={n}", f"{A}/thing/{n}?utm_source=x&utm_medium=y"),
    ),
    "double slash before an index file": Family(
        lambda n: [f"{A}/view{n}", f"{A}/view{n}//default.aspx"],
        lambda n: (f"{A}/view{n}", f"{A}/view{n}/default.asp"),
    ),
    "idle beside a value under a path": Family(
        lambda n: [f"{A}/x/i?id={n}&act=view&page={k + 1}" for k in range(3)],
        lambda n: (f"{A}/y/i?id={n}&act=view&page=1", f"{A}/y/i?id={n}&act=view&page=2"),
        lambda n: [f"{A}/y/i?id={n}&act=view&page={k + 1}" for k in range(3)],
    ),
}


def training(family: Family, size: int = 100) -> list[tuple[int, str]]:
    """Clusters of `size` pages, and pages known to be unique."""
    rows = [(n, url) for n in range(size) for url in family.pages(n)]
    if all(len(family.pages(n)) == 1 for n in range(3)):
        rows = [(0, url) for _, url in rows]
    rows += [(10_000 + 10 * n + k, url) for n in range(size // 2) for k, url in enumerate(family.others(n))]
    return rows + [(50_000 + n, f"{A}/unique/{words(n)}") for n in range(size // 2)]


def judged(family: Family, key: Callable[[str], str], size: int = 100) -> tuple[float, float]:
    """The share of unseen URLs that get the key of the first of their page, and of look-alikes that are joined."""
    unseen = [family.pages(n) for n in range(1000, 1000 + size)]
    pairs = [(urls[0], other) for urls in unseen for other in urls[1:]]
    joined = sum(key(a) == key(b) for a, b in pairs) / len(pairs)
    alike = [family.alike(n) for n in range(2000, 2000 + size)]
    return joined, sum(key(a) == key(b) for a, b in alike) / len(alike)
