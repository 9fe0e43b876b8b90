"""A crawl folder as one WACZ file: its WARC files, their index and a list of pages, for replay in a browser."""

import gzip
import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec

from garimpo import __version__
from garimpo.archive.collection.cdxj import write_cdxj
from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.reading import Counts

_VERSION = "1.1.1"
_LINES = 2048
_STEP = 1 << 20


def write_wacz(store: Store, out: Path, counts: Counts) -> int:
    """Write every answer of the folder as one WACZ file; returns the number of answers.

    Args:
        store: the crawl folder; its WARC files must be packed with gzip.
        out: the file.
        counts: gets the damaged records that were passed over.
    """
    warcs = sorted((store.path / "warc").iterdir())
    for path in warcs:
        if not path.name.endswith(".warc.gz"):
            raise BadInput(f"{path}: a WACZ file holds WARC files packed with gzip only")
    with tempfile.TemporaryDirectory(dir=out.absolute().parent, prefix=f".{out.name}.") as aside:
        index = Path(aside) / "index.cdxj"
        with index.open("wb") as file:
            lines = write_cdxj(store, file, counts)
        with publish(out) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED, allowZip64=True) as packed:
            _write_parts(_Package(packed), store, warcs, index)
    return lines


class _Package:
    """The zip file, with the digest and the length of whatever is put into it."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self.resources: list[dict[str, Any]] = []

    def put(self, path: str, write: Callable[[IO[bytes]], object]) -> None:
        """Add a file; `write` fills it."""
        with self._packed.open(path, "w", force_zip64=True) as file:
            hashing = _Hashing(file)
            write(hashing)  # type: ignore[arg-type]
        name = path.rpartition("/")[2]
        found = {"name": name.lower(), "path": path, "hash": f"sha256:{hashing.sha256.hexdigest()}", "bytes": hashing.length}
        self.resources.append(found)


class _Hashing:
    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.sha256, self.length = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> int:
        self.sha256.update(data)
        self.length += len(data)
        return self._file.write(data)


def _write_parts(package: _Package, store: Store, warcs: list[Path], index: Path) -> None:
    for path in warcs:
        with path.open("rb") as file:
            package.put(f"archive/{path.name}", lambda to, file=file: shutil.copyfileobj(file, to, _STEP))  # type: ignore[misc]
    blocks: list[bytes] = []
    with index.open("rb") as lines:
        package.put("indexes/index.cdx.gz", lambda to: blocks.extend(_write_index(lines, to)))
    package.put("indexes/index.idx", lambda to: to.write(b"".join(blocks)))
    package.put("pages/pages.jsonl", lambda to: _write_page_list(store, to))
    described = {
        "profile": "data-package",
        "wacz_version": _VERSION,
        "title": store.path.resolve().name,
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "software": f"garimpo {__version__}",
        "resources": list(package.resources),
    }
    data = msgspec.json.format(msgspec.json.encode(described), indent=2)
    package.put("datapackage.json", lambda to: to.write(data))
    digest = {"path": "datapackage.json", "hash": package.resources[-1]["hash"]}
    package.put("datapackage-digest.json", lambda to: to.write(msgspec.json.encode(digest)))


def _write_index(lines: IO[bytes], to: IO[bytes]) -> Iterator[bytes]:
    """Write the index in blocks, each packed on its own; gives the lines of the index of blocks."""
    yield b'!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'
    offset = 0
    while block := list(islice(lines, _LINES)):
        packed = gzip.compress(b"".join(block), mtime=0)
        to.write(packed)
        digest = f"sha256:{hashlib.sha256(packed).hexdigest()}"
        entry = {"offset": offset, "length": len(packed), "digest": digest, "filename": "index.cdx.gz"}
        yield block[0].partition(b" {")[0] + b" " + msgspec.json.encode(entry) + b"\n"
        offset += len(packed)


def _write_page_list(store: Store, to: IO[bytes]) -> None:
    to.write(b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n')
    for batch in store.latest(["url", "fetched_at", "title"]):
        for row in batch.to_pylist():
            at = row["fetched_at"].strftime("%Y-%m-%dT%H:%M:%SZ")
            page = {"id": hashlib.sha256(row["url"].encode()).hexdigest()[:22], "url": row["url"], "ts": at}
            to.write(msgspec.json.encode({**page, "title": row["title"] or row["url"]}) + b"\n")
