"""Evidence by site: the same in whatever steps it comes, taken back, and made again where it is damaged."""

import itertools
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from garimpo import dust
from garimpo.archive import Learned
from garimpo.contract.tables import PAGES
from garimpo.crawl.learning import rule_study
from garimpo.crawl.learning.evidence import Row, SiteEvidence, merged, milestone
from garimpo.crawl.learning.learner import Rounds
from garimpo.crawl.learning.rule_study import RuleStudy
from garimpo.crawl.learning.site_clusters import cluster_sites, rows_by_site
from garimpo.crawl.learning.study import DamagedEvidence, Segment
from garimpo.crawl.settings import Settings

SITES = ("a.org", "b.org", "c.net", "d.com")

Pages = list[dict[str, object]]


def page(url: str, content: int | None = None, **more: object) -> dict[str, object]:
    return {"url": url, "status": 200, "digest": content, **more}


def made(seed: int, count: int = 400) -> Pages:
    """Pages of four sites that repeat by a session id, a slash, a second host name and a redirect, with some fetched again."""
    chance = random.Random(seed)
    rows: Pages = []
    for _ in range(count):
        site, number = chance.choice(SITES), chance.randrange(60)
        host = chance.choice(("", "www.")) + site
        content = 1 + number + 1000 * SITES.index(site)
        url = f"http://{host}/p/{number}"
        form = chance.randrange(6)
        if form == 0:
            rows.append(page(url + "/", content))
        elif form == 1:
            rows.append(page(f"{url}?sid={chance.randrange(10**6)}", content))
        elif form == 2:
            rows.append(page(f"http://{host}/old/{number}", redirect=url, status=301))
        elif form == 3:
            rows.append(page(f"{url}?print=1", content + 500, duplicate_of=url))
        elif form == 4:
            rows.append(page(f"{url}?lang={chance.choice('ab')}", content + 10**6 * chance.randrange(1, 3)))
        else:
            rows.append(page(url, content))
    return rows


def table(rows: Pages) -> pa.Table:
    return pa.Table.from_pylist(rows, pa.schema([PAGES.field(name).with_nullable(True) for name in rule_study_columns()]))


def rule_study_columns() -> list[str]:
    return ["url", "status", "digest", "text_digest", "canonical", "redirect", "duplicate_of"]


