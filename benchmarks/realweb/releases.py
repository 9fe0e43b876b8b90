"""Git repositories with a history: the releases of a package on PyPI, one commit for each file that a release changed."""

import os
import re
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from realweb.packages import download_wheel, run

REPOSITORIES = {
    "click": ["8.0.0", "8.0.1", "8.0.2", "8.0.3", "8.0.4", "8.1.0", "8.1.1", "8.1.2", "8.1.3", "8.1.4", "8.1.6", "8.1.7"],
    "itsdangerous": ["1.1.0", "2.0.0", "2.0.1", "2.1.0", "2.1.1", "2.1.2", "2.2.0"],
}


def make_repositories(folder: Path, most_commits: int = 120) -> list[Path]:
    """Bare repositories of `REPOSITORIES` under `folder`; those that are there already are left as they are."""
    made = [_make(folder, name, versions, most_commits) for name, versions in REPOSITORIES.items()]
    shutil.rmtree(folder / "wheels", ignore_errors=True)
    return made


def _make(folder: Path, name: str, versions: Sequence[str], most_commits: int) -> Path:
    bare = folder / f"{name}.git"
    if bare.exists():
        return bare
    tree = folder / f"{name}.tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    run(["git", "init", "--quiet", "--initial-branch=main", tree])
    commits = 0
    for version in versions:
        wheel = download_wheel(f"{name}=={version}", folder / "wheels")
        commits += _commit_release(tree, wheel, name, version, commits, most_commits)
    run(["git", "clone", "--quiet", "--bare", tree, bare])
    (bare / "description").write_text(f"The releases of {name}\n")
    shutil.rmtree(tree)
    return bare


def _commit_release(tree: Path, wheel: Path, name: str, version: str, before: int, most_commits: int) -> int:
    """Commit what is new in a release, file by file, and tag it; how many commits that took."""
    with zipfile.ZipFile(wheel) as release:
        members = [member for member in release.namelist() if not member.endswith(("/", "RECORD", "WHEEL"))]
        for member in members:
            target = tree / re.sub(r"^[^/]*\.dist-info/", "metadata/", member)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(release.read(member))
    changed = run(["git", "status", "--porcelain", "-uall"], tree).splitlines()
    made = 0
    for path in [line[3:] for line in changed][: max(0, most_commits - before - 1)]:
        _commit(tree, before + made, [path], f"Bring {path} to {version}")
        made += 1
    if run(["git", "status", "--porcelain"], tree):
        _commit(tree, before + made, ["."], f"Release {name} {version}")
        made += 1
    run(["git", "tag", f"v{version}"], tree)
    return made


def _commit(tree: Path, number: int, paths: Sequence[str], message: str) -> None:
    """One commit, a day after the one before, so that the repository is the same wherever it is made."""
    who = {"NAME": "Release Bot", "EMAIL": "releases@example.org", "DATE": f"{1_500_000_000 + 86_400 * number} +0000"}
    environment = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    run(["git", "add", "--", *paths], tree)
    run(["git", "commit", "--quiet", "--no-gpg-sign", "-m", message], tree, {**os.environ, **environment})
