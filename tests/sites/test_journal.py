"""A search for sites that is cut short goes on where it was."""

from collections.abc import Callable
from pathlib import Path

import pytest

from garimpo.contract import BadInput
from garimpo.sites import LinkTable, Location, LocatorSettings, locate
from garimpo.sites.journal import Journal, JournaledLinks

LINKS = LinkTable.of(
    [(f"http://hub{h}.com/", f"http://good{i}.com/") for h in range(6) for i in range(h * 5, h * 5 + 12)]
    + [(f"http://hub{h}.com/", f"http://bad{h}{i}.com/") for h in range(6) for i in range(5)]
)


def searched(journal: Journal, decide: Callable[[str], bool], beside: int = 1) -> Location:
    settings = LocatorSettings(prevalence=0.3, beside=beside)
    answer = lambda site: journal.ask("site", site, lambda: decide(site))  # noqa: E731
    return locate(["good0.com", "good1.com"], JournaledLinks(LINKS, journal), answer, settings)


def is_good(site: str) -> bool:
    return site.startswith("good")


@pytest.mark.parametrize("beside", [1, 4])
def test_a_killed_search_ends_as_a_whole_one_and_asks_nothing_twice(tmp_path: Path, beside: int) -> None:
    whole = searched(Journal(tmp_path / "whole", {"seed": 0}), is_good, beside)
    asked: list[str] = []

    def until_killed(site: str) -> bool:
        if len(asked) >= 9:
            raise KeyboardInterrupt
        asked.append(site)
        return is_good(site)

    with pytest.raises(KeyboardInterrupt):
        searched(Journal(tmp_path / "cut", {"seed": 0}), until_killed, beside)
    with (tmp_path / "cut").open("ab") as file:
        file.write(b'["site","half')  # the line that was being written

    def go_on(site: str) -> bool:
        assert site not in asked[:9]
        return is_good(site)

    again = searched(Journal(tmp_path / "cut", {"seed": 0}, resume=True), go_on, beside)
    assert (again.found, again.decided, again.reason) == (whole.found, whole.decided, whole.reason)
    assert len(whole.found) > 20


def test_the_journal_of_another_search_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "a", {"seed": 0}).close()
    with pytest.raises(BadInput, match="another search"):
        Journal(tmp_path / "a", {"seed": 1}, resume=True)
    (tmp_path / "b").write_bytes(b"\xff\n")
    with pytest.raises(BadInput, match="not the journal"):
        Journal(tmp_path / "b", {}, resume=True)
    with pytest.raises(BadInput, match="No such file"):
        Journal(tmp_path / "none", {}, resume=True)


def test_the_harvest_is_told() -> None:
    end = locate(["good0.com"], LINKS, is_good, LocatorSettings(prevalence=0.3))
    assert end.harvest(10)[-1] == (len(end.decided), sum(map(bool, end.decided.values())))
    assert set(end.via) <= set(end.decided) and all(via.startswith("http://hub") for via in end.via.values())
