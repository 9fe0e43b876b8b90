"""The kernels of the room once more, in plain Python: slow, obvious, and compared with them."""

import re
from collections import defaultdict
from collections.abc import Sequence

from garimpo.dust.operation import Operation
from garimpo.dust.program import names
from garimpo.dust.rules import PATTERN_KINDS, SPACE, Rule, RuleSet
from garimpo.url import host as host_of
from garimpo.url import token_type, tokens

_SIGNS = {
    "([a-zA-Z]+)": "([a-zA-Z]+)", "([0-9]+)": "([0-9]+)", "[a-zA-Z]+": "[a-zA-Z]+", "[0-9]+": "[0-9]+",
    "★": "([^/?=&#;:.]+)", "(~)": "([^/]+)", "~": "[^/]+", "(**)": "(.*)",
}  # fmt: skip


def to_regex(context: str) -> str:
    """A context as a regular expression of `re`."""
    out, at = [], 0
    while at < len(context):
        sign = next((sign for sign in _SIGNS if context.startswith(sign, at)), None)
        if sign and sign[0] == "(" and context.startswith("?", at + len(sign)):
            out.append("(?:" + _SIGNS[sign][1:])
            at += len(sign)
        elif sign:
            out.append(_SIGNS[sign])
            at += len(sign)
        elif context[at] == "\\":
            out.append(re.escape(context[at + 1]))
            at += 2
        else:
            group = context[at] == "("
            out.append("(?:" if group else context[at] if context[at] in "^$)|?" else re.escape(context[at]))
            at += 1
    return "".join(out)


def fill(template: str, groups: tuple[str, ...]) -> str:
    def part(match: re.Match[str]) -> str:
        return groups[int(match.group(1)) - 1] if match.group(1) else match.group(2)

    return re.sub(r"\$(\d+)|\\(.)", part, template, flags=re.DOTALL)


def match(context: str, template: str, text: str) -> str | None:
    found = re.fullmatch(to_regex(context), text, re.DOTALL)
    return None if found is None else fill(template, found.groups())


def key(rules: list[Rule], url: str) -> str:
    """The key of a normalised URL whose host some rule names and covers."""
    return key_by([rule for rule in rules if rule.reach.has(host_of(url) or "")], url)


def keys(rules: Sequence[Rule], urls: Sequence[str]) -> tuple[list[str], list[int]]:
    """The key of each normalised URL and the number of some rule of its host that covers it, -1 for none."""
    reaches = [rule.reach for rule in rules]
    on = {host: [n for n, reach in enumerate(reaches) if reach.has(host)] for host in {host_of(url) or "" for url in urls}}
    made, by = [], []
    for url in urls:
        numbers = on[host_of(url) or ""]
        form = key_by([rules[number] for number in numbers], url) if numbers else SPACE + url
        changed = form != SPACE + url
        made.append(form if changed else url)
        by.append(numbers[-1] if changed else -1)
    return made, by


def key_by(mine: list[Rule], url: str) -> str:
    """The same by these rules, whatever their hosts."""
    for rule in mine:
        if rule.kind == "alignment":
            made = match(rule.context, rule.template, url)
            if made is not None:
                return SPACE + made
    scheme, _, rest = url.partition("://")
    before, mark, query = rest.partition("?")
    host, slash, path = before.partition("/")
    path = slash + path
    pairs = query.split("&") if mark else []
    for rule in mine:
        if rule.kind == "scheme":
            scheme = "http"
        elif rule.kind == "www" and host.startswith("www."):
            host = host[4:]
        elif rule.kind == "host":
            host, path = _other_name(rule, host, path)
        elif rule.kind == "query-case":
            pairs = [_lower(pair) for pair in pairs]
    for _ in range(4):
        changed = path
        for rule in mine:
            path, pairs = _path_step(rule, path, pairs)
        if changed == path:
            break
    dropped = False
    for rule in mine:
        if rule.kind == "parameter":
            kept = [pair for pair in pairs if not _drops(rule.context, path, pair)]
            dropped, pairs = dropped or len(kept) < len(pairs), kept
        elif rule.kind == "order":
            pairs = sorted(pairs)
    question = "?" if pairs or (mark and not dropped) else ""
    return f"{SPACE}{scheme}://{host}{path}{question}{'&'.join(pairs)}"


