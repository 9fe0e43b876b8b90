"""A small crawl over stored pages, of which every fate of a URL can be asked."""

from pathlib import Path

from crawl.made import StoredPages, html
from garimpo.archive import Store
from garimpo.contract import Fetched
from garimpo.crawl import Components, Settings, crawl
from garimpo.crawl.state import host_rows, queued, rule_rows, schema, skipped
from garimpo.dust.rules.ruleset import Rule, RuleSet
from garimpo.url import key64

SITE = "http://a.example"
EVIL = f"{SITE}/%1B?q=<script>alert(1)</script>"
RULE = Rule.make("parameter", ["a.example"], "?sid=*", "")


def made_crawl(folder: Path, **settings: object) -> Path:
    """A crawl that met pages, a missing page, a forbidden one, another site, and stopped before it had fetched all."""
    links = ["/forbidden", "/one", "/two", "/missing", "/later", "http://other.example/"]
    answers = [
        Fetched(f"{SITE}/robots.txt", 200, b"User-agent: *\nDisallow: /forbidden\n"),
        html(f"{SITE}/", "<title>Home</title>" + "".join(f"<a href='{link}'>go</a>" for link in links)),
        html(f"{SITE}/one", "<title>One \x1b[31m</title>a page of its own about gold"),
        html(f"{SITE}/two", "<title>Two</title>another page about gravel in the river"),
    ]
    fetcher = StoredPages(answers)
    given = {"seeds": [f"{SITE}/"], "max_pages": 4, "learn": False, "strategy": "bfs", **settings}
    crawl(folder, Settings(**given), Components(fetcher=fetcher, clock=fetcher.clock))  # type: ignore[arg-type]
    return folder


def skip_by_rule(folder: Path) -> str:
    """Write down, as the gate does, that a rule skipped a URL and postponed another; the URL that was skipped."""
    url = f"{SITE}/one?sid=7"
    with Store.open(folder) as store:
        store.learned.publish("rules", "json", RuleSet([RULE]).save, {})
        host = host_rows.named(store.database, "a.example")
        assert host is not None
        key, later = (schema.signed(key64(one)) for one in (url, f"{SITE}/two?sid=8"))
        row = (host.id, key, url, "dust:x", "dust", RULE.id, 1, 2_000.0, 0, None, f"{SITE}/one", 1, f"{SITE}/", 0.5)
        with store.commit() as db:
            skipped.insert(db, [row])
            rule_rows.insert_records(db, [(RULE.id, "a.example", 9, 6, 1, 0)])
            queued.insert(db, [(host.id, later, -9.4, 99, f"{SITE}/two?sid=8", 1, f"{SITE}/", 0, 0, 0, 0, 1.0)])
    return url
