"""R_fanout-N (Dasgupta, Kumar, Sasturkar 2008): rules from pairs of URLs, generalised one key at a time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

Values = dict[str, str]
Clusters = dict[int, list[str]]


@dataclass(frozen=True)
class FanoutRule:
    """A context (value or ``*`` for each key) and what the target's keys are made of."""

    context: tuple[tuple[str, str], ...]
    target: tuple[tuple[str, str], ...]


def parts(url: str) -> Values:
    """A URL as keys and values: scheme, host, path by position, parameters by name, their order, a final slash."""
    scheme, _, rest = url.partition("://")
    before, mark, query = rest.partition("?")
    host, _, path = before.partition("/")
    found = {"scheme": scheme, "host": host}
    segments = path.split("/")
    found["slash"] = "/" if segments[-1] == "" else ""
    for place, text in enumerate(segment for segment in segments if segment):
        found[f"path{place:02d}"] = text
    names = []
    for pair in query.split("&") if mark else []:
        name, equals, value = pair.partition("=")
        names.append(name)
        found[f"?{name}"] = equals + value
    if names:
        found["order"] = "&".join(names)
    return found


def rebuild(values: Values) -> str:
    path = "/".join(values[key] for key in sorted(values) if key.startswith("path"))
    names = [name for name in values.get("order", "").split("&") if f"?{name}" in values]
    query = "&".join(name + values[f"?{name}"] for name in names)
    end = values.get("slash", "") if path else ""
    return f"{values['scheme']}://{values['host']}/{path}{end}{'?' + query if query else ''}"


def pair_rule(source: Values, target: Values) -> FanoutRule:
    by_value = {value: key for key, value in source.items() if len(value) > 1}
    made = []
    for key in sorted({*source, *target}):
        if key not in target:
            made.append((key, "drop"))
        elif source.get(key) == target[key]:
            made.append((key, "copy"))
        elif target[key] in by_value and key != "order":
            made.append((key, f"ref {by_value[target[key]]}"))
        else:
            made.append((key, f"const {target[key]}"))
    return FanoutRule(tuple(sorted(source.items())), tuple(made))


def generalise(rules: set[FanoutRule], fanout: int) -> set[FanoutRule]:
    """Until nothing changes: rules equal but for one key with more than `fanout` values there become one."""
    while True:
        groups: dict[tuple[str, tuple[tuple[str, str], ...], FanoutRule], set[FanoutRule]] = defaultdict(set)
        for rule in rules:
            for place, (key, value) in enumerate(rule.context):
                if key not in ("host", "order", "scheme") and value != "*":
                    context = (*rule.context[:place], (key, "*"), *rule.context[place + 1 :])
                    groups[key, context, FanoutRule((), rule.target)].add(rule)
        wide = {key: members for key, members in groups.items() if len(members) > fanout}
        if not wide:
            return rules
        gone = set().union(*wide.values())
        made = {FanoutRule(context, shell.target) for _, context, shell in wide}
        rules = (rules - gone) | made


def apply(rule: FanoutRule, values: Values) -> str | None:
    if len(values) != len(rule.context):
        return None
    for key, value in rule.context:
        if key not in values or value not in ("*", values[key]):
            return None
    out = {}
    for key, action in rule.target:
        kind, _, argument = action.partition(" ")
        if kind == "copy":
            out[key] = values[key]
        elif kind == "ref":
            out[key] = values[argument]
        elif kind == "const":
            out[key] = argument
    return rebuild(out)


class Fanout:
    """Rules in order of support, found by host and keys."""

    def __init__(self, rules: Sequence[FanoutRule]) -> None:
        self.rules = list(rules)
        self._index: dict[tuple[str, ...], list[FanoutRule]] = defaultdict(list)
        for rule in self.rules:
            self._index[_place(dict(rule.context))].append(rule)

    def candidates(self, values: Values) -> list[FanoutRule]:
        return self._index.get(_place(values), [])

    def key(self, url: str) -> tuple[str, FanoutRule | None]:
        values = parts(url)
        for rule in self.candidates(values):
            made = apply(rule, values)
            if made is not None:
                return made, rule
        return url, None


def _place(values: Values) -> tuple[str, ...]:
    return (values["host"], *sorted(values))


def learn(
    training: Clusters, validation: Clusters, fanout: int = 10, min_support: int = 10, fpr_max: float = 0.0, sample: int = 10
) -> tuple[Fanout, int]:
    """The valid rules and the number of candidates."""
    rules: set[FanoutRule] = set()
    for urls in training.values():
        some = sorted(urls, key=lambda url: (len(url), url))[:sample]
        values = [parts(url) for url in some]
        for i, target in enumerate(values):
            for source in values[i + 1 :]:
                rules.add(pair_rule(source, target))
    rules = generalise(rules, fanout)
    candidates = Fanout(sorted(rules, key=lambda rule: (rule.context, rule.target)))
    raw = {url: number for number, urls in validation.items() for url in urls}
    buckets: dict[FanoutRule, dict[str, dict[int, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for number, urls in validation.items():
        for url in urls:
            values = parts(url)
            for rule in candidates.candidates(values):
                made = apply(rule, values)
                if made is not None:
                    buckets[rule][made][number] += 1
    kept = []
    for rule, forms in buckets.items():
        support = correct = 0
        for form, counts in forms.items():
            if form in raw and apply(rule, parts(form)) is None:
                counts[raw[form]] += 1
            total = sum(counts.values())
            support += total * (total - 1) // 2
            correct += sum(n * (n - 1) // 2 for n in counts.values())
        if support >= min_support and support - correct <= fpr_max * support:
            kept.append((-support, rule.context, rule.target, rule))
    return Fanout([rule for *_, rule in sorted(kept, key=lambda entry: entry[:3])]), len(rules)
