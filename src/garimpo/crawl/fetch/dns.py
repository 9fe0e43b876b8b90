"""Where a host is: from a hosts file, from the one place given for all, or from the DNS, asked in threads and remembered.

With `--resolve-all` only the socket goes to that place: for politeness and in the tables a host's address is what the hosts
file says, else the host stands for its own address. With a proxy, or with a `Fetcher` in place of the network, no name is
looked up: they do that.
"""

import ipaddress
import queue
import socket
import threading
import time
from pathlib import Path

from garimpo.contract.errors import BadInput
from garimpo.crawl.settings import Settings
from garimpo.url.addresses import is_address

THREADS = 8
KEPT_SECONDS = 600.0
MOST_KEPT = 50_000
"""Answers remembered; beyond that the older half is forgotten."""


def read_hosts(path: str | Path) -> dict[str, str]:
    """The names of a hosts file with their addresses; a bad line is `BadInput`."""
    names: dict[str, str] = {}
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file") from None
    for number, line in enumerate(lines, 1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        try:
            address = str(ipaddress.ip_address(fields[0]))
        except ValueError:
            raise BadInput(f"{path}:{number}: {fields[0]!r} is not an IP address") from None
        names.update((name.lower(), address) for name in fields[1:])
    return names


def look_up(name: str) -> str | None:
    """The address of a host by the DNS; None where it has none."""
    try:
        return str(socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError):
        return None


class Resolver:
    """Answers for each host which address counts for politeness, and where the socket goes."""

    def __init__(self, settings: Settings, looks_up: bool = True) -> None:
        self._fixed = read_hosts(settings.hosts) if settings.hosts else {}
        self._all = settings.resolve_all
        self._by_proxy = settings.proxy is not None or not looks_up
        self._wanted: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[str, str | None]] = queue.SimpleQueue()
        self._known: dict[str, tuple[str | None, float]] = {}
        self._threads: list[threading.Thread] = []
        self.pending = 0

    def known(self, name: str) -> str | None:
        """The address that counts for a host where no lookup is needed, else None."""
        if name in self._fixed:
            return self._fixed[name]
        if self._all or self._by_proxy or is_address(name):
            return name
        return self._known.get(name, (None, 0.0))[0]

    def find(self, name: str) -> str:
        """The address that counts for a host, looked up where need be; one without stands for itself."""
        return self.known(name) or look_up(name) or name

    def ip(self, name: str) -> str | None:
        """What the tables say: the address of the hosts file; None leaves it to the connection made."""
        if name in self._fixed:
            return self._fixed[name]
        return None

    @property
    def made_up(self) -> bool:
        """Whether the address a socket connects to says nothing about the host."""
        return self._all is not None or self._by_proxy

    def connect_to(self, name: str) -> str | None:
        """Where the socket goes, as libcurl's CONNECT_TO wants it; None: as the URL says."""
        if self._all is not None:
            return self._all
        address = self._fixed.get(name) or self._fresh(name)
        if address is None or self._by_proxy:
            return None
        return f"[{address}]:" if ":" in address else f"{address}:"

    def _fresh(self, name: str) -> str | None:
        """The address found last; an old one is still good, but the name is looked up again."""
        address, at = self._known.get(name, (None, 0.0))
        if address is not None and time.monotonic() - at > KEPT_SECONDS:
            self._known[name] = (address, time.monotonic())
            self.ask(name)
        return address

    def ask(self, name: str) -> None:
        """Have a name looked up; `answers` will tell."""
        if not self._threads:
            self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(THREADS)]
            for thread in self._threads:
                thread.start()
        self.pending += 1
        self._wanted.put(name)

    def answers(self) -> list[tuple[str, str | None]]:
        """(name, address or None) of the lookups that ended."""
        found = []
        while self.pending and not self._answers.empty():
            name, address = self._answers.get()
            self.pending -= 1
            self._known[name] = (address, time.monotonic())
            found.append((name, address))
        if len(self._known) > MOST_KEPT:
            self._known = dict(list(self._known.items())[MOST_KEPT // 2 :])
        return found

    def close(self) -> None:
        for _ in self._threads:
            self._wanted.put(None)

    def _serve(self) -> None:
        while (name := self._wanted.get()) is not None:
            self._answers.put((name, look_up(name)))
