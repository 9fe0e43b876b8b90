"""May this URL enter? One answer for the frontier and for crawls in rounds."""

from garimpo.crawl.gate.decision import Refusal
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.rounds import tables
from garimpo.crawl.rounds.steps import gate_step
from garimpo.crawl.rounds.worker import table_of
from garimpo.crawl.settings import Settings

SETTINGS = Settings(seeds=["http://a.example/logout"], exclude=["logout"], max_depth=3, trap_run=5, learn=False)
CASES = [
    ("http://a.example/", 0, 0, None),
    ("http://b.example/", 1, 0, Refusal("scope", "site")),
    ("http://a.example/deep", 4, 0, Refusal("scope", "depth")),
    ("http://a.example/x/logout", 1, 0, Refusal("scope", "exclude")),
    ("http://a.example/logout", 0, 0, None),  # a seed
    ("http://a.example/next?m=9", 1, 5, Refusal("trap", "endless")),
]


def test_scope_depth_and_traps_refuse_a_url() -> None:
    entrance = Entrance(SETTINGS, SETTINGS.seeds)
    for url, depth, run, expected in CASES:
        host = url.split("/")[2]
        assert entrance.refusal(url, host, depth, run, is_seed=url in SETTINGS.seeds) == expected, url


def test_rounds_refuse_the_same_urls() -> None:
    rows = [
        (url.split("/")[2], number, 1.0, 0, url, depth, None, 0, 0, 0, run) for number, (url, depth, run, _) in enumerate(CASES)
    ]
    judged = gate_step(SETTINGS, table_of(rows, tables.QUEUED)).select(["reason", "rule"]).to_pylist()
    assert [tuple(row.values()) for row in judged] == [expected or (None, None) for *_, expected in CASES]
