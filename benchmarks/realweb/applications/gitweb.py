"""gitweb: the git viewer that comes with git, in Perl."""

import sys
from pathlib import Path

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.applications.cgit import GATEWAY
from realweb.packages import unpack_debian

DOCUMENTS = {"commit", "blob", "tag"}
FILES = {"blob_plain", "commitdiff_plain", "patch", "patches", "snapshot", "opml", "project_index"}
HISTORY = {"blobdiff", "blobdiff_plain", "blame", "history", "commitdiff", "tree"}


class Gitweb(Application):
    name = "gitweb"
    hosts = ("gitweb.test",)
    masks = Masks(
        drop="div.page_header, div.page_nav, div.page_footer", patterns=(r"\b\d+ (?:sec|min|hour|day|week|month|year)s? ago\b",)
    )

    def install(self, folder: Path) -> None:
        unpack_debian(["gitweb"], folder / "root")
        unpack_debian(["git"], folder / "root", needed=False)
        program = folder / "root/usr/share/gitweb/gitweb.cgi"  # it asks crawlers to follow no link, and no setting changes that
        program.write_text(program.read_text().replace('content="index, nofollow"', 'content="index, follow"'))

    def fill(self, folder: Path, material: Material) -> None:
        (folder / "gitweb.conf").write_text(
            f"$projectroot = '{material.repositories}';\n$feature{{'blame'}}{{'default'}} = [1];\n"
            "$feature{'pathinfo'}{'default'} = [0];\n$feature{'search'}{'default'} = [1];\n1;\n"
        )

    def serve(self, folder: Path, port: int) -> Command:
        root = folder / "root"
        modules = [root / "usr/share/perl5", *root.glob("usr/lib/*/perl5/*")]
        environment = {"GITWEB_CONFIG": str(folder / "gitweb.conf"), "PERL5LIB": ":".join(map(str, modules))}
        return Command([sys.executable, str(GATEWAY), str(port), str(root / "usr/share/gitweb/gitweb.cgi")], environment)

    def kind(self, url: str) -> Kind:
        given = parameters(url)
        action = given.get("a", "summary" if "p" in given else "project_list")
        if action in FILES:
            return "file"
        if action == "blob":
            return "document" if given.get("hb", "HEAD") in ("HEAD", "refs/heads/main") else "history"
        if action in DOCUMENTS:
            return "document"
        return "history" if action in HISTORY else "listing"
