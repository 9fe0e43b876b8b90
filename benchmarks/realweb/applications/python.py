"""What applications written in Python have in common: an environment, and a WSGI server in it."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from realweb.application import Application, Command, Material
from realweb.packages import make_environment, run

HERE = Path(__file__).parent.parent
PROJECTS = HERE / "projects"


def wsgi_command(folder: Path, port: int, modules: Path, module: str) -> Command:
    """Serve `module.application`, found in `modules`, by the application's own Python."""
    python = folder / "environment" / "bin" / "python"
    return Command([str(python), str(HERE / "servers" / "wsgi.py"), str(port), module], {"PYTHONPATH": str(modules)})


class DjangoSite(Application):
    """A site of Django: its settings, URLs and `fill.py` are the package `projects/NAME`, its data is in its folder."""

    requirements: Sequence[str]
    project: str

    def install(self, folder: Path) -> None:
        make_environment(folder / "environment", self.requirements)
        self._run(folder, ["-m", "django", "migrate", "--run-syncdb", "--verbosity", "0"])

    def fill(self, folder: Path, material: Material) -> None:
        given = [[one.title, one.slug, one.paragraphs, one.topic, one.tags] for one in material.documents]
        self._run(folder, [str(PROJECTS / self.project / "fill.py")], json.dumps(given).encode())

    def serve(self, folder: Path, port: int) -> Command:
        command = wsgi_command(folder, port, PROJECTS, "django_site")
        return Command(command.arguments, {**command.environment, **self._settings(folder)})

    def _settings(self, folder: Path) -> dict[str, str]:
        return {"SITE_FOLDER": str(folder), "DJANGO_SETTINGS_MODULE": f"{self.project}.settings", "PYTHONPATH": str(PROJECTS)}

    def _run(self, folder: Path, arguments: Sequence[str], stdin: bytes = b"") -> None:
        python = folder / "environment" / "bin" / "python"
        run([python, *arguments], folder, {**os.environ, **self._settings(folder)}, stdin)
