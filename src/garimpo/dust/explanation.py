"""Why a URL has the key it has."""

import msgspec

from garimpo.contract.results import Result
from garimpo.dust.rules.ruleset import SPACE, RuleSet
from garimpo.url import host, normalise


def explain(rules: RuleSet, url: str) -> Result:
    """The URL's normal form, its key, and each step on the way: the rule, what stood before and after, its evidence.

    Args:
        rules: the rules that are asked
        url: the URL that is asked about

    >>> from garimpo.dust import Rule
    >>> rules = RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1", support=9)])
    >>> [(step["before"], step["after"]) for step in explain(rules, "http://a.org/b/")["steps"]]
    [('http://a.org/b/', 'http://a.org/b')]
    """
    normal = normalise(url)
    key, made_by = rules.keyed(url)
    result = Result(url=url, normalised=normal, key=key, rule=made_by, steps=[])
    if normal is None or made_by is None:
        return result
    mine = [rule for rule in rules.rules if rule.reach.has(host(normal) or "")]
    before = normal
    for count in range(1, len(mine) + 1):
        after = RuleSet(mine[:count]).key(normal).removeprefix(SPACE)
        if after != before:
            rule = mine[count - 1]
            evidence = {name: value for name, value in msgspec.to_builtins(rule).items() if name not in ("hosts", "but")}
            alignment = _alignment(rule.made_from) if rule.kind == "alignment" else []
            result["steps"].append({"before": before, "after": after, **evidence, "alignment": alignment})
            before = after
        if mine[count - 1].kind == "alignment" and result["steps"]:
            break
    return result


def _alignment(urls: tuple[str, ...]) -> list[list[str | None]]:
    """The columns the rule came from: the tokens of the URLs it was made from, under each other."""
    from garimpo.dust.thesis.multiple_alignment import align

    return [list(column) for column in align(urls).columns] if len(urls) > 1 else []
