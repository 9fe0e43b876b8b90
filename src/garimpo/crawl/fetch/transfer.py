"""One request in flight: a libcurl handle and what it is collecting."""

import socket
from collections.abc import Callable, Sequence
from typing import Any

import pycurl

from garimpo.contract.records import Fetched, HeaderLines
from garimpo.crawl.state.entry import ROBOTS, Entry
from garimpo.url.addresses import is_private_address

VERSIONS = {pycurl.CURL_HTTP_VERSION_1_0: "1.0", pycurl.CURL_HTTP_VERSION_2_0: "2"}
UNWANTED = "content type"
"""The error of an answer that was not read on, as its content type is not kept."""

Headers = Sequence[tuple[str, str]]


class Transfer:
    """One libcurl handle and what it is collecting."""

    __slots__ = (
        "accepts",
        "chunks",
        "curl",
        "entry",
        "head",
        "ip",
        "limit",
        "private",
        "purpose",
        "sent",
        "size",
        "to",
        "truncated",
        "url",
        "wanted",
    )

    def __init__(self, curl: Any, limit: int, accepts: Callable[[list[bytes]], bool]) -> None:
        self.curl, self.limit, self.accepts = curl, limit, accepts
        self.to: str | None = None
        self.sent: Headers = ()
        curl.setopt(pycurl.WRITEFUNCTION, self.write)
        self.head: list[bytes] = []
        self.chunks: list[bytes] = []
        curl.setopt(pycurl.HEADERFUNCTION, self.head.append)  # libcurl itself ends a flood of headers

    def begin(self, entry: Entry, url: str, purpose: int, ip: str | None) -> None:
        self.entry, self.url, self.purpose, self.ip = entry, url, purpose, ip
        self.head.clear()
        self.size = 0
        self.truncated = self.private = False
        self.wanted = True

    def write(self, data: bytes) -> int | None:
        """A piece of the unpacked body; a wrong count stops the transfer."""
        if not self.size and self.purpose != ROBOTS and not self.accepts(self.head):
            self.wanted = False
            return -1
        room = self.limit - self.size
        if len(data) > room:
            self.chunks.append(data[:room])
            self.size, self.truncated = self.limit, True
            return -1
        self.chunks.append(data)
        self.size += len(data)
        return None

    def fetched(self, error: str | None, seconds: float) -> Fetched:
        """The answer, or why there is none, after so many seconds."""
        if error is not None:
            return Fetched(self.url, 0, ip=self.ip or None, error=error, seconds=seconds)
        status = self.curl.getinfo(pycurl.RESPONSE_CODE)
        version = VERSIONS.get(self.curl.getinfo(pycurl.INFO_HTTP_VERSION), "1.1")
        body = self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)
        ip = (self.ip if self.ip is not None else self.curl.getinfo(pycurl.PRIMARY_IP)) or None
        refused = None if self.wanted else UNWANTED
        headers = HeaderLines(header_block(self.head))
        return Fetched(self.url, status, body, headers, ip, refused, self.truncated, seconds, version)


def open_socket(transfer: Transfer, address: Any) -> Any:
    """A socket to a public address; to no other."""
    family, kind, protocol, where = address
    if family not in (socket.AF_INET, socket.AF_INET6) or is_private_address(where[0]):
        transfer.private = True
        return pycurl.SOCKET_BAD
    return socket.socket(family, kind, protocol)


def header_block(lines: list[bytes]) -> bytes:
    """The header lines of the last answer (before it there may be interim ones), as `HeaderLines` wants them.

    >>> header_block([b"HTTP/1.1 100 Continue\\r\\n", b"\\r\\n", b"HTTP/1.1 200 OK\\r\\n", b"ETag : x\\n", b"\\n"])
    b'ETag: x\\r\\n'
    """
    head = b"".join(lines).removesuffix(b"\r\n")
    if head.count(b"HTTP/") > 1:
        head = head[head.rfind(b"\nHTTP/") + 1 :]
    block, ends = head.partition(b"\n")[2], head.count(b"\r\n")
    if head.count(b"\n") == head.count(b"\r") == ends and not (b"\r\n\r\n" in head or b" :" in head or b"\t:" in head):
        return block  # as nearly all are: no odd line end, no empty line before trailers, no white space behind a name
    parts = [line.partition(b":") for line in block.replace(b"\r", b" ").split(b"\n")]
    return b"".join([b"%b:%b\r\n" % (name.strip(), value.rstrip()) for name, _, value in parts if name.strip()])
