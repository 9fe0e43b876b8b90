"""Rules as data, and sets of them: stored, merged, compared, and applied to URLs."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from html import escape
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
from garimpo.dust.rules.reach import ANYWHERE, Reach
from garimpo.url import normalise, normalise_column

KINDS = (
    "alignment", "bundle", "scheme", "port", "www", "host", "path-parameter", "case", "separator", "template", "index", "slash",
    "extension", "prefix", "segment", "rewrite", "query-case", "parameter", "order",
)  # fmt: skip
"""All kinds, in the order they are applied."""

PATTERN_KINDS = frozenset({"index", "slash", "extension", "prefix", "segment", "rewrite"})
MOST_PARTS = 8
"""Operations of one bundle."""
SHOWN = 50
"""Rules that a notebook shows of a set."""
SPACE = "dust:"
"""The name space of keys that a rule made: no normalised URL begins so."""


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule: what `template` makes of URLs like `context`, by its `kind`, under an `id`; and why: `clusters`, `made_from`.

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
    """Where on its hosts it holds (`condition`); None: everywhere."""
    support: int = 0
    """Fetches it would have saved on the clusters it was confirmed on."""
    clusters: int = 0
    false_positives: int = 0
    """Pairs of different pages it would have taken for one there."""
    provisional: bool = False
    """Whether what it ignores was seen only there or not there, never with two values: a default of each page looks the same."""
    made_from: tuple[str, ...] = ()

    @classmethod
    def make(cls, kind: str, hosts: Iterable[str], context: str, template: str, **evidence: Any) -> "Rule":
        """A rule under the name its kind, context, template and condition give it, whatever its hosts.

        Args:
            kind: one of `KINDS`
            hosts: the hosts it holds on; ``*`` is all
            context: what it reads, in the language of its kind
            template: what it makes of that, in the language of its kind
            evidence: the other fields of a rule
        """
        said = f"{kind}|{context}|{template}" + (f"|{evidence['condition']}" if evidence.get("condition") else "")
        name = f"{kind}-{xxhash.xxh64_hexdigest(said.encode())[:10]}"
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
    """Rules in the order they are applied, compiled by host (`rules`: in any order; `version`: of the set in a crawl).

    >>> rules = RuleSet([Rule.make("parameter", ["a.org"], "?sid=*", ""), Rule.make("slash", ["a.org"], "^(**)/$", "$1")])
    >>> rules.key("http://a.org/b/?sid=1&x=2"), rules.key("http://a.org/b?x=2"), rules.key("http://c.org/b/")
    ('dust:http://a.org/b?x=2', 'dust:http://a.org/b?x=2', 'http://c.org/b/')
    """

    def __init__(self, rules: Iterable[Rule] = (), version: int = 1) -> None:
        kept = sorted(rules, key=_order)
        self.rules: tuple[Rule, ...] = tuple(kept)
        self.version = version

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        return f"RuleSet({len(self):,} rules for {len(self.hosts):,} hosts)"

    def _repr_html_(self) -> str:
        from garimpo.dust.rules.report import by_saving, in_words

        rows = "".join(f"<tr><td>{escape(in_words(rule))}</td><td>{rule.support:,}</td></tr>" for rule in by_saving(self)[:SHOWN])
        more = f"<p>and {len(self) - SHOWN:,} more</p>" if len(self) > SHOWN else ""
        return f"<p>{escape(repr(self))}</p><table><tr><th>rule</th><th>saves</th></tr>{rows}</table>{more}"

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self.rules == other.rules

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _program(self) -> Any:
        from garimpo.dust.rules.program import Program

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

        Args:
            host: the host's name

        >>> RuleSet([Rule.make("order", ["*"], "?", "sorted", but=("a.org",))]).rules_on("a.org")
        []
        """
        return [self.rules[number].id for number in self._program.rules_on(host)]

    def applies(self, host: str) -> bool:
        """Whether any rule may touch a URL of this host.

        Args:
            host: the host's name
        """
        return self._program.applies(host)

    def __getitem__(self, name: str) -> Rule:
        for rule in self.rules:
            if rule.id == name:
                return rule
        raise KeyError(name)

    def key(self, url: str) -> str:
        """The key of one URL: what a rule made of it, else the URL normalised, else (no http(s) URL) as it is.

        Args:
            url: any text
        """
        return self.keyed(url)[0]

    def keyed(self, url: str) -> tuple[str, str | None]:
        """The key of one URL and the rule that made it.

        Args:
            url: any text
        """
        normal = normalise(url)
        if normal is None:
            return url, None
        if not self.rules:
            return normal, None
        keys, rules = self._program.keys(pa.array([normal], pa.string()))
        return keys[0].as_py(), self.rules[rules[0]].id if rules[0] >= 0 else None

    def keys(self, urls: pa.Array | pa.ChunkedArray | Sequence[str]) -> tuple[pa.StringArray, pa.StringArray]:
        """The key of each URL of a column, and the rule that made it (null: none). What does not parse is its own key.

        Args:
            urls: any texts

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

    def without(self, withdrawn: Iterable[tuple[str, str]]) -> "RuleSet":
        """The set without some rules on some hosts: pairs (rule id, host). A rule that holds on no host is gone.

        On one host, a rule that holds on all gets an exception; on ``*``, it goes.

        Args:
            withdrawn: names of rules, each with a host

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
            elif ANYWHERE in reach.hosts or len(reach.hosts) >= (2 if moves_hosts(rule) else 1):
                kept.append(rule.within(reach))
        return RuleSet(kept, self.version)

    def merge(self, other: "RuleSet") -> "RuleSet":
        """The rules of both; where both have a rule, its hosts are united and the larger evidence stands.

        Args:
            other: rules to use beside these
        """
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
        """Pairs (rule id, host) that are new here, and those that are gone, against an older set.

        Args:
            older: what to compare with
        """
        return {"added": _beyond(self, older), "removed": _beyond(older, self)}

    def to_json(self) -> bytes:
        """The text of a `rules.json`."""
        return msgspec.json.format(msgspec.json.encode(_File(RULES_FORMAT, self.version, list(self.rules))), indent=1) + b"\n"

    @classmethod
    def from_json(cls, data: bytes, where: str = "rules") -> "RuleSet":
        """Read a `rules.json`. Raises `BadInput` with one line where it is damaged or of another format.

        Args:
            data: the file's bytes
            where: its name, for the message
        """
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{where}: no rules file ({error})") from None
        if not 1 <= file.format <= RULES_FORMAT:  # format 1 had no conditions and fewer kinds
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
        """Write a `rules.json`, whole or not at all.

        Args:
            path: the file to write
        """
        publish_bytes(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "RuleSet":
        """Read a `rules.json`.

        Args:
            path: the file to read
        """
        try:
            return cls.from_json(Path(path).read_bytes(), str(path))
        except (FileNotFoundError, IsADirectoryError):
            raise BadInput(f"{path}: no such file") from None


def _beyond(rules: RuleSet, others: RuleSet) -> list[tuple[str, str]]:
    """Pairs (rule id, host) of one set that the other does not have."""
    theirs = {rule.id: rule.reach for rule in others.rules}
    return sorted((rule.id, host) for rule in rules.rules for host in rule.reach.beyond(theirs.get(rule.id, Reach.of(()))))


_PLACES = {kind: place for place, kind in enumerate(KINDS)}


def _order(rule: Rule) -> tuple[int, int, str, str, str]:
    """By kind; alignments then by what they save, as the first that matches is the last that does. Else the evidence, which
    grows, decides nothing: what was measured is what is applied."""
    saves = -rule.support if rule.kind == "alignment" else 0
    return _PLACES.get(rule.kind, len(KINDS)), saves, rule.context, rule.template, rule.condition or ""


def moves_hosts(rule: Rule) -> bool:
    """Whether a rule speaks of two names of a host."""
    if rule.kind == "bundle":
        return any(part.kind in ("www", "host") for part in parts_of(rule))
    return rule.kind in ("www", "host")


def parts_of(rule: Rule) -> list[Rule]:
    """The operations of a bundle as rules of their own, in the order they are applied: the one they stand in.

    >>> both = '[["www", "www.", ""], ["order", "?", "sorted"]]'
    >>> [part.kind for part in parts_of(Rule.make("bundle", ["a.org"], both, "00 11"))]
    ['www', 'order']
    """
    try:
        found = msgspec.json.decode(rule.context, type=list[tuple[str, str, str]])
    except msgspec.DecodeError:
        raise BadInput(f"the context of the bundle {rule.id} is no list of kind, context and template") from None
    if not 1 <= len(found) <= MOST_PARTS or any(kind not in _PLACES or kind in ("alignment", "bundle") for kind, _, _ in found):
        raise BadInput(f"the bundle {rule.id} has an unknown kind in it, or more than {MOST_PARTS} operations")
    return [Rule.make(kind, rule.hosts, *what) for kind, *what in found]
