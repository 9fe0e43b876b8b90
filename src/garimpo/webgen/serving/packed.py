"""What there is to serve: out of the packed file where a world is stored, else computed."""

import mmap
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from garimpo.webgen.language.chance import number
from garimpo.webgen.store import load
from garimpo.webgen.world.links import SLOT
from garimpo.webgen.world.world import HTML, World

SLOT_BYTES = SLOT.encode()


@dataclass(slots=True)
class Reply:
    """An answer ready to be sent."""

    status: int
    body: bytes
    kind: bytes = HTML.encode()
    location: str = ""
    retry_after: int = 0


class Pages:
    """The pages of the world in a folder, by ``host/target``."""

    def __init__(self, folder: Path) -> None:
        settings = load(folder)
        self.seed = settings.seed
        self.world = World(settings)
        self._places: dict[str, tuple[int, int, str]] = {}
        self._visits: dict[str, int] = {}
        if settings.stored:
            self._open(folder / "pages")

    def _open(self, pages: Path) -> None:
        index = pq.read_table(pages / "index.parquet")
        columns = (index.column(name).to_pylist() for name in ("url", "body", "status", "location"))
        self._places = {url[7:]: (body, status, location) for url, body, status, location in zip(*columns)}
        bodies = pq.read_table(pages / "bodies.parquet")
        self._starts, self._lengths, self._slots = (bodies.column(name).to_pylist() for name in ("start", "length", "slot"))
        self._kinds = [kind.encode() for kind in bodies.column("kind").to_pylist()]
        with (pages / "bodies.bin").open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def visit(self, place: str) -> int:
        """How often a URL was asked for before."""
        visits = self._visits.get(place, 0)
        self._visits[place] = visits + 1
        return visits

    def reply(self, place: str, visits: int) -> Reply:
        """The answer for ``host/target``."""
        found = self._places.get(place)
        if found is None:
            answer = self.world.answer(f"http://{place}")
            changes = SLOT_BYTES in answer.body
            body = self._filled(answer.body, place, visits) if changes else answer.body
            return Reply(answer.status, body, answer.kind.encode(), answer.location)
        number, status, location = found
        if number < 0:
            return Reply(status, b"", location=location)
        start = self._starts[number]
        body = self._bytes[start : start + self._lengths[number]]
        return Reply(
            status, self._filled(body, place, visits) if self._slots[number] >= 0 else body, self._kinds[number], location
        )

    def _filled(self, body: bytes, place: str, visits: int) -> bytes:
        """The body with its counter: another one at every visit."""
        count = number(self.seed, "visit", place, visits) % 10 ** len(SLOT)
        return body.replace(SLOT_BYTES, b"%016d" % count)
