"""What a model goes by and how a site was decided, in words."""

import math

from garimpo.sites.detector import Detection, Visit
from garimpo.sites.link_worth import LearnedPriority
from garimpo.sites.model import SiteModel
from garimpo.sites.page_judge import PageJudge
from garimpo.sites.priority import FilterPriority
from garimpo.sites.results import ANSWERS

SPACES = {"t": "title", "u": "URL", "b": "text", "s": "type"}


def model_lines(model: SiteModel, most: int = 15) -> list[str]:
    """What a model goes by.

    Args:
        model: The model.
        most: How many words of each kind are shown.
    """
    lines = [f"entity: {model.entity or 'without a name'}", f"languages: {' '.join(sorted(model.languages)) or 'not told'}"]
    lines += _judge_lines(f"a page is a listing from a chance of {model.threshold:.2f} on", model.listing, most)
    if model.topic is not None:
        lines += _judge_lines("a page speaks like relevant sites", model.topic, most)
    lines += ["", "a link is worth following", *_priority_lines(model, most)]
    if model.vote is not None:
        vote = model.vote
        lines += ["", "without a listing, all pages read vote",
                  f"  yes from a chance of {vote.yes_from:.2f} on, no below {vote.no_below:.2f}, else unknown",
                  f"  a page without an opinion gives {_chance(vote.intercept):.2f}, many of nine to one "
                  f"{_chance(vote.intercept + vote.weight * 2.2):.2f}"]  # fmt: skip
    limits = model.limits
    lines += ["", f"at most {limits.max_pages} pages a site, {limits.max_depth} links deep"]
    if model.odds is not None:
        lines.append(f"gives up when the chance of a listing falls below {model.odds.give_up_below:.3f}")
    return lines


def _judge_lines(title: str, judge: PageJudge, most: int) -> list[str]:
    if judge.tree is not None:
        names = [*judge.numbers, *judge.kept]
        used = dict.fromkeys(_spelled(names[int(i)]) for i in judge.tree[0] if i >= 0)
        return ["", title, f"  by a tree over: {', '.join(list(used)[:most])}"]
    speaking, against = judge.words(most)
    numbers = sorted(zip(judge.numbers, judge.weights), key=lambda pair: -abs(pair[1]))
    return ["", title, f"  for it: {', '.join(map(_spelled, speaking))}", f"  against it: {', '.join(map(_spelled, against))}",
            "  numbers: " + ", ".join(f"{name} {judge.slope * weight:+.2f}" for name, weight in numbers)]  # fmt: skip


def _priority_lines(model: SiteModel, most: int) -> list[str]:
    priority = model.priority
    if isinstance(priority, FilterPriority):
        return [f"  by hand: {len(priority.file.anchor)} words for it, {len(priority.file.against)} against it"]
    known = sorted({word.partition(":")[2] for word in model.listing.kept})
    worth = sorted(((_worth(priority, word), word) for word in known), reverse=True)
    best, worst = worth[:most], worth[::-1][:most]
    return ["  with an anchor such as: " + ", ".join(word for value, word in best if value > 0),
            "  not with: " + ", ".join(word for value, word in worst if value < 0)]  # fmt: skip


def _worth(priority: LearnedPriority, word: str) -> float:
    """What a word in an anchor adds."""
    return priority.score("http://a.com/", word, True) - priority.score("http://a.com/", "", True)


def trace_lines(model: SiteModel, found: Detection, most: int = 4) -> list[str]:
    """How one site was decided: which pages were asked for, why, and what each changed.

    Args:
        model: What decided it.
        found: The answer.
        most: How many reasons are shown of each page.
    """
    head = f"{found.site}: {ANSWERS[found.relevant]}, {found.reason} (chance {found.score:.2f}, {found.pages_fetched} pages)"
    return [head, *(line for number, visit in enumerate(found.visits, 1) for line in _visit_lines(model, number, visit, most))]


def _visit_lines(model: SiteModel, number: int, visit: Visit, most: int) -> list[str]:
    why = "where it began" if visit.level == 0 else f"link of worth {visit.priority:.1f}, {visit.level} deep"
    lines = [f"  {number}. {visit.url}  ({why})"]
    if visit.page is None:
        return [*lines, "     could not be read"]
    chance = "" if visit.chance is None else f", site now {visit.chance:.2f}"
    lines.append(f"     listing {visit.score:.2f} of {model.threshold:.2f}, topic {visit.topic:.2f}{chance}")
    reasons = model.listing.reasons(visit.page, most)
    if reasons:
        lines.append("     " + ", ".join(f"{_spelled(name)} {value:+.2f}" for name, value in reasons))
    return lines


def _spelled(name: str) -> str:
    """A feature as a person would call it.

    >>> _spelled("t:casas"), _spelled("images")
    ('casas (title)', 'images')
    """
    space, _, word = name.partition(":")
    return f"{word} ({SPACES[space]})" if word else name.replace("_", " ")


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))
