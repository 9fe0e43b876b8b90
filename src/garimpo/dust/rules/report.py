"""Rules as a person reads them: what each does, where, how much it saves, with the URLs it was made from."""

import os
import re
from collections.abc import Iterator, Sequence

from garimpo.dust.rules.condition import ABSENT, VALUE, Condition
from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import PATTERN_KINDS, Rule, RuleSet, parts_of
from garimpo.report import Report
from garimpo.report.pieces import coloured as coloured_parts
from garimpo.report.pieces import joined, tag
from garimpo.url import token_type, tokens

_COLOURS = {"a": "\x1b[36m", "n": "\x1b[33m", "p": "\x1b[2m"}
_RESET = "\x1b[0m"


def in_words(rule: Rule) -> str:
    """One line that says what a rule does, and where.

    Args:
        rule: the rule

    >>> in_words(Rule.make("parameter", ["a.org"], "?sid=*", "", condition="^/shop/(**)$ ?act=view !id"))
    'the parameter sid does not count, where the path is /shop/(**) and id is not and act=view is there'
    """
    said = _what(rule) if rule.kind != "bundle" else f"together: {'; '.join(map(_what, parts_of(rule)))}"
    condition = Condition.parse(rule.condition)
    where = [f"the path is {condition.path[1:-1]}"] if condition.path else []
    for clause in condition.clauses:
        named = f"{clause.name}={clause.value}" if clause.kind == VALUE else clause.name
        where.append(f"{named} is not" if clause.kind == ABSENT else f"{named} is there")
    return f"{said}, where {' and '.join(where)}" if where else said


def _what(rule: Rule) -> str:
    if rule.kind == "parameter":
        scope, _, pair = rule.context.partition("?")
        name, _, value = pair.partition("=")
        under = f"under {scope} " if scope else ""
        return f"{under}the parameter {name} does not count" if value == "*" else f"{under}{name}={value} does not count"
    if rule.kind in PATTERN_KINDS or rule.kind in ("alignment", "template"):
        return f"{_pattern(rule.context)} is read as {_filled(rule) or '(nothing)'}"
    return {
        "scheme": "http and https are the same",
        "www": "www. before the host does not count",
        "host": _host_words(rule),
        "port": f"{rule.context} behind the host does not count",
        "separator": f"{rule.context.removeprefix('?')} is {rule.template} in the {'query' if '?' in rule.context else 'path'}",
        "path-parameter": f"{rule.context}... in the path does not count",
        "case": f"capital letters do not count {f'under {rule.context}' if rule.context else 'in the path'}",
        "query-case": "capital letters do not count in the query",
        "order": "the order of parameters does not count",
    }[rule.kind]


def _host_words(rule: Rule) -> str:
    if rule.template == "*" and rule.context.endswith(".*"):
        return f"{rule.context[:-1]} before the host does not count"
    return f"{rule.context} is {rule.template}"


_PIECES = {"(**)": "…", "(*)": "*", "(~)": "*", "([0-9]+)": "N"}
"""What stands for a part of a URL in a pattern, and how a person is shown it."""
_PIECE = re.compile("|".join(map(re.escape, _PIECES)))


def _pattern(context: str) -> str:
    """A pattern without the signs that only programs need.

    >>> _pattern(r"^(**)\\.php5$"), _pattern("^/trip/([0-9]+)$")
    ('….php5', '/trip/N')
    """
    shown = _PIECE.sub(lambda found: _PIECES[found[0]], context.removeprefix("^").removesuffix("$"))
    return shown.replace("\\", "")


def _filled(rule: Rule) -> str:
    """What a template makes, with its pieces as the pattern shows them."""
    pieces = dict(enumerate(_PIECE.findall(rule.context), 1))
    return re.sub(r"\$(\d+)", lambda found: _PIECES.get(pieces.get(int(found[1]), ""), found[0]), rule.template)


def by_saving(rules: RuleSet) -> list[Rule]:
    """The rules, those that save most fetches first."""
    return sorted(rules.rules, key=lambda rule: (-rule.support, rule.id))


def lines(rules: RuleSet, top: int | None = None, colour: bool = False) -> Iterator[str]:
    """The rules for a terminal, example URLs coloured by token: letters, numbers, signs."""
    for rule in by_saving(rules)[:top]:
        yield f"{rule.support:>8,}  {rule.id}  {in_words(rule)}"
        yield f"          {_where(rule)}; {rule.clusters:,} clusters, {rule.false_positives:,} false"
        for url in rule.made_from[:2]:
            yield "            " + (coloured(url) if colour else url)


def _where(rule: Rule, most: int = 3) -> str:
    if ANYWHERE not in rule.hosts:
        return _first(rule.hosts, most)
    return f"every host but {_first(rule.but, most)}" if rule.but else "every host"


def _first(hosts: Sequence[str], most: int) -> str:
    return ", ".join(hosts[:most]) + (f" and {len(hosts) - most:,} more" if len(hosts) > most else "")


def coloured(url: str) -> str:
    """A URL with its tokens in the colours of their classes, for a terminal."""
    return "".join(f"{_COLOURS[token_type(token)]}{token}{_RESET}" for token in tokens(url))


def write_html(rules: RuleSet, path: str | os.PathLike[str]) -> None:
    """The rules as one offline HTML page."""
    report = Report(f"{len(rules):,} URL rules")
    report.paragraph("Those that save most fetches first. In examples, numbers are brown, signs grey.")
    rows = []
    for rule in by_saving(rules):
        urls = [coloured_parts([(token, token_type(token)) for token in tokens(url)]) for url in rule.made_from[:2]]
        hosts = "all" if ANYWHERE in rule.hosts else len(rule.hosts)
        said = joined([tag("b", in_words(rule)), tag("br"), joined(urls, "<br>")])
        shown = tag("span", hosts, title=_where(rule, 50))
        rows.append([rule.support, said, shown, rule.clusters, rule.false_positives, rule.id])
    report.table(["saves", "what it says, and what it was made from", "hosts", "clusters", "false", "rule"], rows)
    report.write(path)
