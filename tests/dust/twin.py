"""The kernels of the room once more, in plain Python: slow, obvious, and compared with them."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import xxhash

from garimpo.dust.method.operation import Operation
from garimpo.dust.rules.operations import names, values_of
from garimpo.dust.rules.ruleset import PATTERN_KINDS, SPACE, Rule, RuleSet, parts_of
from garimpo.url import host as host_of
from garimpo.url import token_type, tokens

_SIGNS = {
    "([a-zA-Z]+)": "([a-zA-Z]+)", "([0-9]+)": "([0-9]+)", "[a-zA-Z]+": "[a-zA-Z]+", "[0-9]+": "[0-9]+",
    "★": "([^/?=&#;:.]+)", "(~)": "([^/]+)", "~": "[^/]+", "(**)": "(.*)", "(&)": "([^&;]+)",
}  # fmt: skip


def to_regex(context: str) -> str:
    """A context as a regular expression of `re`."""
    out, at = [], 0
    while at < len(context):
        sign = next((sign for sign in _SIGNS if context.startswith(sign, at)), None)
        if sign and sign[0] == "(" and context.startswith("?", at + len(sign)):
            out.append("(?:&)" if sign == "(&)" else "(?:" + _SIGNS[sign][1:])
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


@dataclass
class State:
    """A URL while rules are applied to it."""

    scheme: str
    host: str
    path: str
    pairs: list[str] | None
    sign: str = "&"
    moved: bool = False
    tag: str = ""

    @classmethod
    def of(cls, url: str) -> "State":
        scheme, _, rest = url.partition("://")
        before, mark, query = rest.partition("?")
        host, slash, path = before.partition("/")
        state = cls(scheme, host, slash + path, None)
        state.ask(mark + query)
        return state

    def ask(self, query: str) -> None:
        """Take another query, with its question mark."""
        self.sign = "&" if "&" in query else ";"
        self.pairs = query[1:].split(self.sign) if query else None

    def query(self) -> str:
        return "" if self.pairs is None else "?" + self.sign.join(self.pairs)

    def text(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}{self.query()}{self.tag}"


def key_by(mine: list[Rule], url: str) -> str:
    """The same by these rules, whatever their hosts."""
    for rule in mine:
        if rule.kind == "alignment":
            made = match(rule.context, rule.template, url)
            if made is not None:
                return SPACE + made
    state = State.of(url)
    for rule in mine:
        if rule.kind in ("bundle", "scheme", "port", "www", "host"):
            step(rule, state)
    for rule in mine:
        if rule.kind == "query-case":
            step(rule, state)
    for _ in range(4):
        before = replace(state)
        for rule in mine:
            if rule.kind in PATTERN_KINDS or rule.kind in ("case", "path-parameter", "separator", "template"):
                step(rule, state)
        if before == state:
            break
    asked = replace(state)
    for rule in mine:
        if rule.kind in ("parameter", "order"):
            step(rule, state, asked)
    return SPACE + state.text()


def holds(condition: str | None, state: State) -> bool:
    given = [pair.partition("=") for pair in state.pairs or []]
    for part in (condition or "").split():
        name, equals, value = part[1:].partition("=")
        values = [own for key, _, own in given if key == name]
        if part[0] == "^" and re.fullmatch(to_regex(part), state.path, re.DOTALL) is None:
            return False
        if part[0] == "!" and values:
            return False
        if part[0] == "?" and not (value in values if equals else values):
            return False
    return True


def step(rule: Rule, state: State, asked: State | None = None) -> bool:
    """One rule on the state; whether it changed it."""
    if not holds(rule.condition, asked or state):
        return False
    before = replace(state)
    if rule.kind == "bundle":
        return _bundle(rule, state)
    if rule.kind == "scheme":
        state.scheme = "http"
    elif rule.kind == "port":
        state.host = state.host.removesuffix(rule.context)
    elif rule.kind == "separator":
        if rule.context[0] == "?":
            state.ask(state.query().replace(rule.context[1:], rule.template))
        else:
            state.path = state.path.replace(rule.context, rule.template)
    elif ":" in state.host and rule.kind in ("www", "host"):
        pass
    elif rule.kind == "www" and state.host.startswith("www.") and not state.moved:
        state.host, state.moved = state.host[4:], True
    elif rule.kind == "host" and not state.moved:
        host, path = _other_name(rule, state.host, state.path)
        state.moved = (host, path) != (state.host, state.path)
        state.host, state.path = host, path
    elif rule.kind == "query-case" and state.pairs is not None:
        state.pairs = [_lower(pair) for pair in state.pairs]
    elif rule.kind == "template":
        made = match(rule.context, rule.template, state.path + state.query())
        if made is not None:
            state.path, mark, query = made.partition("?")
            state.ask(mark + query)
    elif rule.kind == "parameter":
        kept = [pair for pair in state.pairs or [] if not _drops(rule.context, state.path, pair)]
        if state.pairs is not None and len(kept) < len(state.pairs):
            state.pairs = kept or None
    elif rule.kind == "order":
        state.pairs = None if state.pairs is None else sorted(state.pairs)
    else:
        state.path, query = _path_step(rule, state.path, state.query())
        state.ask(query)
    return before != state


def _bundle(rule: Rule, state: State) -> bool:
    trial = replace(state)
    form = ""
    for part in parts_of(rule):
        form += "1" if step(part, trial) else "0"
        trial.ask(trial.query())
    forms = rule.template.split()
    if form not in forms:
        return False
    if not any(set(own) == {"0"} for own in forms):
        trial.tag = "#" + xxhash.xxh64_hexdigest(f"{rule.context}|{rule.template}".encode())[:8]
    changed = trial != state
    state.__dict__.update(trial.__dict__)
    return changed


def _other_name(rule: Rule, host: str, path: str) -> tuple[str, str]:
    for (source, cut), (target, put) in names(rule):
        if host == source and (not cut or path == cut or path.startswith(cut + "/")):
            return target, put + path[len(cut) :]
    return host, path


def _lower(text: str) -> str:
    return re.sub(r"%..|[A-Z]", lambda found: found.group().lower() if len(found.group()) == 1 else found.group(), text)


def _path_step(rule: Rule, path: str, query: str) -> tuple[str, str]:
    if rule.kind == "case" and (not rule.context or path == rule.context or path.startswith(rule.context + "/")):
        return _lower(path), query
    if rule.kind == "path-parameter":
        return re.sub(re.escape(rule.context) + "[^/;]*", "", path), query
    if rule.kind in PATTERN_KINDS:
        made = match(rule.context, rule.template, path)
        if made is not None:
            path, _, more = made.partition("?")
            return path, f"?{more}&{query[1:]}" if more and len(query) > 1 else f"?{more}" if more else query
    return path, query


def _drops(context: str, path: str, pair: str) -> bool:
    scope, _, wanted = context.partition("?")
    if scope and path != scope and not path.startswith(scope + "/"):
        return False
    name, _, value = wanted.partition("=")
    return pair.partition("=")[0] == name and (value == "*" or pair.partition("=")[2] in values_of(value))


def outcome(rules: list[Rule], rows: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """What rules do to distinct URLs, each with its cluster: clusters too many of one key, URLs that share both with another."""
    groups: dict[str, list[int]] = defaultdict(list)
    for url, cluster in rows:
        groups[key_by(rules, url)].append(cluster)
    denied = sum(len(set(clusters)) - 1 for clusters in groups.values())
    saved = sum(len(clusters) - len(set(clusters)) for clusters in groups.values())
    return denied, saved


def each(operations: Sequence[Operation], rows: Sequence[tuple[str, int]]) -> dict[Operation, tuple[int, int]]:
    """Each operation alone: saved, denied."""
    return {operation: outcome([operation.rule(["h"])], rows)[::-1] for operation in operations}


def together(operations: Sequence[Operation], rows: Sequence[tuple[str, int]]) -> tuple[int, int]:
    """What all of them do: saved, denied."""
    return outcome(list(RuleSet(operation.rule(["h"]) for operation in operations).rules), rows)[::-1]


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
