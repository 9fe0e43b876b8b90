"""API documentation by pydoctor, of two releases of one library: most of its pages are equal in both."""

import sys
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material
from realweb.applications.manuals import STATIC
from realweb.packages import download_wheel, make_environment, run

LIBRARY, RELEASES = "werkzeug", ("2.3.8", "3.0.6")


class Pydoctor(Application):
    name = "pydoctor"
    hosts = ("api.test",)
    masks = Masks(
        drop="nav, footer, .sidebarcontainer, #search, address", patterns=(r"API Documentation for \S+", r"\d{4}-\d\d-\d\d \S+")
    )

    def install(self, folder: Path) -> None:
        python = make_environment(folder / "environment", ["pydoctor==24.11.2"])
        for release in RELEASES:
            source = folder / "sources" / release
            with zipfile.ZipFile(download_wheel(f"{LIBRARY}=={release}", folder / "wheels")) as wheel:
                wheel.extractall(source)
            target = folder / "hosts" / self.hosts[0] / release
            arguments = [
                "--project-name",
                LIBRARY,
                "--project-version",
                release,
                "--docformat=restructuredtext",
                "--html-output",
                target,
            ]
            run([python.parent / "pydoctor", *arguments, source / LIBRARY], fine=(2, 3))  # docstrings with faults

    def fill(self, folder: Path, material: Material) -> None:
        """Nothing: the library carries its text."""

    def serve(self, folder: Path, port: int) -> Command:
        return Command([sys.executable, str(STATIC), str(port), str(folder / "hosts")])

    def seeds(self) -> list[str]:
        return [f"http://{self.hosts[0]}/{release}/" for release in RELEASES]

    def kind(self, url: str) -> Kind:
        path = Path(urlsplit(url).path)
        if path.name in ("moduleIndex.html", "classIndex.html", "nameIndex.html", "undoccedSummary.html", "all-documents.html"):
            return "listing"
        return "document" if path.suffix == ".html" or not path.suffix else "file"
