"""A world on disk: its settings, truth tables, host names, and for stored profiles the pages in one packed file.

``web.json`` is written last, so a folder that has it is whole. `pages/bodies.bin` holds every different body once, one after
the other; `pages/index.parquet` says for each URL which body it is, with status and redirect.
"""

import shutil
from array import array
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish_bytes
from garimpo.contract.results import Result
from garimpo.webgen import ledger
from garimpo.webgen.settings import Settings, settings_for
from garimpo.webgen.world.links import SLOT
from garimpo.webgen.world.world import World

FORMAT, VERSION = "garimpo made web", 1
INDEX = pa.schema([("url", pa.string()), ("body", pa.int32()), ("status", pa.int16()), ("location", pa.string())])
BODIES = pa.schema([("start", pa.int64()), ("length", pa.int32()), ("slot", pa.int32()), ("kind", pa.string())])
CONTENTS = ("web.json", "hosts", "seeds.txt", "truth", "pages", "access.log", "tls")
Progress = Callable[[int], None]


def make(
    folder: str | Path,
    profile: str = "small",
    seed: int = 0,
    static: bool = False,
    progress: Progress | None = None,
    **changes: Any,
) -> Result:
    """Make a world in `folder` and say what is in it.

    Args:
        folder: a new or empty folder.
        profile: small, medium or large.
        seed: which web of that size.
        static: no dynamic text, no faults, no endless traps.
        progress: called with the number of pages made since.
        changes: any other of `Settings`.

    >>> import tempfile
    >>> made = make(tempfile.mkdtemp(), seed=1, hosts=20, urls=300)
    >>> made["hosts"]
    20
    """
    settings = settings_for(profile, seed, static, **changes)
    place = _cleared(Path(folder))
    world = World(settings)
    (place / "truth").mkdir(parents=True)
    ledger.write_small(world, place / "truth")
    lines = [f"{host.address}\t{host.name}\n" for host in world.census.hosts]
    publish_bytes(place / "hosts", "".join(lines).encode())
    publish_bytes(place / "seeds.txt", "".join(f"{url}\n" for url in seeds(world)).encode())
    counts: dict[str, int] = {}
    if settings.stored:
        counts = _store(world, place, progress or (lambda done: None))
    described = {"format": FORMAT, "version": VERSION, "settings": settings.as_dict()}
    publish_bytes(place / "web.json", msgspec.json.encode(described))
    told = {
        "folder": str(folder),
        "profile": profile,
        "seed": seed,
        "static": static,
        "hosts": len(lines),
        "sites": len(world.census.cards),
        **counts,
    }
    return Result(told)


def seeds(world: World) -> list[str]:
    """Where a crawl of this world can begin: the first site, from which all is reached, and some portals.

    Args:
        world: a world.
    """
    cards = [card for card in world.census.cards if card.kind == "portal"][:5]
    return [f"http://{card.hosts[0].name}/" for card in [world.census.cards[0], *cards[1:]]]


def _cleared(place: Path) -> Path:
    """An empty folder: new, empty already, or one that held a made web and nothing else."""
    if place.exists() and not place.is_dir():
        raise BadInput(f"{place}: is a file, not a folder")
    held = sorted(path.name for path in place.iterdir()) if place.exists() else []
    strange = [name for name in held if name not in CONTENTS]
    if strange or (held and "web.json" not in held and "truth" not in held):
        raise BadInput(f"{place}: holds something else ({(strange or held)[0]}); name a new or empty folder")
    for name in held:
        path = place / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    place.mkdir(parents=True, exist_ok=True)
    return place


def _store(world: World, place: Path, progress: Progress) -> dict[str, int]:
    """Write every page and the truth about every URL."""
    (place / "pages").mkdir()
    book = ledger.Ledger(place / "truth")
    known: dict[int, int] = {}
    starts, lengths, slots, kinds = array("q"), array("i"), array("i"), []
    bodies, numbers, statuses, locations = [], array("i"), array("h"), []
    slot = SLOT.encode()
    with (place / "pages" / "bodies.bin").open("wb") as file:
        for row in world.urls():
            redirect = row.family == "redirect"
            answer = world.answer(row.url) if redirect or row.content not in known else None
            if answer is not None and not redirect:
                known[row.content] = len(starts)
                starts.append(file.tell())
                lengths.append(len(answer.body))
                slots.append(answer.body.find(slot))
                kinds.append(answer.kind)
                file.write(answer.body)
            book.add(row)
            bodies.append(row.url)
            numbers.append(-1 if redirect else known[row.content])
            statuses.append(answer.status if answer else 200)
            locations.append(answer.location if answer else "")
            if len(bodies) % 1000 == 0:
                progress(1000)
    book.close()
    pq.write_table(pa.table([starts, lengths, slots, kinds], schema=BODIES), place / "pages" / "bodies.parquet")
    pq.write_table(
        pa.table([bodies, numbers, statuses, locations], schema=INDEX), place / "pages" / "index.parquet", compression="zstd"
    )
    return {"urls": len(bodies), "pages": len(starts)}


def load(folder: str | Path) -> Settings:
    """The settings of the world in a folder.

    Args:
        folder: a made web.
    """
    path = Path(folder) / "web.json"
    try:
        described = msgspec.json.decode(path.read_bytes())
    except FileNotFoundError:
        raise BadInput(f"{folder}: no made web (it has no web.json)") from None
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: {error}") from None
    if not isinstance(described, dict) or described.get("format") != FORMAT or described.get("version") != VERSION:
        raise BadInput(f"{path}: not a made web of version {VERSION}")
    names = {field.name for field in fields(Settings)}
    return Settings(**{name: value for name, value in described["settings"].items() if name in names})


def open_world(folder: str | Path) -> World:
    """The world in a folder, to be asked about any URL.

    Args:
        folder: a made web.
    """
    return World(load(folder))
