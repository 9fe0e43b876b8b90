"""The judge of the real web: which pages it calls one."""

import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from realweb.answers import Answer, Answers
from realweb.application import Application, Command, Kind, Masks, Material
from realweb.judge import Judge, are_near, main_text, shingles_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


class Paper(Application):
    """An application that is only judged."""

    name = "paper"
    hosts = ("paper.test",)
    masks = Masks(main="main", drop=".token", patterns=(r"\d+ minutes ago",))

    def install(self, folder: Path) -> None: ...

    def fill(self, folder: Path, material: Material) -> None: ...

    def serve(self, folder: Path, port: int) -> Command:
        return Command(["false"])

    def kind(self, url: str) -> Kind:
        return "document" if urlsplit(url).path.startswith("/doc") else "listing"


def html(main: str, chrome: str = "") -> Answer:
    return Answer(200, [("Content-Type", "text/html")], f"<body><nav>{chrome}</nav><main>{main}</main></body>".encode())


def words(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [f"w{chance.randrange(10_000)}" for _ in range(count)]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return Judge(Paper(), Answers(tmp_path / "paper.sqlite"))


def test_masks_leave_the_main_text() -> None:
    page = html("Gold <i class=token>a9f3</i> found 7 minutes ago<script>x = 1</script>", "Menu")
    assert main_text(page, Paper.masks) == "gold found"


def test_pages_that_differ_in_masked_parts_only_are_one(judge: Judge) -> None:
    text = " ".join(words(100, 1))
    one = judge.verdict("http://paper.test/doc/1", html(f"{text} 3 minutes ago", "Menu A"))
    two = judge.verdict("http://paper.test/list?x=1", html(f"{text} <b class=token>77</b> 9 minutes ago", "Menu B"))
    assert one.page == two.page and (one.kind, two.kind) == ("document", "listing")
    assert judge.documents() == {one.page}


@pytest.mark.parametrize(("changed", "one"), [(1, True), (12, False)])
def test_the_cut_is_at_95_hundredths(judge: Judge, changed: int, one: bool) -> None:
    text = words(400, 2)
    other = text.copy()
    for place in range(0, 30 * changed, 30):
        other[place] = "changed"
    assert are_near(shingles_of(" ".join(text)), shingles_of(" ".join(other))) is one
    pages = {judge.verdict(f"http://paper.test/{n}", html(" ".join(given))).page for n, given in enumerate((text, other))}
    assert len(pages) == (1 if one else 2)


def test_the_index_of_prefixes_misses_no_near_pair(judge: Judge) -> None:
    texts = []
    for group in range(12):
        text = words(150 + 10 * group, group)
        for place in range(6):
            other = text.copy()
            other[place * 7] = "x"
            texts.append(" ".join(other if place else text))
    pages = [judge.verdict(f"http://paper.test/{n}", html(text)).page for n, text in enumerate(texts)]
    sets = [shingles_of(text) for text in texts]
    firsts = {page: pages.index(page) for page in pages}
    for left, right in combinations(range(len(texts)), 2):
        if firsts[pages[left]] == left and left < right and are_near(sets[left], sets[right]):
            assert pages[right] <= pages[left]


def test_a_chain_of_small_changes_joins_only_what_is_near_the_first(judge: Judge) -> None:
    text = words(200, 3)
    pages = []
    for place in range(0, 200, 10):
        text[place] = f"new{place}"
        pages.append(judge.verdict(f"http://paper.test/{place}", html(" ".join(text))).page)
    assert 1 < len(set(pages)) < len(pages)


def test_errors_are_no_pages_and_empty_pages_are_their_own(judge: Judge) -> None:
    assert judge.verdict("http://paper.test/doc/gone", Answer(404, [], b"gone")).page is None
    empty = [judge.verdict(f"http://paper.test/e{n}", html("", chrome)).page for n, chrome in enumerate("ab")]
    assert len(set(empty)) == 2


def test_verdicts_are_kept_and_begun_anew_when_masks_change(tmp_path: Path) -> None:
    text = " ".join(words(80, 4))
    answers = Answers(tmp_path / "kept.sqlite")
    first = Judge(Paper(), answers)
    page = first.verdict("http://paper.test/doc/1", html(text)).page
    first.verdict("http://paper.test/doc/2", html("something else altogether"))
    again = Judge(Paper(), answers)
    assert again.documents() == first.documents() and len(again.documents()) == 2
    assert again.verdict("http://paper.test/doc/3", html(text)).page == page

    class Other(Paper):
        masks = Masks()

    assert Judge(Other(), answers).documents() == set()


def test_the_judge_imports_nothing_of_garimpo() -> None:
    code = "import sys, realweb.judge; sys.exit(any(name.partition('.')[0] == 'garimpo' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(BENCHMARKS)}, check=False).returncode == 0
