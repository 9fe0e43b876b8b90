"""Sites and the pages of links between them, for the locator: which site a detector would accept, and which page leads to it.

Sites lie along a distance from the seeds. A hub (directory, blogroll, city portal) stands at a distance too and links mostly to
sites near its own; with probability q of its links it keeps to the wanted entity, and q falls with the distance while shops and
institutions that look like it grow more frequent, so the harvest gets poorer the further a locator goes.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish, publish_bytes
from garimpo.contract.tables import LINKS
from garimpo.webgen.language import names
from garimpo.webgen.language.chance import Dice, pick, share
from garimpo.webgen.tables.draws import Floats, Ints, parts

SITES = pa.schema([("site", pa.string()), ("relevant", pa.bool_()), ("detected", pa.bool_()), ("archetype", pa.string())])
RELEVANT = ("A1",) * 50 + ("A2",) * 20 + ("A3",) * 15 + ("A4",) * 10 + ("A5",) * 5
OTHER = ("N1",) * 35 + ("N2",) * 20 + ("N3",) * 30 + ("N4",) * 15
HUBS = 0.12
"""Part of the irrelevant sites that have pages of links."""
REACH = 0.12
SEEDS = 12


def make(
    folder: Path, seed: int, sites: int = 6_000, relevant: float = 0.1, recall: float = 0.9, false_alarm: float = 0.008
) -> dict[str, Any]:
    """Write ``sites``, ``links`` and ``seeds.txt``.

    The detector finds `recall` of the relevant sites and takes `false_alarm` of the others for relevant, four times as many
    among those that look like one.
    """
    for name, value in (("relevant", relevant), ("recall", recall), ("false_alarm", false_alarm)):
        if not 0.0 <= value <= 1.0:
            raise BadInput(f"locator: {name} {value} is not a part of one")
    if sites < 100 or relevant * sites < SEEDS:
        raise BadInput(f"locator: {sites} sites of which {relevant} relevant: at least 100 sites and {SEEDS} relevant ones")
    is_relevant = np.zeros(sites, bool)
    is_relevant[np.argsort(parts(seed, "relevant", sites), kind="stable")[: round(sites * relevant)]] = True
    distance = parts(seed, "distance", sites)
    archetypes = [
        pick(RELEVANT if wanted else OTHER, seed, "archetype", index) for index, wanted in enumerate(is_relevant.tolist())
    ]
    domains = _domains(seed, sites, is_relevant)
    detected = _detected(seed, is_relevant, np.array([name in ("N1", "N2") for name in archetypes]), recall, false_alarm)
    sources, targets = _links(seed, is_relevant, distance, domains)
    with publish(folder / "sites.parquet") as temporary:
        pq.write_table(pa.table([domains, is_relevant, detected, archetypes], schema=SITES), temporary)
    anchors = [domains[target].partition(".")[0] for target in targets]
    nothing = pa.nulls(len(sources), pa.string())
    with publish(folder / "links.parquet") as temporary:
        homes = [f"http://www.{domains[target]}/" for target in targets]
        pq.write_table(pa.table([sources, homes, anchors, nothing, nothing], schema=LINKS), temporary, compression="zstd")
    near = [at for at in np.argsort(distance, kind="stable").tolist() if is_relevant[at] and detected[at]][:SEEDS]
    publish_bytes(folder / "seeds.txt", "".join(f"http://www.{domains[at]}/\n" for at in near).encode())
    return {"sites": sites, "relevant": int(is_relevant.sum()), "detected": int(detected.sum()), "links": len(sources),
            "recall": recall, "false_alarm": false_alarm}  # fmt: skip


def _domains(seed: int, sites: int, relevant: np.ndarray[Any, Any]) -> list[str]:
    made: dict[str, None] = {}
    for index in range(sites):
        stem = names.word(seed, "site", index)
        if relevant[index] and index % 3 == 0:
            stem += "imoveis"
        ending = "com.br" if share(seed, "br", index) < 0.9 else pick(("com", "net", "org"), seed, "ending", index)
        while f"{stem}.{ending}" in made:
            stem += str(index % 10)
        made[f"{stem}.{ending}"] = None
    return list(made)


def _detected(
    seed: int, relevant: np.ndarray[Any, Any], alike: np.ndarray[Any, Any], recall: float, false_alarm: float
) -> np.ndarray[Any, Any]:
    chance = np.where(relevant, recall, np.where(alike, min(1.0, 4 * false_alarm), false_alarm))
    return np.asarray(parts(seed, "detected", len(relevant)) < chance)


def _links(seed: int, relevant: np.ndarray[Any, Any], distance: Floats, domains: list[str]) -> tuple[list[str], list[int]]:
    """Pages of links: those of the hubs, and the few partners that a relevant site names."""
    wanted, other = (np.flatnonzero(mask)[np.argsort(distance[mask], kind="stable")] for mask in (relevant, ~relevant))
    dice = Dice(seed, "links")
    sources: list[str] = []
    targets: list[int] = []
    hubs = other[parts(seed, "hubs", len(other)) < HUBS]
    for hub in hubs.tolist():
        keeps = 0.9 - 0.55 * float(distance[hub])
        for page in range(dice.between(1, 4)):
            chosen = _near(dice, dice.between(8, 40), keeps, float(distance[hub]), wanted, other, distance)
            sources += [f"http://www.{domains[hub]}/links{page or ''}.html"] * len(chosen)
            targets += chosen
    for index in wanted.tolist():
        if dice.roll() < 0.3:
            chosen = _near(dice, dice.between(1, 5), 0.5, float(distance[index]), wanted, other, distance)
            sources += [f"http://www.{domains[index]}/parceiros.html"] * len(chosen)
            targets += chosen
    return sources, targets


def _near(dice: Dice, count: int, keeps: float, at: float, wanted: Ints, other: Ints, distance: Floats) -> list[int]:
    """Different sites near a distance, popular ones more often."""
    chosen: dict[int, None] = {}
    for _ in range(count):
        pool = wanted if dice.roll() < keeps else other
        low, high = np.searchsorted(distance[pool], (at - REACH, at + REACH)) if dice.roll() < 0.9 else (0, len(pool))
        if high > low:
            chosen[int(pool[low + int((high - low) * dice.roll() ** 1.5)])] = None
    return list(chosen)
