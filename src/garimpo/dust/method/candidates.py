"""What the clusters of one host propose: operations from all sources in one list, those that most pairs propose first."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from garimpo.dust.inputs.preparation import runs
from garimpo.dust.method.operation import Operation
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.method.sources.proposals import explanations, operations_of
from garimpo.dust.method.sources.unions import Unions
from garimpo.dust.method.trial import HostRows
from garimpo.dust.rules.pattern import escape, escape_template

MOST_CLUSTERS = 250
"""Clusters of one host that are compared pair by pair; more propose nothing new. What is proposed is counted on all."""
QUOTA = {"bundle": 40, "whole": 40, "part": 72}
"""Operations of each source that are measured on a host."""
MOST_MEMBERS = 50
"""Members of a cluster whose shapes are looked at."""
MANY = 5
"""From so many URLs of one page on, what follows their common folder may mean nothing."""
Proposed = dict[Operation, tuple[int, tuple[str, str]]]
"""How many pairs propose an operation, and the first of them."""


def proposed(host: HostRows, texts: Sequence[str], sample: int) -> Proposed:
    """The operations that a host's clusters propose."""
    starts = runs(host.clusters)
    many = np.flatnonzero(np.diff(starts) >= 2)
    if len(many) > MOST_CLUSTERS:
        many = many[np.linspace(0, len(many) - 1, MOST_CLUSTERS).astype(np.int64)]
    found: Proposed = {}
    unions = Unions()
    usual = _shapes(texts[starts[place] : starts[place + 1]] for place in many.tolist())
    for place in many.tolist():
        members = sampled(texts[starts[place] : starts[place + 1]], sample, usual)
        parts = [Parts.of(url) for url in members]
        own: dict[Operation, tuple[str, str]] = {}
        for i, j in _pairs(len(parts)):
            for slots in explanations(parts[j], parts[i]):
                unions.add(slots, parts[j], parts[i], (members[j], members[i]))
                for operation in operations_of(slots):
                    own.setdefault(operation, (members[j], members[i]))
        for operation in common_folder(parts):
            own.setdefault(operation, (members[1], members[0]))
        for operation, example in own.items():
            count, first = found.get(operation, (0, example))
            found[operation] = (count + 1, first)
    for operation, count, example in unions.proposals():
        found.setdefault(operation, (count, example))
    return _within_quotas(found)


def _shape(url: str) -> tuple[str, str]:
    """The first folder of a URL and the names of its parameters."""
    parts = Parts.of(url)
    segments = parts.path.split("/")
    return segments[1] if len(segments) > 2 else "", "&".join(name for name, _ in parts.query or ())


def _shapes(clusters: Iterable[Sequence[str]]) -> Counter[tuple[str, str]]:
    """In how many clusters each shape stands: what most pages have is what other forms are made of."""
    return Counter(shape for urls in clusters for shape in {_shape(url) for url in urls[:MOST_MEMBERS]})


def sampled(members: Sequence[str], sample: int, usual: Counter[tuple[str, str]]) -> list[str]:
    """The URL of a cluster that has the most usual shape, of these the shortest, and some of the others, evenly."""
    ordered = sorted(members, key=lambda url: (len(url), url))
    first = min(ordered[:MOST_MEMBERS], key=lambda url: (-usual[_shape(url)], len(url), url))
    ordered.remove(first)
    ordered.insert(0, first)
    if len(ordered) <= sample:
        return ordered
    return [ordered[0], *ordered[1 :: -(-(len(ordered) - 1) // (sample - 1))]]


def _pairs(size: int) -> list[tuple[int, int]]:
    return sorted({(0, i) for i in range(1, size)} | {(i - 1, i) for i in range(1, size)})


def common_folder(parts: Sequence[Parts]) -> list[Operation]:
    """Of a page under many URLs: that what follows the folders they share means nothing."""
    paths = [part.path.split("/")[1:] for part in parts]
    if len(set(map(tuple, paths))) < MANY:
        return []
    shared = 0
    while shared < min(map(len, paths)) - 1 and len({path[shared] for path in paths}) == 1:
        shared += 1
    if not shared:
        return []
    folder = paths[0][:shared]
    return [Operation("rewrite", f"^/{'/'.join(map(escape, folder))}/(**)$", f"/{'/'.join(map(escape_template, folder))}/")]


def _within_quotas(found: Proposed) -> Proposed:
    left = dict(QUOTA)
    kept: Proposed = {}
    for operation in sorted(found, key=lambda o: (-found[o][0], o.sorting)):
        source = {"bundle": "bundle", "rewrite": "whole", "template": "whole"}.get(operation.kind, "part")
        if left[source]:
            left[source] -= 1
            kept[operation] = found[operation]
    return kept
