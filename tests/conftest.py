"""Fixtures for all rooms."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data sets; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data sets are not here")
    return folder