def _other_name(rule: Rule, host: str, path: str) -> tuple[str, str]:
    for (source, cut), (target, put) in names(rule):
        if host == source and (not cut or path == cut or path.startswith(cut + "/")):
            return target, put + path[len(cut) :]
    return host, path


def _lower(text: str) -> str:
    return re.sub(r"%..|[A-Z]", lambda found: found.group().lower() if len(found.group()) == 1 else found.group(), text)


def _path_step(rule: Rule, path: str, pairs: list[str]) -> tuple[str, list[str]]:
    if rule.kind == "case" and (not rule.context or path == rule.context or path.startswith(rule.context + "/")):
        return _lower(path), pairs
    if rule.kind == "path-parameter":
        return re.sub(re.escape(rule.context) + "[^/;]*", "", path), pairs
    if rule.kind in PATTERN_KINDS:
        made = match(rule.context, rule.template, path)
        if made is not None:
            path, mark, query = made.partition("?")
            return path, query.split("&") + pairs if mark and query else pairs
    return path, pairs


def _drops(context: str, path: str, pair: str) -> bool:
    scope, _, wanted = context.partition("?")
    if scope and path != scope and not path.startswith(scope + "/"):
        return False
    name, _, value = wanted.partition("=")
    return pair.partition("=")[0] == name and value in ("*", pair.partition("=")[2])


def outcome(rules: list[Rule], rows: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """What rules do to distinct URLs, each with its cluster: clusters too many of one key, URLs that share both with another."""
    groups: dict[str, list[int]] = defaultdict(list)
    for url, cluster in rows:
        groups[key_by(rules, url)].append(cluster)
    denied = sum(len(set(clusters)) - 1 for clusters in groups.values())
    saved = sum(len(clusters) - len(set(clusters)) for clusters in groups.values())
    return denied, saved


def each(operations: Sequence[Operation], rows: Sequence[tuple[str, int]]) -> dict[Operation, tuple[int, int]]:
    """Each operation alone."""
    return {operation: outcome([_rule(operation)], rows) for operation in operations}


def together(operations: Sequence[Operation], rows: Sequence[tuple[str, int]], fpr_max: float) -> list[Operation]:
    """Of operations in this order, those that save more with the ones before and confuse few enough pages."""
    taken: list[Operation] = []
    best = 0
    for operation in operations:
        rules = RuleSet(_rule(o) for o in [*taken, operation]).rules
        denied, saved = outcome(list(rules), rows)
        if saved > best and denied <= fpr_max * saved:
            taken, best = [*taken, operation], saved
    return taken


def _rule(operation: Operation) -> Rule:
    return Rule.make(operation.kind, ["h"], operation.context, operation.template)


def align(first: list[tuple[str | None, ...]], second: list[tuple[str | None, ...]]) -> list[tuple[str | None, ...]]:
    """Two alignments as one: Jaccard of case-folded sets, free gaps, diagonal before left before up."""
    n, m = len(first), len(second)
    score = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            gain = _gain(first[i - 1], second[j - 1])
            score[i][j] = max(score[i - 1][j - 1] + gain, score[i - 1][j], score[i][j - 1])
    rows_a, rows_b = len(first[0]), len(second[0])
    out: list[tuple[str | None, ...]] = []
    i, j = n, m
    while i or j:
        gain = _gain(first[i - 1], second[j - 1]) if i and j else -1.0
        if gain >= 0 and abs(score[i][j] - score[i - 1][j - 1] - gain) < 1e-9:
            i, j = i - 1, j - 1
            out.append((*first[i], *second[j]))
        elif j and (not i or abs(score[i][j] - score[i][j - 1]) < 1e-9):
            j -= 1
            out.append((*[None] * rows_a, *second[j]))
        else:
            i -= 1
            out.append((*first[i], *[None] * rows_b))
    return out[::-1]


def _gain(a: tuple[str | None, ...], b: tuple[str | None, ...]) -> float:
    types = [{token_type(token) for token in column if token} for column in (a, b)]
    if not types[0] & types[1]:
        return -1.0
    sets = [{token.lower() if token else None for token in column} for column in (a, b)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def chain(urls: list[str]) -> list[tuple[str | None, ...]]:
    """All URLs in their order, each aligned to those before."""
    consensus: list[tuple[str | None, ...]] = [(token,) for token in tokens(urls[0])]
    for url in urls[1:]:
        consensus = align([(token,) for token in tokens(url)], consensus)
    return consensus
