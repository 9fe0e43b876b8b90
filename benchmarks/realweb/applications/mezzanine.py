"""Mezzanine: a blog with categories, tags, archives and authors, in Python."""

import json
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material, parameters
from realweb.applications.python import PROJECTS, wsgi_command
from realweb.packages import make_environment, run

POSTS = 250
LOCAL = """
SECRET_KEY = NEVERCACHE_KEY = "no secret: the site is read-only and on loopback"
DEBUG = False
ALLOWED_HOSTS = ["*"]
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "{database}"}}}}
"""


class Mezzanine(Application):
    name = "mezzanine"
    hosts = ("blog.test",)
    masks = Masks(
        main=".middle", drop="form, .share-buttons, .breadcrumb", patterns=(r"\d+ (?:minute|hour|day|week|month|year)s?",)
    )

    def install(self, folder: Path) -> None:
        python = make_environment(folder / "environment", ["Mezzanine==6.1.1", "setuptools<80"])
        run([python.parent / "mezzanine-project", "weblog"], folder)
        (folder / "weblog/weblog/local_settings.py").write_text(LOCAL.format(database=folder / "site.sqlite"))
        run([python, "manage.py", "createdb", "--noinput", "--nodata"], folder / "weblog")

    def fill(self, folder: Path, material: Material) -> None:
        posts = [[one.title, one.paragraphs, one.topic, one.tags] for one in material.documents[:POSTS]]
        environment = {**os.environ, **self.serve(folder, 0).environment}
        fill = [folder / "environment/bin/python", PROJECTS / "mezzanine_fill.py"]
        run(fill, folder / "weblog", environment, json.dumps(posts).encode())

    def serve(self, folder: Path, port: int) -> Command:
        command = wsgi_command(folder, port, folder / "weblog", "weblog.wsgi")
        return Command(command.arguments, {**command.environment, "DJANGO_SETTINGS_MODULE": "weblog.settings"})

    def kind(self, url: str) -> Kind:
        path = urlsplit(url).path
        if re.search(r"^/(?:account|admin|search|comment|rating)/", path):
            return "form"
        if not path.startswith("/blog/") or path == "/blog/" or "/feeds/" in path or parameters(url):
            return "listing"
        return "listing" if re.match(r"/blog/(?:tag|category|author|archive)/", path) else "document"
