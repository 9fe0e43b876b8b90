"""Groups of copies from pairs, without chains: two groups become one only if their hosts agree on the whole.

Pairs are taken from the surest down. Joining two groups is weighed by all pairs between them: the log odds of those that are
candidates, and a fixed amount against for each that is not, since copies that share nothing we know of are suspicious. A host
that resembles one member of a group and none of the others does not get in.
"""

import numpy as np

from garimpo.mirrors.page_scan import Array

UNSEEN = -1.5
"""Log odds of two hosts of one group that share nothing known."""
LIMIT = 6.0
"""No pair outvotes the others by more than this."""


def group(first: Array, second: Array, probability: Array, hosts: int) -> Array:
    """The group of each host: the smallest number of its members; a host that is no copy is alone.

    >>> group(np.array([0, 1]), np.array([1, 2]), np.array([0.99, 0.6]), 3).tolist()
    [0, 0, 2]
    """
    odds = np.clip(np.log(probability + 1e-12) - np.log1p(-probability + 1e-12), -LIMIT, LIMIT)
    joined = _Groups()
    touched = np.zeros(hosts, bool)
    likely = probability >= 0.5
    touched[first[likely]] = touched[second[likely]] = True
    inside = touched[first] & touched[second]
    for a, b, weight in zip(first[inside].tolist(), second[inside].tolist(), odds[inside].tolist()):
        joined.meet(a, b, weight)
    order = np.lexsort((second[likely], first[likely], -probability[likely]))
    for a, b in zip(first[likely][order].tolist(), second[likely][order].tolist()):
        joined.join(a, b)
    out = np.arange(hosts)
    for members in joined.members.values():
        out[members] = min(members)
    return out


class _Groups:
    """Members of each group, and between groups the sum of log odds and the number of pairs it stands for."""

    def __init__(self) -> None:
        self.root: dict[int, int] = {}
        self.members: dict[int, list[int]] = {}
        self.between: dict[int, dict[int, tuple[float, int]]] = {}

    def meet(self, a: int, b: int, weight: float) -> None:
        for host, other in ((a, b), (b, a)):
            self.root.setdefault(host, host)
            self.members.setdefault(host, [host])
            self.between.setdefault(host, {})[other] = (weight, 1)

    def join(self, a: int, b: int) -> None:
        a, b = self.root[a], self.root[b]
        if a == b:
            return
        weight, seen = self.between[a][b]
        if weight + UNSEEN * (len(self.members[a]) * len(self.members[b]) - seen) <= 0.0:
            return
        if len(self.between[a]) < len(self.between[b]):
            a, b = b, a
        for host in self.members[b]:
            self.root[host] = a
        self.members[a] += self.members.pop(b)
        del self.between[a][b]
        for other, (more, pairs) in self.between.pop(b).items():
            if other == a:
                continue
            had = self.between[a].get(other, (0.0, 0))
            self.between[a][other] = self.between[other][a] = (had[0] + more, had[1] + pairs)
            del self.between[other][b]
