"""cgit: a git viewer in C, under two names."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.packages import library_path, unpack_debian

GATEWAY = Path(__file__).parent.parent / "servers" / "gateway.py"
CONFIGURATION = """
css=/cgit.css
logo=/cgit.png
virtual-root=/
root-title=Repositories
robots=index, follow
snapshots=tar.gz zip
enable-index-links=1
enable-log-filecount=1
enable-log-linecount=1
enable-commit-graph=1
scan-path={repositories}
"""


class Cgit(Application):
    name = "cgit"
    hosts = ("cgit.test", "git.cgit.test")
    masks = Masks(
        main="div.content", drop="td.linenumbers", patterns=(r"\b\d+ (?:sec|min|hour|day|week|month|year)s?\.?(?: ago)?\b",)
    )

    def install(self, folder: Path) -> None:
        unpack_debian(["cgit"], folder / "root")

    def fill(self, folder: Path, material: Material) -> None:
        (folder / "cgitrc").write_text(CONFIGURATION.format(repositories=material.repositories))

    def serve(self, folder: Path, port: int) -> Command:
        root = folder / "root"
        environment = {"CGIT_CONFIG": str(folder / "cgitrc"), "LD_LIBRARY_PATH": library_path(root)}
        return Command([sys.executable, str(GATEWAY), str(port), str(root / "usr/lib/cgit/cgit.cgi")], environment)

    def kind(self, url: str) -> Kind:
        parts, given = urlsplit(url).path.strip("/").split("/"), parameters(url)
        view = parts[1] if len(parts) > 1 else "summary"
        if view in ("snapshot", "plain", "blob", "patch", "rawdiff"):
            return "file"
        if view == "commit" and len(parts) == 2:
            return "document" if "id" in given and len(given) == 1 else "history"
        if view == "tree" and Path(parts[-1]).suffix:
            return "history" if given else "document"
        return "history" if view in ("diff", "blame", "commit") or "id" in given else "listing"
