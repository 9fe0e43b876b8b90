"""Roundup: an issue tracker in Python, with issues, messages, keywords and queries."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.applications.python import PROJECTS, wsgi_command
from realweb.packages import make_environment, run

ISSUES = 200


class Roundup(Application):
    name = "roundup"
    hosts = ("roundup.test",)
    masks = Masks(
        main="main",
        drop="roundup-classhelper",
        patterns=(r"\b(?:\d+|an?) (?:second|minute|hour|day|week|month|year)s? ago\b|(?:just|right) now|moments ago",),
    )

    def install(self, folder: Path) -> None:
        python = make_environment(folder / "environment", ["roundup==2.6.0"])
        admin = [python.parent / "roundup-admin", "-i", folder / "tracker"]
        run(
            [
                *admin,
                "install",
                "classic",
                "sqlite",
                "tracker_web=http://roundup.test/,mail_domain=roundup.test,mail_host=localhost",
            ]
        )
        run([*admin, "initialise", "realweb"])

    def fill(self, folder: Path, material: Material) -> None:
        issues = [[document.title, document.paragraphs, document.tags[0]] for document in material.documents[:ISSUES]]
        run(
            [folder / "environment/bin/python", PROJECTS / "roundup_fill.py", folder / "tracker"],
            stdin=json.dumps(issues).encode(),
        )

    def serve(self, folder: Path, port: int) -> Command:
        return wsgi_command(folder, port, PROJECTS, "roundup_site")

    def kind(self, url: str) -> Kind:
        name, given = urlsplit(url).path.strip("/"), parameters(url)
        template = given.get("@template", "")
        if name.rstrip("0123456789") in ("issue", "msg", "file") and name[-1:].isdigit():
            return "document" if not template else "form"
        if template in ("item", "search", "register", "forgotten") or given.get("@action") or "/" in name:
            return "form"
        return "listing"
