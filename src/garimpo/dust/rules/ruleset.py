"""Rules as data, and sets of them: stored, merged, compared, and applied to URLs."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish_bytes
from garimpo.contract.versions import RULES_FORMAT
from garimpo.dust.reach import ANYWHERE, Reach
from garimpo.url import normalise, normalise_column

KINDS = (
    "alignment", "scheme", "www", "host", "path-parameter", "case", "index", "slash", "extension", "prefix", "segment",
    "rewrite", "query-case", "parameter", "order",
)  # fmt: skip
"""All kinds, in the order they are applied."""

PATTERN_KINDS = frozenset({"index", "slash", "extension", "prefix", "segment", "rewrite"})
SPACE = "dust:"
"""The name space of keys that a rule made: no normalised URL begins so."""


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule and the evidence for it.

    >>> rule = Rule.make("parameter", ["a.org"], "?sid=*", "")
    >>> rule.id == Rule.make("parameter", ["b.org"], "?sid=*", "").id
    True
    """

    id: str
    kind: str
    hosts: tuple[str, ...]
    """``*`` is all hosts."""
    context: str
    template: str
    but: tuple[str, ...] = ()
    """Hosts on which it does not hold, though it holds on all others."""
    condition: str | None = None
    support: int = 0
    """Fetches it would have saved on the clusters it was confirmed on."""
    clusters: int = 0
    false_positives: int = 0
    made_from: tuple[str, ...] = ()

    @classmethod
    def make(cls, kind: str, hosts: Iterable[str], context: str, template: str, **evidence: Any) -> "Rule":
        """A rule under the name its kind, context and template give it, whatever its hosts."""
        name = f"{kind}-{xxhash.xxh64_hexdigest(f'{kind}|{context}|{template}'.encode())[:10]}"
        return cls(name, kind, tuple(sorted(set(hosts))), context, template, **evidence)

    @property
    def reach(self) -> Reach:
        """The hosts it holds on."""
        return Reach.of(self.hosts, self.but)

    def within(self, reach: Reach) -> "Rule":
        """The same rule on other hosts."""
        return msgspec.structs.replace(self, hosts=tuple(sorted(reach.hosts)), but=tuple(sorted(reach.but)))


class _File(msgspec.Struct):
    format: int
    version: int
    rules: list[Rule]


