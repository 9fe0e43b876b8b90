"""A small made web behind its server, and crawls of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from garimpo import webgen
from garimpo.webgen import Serving


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "static"
    webgen.make(folder, "small", seed=7, static=True, hosts=20, urls=600)
    return folder


@pytest.fixture
def server(web: Path) -> Iterator[Serving]:
    (web / "access.log").unlink(missing_ok=True)
    with webgen.serve(web) as serving:
        yield serving


@pytest.fixture
def flags(web: Path, server: Serving) -> list[str]:
    """What every crawl of the made web is given."""
    return [
        f"@{web / 'seeds.txt'}", "--scope", "all", "--strategy", "bfs", "--no-learn", "--delay", "0",
        "--resolve-all", server.address, "--hosts", str(web / "hosts"), "--connections-per-address", "8",
    ]  # fmt: skip
