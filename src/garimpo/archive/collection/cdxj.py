"""An index of the WARC files of a crawl folder, as replay tools read it: CDXJ, sorted by a key of the URL."""

import re
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO
from urllib.parse import unquote_to_bytes

import msgspec
import pyarrow as pa

from garimpo.archive.folder import state
from garimpo.archive.folder.store import Store
from garimpo.archive.warc.members import CORRUPT
from garimpo.archive.warc.reader import Place, read_places
from garimpo.contract.errors import BadInput, LeftOut
from garimpo.contract.reading import Counts

_CDXJ_BATCH = 8192
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_WWW = re.compile(r"^www\d*\.")
_SESSION_IN_PATH = [
    re.compile(r"^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$"),
    re.compile(r"^(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$"),
]
_SESSION_IN_QUERY = [
    re.compile(r"(?:^|(?<=&))(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|$)", re.IGNORECASE),
    re.compile(r"(?:^|(?<=&))aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)", re.IGNORECASE),
    re.compile(r"(?:^|(?<=&))cfid=[^&]+&cftoken=[^&]+(?:&|$)", re.IGNORECASE),
]


def write_cdxj(store: Store, file: IO[bytes], counts: Counts) -> int:
    """Write one line for every answer in the WARC files, sorted; returns the number of lines.

    Args:
        store: the crawl folder.
        file: where to.
        counts: gets the damaged records that were passed over.
    """
    import duckdb

    found = pa.RecordBatchReader.from_batches(pa.schema([("line", pa.string())]), _cdxj_batches(store, counts))
    lines = 0
    with duckdb.connect(config={"memory_limit": "512MB", "temp_directory": str(store.path / "state/duckdb.tmp")}) as sorter:
        sorter.register("found", found)
        for batch in sorter.sql("SELECT line FROM found ORDER BY line").to_arrow_reader(_CDXJ_BATCH):
            file.write("".join(line + "\n" for line in batch.column(0).to_pylist()).encode())
            lines += batch.num_rows
    return lines


def _cdxj_batches(store: Store, counts: Counts) -> Iterator[pa.RecordBatch]:
    lines: list[str] = []
    for name, length in state.warcs(store.database).items():
        path = store.path / "warc" / name
        for place in _places(path, length, counts):
            when = datetime.fromisoformat(place.date).strftime("%Y%m%d%H%M%S")
            fields = {
                "url": place.url,
                "mime": "warc/revisit" if place.revisit else place.mime,
                "status": str(place.status),
                "digest": place.payload_digest,
                "length": str(place.length),
                "offset": str(place.offset),
                "filename": path.name,
            }
            lines.append(f"{sort_key(place.url)} {when} {msgspec.json.encode(fields).decode()}")
            if len(lines) == _CDXJ_BATCH:
                yield pa.record_batch([pa.array(lines)], names=["line"])
                lines = []
    yield pa.record_batch([pa.array(lines, pa.string())], names=["line"])


def _places(path: Path, length: int, counts: Counts) -> Iterator[Place]:
    """The committed answers of a file that are whole; of one that is damaged a warning tells."""
    found, fault = Counts(), ""
    try:
        yield from read_places(path, found, length)
    except BadInput:
        fault = "damaged, left out" if path.exists() else "missing"
    if found[CORRUPT] or (path.exists() and path.stat().st_size < length):
        fault = "damaged, what cannot be read is left out"
    if fault:
        warnings.warn(f"{path}: {fault}", LeftOut, stacklevel=3)
    counts.update(found)


def sort_key(url: str) -> str:
    """A URL as replay tools look it up: host name from the right without `www`, path and query in lower case, no scheme.

    The arguments of the query are sorted; session ids, default ports and a slash at the end of a path do not count.

    Args:
        url: an absolute URL.

    >>> sort_key("https://www.Example.org:8080/A/?b=2&a=1")
    'org,example:8080)/a?a=1&b=2'
    """
    scheme, _, rest = url.partition("#")[0].partition("://")
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    name, port = _host_and_port(rest[:cut].rpartition("@")[2].lower())
    if port == _DEFAULT_PORTS.get(scheme.lower()):
        port = ""
    host = name[1:-1] if name.startswith("[") else ",".join(reversed(_WWW.sub("", name).rstrip(".").split(".")))
    path, mark, query = rest[cut:].partition("?")
    return f"{host}{':' if port else ''}{port}){_path(path)}{_query(query) if mark else ''}"


def _host_and_port(authority: str) -> tuple[str, str]:
    name, colon, port = authority.rpartition(":")
    return (name, port) if colon and (not port or port.isdigit()) else (authority, "")


def _path(path: str) -> str:
    segments: list[str] = []
    for segment in _requoted(path).split("/"):
        if segment == "..":
            segments = segments[:-1]
        elif segment not in ("", "."):
            segments.append(segment)
    found = "/" + "/".join(segments).lower()
    for pattern in _SESSION_IN_PATH:
        found = pattern.sub(r"\1\2", found)
    return found


def _query(query: str) -> str:
    query = _requoted(query)
    for pattern in _SESSION_IN_QUERY:
        query = pattern.sub("", query)
    query = query.lower()
    arguments = sorted(argument.partition("=") for argument in query.split("&"))
    return "?" + "&".join("".join(argument) for argument in arguments) if query else ""


def _requoted(text: str) -> str:
    """Percent signs only where they must be: at control characters, spaces, `#`, `%` and what is not ASCII."""
    plain = unquote_to_bytes(text)
    while (again := unquote_to_bytes(plain)) != plain:
        plain = again
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b"#%" else f"%{byte:02X}" for byte in plain)
