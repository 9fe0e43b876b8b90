"""Passages told from an extractor's text."""

from garimpo.page.main.alignment import kept_by
from garimpo.page.main.passages import Passage

LONG = "one two three four five six seven eight"
OTHER = "nine ten eleven twelve thirteen fourteen fifteen"


def kept(lines, extracted):
    return kept_by([Passage("paragraph", [line]) for line in lines], extracted)


def test_a_long_passage_seen_early_does_not_hide_the_rest():
    """A teaser of the last paragraph stands before the story."""
    assert kept([OTHER, "Menu", LONG, "a", OTHER, "Menu"], f"{LONG} a {OTHER}") == [True, False, True, True, True, False]


def test_a_short_passage_must_stand_in_its_place():
    assert kept(["seven", LONG, "Home", OTHER, "ten"], f"{LONG}\nHome\n{OTHER}") == [False, True, True, True, False]


def test_a_passage_that_was_cut_is_kept_if_most_of_it_is_there():
    assert kept([LONG, OTHER], "one two three four five six seven nine ten") == [True, False]


def test_nothing():
    assert kept([], "x") == [] and kept(["", "a"], "") == [False, False]
