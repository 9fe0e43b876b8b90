"""The study of a topic: when it studies again, and what the labels of a person change."""

import random
from pathlib import Path

import pytest

from crawl.made import StoredPages, html
from garimpo.crawl import Components, Settings, crawl, labels
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.topic_study import TopicStudy
from garimpo.focus import TopicModel

SITE = "http://a.example"
SUBJECTS = {
    "gold": ["gold", "river", "gravel", "sluice", "nugget", "miner", "claim", "stream", "sand", "creek", "ore", "vein", "assay"],
    "bread": ["bread", "flour", "yeast", "oven", "dough", "crust", "knead", "rye", "wheat", "loaf", "bake", "salt", "starter"],
    "chess": ["chess", "queen", "rook", "bishop", "pawn", "knight", "check", "mate", "board", "gambit", "opening", "king"],
}


def prose(subject: str, number: int) -> str:
    draw = random.Random(f"{subject} {number}")
    return " ".join(draw.choice(SUBJECTS[subject]) for _ in range(80))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of pages about three subjects, for the first of which it was shown examples."""
    home = tmp_path_factory.mktemp("topic")
    examples = home / "examples"
    examples.mkdir()
    for number in range(12):
        (examples / f"{number}.txt").write_text(prose("gold", 1000 + number))
    paths = [f"/{subject}/{number}" for subject in SUBJECTS for number in range(40)]
    answers = [html(f"{SITE}/", "".join(f"<a href='{path}'>{path}</a>" for path in paths))]
    answers += [html(SITE + path, f"<p>{prose(path.split('/')[1], int(path.rpartition('/')[2]))}</p>") for path in paths]
    pages = StoredPages(answers)
    settings = Settings(seeds=[f"{SITE}/"], delay=1.0, positive=[str(examples)], learn=False, trap_run=0)
    crawl(home / "crawl", settings, Components(fetcher=pages, clock=pages.clock))
    return home / "crawl"


def topic_of(corpus: Corpus, folder: Path, study: TopicStudy) -> tuple[TopicModel, str]:
    (finding,) = study.study()
    assert finding.write is not None, finding.why
    finding.write(folder / "made.model")
    return TopicModel.load(folder / "made.model"), finding.why


def test_labels_are_taken_up_by_the_next_round_however_few_pages_are_new(folder: Path, tmp_path: Path) -> None:
    with Corpus.open(folder) as corpus:
        list(corpus.segments())
        study = TopicStudy(corpus)
        before, _ = topic_of(corpus, tmp_path, study)
        (unchanged,) = study.study()
        assert unchanged.write is None
        for number in range(8):
            labels.say(folder, f"{SITE}/bread/{number}", good=True)
            labels.say(folder, f"{SITE}/chess/{number}", good=False)
        labels.say(folder, "http://nobody.example/", good=True)
        after, why = topic_of(corpus, tmp_path, study)
        assert "16 that were labelled" in why
        (unchanged,) = study.study()
        assert unchanged.write is None
    bread, chess = ([prose(subject, 500 + number) for number in range(10)] for subject in ("bread", "chess"))
    assert max(before.score(bread)) < before.threshold
    assert min(after.score(bread)) > max(after.score(chess))
    assert sum(score > after.threshold for score in after.score(bread)) >= 8
