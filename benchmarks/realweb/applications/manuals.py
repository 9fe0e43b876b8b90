"""Documentation packages of Debian as static hosts, some under two names."""

import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from realweb.application import Application, Command, Kind, Masks, Material
from realweb.packages import Missing, unpack_debian

PACKAGES = """
debian-policy developers-reference debian-faq apt-doc aptitude-doc-en python-flask-doc python-jinja2-doc python-werkzeug-doc
python-requests-doc python-click-doc python-markdown-doc python-babel-doc python-sqlalchemy-doc python-bs4-doc python-celery-doc
python-kombu-doc python-bidict-doc python-blinker-doc python-cmd2-doc python-cbor2-doc python-configobj-doc python-cherrypy3-doc
python-mako-doc python-lxml-doc python-django-filters-doc python-django-taggit-doc haproxy-doc postfix-doc exim4-doc-html
cmake-doc libxml2-doc libglib2.0-doc libgtk-3-doc gnuplot-doc privoxy
""".split()  # noqa: SIM905
TWICE = PACKAGES[:6]
"""These have a second name, with `www.` before the first."""
STATIC = Path(__file__).parent.parent / "servers" / "static.py"


class Manuals(Application):
    name = "manuals"
    hosts = (*(f"{name}.test" for name in PACKAGES), *(f"www.{name}.test" for name in TWICE))
    masks = Masks()

    def install(self, folder: Path) -> None:
        found = 0
        (folder / "hosts").mkdir()
        for name in PACKAGES:
            try:
                unpack_debian([name], folder / "packages" / name, needed=False)
            except Missing as error:
                print(f"manuals: {name} left out: {error}", file=sys.stderr)
                continue
            top = _top_folder(folder / "packages" / name)
            for host in (f"{name}.test", f"www.{name}.test"):
                if top is not None and host in self.hosts:
                    (folder / "hosts" / host).symlink_to(top)
                    found += 1
        if not found:
            raise Missing("no documentation package could be downloaded")

    def fill(self, folder: Path, material: Material) -> None:
        """Nothing: the packages carry their text."""

    def serve(self, folder: Path, port: int) -> Command:
        return Command([sys.executable, str(STATIC), str(port), str(folder / "hosts")])

    def kind(self, url: str) -> Kind:
        path = urlsplit(url).path
        return "document" if path.endswith((".html", ".htm", "/")) else "file"


def _top_folder(root: Path) -> Path | None:
    """Where a host's documents begin: the folder of the shallowest `index.html` that has most pages below it."""
    pages = [page for page in root.rglob("*.html") if page.is_file()]
    tops = [page.parent for page in pages if page.name == "index.html"]
    below = Counter({top: sum(page.is_relative_to(top) for page in pages) for top in tops})
    return min(below, key=lambda top: (-below[top], len(top.parts), top)) if below else None
