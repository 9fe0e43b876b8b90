"""Software from Debian and PyPI, each in a folder of its own. Nothing is installed for the machine, no package script runs."""

import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path


class Missing(Exception):
    """What was asked for cannot be had here; the text says what and why, in one line."""


def run(
    arguments: Sequence[str | Path],
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    stdin: bytes = b"",
    fine: Sequence[int] = (),
) -> str:
    """Run a command to its end and return what it printed; `Missing` with its last line if its code is not `fine`."""
    try:
        ran = subprocess.run([str(part) for part in arguments], cwd=folder, env=environment, input=stdin, capture_output=True)
    except OSError as error:
        raise Missing(f"{arguments[0]}: {error.strerror}") from None
    if ran.returncode not in (0, *fine):
        lines = (ran.stderr or ran.stdout).decode(errors="replace").strip().splitlines() or ["no message"]
        raise Missing(f"{Path(arguments[0]).name} failed: {lines[-1]}")
    return ran.stdout.decode(errors="replace")


def unpack_debian(names: Sequence[str], root: Path, needed: bool = True) -> None:
    """Download Debian packages and unpack them under `root`, if `needed` with what they need that is not installed."""
    wanted = [*names]
    if needed:
        plan = run(["apt-get", "install", "--simulate", "--no-install-recommends", *names])
        # "Inst name [old] (new ...": what has an old version is on this machine already.
        words = [line.split() for line in plan.splitlines() if line.startswith("Inst ")]
        wanted = [word[1] for word in words if not word[2].startswith("[")]
    folder = root.parent / "debian"
    folder.mkdir(parents=True, exist_ok=True)
    run(["apt-get", "download", *(wanted or names)], folder)
    for package in sorted(folder.glob("*.deb")):
        run(["dpkg", "-x", package, root])
        package.unlink()


def library_path(root: Path) -> str:
    """Where the shared libraries of unpacked packages are."""
    return ":".join(str(folder) for folder in [*sorted(root.glob("usr/lib/*-linux-gnu")), *sorted(root.glob("lib/*-linux-gnu"))])


def make_environment(folder: Path, requirements: Sequence[str]) -> Path:
    """A virtual environment with what is asked for from PyPI; returns its Python."""
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", *requirements])
    return python


def download_wheel(requirement: str, folder: Path) -> Path:
    """The wheel of one release, such as `click==8.1.0`."""
    folder.mkdir(parents=True, exist_ok=True)
    name = requirement.partition("==")[0]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder]
    run([*command, requirement])
    return max(folder.glob(f"{name.replace('-', '_')}-*.whl"), key=lambda path: path.stat().st_mtime_ns)
