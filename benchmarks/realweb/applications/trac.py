"""Trac: a wiki, tickets and a git browser in one, in Python."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.applications.python import PROJECTS, wsgi_command
from realweb.packages import make_environment, run

PAGES, TICKETS = 150, 150
AGES = r"\b\d+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b"


class Trac(Application):
    name = "trac"
    hosts = ("trac.test",)
    masks = Masks(main="#content", drop="#prefs, #altlinks, form#query, .trac-modifiedby, .buttons", patterns=(AGES,))

    def install(self, folder: Path) -> None:
        python = make_environment(folder / "environment", ["Trac==1.6", "setuptools<80"])
        run([python.parent / "trac-admin", folder / "site", "initenv", "Manuals", "sqlite:db/trac.db"])

    def fill(self, folder: Path, material: Material) -> None:
        documents = [[one.title, one.slug, one.paragraphs, one.topic, one.tags] for one in material.documents[: PAGES + TICKETS]]
        configuration = folder / "site" / "conf" / "trac.ini"
        repository = min(material.repositories.glob("*.git"))
        with configuration.open("a") as file:
            file.write(
                "\n[components]\ntracopt.versioncontrol.git.* = enabled\n\n"
                f"[repositories]\nsource.dir = {repository}\nsource.type = git\n"
            )
        given = json.dumps([documents[:PAGES], documents[PAGES:]]).encode()
        run([folder / "environment/bin/python", PROJECTS / "trac_fill.py", folder / "site"], stdin=given)
        run([folder / "environment/bin/trac-admin", folder / "site", "repository", "resync", "source"])

    def serve(self, folder: Path, port: int) -> Command:
        command = wsgi_command(folder, port, PROJECTS, "trac_site")
        return Command(command.arguments, {**command.environment, "TRAC_ENV": str(folder / "site")})

    def kind(self, url: str) -> Kind:
        area, _, rest = urlsplit(url).path.strip("/").partition("/")
        given = parameters(url)
        if area in ("export", "raw-attachment", "zip-attachment", "chrome") or "format" in given:
            return "file"
        if {"version", "rev", "old", "old_version"} & given.keys() or given.get("action") in (
            "history",
            "diff",
            "comment-history",
        ):
            return "history"
        if area in ("login", "prefs", "newticket", "register", "logout") or "action" in given:
            return "form"
        if area == "browser":
            return "document" if Path(rest).suffix and not given else "listing"
        return "document" if area in ("", "wiki", "ticket", "changeset") and not given else "listing"