class Crawl:
    """What a study asks of a crawl folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.learned, self.settings = folder, Learned(folder / "learned"), Settings()
        self.rows, self.taken = 0, 0
        self.segments_of: list[Segment] = []
        self.gone: list[str] = []

    def commit(self, rows: Pages) -> None:
        self.segments_of.append(Segment(len(self.segments_of) + 1, table(rows)))

    def rewind(self, taken: int = 0) -> None:
        self.taken, self.rows = taken, sum(one.pages.num_rows for one in self.segments_of[:taken])

    def segments(self) -> Iterator[Segment]:
        for segment in self.segments_of[self.taken :]:
            self.taken, self.rows = segment.commit, self.rows + segment.pages.num_rows
            yield segment

    def withdrawn(self) -> list[tuple[str, str]]:
        return []

    def removed(self) -> list[str]:
        return self.gone


def learned(crawl: Crawl) -> tuple[dust.RuleSet, ...]:
    paths = (crawl.learned.path(kind) for kind in ("rules", "guesses"))
    return tuple(dust.RuleSet() if path is None else dust.RuleSet.load(path) for path in paths)


def rebuilt(folder: Path, rows: Pages, most: int = 8192) -> tuple[dust.RuleSet, ...]:
    """What one round over all rows learns."""
    crawl = Crawl(folder)
    crawl.commit(rows)
    Rounds(crawl, [RuleStudy(crawl, most)]).run()
    return learned(crawl)


def cut(rows: Pages, chance: random.Random) -> list[Pages]:
    places = sorted({0, len(rows), *(chance.randrange(len(rows)) for _ in range(chance.randrange(1, 12)))})
    return [rows[begin:end] for begin, end in itertools.pairwise(places)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most", [8192, 64])
def test_segments_in_random_cuts_give_the_rules_of_a_rebuild(tmp_path: Path, seed: int, most: int) -> None:
    """Rounds and restarts come after random segments; pages are fetched again on the way; large sites are sampled."""
    chance, rows = random.Random(seed), made(seed)
    crawl = Crawl(tmp_path / "cut")
    rounds = Rounds(crawl, [RuleStudy(crawl, most)])
    for part in cut(rows, chance):
        crawl.commit(part)
        if chance.random() < 0.6:
            rounds.run()
        if chance.random() < 0.3:
            rounds = Rounds(crawl, [RuleStudy(crawl, most)])
    rounds.run()
    rules, guesses = learned(crawl)
    assert (rules, guesses) == rebuilt(tmp_path / "whole", rows, most)
    assert len(rules) and len(guesses)


@pytest.mark.parametrize("seed", range(3))
def test_what_was_taken_down_was_never_there(tmp_path: Path, seed: int) -> None:
    rows, crawl = made(seed), Crawl(tmp_path / "cut")
    crawl.commit(rows)
    Rounds(crawl, [RuleStudy(crawl)]).run()
    crawl.gone = ["www.a.org", *(str(row["url"]) for row in rows[::7])]
    again = Crawl(tmp_path / "cut")
    again.gone, again.segments_of = crawl.gone, crawl.segments_of
    Rounds(again, [RuleStudy(again)]).run()
    assert learned(again) == rebuilt(tmp_path / "whole", without(rows, set(crawl.gone)))
    assert "www.a.org" not in learned(again)[0].hosts


def without(rows: Pages, gone: set[str]) -> Pages:
    def is_gone(url: object) -> bool:
        return url is not None and (url in gone or str(url).split("/")[2] in gone)

    kept = [row for row in rows if not is_gone(row["url"])]
    return [
        {name: None if name in ("redirect", "duplicate_of") and is_gone(value) else value for name, value in row.items()}
        for row in kept
    ]


def test_a_page_fetched_again_takes_its_old_content_back(tmp_path: Path) -> None:
    rows = [page(f"http://a.org/{n}{end}", n) for n in range(1, 41) for end in ("", "/")]
    crawl = Crawl(tmp_path)
    crawl.commit(rows)
    rounds = Rounds(crawl, [RuleStudy(crawl)])
    rounds.run()
    assert len(learned(crawl)[0])
    crawl.commit([page(str(row["url"]), 1000 + n) for n, row in enumerate(rows)])
    rounds.run()
    assert not len(learned(crawl)[0])


@pytest.mark.parametrize("damage", ["cut", "noise", "format", "lost"])
def test_damaged_evidence_is_made_again_from_the_segments(tmp_path: Path, damage: str) -> None:
    rows, crawl = made(1), Crawl(tmp_path / "c")
    crawl.commit(rows[:200])
    crawl.commit(rows[200:])
    Rounds(crawl, [RuleStudy(crawl)]).run()
    before, path = learned(crawl), tmp_path / "c" / "state/learner/sites.sqlite"
    crawl.learned.rollback("rules", 0)
    shutil.rmtree(tmp_path / "c" / "learned")
    spoil(path, damage)
    again = Crawl(tmp_path / "c")
    again.segments_of = crawl.segments_of
    Rounds(again, [RuleStudy(again)]).run()
    assert learned(again) == before


def spoil(path: Path, damage: str) -> None:
    if damage == "lost":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    elif damage == "noise":
        body = path.read_bytes()
        path.write_bytes(body[:100] + random.Random(1).randbytes(len(body) - 100))
    else:
        with sqlite3.connect(path) as db:
            db.execute("pragma user_version = 99")


def test_a_round_studies_only_sites_that_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def watched(sites: list[tuple[str, list[Row]]]) -> object:
        seen.extend(name for name, _ in sites)
        return cluster_sites(sites)

    monkeypatch.setattr(rule_study, "cluster_sites", watched)
    crawl = Crawl(tmp_path)
    crawl.commit(made(2))
    rounds = Rounds(crawl, [RuleStudy(crawl)])
    rounds.run()
    assert sorted(seen) == sorted(SITES)
    seen.clear()
    said = rounds.run()
    assert not seen and said["rules"] == "the same rules as before"
    crawl.commit([page(f"http://b.org/new/{n}", 10**7 + n) for n in range(100)])
    rounds.run()
    assert seen == ["b.org"]


def test_a_round_says_why_it_published_nothing(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.commit([page(f"http://a.org/{n}", n) for n in range(1, 60)])
    rounds = Rounds(crawl, [RuleStudy(crawl)])
    assert rounds.run()["rules"] == "no page was met under two URLs of one site"
    crawl.commit([page("http://a.org/7/index/x", 7), *(page(f"http://a.org/next/{n}", 90 + n) for n in range(5))])
    assert rounds.run()["rules"] == "no rule is sure enough yet; sites that repeat pages: 1"


def test_sites_are_clustered_apart_whatever_is_looked_at_with_them() -> None:
    rows = rows_by_site(table([*made(3), page("http://a.org/x", 1), page("http://b.org/x", 1)]))
    together = dict(cluster_sites(list(rows.items())))
    assert together == {name: found for name, own in rows.items() for _, found in cluster_sites([(name, own)])}


def test_pages_of_other_sites_join_what_leads_to_both() -> None:
    rows = rows_by_site(table([page(f"http://a.org/{n}", redirect="http://b.org/login", status=302) for n in (1, 2)]))
    ((_, found),) = cluster_sites(list(rows.items()))
    assert found.urls == ["http://a.org/1", "http://a.org/2"] and found.clusters == [0, 0]


def test_a_sample_keeps_the_urls_of_a_page_together_in_whatever_steps() -> None:
    rows = [
        Row(f"http://a.org/{n}{end}", n, None, None, None, f"http://a.org/{n}" if end else None)
        for n in range(500)
        for end in ("", "/")
    ]
    whole, level = merged([], rows, 0, most=100)
    kept: list[Row] = []
    steps = 0
    for begin in range(0, len(rows), 33):
        kept, steps = merged(kept, rows[begin : begin + 33], steps, most=100)
    assert (kept, steps) == (whole, level) and 40 <= len(whole) <= 100 and level
    assert all(sum(other.digest == row.digest for other in whole) == 2 for row in whole)


def test_milestones_are_a_small_part_apart() -> None:
    found = sorted({milestone(rows) for rows in range(64, 9000)})
    assert all(1 / 64 <= (after - before) / before <= 1 / 32 for before, after in itertools.pairwise(found))


def test_what_was_not_saved_did_not_happen(tmp_path: Path) -> None:
    evidence = SiteEvidence(tmp_path / "e.sqlite")
    evidence.put("commit", 3)
    evidence.save()
    evidence.put("commit", 4)
    evidence.close()
    again = SiteEvidence(tmp_path / "e.sqlite")
    assert again.get("commit") == 3
    with pytest.raises(DamagedEvidence), again.guard():
        again.rows("never.met")
    assert SiteEvidence(tmp_path / "e.sqlite").get("commit") is None
