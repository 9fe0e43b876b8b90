"""Rules in the exchange format of Zyte's duplicate-url-discarder, where they fit it."""

import re
from collections import defaultdict
from typing import Any

from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import RuleSet


def to_zyte(rules: RuleSet) -> list[dict[str, Any]]:
    """Parameters that are dropped whatever their value, as `queryRemoval` rules, one for each host and path.

    A path on all hosts does not fit, nor a condition that is more than a folder: such rules are left out.

    >>> from garimpo.dust.rules.ruleset import Rule
    >>> to_zyte(RuleSet([Rule.make("parameter", ["a.org"], "/shop?sid=*", "")]))[0]["urlPattern"]
    {'include': ['a.org/shop']}
    """
    names: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for rule in rules.rules:
        scope, _, pair = rule.context.partition("?")
        folder = _folder(rule.condition)
        scope = scope or folder or ""
        if rule.kind == "parameter" and pair.endswith("=*") and folder is not None:
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


def _folder(condition: str | None) -> str | None:
    """The folder that a condition asks for, empty where there is none; None where it asks for more.

    >>> _folder("^/a\\\\.b/shop/(**)$"), _folder(None), _folder("^/shop/(**)$ ?act")
    ('/a.b/shop', '', None)
    """
    if not condition:
        return ""
    found = re.fullmatch(r"\^((?:\\.|[^\\ (~])+)/\(\*\*\)\$", condition)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else None
