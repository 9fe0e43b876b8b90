"""Fixtures for all rooms."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent


os.environ["GARIMPO_FENCE"] = "0"  # no mistake hides behind the fence around answers

# The first call of a kernel may compile it: no example has a deadline.
settings.register_profile("garimpo", deadline=None)
settings.load_profile("garimpo")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests looked at the dashboard in a real browser: where there is a Chromium, none may be left out."""
    ran, left = (
        [one for kind in kinds for one in terminalreporter.getreports(kind) if "ui/test_browser" in one.nodeid]
        for kinds in (("passed", "failed", "error"), ("skipped",))
    )
    if ran or left:
        terminalreporter.write_line(f"in a real browser: {len(ran)} tests ran, {len(left)} were skipped")


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data sets; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not here")
    return folder
