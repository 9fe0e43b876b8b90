"""The world against its own truth."""

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.contract.errors import BadInput


@pytest.fixture(scope="module", params=[1, 2, 3])
def world(request: pytest.FixtureRequest) -> webgen.World:
    return webgen.World(webgen.settings_for("small", seed=request.param))


def test_every_url_is_found_as_the_page_it_was_made_for(world: webgen.World) -> None:
    rows = list(world.urls())
    assert len({row.url for row in rows}) == len(rows)
    for row in rows:
        found = world.identify(row.url)
        assert found is not None, row
        assert (found.content, found.near, found.key, found.kind) == (row.content, row.near, row.key, row.kind), row


def test_keys_and_contents_agree(world: webgen.World) -> None:
    contents, keys = defaultdict(set), defaultdict(set)
    for row in world.urls():
        if not row.key:
            continue
        contents[row.key].add(row.content)
        keys[row.content, row.key.partition("/")[0]].add(row.key)
    assert all(len(each) == 1 for each in contents.values())
    assert all(len(each) == 1 for each in keys.values())


def test_families_of_one_url_only_are_unique(world: webgen.World) -> None:
    clusters = defaultdict(list)
    for row in world.urls():
        if row.key:
            clusters[row.key].append(row.family)
    unique = sum(families == ["unique"] for families in clusters.values())
    assert unique > len(clusters) * 0.2


def test_the_same_seed_makes_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        webgen.make(tmp_path / name, seed=seed, hosts=20, urls=400)
    read = {name: [path.read_bytes() for path in sorted((tmp_path / name).rglob("*.bin"))] for name in "abc"}
    assert read["a"] == read["b"] != read["c"]
    hosts = {name: (tmp_path / name / "hosts").read_text() for name in "abc"}
    assert hosts["a"] == hosts["b"] != hosts["c"]


def test_bytes_do_not_hang_on_the_hash_of_a_process(tmp_path: Path) -> None:
    for salt in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "garimpo",
            "web",
            "make",
            str(tmp_path / salt),
            "--seed=3",
            "--hosts=20",
            "--urls=300",
        ]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": salt}, stdout=subprocess.DEVNULL)
    first, second = (tmp_path / salt / "pages" / "bodies.bin" for salt in ("1", "2"))
    assert first.read_bytes() == second.read_bytes()


def test_addresses_are_loopback(world: webgen.World) -> None:
    assert all(host.address.startswith("127.") for host in world.census.hosts)


def test_bad_settings(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no profile"):
        webgen.make(tmp_path / "x", "huge")
    with pytest.raises(BadInput, match="hosts"):
        webgen.make(tmp_path / "x", hosts=3)
    with pytest.raises(BadInput, match="not a part of one"):
        webgen.make(tmp_path / "x", dust=1.5)
    (tmp_path / "y").mkdir()
    (tmp_path / "y" / "diary.txt").write_text("mine")
    with pytest.raises(BadInput, match="something else"):
        webgen.make(tmp_path / "y")
    with pytest.raises(BadInput, match="no made web"):
        webgen.open_world(tmp_path / "y")
