"""The rules that a crawl believes, each with its words, what it saved, a true example, and how its checks went by host."""

import difflib
import warnings
from typing import Any

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError, LeftOut
from garimpo.crawl.gate.folds import Fold
from garimpo.crawl.state import rule_rows, skipped
from garimpo.url import tokens

MOST_HOSTS = 200


def rule_views(store: Store) -> list[dict[str, Any]]:
    """The URL rules in force, and those of which something is left: those that saved most first.

    Args:
        store: the crawl folder.
    """
    rules = _in_force(store)
    saved = {name: (count, url, owner) for name, count, url, owner in skipped.saved_by_rule(store.database)}
    checked = _records(store)
    views = []
    for name in [*rules, *(name for name in saved if name not in rules)]:
        known, (count, url, owner) = rules.get(name, {}), saved.get(name, (0, None, None))
        record = checked.get(name, [])
        told = {"id": name, "words": known.get("words") or "a rule of an earlier version", "kind": known.get("kind", "earlier")}
        told |= {"hosts": known.get("hosts", []), "support": known.get("support", 0), "false": known.get("false", 0)}
        told |= {"clusters": known.get("clusters", 0), "made_from": known.get("made_from", []), "saved": count}
        told |= {"example": None if url is None else {"url": url, "owner": owner}, "record": record[:MOST_HOSTS]}
        told |= {name: sum(one[name] for one in record) for name in ("checks", "unequal", "withdrawn")}
        views.append(told)
    return sorted(views, key=lambda view: (-view["saved"], -view["checks"], -view["support"], view["id"]))


def _in_force(store: Store) -> dict[str, dict[str, Any]]:
    from garimpo.dust.rules.report import in_words
    from garimpo.dust.rules.ruleset import RuleSet

    path = store.learned.path("rules")
    try:
        rules = [] if path is None else RuleSet.load(path).rules
    except GarimpoError:
        warnings.warn(f"{path}: damaged, left out", LeftOut, stacklevel=2)
        return {}
    return {
        rule.id: {
            "words": in_words(rule), "kind": rule.kind, "hosts": list(rule.hosts), "support": rule.support,
            "clusters": rule.clusters, "false": rule.false_positives, "made_from": list(rule.made_from[:2]),
        }
        for rule in rules
    }  # fmt: skip


def _records(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Of each rule what is known of it on each host, worst first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for rule, host, skips, checks, unequal, withdrawn in rule_rows.records(store.database):
        told = {"host": host, "skips": skips, "checks": checks, "unequal": unequal, "withdrawn": bool(withdrawn)}
        found.setdefault(rule, []).append(told)
    for several in found.values():
        several.sort(key=lambda one: (-one["unequal"], -one["checks"], one["host"]))
    return found


def fold_views(store: Store) -> list[dict[str, Any]]:
    """The hosts that are taken for copies, the hosts that are kept, what that saved, and how the checks went.

    Args:
        store: the crawl folder.
    """
    from garimpo.contract.reading import read_table
    from garimpo.crawl.gate.folds import rule_of_fold

    path = store.learned.path("folds")
    try:
        table = None if path is None else read_table(path, Fold._fields)
    except GarimpoError:
        warnings.warn(f"{path}: damaged, left out", LeftOut, stacklevel=2)
        table = None
    rows = [] if table is None else table.select(list(Fold._fields)).to_pylist()
    saved = skipped.saved_by_mirror(store.database)
    views = []
    for row in rows:
        record = rule_rows.record_of(store.database, rule_of_fold(row["host"]), row["host"]) or (0, 0, 0, 0)
        count, url, owner = saved.get(rule_of_fold(row["host"]), (0, None, None))
        told = {"checks": record[1], "unequal": record[2], "withdrawn": bool(record[3]), "saved": count}
        example = None if url is None else {"url": url, "owner": owner}
        views.append({**row, **told, "rule": rule_of_fold(row["host"]), "example": example})
    return sorted(views, key=lambda view: (-view["saved"], view["host"]))


def compared(url: str, owner: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Two URLs that show one page, in parts: what only the one has is `gone`, what only the other has is `kept`.

    Args:
        url: the URL that was skipped.
        owner: the URL that stands for it.

    >>> compared("http://a.org/x?sid=7", "http://a.org/x")[0]
    [('http://a.org/x', ''), ('?sid=7', 'gone')]
    """
    a, b = list(tokens(url)), list(tokens(owner))
    left: list[tuple[str, str]] = []
    right: list[tuple[str, str]] = []
    for kind, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        before, after = "".join(a[a1:a2]), "".join(b[b1:b2])
        left += [(before, "" if kind == "equal" else "gone")] if before else []
        right += [(after, "" if kind == "equal" else "kept")] if after else []
    return left, right
