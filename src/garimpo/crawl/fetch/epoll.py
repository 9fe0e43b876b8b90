"""The sockets of libcurl on one epoll.

libcurl tells when a socket is to be watched and when no more, both for every request. A connection that is kept alive is
watched again by the next request on it, so its socket *rests* in the epoll meanwhile: to take it up is to set its events.
One that was closed has left the epoll by itself, and its number may be another's by then; both show when it is taken up.
"""

import contextlib
import select
from collections.abc import Iterator, Sequence
from typing import Any

import pycurl

from garimpo.contract.errors import BadInput

IN, OUT, ERR, HUP = (getattr(select, f"EPOLL{name}", 0) for name in ("IN", "OUT", "ERR", "HUP"))
"""None of them but on Linux, where `require_epoll` lets a crawl begin; elsewhere what a crawl left can still be read."""
RESTING = 0
EVENTS = {
    pycurl.POLL_NONE: RESTING,
    pycurl.POLL_REMOVE: RESTING,
    pycurl.POLL_IN: IN,
    pycurl.POLL_OUT: OUT,
    pycurl.POLL_INOUT: IN | OUT,
}
TOLD = IN | OUT | ERR | HUP
READY = {
    events: (
        (pycurl.CSELECT_IN if events & (IN | HUP) else 0)
        | (pycurl.CSELECT_OUT if events & OUT else 0)
        | (pycurl.CSELECT_ERR if events & ERR else 0)
    )
    for events in range(TOLD + 1)
}
"""What epoll says of a socket, as libcurl wants to hear it."""


def require_epoll() -> None:
    """Refuse to begin what this system has no means for."""
    if not hasattr(select, "epoll"):
        raise BadInput("this system has no epoll: asking the web needs Linux")


class Sockets:
    """What libcurl waits for on which descriptor; others can be watched beside."""

    def __init__(self) -> None:
        require_epoll()
        self._epoll = select.epoll()
        self._events: dict[int, int] = {}

    def wanted(self, what: int, descriptor: int, multi: Any, data: Any) -> None:
        """libcurl's socket function: what it waits for on a descriptor from now on."""
        events, known = EVENTS[what], self._events.get(descriptor)
        if events == known or (events == RESTING and known is None):
            return
        self._events[descriptor] = events
        if known is None:
            self._epoll.register(descriptor, events)
        elif events != RESTING:
            try:
                self._epoll.modify(descriptor, events)
            except FileNotFoundError:  # it was closed while it rested, and this is another of the same number
                self._epoll.register(descriptor, events)

    def watch(self, descriptors: Sequence[int]) -> None:
        """Also wake when one of these can be read. Closed ones drop out by themselves."""
        for descriptor in descriptors:
            self._events.pop(descriptor, None)  # of a socket that was closed while it rested
            with contextlib.suppress(FileExistsError):
                self._epoll.register(descriptor, IN)

    def poll(self, seconds: float) -> Iterator[tuple[int, int]]:
        """Wait for something to happen; each descriptor libcurl waits for, and what it is ready for."""
        for descriptor, events in self._epoll.poll(max(seconds, 0.0)):
            known = self._events.get(descriptor)
            if known:
                yield descriptor, READY[events & TOLD]
            elif known == RESTING:  # closed by the server, as a rule: libcurl finds out when it wants to use it
                del self._events[descriptor]
                with contextlib.suppress(OSError):  # closed by libcurl over an event before this one
                    self._epoll.unregister(descriptor)

    def close(self) -> None:
        self._epoll.close()
