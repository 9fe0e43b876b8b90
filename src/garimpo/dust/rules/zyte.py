"""Rules in the exchange format of Zyte's duplicate-url-discarder, where they fit it."""

from collections import defaultdict
from typing import Any

from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import RuleSet


def to_zyte(rules: RuleSet) -> list[dict[str, Any]]:
    """Parameters that are dropped whatever their value, as `queryRemoval` rules, one for each host and path.

    A path on all hosts does not fit: its rule is left out.

    >>> from garimpo.dust.rules.ruleset import Rule
    >>> to_zyte(RuleSet([Rule.make("parameter", ["a.org"], "/shop?sid=*", "")]))[0]["urlPattern"]
    {'include': ['a.org/shop']}
    """
    names: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for rule in rules.rules:
        scope, _, pair = rule.context.partition("?")
        if rule.kind == "parameter" and pair.endswith("=*"):
            for host in rule.reach.hosts:
                if host != ANYWHERE:
                    names[host + scope, ()].add(pair[:-2])
                elif not scope:
                    names["", rule.but].add(pair[:-2])
    return [
        {
            "args": sorted(arguments),
            "order": 100,
            "processor": "queryRemoval",
            "urlPattern": {"include": [place] if place else [], **({"exclude": list(but)} if but else {})},
        }
        for (place, but), arguments in sorted(names.items())
    ]
