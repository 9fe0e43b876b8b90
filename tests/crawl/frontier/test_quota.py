"""How many pages of a host and of a site may be fetched."""

from pathlib import Path

from crawl.made import MadeFrontier


def asked(made: MadeFrontier) -> list[str]:
    found = []
    while (entry := made.frontier.pop()) is not None:
        found.append(entry.host.name)
        made.frontier.begin(entry)
        made.frontier.release(entry)
        made.frontier.done(entry)
    return found


def urls(*hosts: str) -> list[str]:
    return [f"http://{host}/{page}" for host in hosts for page in range(4)]


def test_a_host_is_left_when_its_pages_are_fetched_and_its_urls_stay_queued(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0, max_pages_per_host=3)
    made.frontier.add_urls(urls("a.example", "b.example"))
    assert sorted(asked(made)) == ["a.example"] * 3 + ["b.example"] * 3
    assert made.frontier.queued == 2


def test_hosts_of_a_site_share_its_pages_over_a_new_start(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0, max_pages_per_site=5)
    made.frontier.add_urls(urls("x.a.example", "y.a.example", "b.example"))
    assert sum(name.endswith("a.example") for name in asked(made)) == 5
    made.commit()
    again = MadeFrontier(tmp_path / "crawl", now=9.0, delay=0.0, max_pages_per_site=6)
    assert sum(name.endswith("a.example") for name in asked(again)) == 1


def test_what_is_no_page_after_all_is_given_back(tmp_path: Path) -> None:
    made = MadeFrontier(tmp_path / "crawl", delay=0.0, max_pages_per_host=1)
    made.frontier.add_urls(urls("a.example"))
    hop = made.frontier.pop()
    assert hop is not None
    made.frontier.begin(hop)
    made.frontier.release(hop)
    assert made.frontier.pop() is None
    made.frontier.uncount(hop)
    made.frontier.done(hop)
    made.frontier.leave(hop)
    assert made.frontier.pop() is not None
