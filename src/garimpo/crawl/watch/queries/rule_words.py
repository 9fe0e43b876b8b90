"""What a crawl believes, in words: its URL rules and the reasons for which it leaves a URL out."""

import warnings
from functools import lru_cache
from pathlib import Path

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError, LeftOut

SCOPE = {
    "scheme": "its scheme is not among those asked for",
    "port": "its port belongs to another service than the Web",
    "private": "it leads to a private address",
    "suffix": "its host does not end as asked",
    "host": "its host is not one of the seeds' hosts",
    "site": "its site is not one of the seeds' sites",
    "removed": "it was taken out of the folder for good",
    "exclude": "an exclude pattern matches it",
    "include": "no include pattern matches it",
    "depth": "it is more links away from the seeds than allowed",
}
TRAPS = {
    "long": "the URL is very long",
    "endless": "each page of its shape was found on another of the same shape",
    "deep": "its path is very deep",
    "repeated segments": "its path repeats its own segments",
}


def rule_words(store: Store, rule: str, version: int | None = None) -> str | None:
    """What a learned URL rule says; None for one that is in no version that is kept.

    Args:
        store: the crawl folder.
        rule: the rule's name.
        version: the version of the rules that it was applied in; those in force are asked first.
    """
    for path in (store.learned.path("rules"), store.learned.path("rules", version) if version else None):
        if path is not None and path.exists() and rule in (words := _all_words(path, path.stat().st_mtime_ns)):
            return words[rule]
    return None


def reason_words(reason: str, rule: str | None) -> str:
    """Why a URL was left out, in words.

    Args:
        reason: the reason in the skipped table.
        rule: which part of it.

    >>> reason_words("scope", "depth"), reason_words("robots", None)
    ('it is more links away from the seeds than allowed', 'the robots.txt of its host forbids it')
    """
    if reason == "scope":
        return SCOPE.get(rule or "", f"it is out of scope ({rule})")
    if reason == "trap":
        return f"it looks like a trap: {TRAPS.get(rule or '', 'pages of its shape keep repeating what the crawl has')}"
    told = {
        "robots": "the robots.txt of its host forbids it",
        "dust": "a learned rule says that it shows the page of another URL",
        "mirror": "its host is a copy of another one",
    }
    return told.get(reason, reason if rule is None else f"{reason} ({rule})")


@lru_cache(8)
def _all_words(path: Path, changed: int) -> dict[str, str]:
    from garimpo.dust.rules.report import in_words
    from garimpo.dust.rules.ruleset import RuleSet

    try:
        return {rule.id: in_words(rule) for rule in RuleSet.load(path).rules}
    except GarimpoError:
        warnings.warn(f"{path}: damaged, left out", LeftOut, stacklevel=2)
        return {}