class RuleSet:
    """Rules in the order they are applied, compiled by host.

    >>> rules = RuleSet([Rule.make("parameter", ["a.org"], "?sid=*", ""), Rule.make("slash", ["a.org"], "^(**)/$", "$1")])
    >>> rules.key("http://a.org/b/?sid=1&x=2"), rules.key("http://a.org/b?x=2"), rules.key("http://c.org/b/")
    ('dust:http://a.org/b?x=2', 'dust:http://a.org/b?x=2', 'http://c.org/b/')
    """

    def __init__(self, rules: Iterable[Rule] = (), version: int = 1) -> None:
        kept = sorted(rules, key=lambda rule: (_place(rule), -rule.support, rule.context, rule.template))
        self.rules: tuple[Rule, ...] = tuple(kept)
        self.version = version

    def __len__(self) -> int:
        return len(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self.rules == other.rules

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _program(self) -> Any:
        from garimpo.dust.program import Program

        return Program(self.rules)

    @cached_property
    def _names(self) -> pa.StringArray:
        return pa.array([rule.id for rule in self.rules], pa.string())

    @property
    def hosts(self) -> frozenset[str]:
        """Every host some rule holds on; ``*`` for all."""
        return frozenset(host for rule in self.rules for host in rule.reach.hosts)

    def rules_on(self, host: str) -> list[str]:
        """The names of the rules that may touch a URL of this host, in their order.

        >>> RuleSet([Rule.make("order", ["*"], "?", "sorted", but=("a.org",))]).rules_on("a.org")
        []
        """
        return [self.rules[number].id for number in self._program.rules_on(host)]

    def applies(self, host: str) -> bool:
        """Whether any rule may touch a URL of this host."""
        return self._program.applies(host)

    def __getitem__(self, name: str) -> Rule:
        for rule in self.rules:
            if rule.id == name:
                return rule
        raise KeyError(name)

    def key(self, url: str) -> str:
        """The key of one URL: what a rule made of it, else the URL normalised, else (no http(s) URL) as it is."""
        return self.keyed(url)[0]

    def keyed(self, url: str) -> tuple[str, str | None]:
        """The key of one URL and the rule that made it."""
        normal = normalise(url)
        if normal is None:
            return url, None
        if not self.rules:
            return normal, None
        keys, rules = self._program.keys(pa.array([normal], pa.string()))
        return keys[0].as_py(), self.rules[rules[0]].id if rules[0] >= 0 else None

    def keys(self, urls: pa.Array | pa.ChunkedArray | Sequence[str]) -> tuple[pa.StringArray, pa.StringArray]:
        """The key of each URL of a column, and the rule that made it (null: none). What does not parse is its own key.

        >>> keys, made_by = RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1")]).keys(["http://a.org/b/", "nothing"])
        >>> keys.to_pylist(), made_by.to_pylist()
        (['dust:http://a.org/b', 'nothing'], ['slash-13706df5da', None])
        """
        column = urls if isinstance(urls, pa.Array | pa.ChunkedArray) else pa.array(urls, pa.string())
        normal = normalise_column(column)
        keys, numbers = self._program.keys(normal) if self.rules else (normal, np.full(len(normal), -1, np.int32))
        if normal.null_count:
            import pyarrow.compute as pc

            given = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
            keys = pc.if_else(normal.is_valid(), keys, given.cast(pa.string()))
        return keys, self._named(numbers)

    def _named(self, numbers: NDArray[np.int32]) -> pa.StringArray:
        if not self.rules:
            return pa.nulls(len(numbers), pa.string())
        return self._names.take(pa.array(numbers, mask=numbers < 0))

    def explain(self, url: str) -> dict[str, Any]:
        """What happens to a URL: its normal form, its key, and every rule of its host that touches it, with its evidence."""
        from garimpo.dust.explain import explain

        return explain(self, url)

    def without(self, withdrawn: Iterable[tuple[str, str]]) -> "RuleSet":
        """The set without some rules on some hosts: pairs (rule id, host). A rule that holds on no host is gone.

        On one host, a rule that holds on all gets an exception; on ``*``, it goes.

        >>> rules = RuleSet([Rule.make("slash", ["a.org", "b.org"], "^(**)/$", "$1")])
        >>> rules.without([(rules.rules[0].id, "a.org")]).hosts
        frozenset({'b.org'})
        """
        gone: dict[str, set[str]] = {}
        for name, host in withdrawn:
            gone.setdefault(name, set()).add(host)
        kept = []
        for rule in self.rules:
            reach = rule.reach.without(gone[rule.id]) if rule.id in gone else rule.reach
            if reach == rule.reach:
                kept.append(rule)
            elif ANYWHERE in reach.hosts or len(reach.hosts) >= (2 if rule.kind in ("www", "host") else 1):
                kept.append(rule.within(reach))
        return RuleSet(kept, self.version)

    def merge(self, other: "RuleSet") -> "RuleSet":
        """The rules of both; where both have a rule, its hosts are united and the larger evidence stands."""
        merged = {rule.id: rule for rule in self.rules}
        for rule in other.rules:
            mine = merged.get(rule.id)
            if mine is None:
                merged[rule.id] = rule
                continue
            best = max(mine, rule, key=lambda r: (r.support, r.clusters, r.made_from))
            merged[rule.id] = best.within(mine.reach.union(rule.reach))
        return RuleSet(merged.values(), max(self.version, other.version))

    def diff(self, older: "RuleSet") -> dict[str, list[tuple[str, str]]]:
        """Pairs (rule id, host) that are new here, and those that are gone, against an older set."""
        return {"added": _beyond(self, older), "removed": _beyond(older, self)}

    def to_json(self) -> bytes:
        """The text of a `rules.json`."""
        return msgspec.json.format(msgspec.json.encode(_File(RULES_FORMAT, self.version, list(self.rules))), indent=1) + b"\n"

    @classmethod
    def from_json(cls, data: bytes, where: str = "rules") -> "RuleSet":
        """Read a `rules.json`. Raises `BadInput` with one line where it is damaged or of another format."""
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{where}: no rules file ({error})") from None
        if file.format != RULES_FORMAT:
            raise BadInput(f"{where}: rules of format {file.format}, this version reads {RULES_FORMAT}: learn them again")
        for rule in file.rules:
            if rule.kind not in KINDS:
                raise BadInput(f"{where}: rule {rule.id} is of the unknown kind {rule.kind!r}")
        rules = cls(file.rules, file.version)
        try:
            _ = rules._program
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        return rules

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `rules.json`, whole or not at all."""
        publish_bytes(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "RuleSet":
        """Read a `rules.json`."""
        try:
            return cls.from_json(Path(path).read_bytes(), str(path))
        except (FileNotFoundError, IsADirectoryError):
            raise BadInput(f"{path}: no such file") from None


def _beyond(rules: RuleSet, others: RuleSet) -> list[tuple[str, str]]:
    """Pairs (rule id, host) of one set that the other does not have."""
    theirs = {rule.id: rule.reach for rule in others.rules}
    return sorted((rule.id, host) for rule in rules.rules for host in rule.reach.beyond(theirs.get(rule.id, Reach.of(()))))


_PLACES = {kind: place for place, kind in enumerate(KINDS)}


def _place(rule: Rule) -> int:
    return _PLACES.get(rule.kind, len(KINDS))
