"""Where a rule holds: on the hosts it names, or on all but some."""

from collections.abc import Collection, Set
from typing import NamedTuple

ANYWHERE = "*"
"""In place of a host: the rule holds on all."""


class Reach(NamedTuple):
    """Some hosts, or all (``*`` is among them), without the exceptions in `but`.

    >>> reach = Reach.of(["*"], ["a.org"])
    >>> reach.has("a.org"), reach.has("b.org")
    (False, True)
    """

    hosts: frozenset[str]
    but: frozenset[str]

    @classmethod
    def of(cls, hosts: Collection[str], but: Collection[str] = ()) -> "Reach":
        """The reach in its plainest form: nothing is named and excepted, and only of all hosts there are exceptions."""
        without = frozenset(but)
        return cls(frozenset(hosts) - without, without if ANYWHERE in hosts and ANYWHERE not in without else frozenset())

    def has(self, host: str) -> bool:
        """Whether a host is in it."""
        return host in self.hosts or (ANYWHERE in self.hosts and host not in self.but)

    def without(self, gone: Set[str]) -> "Reach":
        """What is left without some hosts; without ``*`` the hosts that are named beside it, if any.

        >>> Reach.of(["*"]).without({"a.org"}).but, Reach.of(["*"], ["a.org"]).without({"*"}).hosts
        (frozenset({'a.org'}), frozenset())
        """
        return Reach.of(self.hosts, self.but | gone)

    def union(self, other: "Reach") -> "Reach":
        """The hosts of both."""
        hosts = self.hosts | other.hosts
        return Reach(hosts, frozenset(host for host in self.but | other.but if not self.has(host) and not other.has(host)))

    def beyond(self, other: "Reach") -> set[str]:
        """The hosts of this one that the other does not have; ``*`` where that is all but some.

        >>> Reach.of(["*"]).beyond(Reach.of(["*"], ["a.org"])), Reach.of(["*"]).beyond(Reach.of(["a.org"]))
        ({'a.org'}, {'*'})
        """
        return {host for host in self.hosts | other.but if self.has(host) and not other.has(host)}
