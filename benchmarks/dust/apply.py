"""Keys a second against `w3lib.url.canonicalize_url`, with 5,000 rules over 1,000 hosts and with ten times as many."""

import random
import statistics
import sys
import time

import pyarrow as pa
from w3lib.url import canonicalize_url

from garimpo.dust import Rule, RuleSet

URLS, ROUNDS = 100_000, 5
KINDS = [
    ("parameter", "?sid=*", ""), ("parameter", "?ref=*", ""), ("slash", "^(**)/$", "$1"), ("order", "?", "sorted"),
    ("index", r"^(**)/index\.html$", "$1/"), ("case", "", "lower"), ("prefix", "^/old/(**)$", "/$1"),
    ("extension", r"^(**)\.htm$", "$1.html"), ("rewrite", r"^/story_([0-9]+)\.html$", "/story?id=$1"),
    ("rewrite", r"^/(~)/([0-9]+)/~$", "/$1/$2/"), ("path-parameter", ";jsessionid=", ""), ("segment", r"^/u-~/(**)$", "/$1"),
]  # fmt: skip


def rules(hosts: int, each: int) -> RuleSet:
    """`each` rules of its own for every host: the contexts name the host, so that no two hosts share one."""
    dice = random.Random(1)
    made = []
    for n in range(hosts):
        for kind, context, template in dice.sample(KINDS, each - 1):
            own = f"?{kind}{n}=*" if kind == "parameter" else context
            made.append(Rule.make(kind, [f"h{n}.example"], own, template))
        made.append(Rule.make("parameter", [f"h{n}.example"], f"?own{n}=*", ""))
    return RuleSet(made)


def urls(hosts: int) -> pa.Array:
    dice = random.Random(2)
    forms = ["/a/b{}/", "/old/Story/{}.htm?ref=1&id=2", "/story_{}.html", "/c/{}/some-title?sid=9f3e", "/d/{}/index.html?b=1&a=2",
             "/p{}.jsp;jsessionid=77?x=1", "/plain/page-{}.html"]  # fmt: skip
    return pa.array([f"http://h{dice.randrange(hosts)}.example{dice.choice(forms).format(i)}" for i in range(URLS)])


def seconds(work) -> float:  # type: ignore[no-untyped-def]
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    global URLS, ROUNDS
    if "--quick" in sys.argv:
        URLS, ROUNDS = 2_000, 1
    few, many = rules(1_000, 5), rules(10_000, 5)
    few_urls, many_urls = urls(1_000), urls(10_000)
    texts = few_urls.to_pylist()
    few.keys(few_urls)
    many.keys(many_urls)
    ours, more, peer = [], [], []
    for _ in range(ROUNDS):
        ours.append(seconds(lambda: few.keys(few_urls)))
        more.append(seconds(lambda: many.keys(many_urls)))
        peer.append(seconds(lambda: [canonicalize_url(url) for url in texts]))
    a, b, c = map(statistics.median, (ours, more, peer))
    pairs = [sum(len(rule.hosts) for rule in which.rules) for which in (few, many)]
    print(f"{pairs[0]:,} rules, 1,000 hosts: {URLS / a:,.0f} URLs/s; w3lib {URLS / c:,.0f} URLs/s: {c / a:.1f}x (wanted 4x)")
    print(f"{pairs[1]:,} rules, 10,000 hosts: {URLS / b:,.0f} URLs/s, {b / a:.2f} of the time (wanted at most 1.2)")


if __name__ == "__main__":
    main()
