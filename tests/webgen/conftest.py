"""Two small worlds, made once for all tests of a process."""

from pathlib import Path

import pytest

from garimpo import webgen


@pytest.fixture(scope="session")
def static_web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "static"
    webgen.make(folder, "small", seed=7, static=True, hosts=40, urls=2_000)
    return folder


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "dynamic"
    webgen.make(folder, "small", seed=8, hosts=40, urls=2_000)
    return folder
