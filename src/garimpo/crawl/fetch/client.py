"""Getting bytes: many requests at once through libcurl's multi interface, on one epoll.

A `Transfer` is one libcurl handle with its buffers, used again and again. Redirects are never followed here: each hop is an
answer of its own, for the loop to check and queue. The body is counted as it is unpacked, so that a compression bomb ends
at the size limit like any other page; what arrived by then is kept and marked truncated. Every new socket is looked at
before it connects: a private address is refused there, whatever name, redirect or DNS answer led to it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pycurl

from garimpo.contract.records import Fetched
from garimpo.crawl.fetch.certificates import bundle
from garimpo.crawl.fetch.epoll import Sockets
from garimpo.crawl.fetch.secrets import Secrets
from garimpo.crawl.fetch.transfer import Headers, Transfer, open_socket
from garimpo.crawl.settings import Settings
from garimpo.crawl.state.entry import Entry

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"
ERRORS = {
    pycurl.E_COULDNT_RESOLVE_HOST: "name not found",
    pycurl.E_COULDNT_CONNECT: "no connection",
    pycurl.E_OPERATION_TIMEDOUT: "timed out",
    pycurl.E_PARTIAL_FILE: "cut short",
    pycurl.E_GOT_NOTHING: "empty answer",
    pycurl.E_RECV_ERROR: "connection lost",
    pycurl.E_SEND_ERROR: "connection lost",
    pycurl.E_SSL_CONNECT_ERROR: "TLS failed",
    pycurl.E_PEER_FAILED_VERIFICATION: "certificate not trusted",
    pycurl.E_BAD_CONTENT_ENCODING: "bad compression",
    pycurl.E_HTTP2: "HTTP/2 error",
    pycurl.E_COULDNT_RESOLVE_PROXY: "proxy not found",
    8: "no HTTP answer",
    92: "HTTP/2 error",
    100: "too many headers",
}
FINAL = {"certificate not trusted", "bad compression", "private address", "too many headers", "no HTTP answer"}
"""Errors that trying again does not mend."""

GZIP = (b"application/gzip", b"application/x-gzip")  # packed sitemaps
_CONTENT_TYPE = b"\ncontent-type:"


class Answer:
    """What came of one request: the answer, the entry it was for, what was sent, and when the server had surely been asked."""

    __slots__ = ("asked", "at", "entry", "fetched", "purpose", "sent")

    def __init__(self, entry: Entry, fetched: Fetched, sent: Headers, at: float, asked: float, purpose: int) -> None:
        self.entry, self.fetched, self.sent, self.at, self.asked, self.purpose = entry, fetched, sent, at, asked, purpose


class Fetch:
    """All requests in flight. `start` begins one, `poll` gives the answers that are complete."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._multi, self._sockets = pycurl.CurlMulti(), Sockets()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._sockets.wanted)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, 4 * settings.connections)
        self._timer: float | None = None
        self._free: list[Transfer] = []
        self._transfers: dict[Any, Transfer] = {}
        self._share = _cookie_jar() if settings.keep_cookies else None
        self._base = (("User-Agent", settings.agent), ("Accept", ACCEPT))
        self._secrets = Secrets(settings)
        self._guarded = not (settings.allow_private or settings.resolve_all or settings.proxy)
        self._types = tuple(kind.encode() for kind in settings.content_types)
        self.received = 0
        """Body bytes received so far, unpacked."""

    @property
    def in_flight(self) -> int:
        return len(self._transfers)

    def start(self, entry: Entry, url: str, purpose: int, connect_to: str | None, ip: str | None, extra: Headers = ()) -> None:
        """Ask for `url`; the socket goes to `connect_to` ("address:port", either part may be empty) if it is given."""
        transfer = self._free.pop() if self._free else self._new_transfer()
        transfer.begin(entry, url, purpose, ip)
        transfer.curl.setopt(pycurl.URL, url)
        if connect_to != transfer.to:
            if connect_to:
                transfer.curl.setopt(pycurl.CONNECT_TO, [f"::{connect_to}"])
            else:  # an empty list would leave the last one in force
                transfer.curl.unsetopt(pycurl.CONNECT_TO)
            transfer.to = connect_to
        given = self._secrets.headers_for(url)
        sent = (*self._base, *given, *extra) if extra or given else self._base
        if sent is not transfer.sent:
            transfer.curl.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in sent])
            transfer.sent = sent
        self._transfers[transfer.curl] = transfer
        self._multi.add_handle(transfer.curl)

    def watch(self, descriptors: Sequence[int]) -> None:
        """Also wake `poll` when one of these can be read. Closed ones drop out by themselves."""
        self._sockets.watch(descriptors)

    def poll(self, seconds: float) -> list[Answer]:
        """Wait up to `seconds` for something to happen; the answers complete by then."""
        if self._timer is not None:
            seconds = min(seconds, max(self._timer - time.monotonic(), 0.0))
        for descriptor, ready in self._sockets.poll(seconds):
            self._multi.socket_action(descriptor, ready)
        if self._timer is not None and self._timer <= time.monotonic():
            self._timer = None
            self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        return self._complete()

    def close(self) -> None:
        """Drop everything in flight."""
        for transfer in [*self._transfers.values()]:
            self._multi.remove_handle(transfer.curl)
        for transfer in [*self._transfers.values(), *self._free]:
            transfer.curl.close()
        self._transfers.clear()
        self._multi.close()
        self._sockets.close()

    def _complete(self) -> list[Answer]:
        answers, now = [], self._clock()
        while True:
            left, good, bad = self._multi.info_read()
            answers += [self._finish(curl, None, now) for curl in good]
            answers += [self._finish(curl, code, now) for curl, code, _ in bad]
            if not left:
                return answers

    def _finish(self, curl: Any, code: int | None, now: float) -> Answer:
        transfer = self._transfers.pop(curl)
        self._multi.remove_handle(curl)
        error = None if code is None else self._error(transfer, code)
        seconds = curl.getinfo(pycurl.TOTAL_TIME)
        asked = now if error is not None else now - (seconds - curl.getinfo(pycurl.STARTTRANSFER_TIME))
        answer = Answer(transfer.entry, transfer.fetched(error, seconds), transfer.sent, now, asked, transfer.purpose)
        self.received += transfer.size
        transfer.chunks = []  # nothing of an answer stays with a transfer that waits for its next request
        self._free.append(transfer)
        return answer

    def _error(self, transfer: Transfer, code: int) -> str | None:
        if transfer.truncated or not transfer.wanted:
            return None
        if transfer.private:
            return "private address"
        return ERRORS.get(code, f"libcurl error {code}")

    def _accepts(self, head: list[bytes]) -> bool:
        """Whether a body is worth receiving: its content type is one of those to keep, or not stated."""
        lines = b"".join(head).lower()
        start = lines.rfind(_CONTENT_TYPE)
        kind = lines[start + len(_CONTENT_TYPE) : lines.find(b"\n", start + 1)].strip() if start >= 0 else b""
        return is_wanted(kind, self._types)

    def _new_transfer(self) -> Transfer:
        settings, curl = self._settings, pycurl.Curl()
        transfer = Transfer(curl, settings.max_body, self._accepts)
        for option, value in (
            (pycurl.NOSIGNAL, 1),
            (pycurl.FOLLOWLOCATION, 0),
            (pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS),
            (pycurl.ACCEPT_ENCODING, ""),
            (pycurl.CONNECTTIMEOUT_MS, int(settings.connect_timeout * 1000)),
            (pycurl.TIMEOUT_MS, int(settings.timeout * 1000)),
            (pycurl.BUFFERSIZE, 131_072),
            (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS),
        ):
            curl.setopt(option, value)
        if (file := settings.ca_file or bundle()) is not None:
            curl.setopt(pycurl.CAINFO, file)
        if settings.proxy:
            curl.setopt(pycurl.PROXY, settings.proxy)
        else:
            curl.setopt(pycurl.NOPROXY, "*")  # a proxy only when asked for, never from the environment
        if self._share is not None:
            curl.setopt(pycurl.COOKIEFILE, "")
            curl.setopt(pycurl.SHARE, self._share)
        if self._guarded:
            curl.setopt(pycurl.OPENSOCKETFUNCTION, lambda purpose, address: open_socket(transfer, address))
        return transfer

    def _on_timer(self, milliseconds: int) -> None:
        self._timer = None if milliseconds < 0 else time.monotonic() + milliseconds / 1000


def is_wanted(content_type: bytes, types: tuple[bytes, ...]) -> bool:
    """Whether a body of this content type (in lower case; empty: not stated) is kept.

    >>> is_wanted(b"text/html", (b"text/",)), is_wanted(b"image/png", (b"text/",)), is_wanted(b"", (b"text/",))
    (True, False, True)
    """
    return not content_type or content_type.startswith(types) or content_type.startswith(GZIP)


def _cookie_jar() -> Any:
    share = pycurl.CurlShare()
    share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
    return share
