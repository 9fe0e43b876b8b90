"""robots.txt, sitemaps, traps, faults: what a crawler meets beside pages."""

import gzip
import http.client
from collections import Counter
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.webgen.world.manners import robots
from garimpo.webgen.world.traps import dead


@pytest.fixture(scope="module")
def world() -> webgen.World:
    return webgen.World(webgen.settings_for("medium", seed=3))


def test_robots_are_of_many_kinds(world: webgen.World) -> None:
    files = [robots(world.site(host.site), host) for host in world.census.hosts]
    statuses = Counter(file.status for file in files)
    assert statuses[200] > 1_000 and statuses[404] > 100 and statuses[503] and statuses[301]
    assert any(file.body.startswith(b"\xef\xbb\xbf") for file in files) and any(len(file.body) > 500_000 for file in files)
    assert any(file.body[-12:] == b"Disallow: /\n" for file in files)


def test_sitemaps_name_pages(world: webgen.World) -> None:
    seen = 0
    for card in world.census.cards[:60]:
        home = f"http://{card.hosts[0].name}"
        answer = world.answer(f"{home}/sitemap.xml")
        if answer.kind != "application/xml":
            continue
        body = answer.body
        if b"sitemapindex" in body:
            body = gzip.decompress(world.answer(f"{home}/sitemap-1.xml.gz").body)
        urls = [part.partition("</loc>")[0].replace("&amp;", "&") for part in body.decode().split("<loc>")[1:]]
        assert all(world.identify(url) is not None for url in urls)
        seen += 1
    assert seen > 10


def test_a_calendar_has_no_end(world: webgen.World) -> None:
    card = next(card for card in world.census.cards if world.site(card.index).calendar)
    first = world.answer(f"http://{card.hosts[0].name}/calendar/2999/12/")
    assert first.status == 200 and b"/calendar/3000/01/" in first.body
    assert world.identify(f"http://{card.hosts[0].name}/calendar/x/") is None


def test_what_is_gone_answers_so(world: webgen.World) -> None:
    statuses = Counter()
    for card in world.census.cards[:300]:
        for target in dead(world.site(card.index)):
            statuses[world.answer(f"http://{card.hosts[0].name}{target}").status] += 1
    assert {200, 404, 410, 500} <= set(statuses)


def test_static_worlds_have_no_endless_or_faulty_parts() -> None:
    still = webgen.World(webgen.settings_for("small", seed=3, static=True))
    assert not any(still.site(card.index).calendar or still.site(card.index).dynamic for card in still.census.cards)
    assert not any(still.faulty(card.index) for card in still.census.cards)


def test_every_habit_of_faulty_hosts(tmp_path: Path) -> None:
    webgen.make(tmp_path / "w", seed=4, hosts=40, urls=1_500, faults=1.0)
    tables = webgen.truth(tmp_path / "w")
    habit = dict(zip(tables["faults"]["host"].to_pylist(), tables["faults"]["fault"].to_pylist()))
    met = Counter()
    with webgen.serve(tmp_path / "w") as server:
        for url in tables["pages"]["url"].to_pylist()[::2]:
            host, _, path = url.removeprefix("http://").partition("/")
            if habit.get(host) == "slow" and met["slow"]:
                continue
            met[_meet(server, host, "/" + path, habit.get(host, ""))] += 1
            if habit.get(host) == "slow":
                met["slow"] += 1
    assert met["IncompleteRead"] and met["503"] and met["429"] and met["200"]
    assert met["RemoteDisconnected"] or met["ConnectionResetError"]


def _meet(server: webgen.Serving, host: str, target: str, habit: str) -> str:
    connection = http.client.HTTPConnection(server.host, server.port, timeout=120)
    try:
        connection.request("GET", target, headers={"Host": host})
        response = connection.getresponse()
        response.read()
        return str(response.status)
    except (http.client.HTTPException, OSError) as error:
        return type(error).__name__
    finally:
        connection.close()
