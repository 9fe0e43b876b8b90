"""Rules in the exchange format of Zyte's duplicate-url-discarder, where they fit it."""

from collections import defaultdict
from typing import Any

from garimpo.dust.rules import RuleSet


def to_zyte(rules: RuleSet) -> list[dict[str, Any]]:
    """Parameters that are dropped whatever their value, as `queryRemoval` rules, one for each host and path.

    >>> from garimpo.dust.rules import Rule
    >>> to_zyte(RuleSet([Rule.make("parameter", ["a.org"], "/shop?sid=*", "")]))[0]["urlPattern"]
    {'include': ['a.org/shop']}
    """
    names: dict[str, set[str]] = defaultdict(set)
    for rule in rules.rules:
        scope, _, pair = rule.context.partition("?")
        if rule.kind == "parameter" and pair.endswith("=*"):
            for host in rule.hosts:
                names["" if host == "*" else host + scope].add(pair[:-2])
    return [
        {
            "args": sorted(arguments),
            "order": 100,
            "processor": "queryRemoval",
            "urlPattern": {"include": [place] if place else []},
        }
        for place, arguments in sorted(names.items())
    ]
