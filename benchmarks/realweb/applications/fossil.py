"""Fossil: a version control system with its own web pages, in C."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.packages import library_path, run, unpack_debian

PAGES = 60
FILES = {"raw", "zip", "tarball", "sqlar", "style.css", "builtin", "vpatch"}
HISTORY = {"fdiff", "annotate", "blame", "praise", "finfo", "vdiff", "artifact"}
FORMS = {"login", "search", "honeypot", "register"}


class Fossil(Application):
    name = "fossil"
    hosts = ("fossil.test",)
    masks = Masks(
        main="div.content",
        patterns=(r"\b\d+(?:\.\d+)? (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b", r"generated in .*"),
    )

    def install(self, folder: Path) -> None:
        unpack_debian(["fossil"], folder / "root")

    def fill(self, folder: Path, material: Material) -> None:
        command = self.serve(folder, 0)
        fossil, environment = command.arguments[0], {**os.environ, **command.environment}
        stream = run(["git", "fast-export", "--all", "--signed-tags=strip"], min(material.repositories.glob("*.git")))
        run([fossil, "import", "--git", folder / "site.fossil"], folder, environment, stream.encode())
        for user in ("nobody", "anonymous"):
            run([fossil, "user", "capabilities", user, "ghjnorz", "-R", folder / "site.fossil"], folder, environment)
        for document in material.documents[:PAGES]:
            page = [fossil, "wiki", "create", document.title, "-", "-R", folder / "site.fossil"]
            run(page, folder, environment, document.text.encode())

    def serve(self, folder: Path, port: int) -> Command:
        root = folder / "root"
        environment = {"LD_LIBRARY_PATH": library_path(root), "HOME": str(folder), "USER": "realweb"}
        fossil = str(root / "usr/bin/fossil")
        return Command([fossil, "server", "--localhost", "--port", str(port), str(folder / "site.fossil")], environment)

    def seeds(self) -> list[str]:
        return [f"http://{self.hosts[0]}/{page}" for page in ("timeline", "dir", "wcontent")]

    def kind(self, url: str) -> Kind:
        area, given = urlsplit(url).path.strip("/").partition("/")[0], parameters(url)
        if area in FILES:
            return "file"
        if area in FORMS:
            return "form"
        if area in HISTORY:
            return "history"
        if area in ("info", "wiki", "doc"):
            return "document" if "diff" not in given or area != "info" else "history"
        if area == "file":
            return (
                "document"
                if "name" in given and given.get("ci", "tip") in ("tip", "trunk", "main") and len(given) == 2
                else "history"
            )
        return "listing"
