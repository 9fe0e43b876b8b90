"""`import garimpo` offers every room, and imports none that is not asked for."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import garimpo


def ran(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_the_rooms_are_there_by_name() -> None:
    done = ran("import garimpo; garimpo.similarity.dedup; garimpo.dust.learn; garimpo.crawl.crawl; print(*dir(garimpo))")
    assert done.returncode == 0, done.stderr
    assert set(garimpo.ROOMS) <= set(done.stdout.split())


def test_every_folder_is_a_room_but_what_other_programs_run() -> None:
    folders = {path.parent.name for path in Path(garimpo.__file__).parent.glob("*/__init__.py")}
    assert set(garimpo.ROOMS) == folders - {"cli", "demo", "integrations"}


def test_importing_garimpo_imports_no_room() -> None:
    done = ran("import sys, garimpo; print([name for name in sys.modules if name.startswith('garimpo.') or name == 'numpy'])")
    assert done.stdout.strip() == "[]", done.stderr


def test_a_name_that_is_no_room_is_an_attribute_error_that_names_the_rooms() -> None:
    with pytest.raises(AttributeError, match="similarity"):
        garimpo.similarities  # noqa: B018


def test_the_version_stands_in_one_place() -> None:
    here = garimpo.__version__
    assert version("garimpo") == here
    root = Path(__file__).parents[1]
    if (root / "pyproject.toml").is_file():
        assert here not in (root / "pyproject.toml").read_text()
    major, minor, _ = here.split(".")
    assert garimpo.crawl.Settings().agent == f"garimpo/{major}.{minor}"


def test_submodules_of_arrow_are_imported_by_the_module_that_uses_them() -> None:
    """`pa.compute` is there only where somebody else imported it before."""
    sources = Path(garimpo.__file__).parent.rglob("*.py")
    pattern = re.compile(r"\bpa\.(compute|csv|dataset|fs|json|parquet)\.")
    assert not [str(path) for path in sources if pattern.search(path.read_text())]
